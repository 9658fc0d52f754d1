import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigurationError } from '../errors.ts'
import { fileReason } from '../file-reason.ts'

/** One text, or several of which any will do. */
const wordsSchema = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

const expectSchema = z.object({
  /** What the question must have been taken for; several where more than one is right. */
  intent: z.union([z.string(), z.array(z.string()).min(1)]),
  mentions: z.array(wordsSchema).default([]),
  never_mentions: z.array(z.string().min(1)).default([]),
})

/** Of the file beside the transcripts, which are called like their cases. */
export const REPORT_NAME = 'report'

const evalCaseSchema = z
  .object({
    id: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'lower-case letters, digits, ".", "_", "-"')
      .refine(id => id !== REPORT_NAME, `must not be "${REPORT_NAME}": that file has the figures of all cases`),
    question: z.string().min(1),
    /** Queries of which each gives a right result. */
    gold_sql: z.array(z.string().min(1)).min(1).optional(),
    /** The order of the rows is part of the answer. */
    ordered: z.boolean().default(false),
    /** The database asked about; the first of CLICKHOUSE_DATABASE when absent. */
    database: z.string().optional(),
    tags: z.array(z.string()).default([]),
    /** What was said before in the thread. */
    history: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })).default([]),
    expect: expectSchema.optional(),
  })
  .refine(each => each.gold_sql !== undefined || each.expect !== undefined, 'needs gold_sql or expect')

/** A question with what a right answer is: a result (`gold_sql`), a behaviour (`expect`), or both. */
export type EvalCase = z.infer<typeof evalCaseSchema>
export type ExpectedBehaviour = z.infer<typeof expectSchema>

/** Reads cases, one JSON object a line. @throws ConfigurationError naming the line that is none, or the id that comes twice */
export async function readEvalCases(path: string): Promise<EvalCase[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`The cases cannot be read from ${path}: ${fileReason(cause)}.`, { cause })
  })
  const ids = new Set<string>()
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = evalCaseSchema.safeParse(parseJson(line))
    const where = `${path}, line ${index + 1}`
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new ConfigurationError(`${where}: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}.`)
    }
    if (ids.has(parsed.data.id)) throw new ConfigurationError(`${where}: there is another case ${parsed.data.id} above it.`)
    ids.add(parsed.data.id)
    return [parsed.data]
  })
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
