import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { interruptSchema } from '../agent/ask-back/interrupt.ts'
import { queryReportSchema, type RunResult } from '../agent/run/result.ts'
import type { Reply } from '../chat/reply.ts'
import { packJson } from '../history/packed-json.ts'
import type { FinalReply } from '../queue/deliver/run-ledger.ts'
import { STOPPED } from '../queue/run-cancellation.ts'

const errorSchema = z.object({ kind: z.string(), message: z.string() })
const ended = ['answered', 'asked', 'failed', 'stopped'] as const

/** The outcome of a turn. It is the only part of the turn's final reply in the ledger. The result may be large, so it is apart. */
const outcomeSchema = z.object({
  status: z.enum(ended),
  run_id: z.string(),
  answer: z.string().nullable(),
  error: errorSchema.nullable(),
  /** Where the result is, and its length in compressed form. Null if there is none. */
  result: z.object({ key: z.string(), length: z.number() }).nullable(),
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

/** A turn without its result, as a thread lists it. */
export const turnSummarySchema = z
  .object({
    id: z.string().openapi({ description: 'Of the turn, such as run_0123456789abcdef.' }),
    thread: z.string(),
    status: z.enum(['queued', 'running', ...ended]),
    text: z.string(),
    run_id: z.string().nullable().openapi({
      description: 'The run that made the answer; after a question back, the run that asked. Null before the end.',
    }),
    answer: z.string().nullable().openapi({ description: 'Markdown: the answer, or the question back.' }),
    error: errorSchema.nullable(),
  })
  .openapi('TurnSummary')
export type TurnSummary = z.infer<typeof turnSummarySchema>

export const turnSchema = turnSummarySchema
  .omit({ answer: true })
  .extend({
    result: z.union([resultSchema, z.null()]),
  })
  .openapi('Turn')
export type Turn = z.infer<typeof turnSchema>

/**
 * Turns the reply to a turn's message into its outcome.
 * @returns also the result in compressed form. Null if there is none
 */
export async function outcomeOf(
  reply: Reply,
  turn: string,
): Promise<{ readonly outcome: TurnOutcome; readonly packed: string | null }> {
  if (reply.kind !== 'answer' || reply.result === undefined) {
    const { code = 'fault', sentence = '' } = reply.kind === 'error' ? reply : {}
    const status = code === STOPPED ? 'stopped' : 'failed'
    // In a chat, the sentence ends with the run's id. Here the id is a field.
    const message = sentence.replace(` (${turn})`, '')
    const outcome = { status, run_id: turn, answer: null, error: { kind: code, message }, result: null } as const
    return { outcome, packed: null }
  }
  const { result } = reply
  const packed = await packJson(result)
  const common = { run_id: result.run_id, answer: result.answer }
  if (packed === undefined) {
    const error = { kind: 'result_too_large', message: 'The result is too large.' }
    return { outcome: { ...common, status: 'failed', error, result: null }, packed: null }
  }
  // The key follows from the text. So a worker that has lost its turn cannot replace the result of the turn's answer.
  const key = `run:{${turn}}:result:${createHash('sha256').update(packed).digest('hex').slice(0, 16)}`
  const status = result.interrupt === null ? 'answered' : 'asked'
  return { outcome: { ...common, status, error: null, result: { key, length: packed.length } }, packed }
}

/** Reads the outcome from a final reply. */
export function readOutcome({ parts }: FinalReply): TurnOutcome {
  return outcomeSchema.parse(parts[0])
}
