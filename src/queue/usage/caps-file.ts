import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { readYaml } from '../../base/text/read-yaml.ts'
import { mistakesSentence } from '../../base/text/shape-mistakes.ts'
import { parseBytes } from '../../base/variables.ts'
import { CAP_SHARERS, CAP_UNITS, CAPPED_MEASURES, type Cap } from './cap.ts'

const oneOf = <const Names extends readonly string[]>(names: Names) => z.enum(names, { error: `must be ${names.join(', ')}` })

const amountSchema = z.union([z.number().positive(), z.string().transform(parseBytes)], {
  error: 'must be a number above 0, or a size such as 10 GB for bytes',
})

const capSchema = z.strictObject(
  {
    per: oneOf(CAP_SHARERS),
    of: oneOf(CAPPED_MEASURES),
    window: oneOf(CAP_UNITS),
    limit: amountSchema,
    soft: z.boolean({ error: 'must be true or false' }).default(false),
    message: z.string().trim().min(1, { error: 'must be a sentence' }).optional(),
  },
  { error: 'must be a cap, such as { per: person, limit: 50, of: questions, window: day }' },
)

const capsFileSchema = z.strictObject(
  { caps: z.array(capSchema, { error: 'must be a list of caps' }) },
  { error: 'must have a list `caps`' },
)

/**
 * Reads the operator's caps.
 * @throws ConfigurationError that lists each mistake with its line
 */
export function readCapsFile(path: string): readonly Cap[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`CLEW_CAPS_FILE is ${path}, which cannot be read: ${fileReason(error)}.`, { cause: error })
  }
  const read = readYaml(text, capsFileSchema, { noAliases: 'aliases are not allowed here' })
  if (read.ok) return read.value.caps
  throw new ConfigurationError(mistakesSentence(`${path} is wrong`, read.mistakes, 'docs/caps.md tells what belongs into it.'))
}
