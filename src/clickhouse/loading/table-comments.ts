import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { readYaml } from '../../base/text/read-yaml.ts'

/** A person's descriptions of a table and its columns. The database stores them as comments. */
export interface TableComments {
  readonly table: string
  readonly columns: Readonly<Record<string, string>>
}

export const NO_COMMENTS: TableComments = { table: '', columns: {} }

const comment = z.coerce.string().max(2_000)
const commentsSchema = z.strictObject({
  table: comment.default(''),
  columns: z.record(z.string(), comment).default({}),
})

/**
 * Reads comments from a YAML file with the keys `table` (a text) and `columns` (a text per column name).
 * @throws ConfigurationError with one sentence that names the file
 */
export async function readComments(file: string): Promise<TableComments> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigurationError(`The comments in ${file} cannot be read: ${fileReason(error)}.`, { cause: error })
  })
  const read = readYaml(text, commentsSchema, { empty: {}, noAliases: 'a comment cannot be an alias: write its text' })
  if (read.ok) return read.value
  throw new ConfigurationError(
    `${file}, ${read.mistakes.join('; ')}. It takes \`table\`, a text, and \`columns\`, a text for each name.`,
  )
}

/**
 * Checks that every commented column exists.
 * @throws ConfigurationError that lists the columns that do not exist
 */
export function checkComments({ columns }: TableComments, names: readonly string[], file: string): void {
  const unknown = Object.keys(columns).filter(name => !names.includes(name))
  if (unknown.length > 0)
    throw new ConfigurationError(`${file} has comments on columns that are not in the data: ${unknown.join(', ')}.`)
}
