import { z } from '@hono/zod-openapi'
import type { RunResult } from '../agent/run/result.ts'
import type { Reply } from '../chat/reply.ts'
import { packJson, unpackJson } from '../history/packed-json.ts'
import type { FinalReply } from '../queue/deliver/run-ledger.ts'
import { STOPPED } from '../queue/run-cancellation.ts'

const errorSchema = z.object({ kind: z.string(), message: z.string() })
const ended = ['answered', 'asked', 'failed', 'stopped'] as const

/** What became of a turn. It is the only part of the turn's final reply in the ledger. The result is compressed. */
const outcomeSchema = z.object({
  status: z.enum(ended),
  run_id: z.string(),
  answer: z.string().nullable(),
  error: errorSchema.nullable(),
  packed: z.string().nullable(),
})
export type TurnOutcome = z.infer<typeof outcomeSchema>

/** A turn without its result, as a thread lists it. */
export const turnSummarySchema = z
  .object({
    id: z.string(),
    thread: z.string(),
    status: z.enum(['queued', 'running', ...ended]),
    text: z.string(),
    /** The run whose steps made the answer. After a question back, this is the run that asked. */
    run_id: z.string().nullable(),
    /** Markdown: the answer, or the question back. */
    answer: z.string().nullable(),
    error: errorSchema.nullable(),
  })
  .openapi('TurnSummary')
export type TurnSummary = z.infer<typeof turnSummarySchema>

export const turnSchema = turnSummarySchema
  .omit({ answer: true })
  .extend({
    result: z
      .custom<RunResult>()
      .nullable()
      .openapi({ type: ['object', 'null'], description: 'What `clew ask --json` prints, unchanged.' }),
  })
  .openapi('Turn')
export type Turn = z.infer<typeof turnSchema>

/** Turns the reply to a turn's message into its outcome. */
export async function outcomeOf(reply: Reply, turn: string): Promise<TurnOutcome> {
  if (reply.kind !== 'answer' || reply.result === undefined) {
    const { code = 'fault', sentence = '' } = reply.kind === 'error' ? reply : {}
    const status = code === STOPPED ? 'stopped' : 'failed'
    return { status, run_id: turn, answer: null, error: { kind: code, message: sentence }, packed: null }
  }
  const { result } = reply
  const packed = await packJson(result)
  const common = { run_id: result.run_id, answer: result.answer }
  if (packed === undefined)
    return { ...common, status: 'failed', error: { kind: 'result_too_large', message: 'The result is too large.' }, packed: null }
  return { ...common, status: result.interrupt === null ? 'answered' : 'asked', error: null, packed }
}

/** Reads the outcome from a final reply. */
export function readOutcome({ parts }: FinalReply): TurnOutcome {
  return outcomeSchema.parse(parts[0])
}

export async function resultOf({ packed }: TurnOutcome): Promise<RunResult | null> {
  return packed === null ? null : ((await unpackJson(packed)) as RunResult)
}
