import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { openSigned, type StateKey, signText } from '../store/signed-text.ts'

/** A run in the list of Redis: the line that people see, and what decides who may see it. */
export const storedLineSchema = z.object({
  id: z.string(),
  /** When the question came, as Unix time in milliseconds. */
  at: z.number(),
  /** As `slack/U1`. */
  person: z.string().default(''),
  platform: z.string().default(''),
  channel: z.string().default(''),
  thread: z.string().default(''),
  question: z.string().nullable().default(null),
  /** As `data_analysis` or `lineage`. Null before the end, and without an answer. */
  kind: z.string().nullable().default(null),
  /** `partly_answered`: a part of the answer is missing, because its query or source has failed. */
  outcome: z.enum(['running', 'answered', 'partly_answered', 'asked_back', 'failed', 'refused', 'stopped']).default('running'),
  /** The code of the error, or null. */
  error: z.string().nullable().default(null),
  confidence: z.enum(['HIGH', 'MEDIUM', 'LOW']).nullable().default(null),
  sources: z.array(z.string()).readonly().default([]),
  /** From the question to the answer. Null while it runs. */
  ms: z.number().nullable().default(null),
  queries: z.number().default(0),
  failed_queries: z.number().default(0),
  longest_query_ms: z.number().nullable().default(null),
  model_calls: z.number().default(0),
  tokens_in: z.number().default(0),
  tokens_out: z.number().default(0),
  /** In US dollars. Null if the price of a model is unknown. */
  cost: z.number().nullable().default(0),
  /** The run whose log has the steps. It differs if the message has resumed an earlier run. */
  run: z.string(),
  /** Whether everybody in the channel saw the answer. */
  isOpen: z.boolean().default(false),
  /** A digest of the asker's rights. Null without rules. */
  rights: z.string().nullable().default(null),
})
export type StoredLine = z.infer<typeof storedLineSchema>

/** Hash: a run's id → its signed line. */
export const LINES = 'clew:{runs}:lines'
/** Sorted set: the ids of runs by the time of their latest change, in microseconds. */
export const CHANGES = 'clew:{runs}:changes'

export function signLine(key: StateKey, line: StoredLine): string {
  return signText(key, placeOf(line.id), JSON.stringify(line))
}

/** Returns a line of Redis. Undefined if Clew did not write it there. */
export function openLine(key: StateKey, id: string, signed: string): StoredLine | undefined {
  return storedLineSchema.safeParse(parseJson(openSigned(key, placeOf(id), signed) ?? '')).data
}

function placeOf(id: string): string {
  return `run line ${id}`
}
