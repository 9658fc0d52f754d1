import { z } from 'zod'
import { ConfigurationError } from '../../base/errors.ts'
import { readNamedFile } from '../../base/file-reason.ts'
import { readYaml } from '../../base/text/read-yaml.ts'
import { mistakesSentence } from '../../base/text/shape-mistakes.ts'
import { parseBytes } from '../../base/variables.ts'

const oneOf = <const Names extends readonly string[]>(names: Names) => z.enum(names, { error: `must be ${names.join(', ')}` })

const capSchema = z.strictObject(
  {
    per: oneOf(['person', 'channel', 'role', 'all']),
    of: oneOf(['questions', 'tokens', 'cost', 'bytes']),
    window: oneOf(['day', 'week', 'month']),
    limit: z.union([z.number().positive(), z.string().transform(parseBytes)], {
      error: 'must be a number above 0, or a size such as 10 GB for bytes',
    }),
    soft: z.boolean({ error: 'must be true or false' }).optional(),
    message: z.string().trim().min(1, { error: 'must be a sentence' }).optional(),
  },
  { error: 'must be a cap, such as { per: person, limit: 50, of: questions, window: day }' },
)
const capsFileSchema = z.strictObject(
  { caps: z.array(capSchema, { error: 'must be a list of caps' }) },
  { error: 'must have a list `caps`' },
)

type WrittenCap = z.infer<typeof capSchema>
export const CAPPED_MEASURES = capSchema.shape.of.options

/** How much may be used in a window of time. If it is soft, people are only told of it. */
export interface Cap extends Omit<WrittenCap, 'of' | 'window'> {
  /** `cost` is in US dollars. `bytes` are those that queries read. */
  readonly of: WrittenCap['of'] | 'presses'
  /** A unit of the calendar, or milliseconds that begin with the first use. */
  readonly window: WrittenCap['window'] | number
}

/** Stands for no limit. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** A cap, and what has been used of it. Its window ends at `endsAt`, which is in `leftMs`. Times are in milliseconds. */
export interface Standing extends Cap {
  readonly used: number
  readonly endsAt: number
  readonly leftMs: number
}

/**
 * Reads the operator's caps.
 * @throws ConfigurationError that lists each mistake with its line
 */
export function readCapsFile(path: string): readonly Cap[] {
  const read = readYaml(readNamedFile('CLEW_CAPS_FILE', path), capsFileSchema, { noAliases: 'aliases are not allowed here' })
  if (read.ok) return read.value.caps
  throw new ConfigurationError(mistakesSentence(`${path} is wrong`, read.mistakes, 'docs/caps.md tells what belongs into it.'))
}
