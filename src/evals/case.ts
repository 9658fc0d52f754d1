import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { mistakesSentence, propertyPath, readShape } from '../base/text/shape-mistakes.ts'

/** A text that the answer must mention. In a list of alternatives, one mentioned text is enough. */
const wordsSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const expectSchema = z.object({
  /** The kind of message that the case expects, such as `data_analysis`. If several kinds are listed, any of them is correct. */
  intent: z.union([z.string(), z.array(z.string()).min(1)]),
  mentions: z.array(wordsSchema).default([]),
  never_mentions: z.array(z.string().min(1)).default([]),
})

/**
 * The name of the report's file. Transcripts are saved beside it under the names of their cases, so no case may have this name.
 */
export const REPORT_NAME = 'report'

const evalCaseSchema = z
  .object({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'must have lower-case letters, digits, ".", "_" and "-" only')
      .refine(id => id !== REPORT_NAME, `must not be "${REPORT_NAME}": that file has the figures of all cases`),
    question: z.string().min(1),
    /** Queries that return the correct result. If they return different results, any of these is correct. */
    gold_sql: z.array(z.string().min(1)).min(1).optional(),
    /** Whether the order of the result's rows matters. */
    ordered: z.boolean().default(false),
    /** The database of the tables that the SQL names without one. Default: the first database in CLICKHOUSE_DATABASE. */
    database: z.string().optional(),
    tags: z.array(z.string()).default([]),
    /** Earlier messages of the same conversation. */
    history: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })).default([]),
    expect: expectSchema.optional(),
  })
  .refine(each => each.gold_sql !== undefined || each.expect !== undefined, 'needs gold_sql or expect')

/** A question with its expected answer: a result (`gold_sql`), a behaviour (`expect`), or both. */
export type EvalCase = z.infer<typeof evalCaseSchema>
export type ExpectedBehaviour = z.infer<typeof expectSchema>

/**
 * Reads cases from a file with one JSON object per line.
 * @throws ConfigurationError that lists every invalid line and duplicate id
 */
export async function readEvalCases(path: string): Promise<EvalCase[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`The cases cannot be read from ${path}: ${fileReason(cause)}.`, { cause })
  })
  const ids = new Set<string>()
  const mistakes: string[] = []
  const cases = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const found = readCase(line, ids)
    if (Array.isArray(found)) mistakes.push(...found.map(mistake => `line ${index + 1}: ${mistake}`))
    else ids.add(found.id)
    return Array.isArray(found) ? [] : [found]
  })
  if (mistakes.length === 0) return cases
  throw new ConfigurationError(mistakesSentence(`${path} is wrong`, mistakes, 'docs/evals.md tells what a case is.'))
}

function readCase(line: string, ids: ReadonlySet<string>): EvalCase | string[] {
  const written = parseJson(line)
  if (written === undefined) return ['this is not JSON']
  const read = readShape(evalCaseSchema, written)
  if (!read.ok)
    return read.mistakes.map(({ path, sentence }) => `${path.length === 0 ? 'the case' : propertyPath(path)} ${sentence}`)
  return ids.has(read.value.id) ? [`there is another case ${read.value.id} above it`] : read.value
}
