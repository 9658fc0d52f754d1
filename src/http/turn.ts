import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { interruptSchema } from '../agent/ask-back/interrupt.ts'
import { queryReportSchema, type RunResult } from '../agent/run/result.ts'
import type { Reply } from '../chat/reply.ts'
import { packJson } from '../history/packed-json.ts'
import { STOPPED } from '../queue/run-cancellation.ts'
import { HTTP_LIMITS } from './limits.ts'

const ENDED = ['answered', 'asked', 'failed', 'stopped'] as const

/** A turn without its result, as a thread lists it. */
export const turnSummarySchema = z
  .object({
    id: z.string().openapi({ description: 'Of the turn, such as run_0123456789abcdef.' }),
    thread: z.string(),
    status: z.enum(['queued', 'running', ...ENDED]),
    text: z.string(),
    run_id: z.string().nullable().openapi({
      description: 'The run that made the answer; after a question back, the run that asked. Null before the end.',
    }),
    answer: z.string().nullable().openapi({ description: 'Markdown: the answer, or the question back.' }),
    error: z.object({ kind: z.string(), message: z.string() }).nullable(),
  })
  .openapi('TurnSummary')
export type TurnSummary = z.infer<typeof turnSummarySchema>

/** The outcome of a turn. It is the only part of the turn's final reply in the ledger. The result may be large, so it is apart. */
export const outcomeSchema = turnSummarySchema.pick({ run_id: true, answer: true, error: true }).extend({
  status: z.enum(ENDED),
  /**
   * Where the result is, and its length in compressed form. A large one is also stored as `short`, with the first rows of its
   * queries alone. Null if there is none.
   */
  result: z.object({ key: z.string(), length: z.number(), short: z.string().optional() }).nullable(),
})
export type TurnOutcome = z.infer<typeof outcomeSchema>

/** The main fields of a result, for the description of the API. No result is parsed by it. */
const resultSchema = z
  .looseObject({
    run_id: z.string(),
    intent: z.string(),
    standalone_question: z.string(),
    language: z.string(),
    answer: z.string().openapi({ description: 'Markdown' }),
    confidence: z.enum(['HIGH', 'MEDIUM', 'LOW']).nullable(),
    confidence_reason: z.string().nullable(),
    note: z.string(),
    interrupt: interruptSchema.extend({ takes_words: z.boolean().optional() }).nullable(),
    // A cell may have cells itself, which this description leaves out.
    queries: z.array(queryReportSchema.extend({ rows: z.array(z.array(z.unknown())) })),
  } satisfies Partial<Record<keyof RunResult, z.ZodType>>)
  .openapi('Result', {
    description: 'What `clew ask --json` prints, unchanged. It has further fields: docs/cli.md lists them.',
  }) as unknown as z.ZodType<RunResult>

export const turnSchema = turnSummarySchema
  .omit({ answer: true })
  .extend({ result: z.union([resultSchema, z.null()]) })
  .openapi('Turn')

/**
 * Turns the reply to a turn's message into its outcome.
 * @returns also what to store under which key: the result in compressed form, and a large one with its first rows alone too
 */
export async function outcomeOf(
  reply: Reply,
  turn: string,
): Promise<{ readonly outcome: TurnOutcome; readonly records: readonly (readonly [key: string, packed: string])[] }> {
  const failed = (kind: string, message: string, run: Partial<TurnOutcome> = {}) => {
    const status = kind === STOPPED ? 'stopped' : 'failed'
    return {
      outcome: { run_id: turn, answer: null, ...run, status, error: { kind, message }, result: null },
      records: [],
    } as const
  }
  if (reply.kind !== 'answer' || reply.result === undefined) {
    const { code = 'fault', sentence = '' } = reply.kind === 'error' ? reply : {}
    // In a chat, the sentence ends with the run's id. Here the id is a field.
    return failed(code, sentence.replace(` (${turn})`, ''))
  }
  const { result } = reply
  const { run_id, answer, interrupt } = result
  const packed = await packJson(result)
  if (packed === undefined) return failed('result_too_large', 'The result is too large.', { run_id, answer })
  // The key follows from the text. So a worker that has lost its turn cannot replace the result of the turn's answer.
  const key = `run:{${turn}}:result:${createHash('sha256').update(packed).digest('hex').slice(0, 16)}`
  const isLarge = packed.length > HTTP_LIMITS.smallResult
  const shortened = isLarge ? await packJson(withFirstRows(result)) : undefined
  const short = `${key}:short`
  const status = interrupt === null ? 'answered' : 'asked'
  const stored = { key, length: packed.length, ...(shortened && { short }) }
  return {
    outcome: { run_id, answer, status, error: null, result: stored },
    records: [[key, packed], ...(shortened === undefined ? [] : [[short, shortened] as const])],
  }
}

function withFirstRows(result: RunResult): RunResult {
  return { ...result, queries: result.queries.map(query => ({ ...query, rows: query.rows.slice(0, HTTP_LIMITS.shortRows) })) }
}
