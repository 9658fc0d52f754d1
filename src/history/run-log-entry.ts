import { z } from 'zod'
import { SIZES } from '../sizes.ts'
import type { StateStore } from '../store/state-store.ts'
import { unpackJson } from './packed-json.ts'

const usageSchema = z.object({
  model: z.string(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  /** Some of the tokens were counted here: the endpoint did not say, or the call was cancelled before it could. */
  estimated: z.boolean().optional(),
  /** As it was sent. */
  temperature: z.number().optional(),
})

const entrySchema = z.object({
  step: z.string(),
  query: z.string().optional(),
  attempt: z.number(),
  /** Of the step's input: a finished entry stands for a call only if it was made for the same input. */
  fingerprint: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  /** Why a step that was begun ahead of time counted for nothing; `error` is null then, unless it had failed of itself before. */
  cancelled: z.string().exactOptional(),
  input_keys: z.array(z.string()),
  output_keys: z.array(z.string()),
  usage: usageSchema.optional(),
})

/**
 * A value with more characters of JSON is not stored, and its step runs again on resume: three times what a query may return where CLEW_QUERY_MAX_BYTES is not raised.
 */
export const VALUE_CHARACTERS = SIZES.recordBytes / 3

const checkpointSchema = entrySchema
  .pick({ step: true, query: true, attempt: true, fingerprint: true })
  .extend({ value: z.unknown().optional(), packed: z.string().optional() })
/** With `packed` instead of the value where that is large. */
export type StoredCheckpoint = z.infer<typeof checkpointSchema>
/** The result of a finished stage, under the key that makes a call the same. */
export type Checkpoint = Omit<StoredCheckpoint, 'packed'>

/** One stage of a run, as traced. */
export type RunLogEntry = z.infer<typeof entrySchema>
export type StepUsage = z.infer<typeof usageSchema>

/** The stored trace of a run, for `clew trace`; empty for an unknown run. */
export function readRunLog(runId: string, store: StateStore, signal: AbortSignal): Promise<RunLogEntry[]> {
  return readList(traceKey(runId), entrySchema, store, signal)
}

/** What the finished stages of a run returned, in the order in which they ended. */
export async function readCheckpoints(runId: string, store: StateStore, signal: AbortSignal): Promise<Checkpoint[]> {
  const checkpoints: Checkpoint[] = []
  for (const { packed, ...checkpoint } of await readList(checkpointsKey(runId), checkpointSchema, store, signal)) {
    if (packed === undefined) checkpoints.push(checkpoint)
    else {
      const value = await unpackJson(packed, VALUE_CHARACTERS).catch(() => undefined)
      if (value !== undefined) checkpoints.push({ ...checkpoint, value })
    }
  }
  return checkpoints
}

async function readList<T>(key: string, schema: z.ZodType<T>, store: StateStore, signal: AbortSignal): Promise<T[]> {
  const texts = await store.list(key, signal)
  return texts.flatMap(text => {
    const parsed = schema.safeParse(parseJson(text))
    return parsed.success ? [parsed.data] : []
  })
}

export function traceKey(runId: string): string {
  return `run:{${runId}}:log`
}

export function checkpointsKey(runId: string): string {
  return `run:{${runId}}:checkpoints`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
