import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import type { StateStore } from '../store/state-store.ts'
import { unpackJson } from './packed-json.ts'

const usageSchema = z.object({
  model: z.string(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  /** Whether some token counts are estimated, because the endpoint reported none or the call was cancelled before the report. */
  estimated: z.boolean().optional(),
  temperature: z.number().optional(),
  /** Those of `tokens_in` that the endpoint had in its cache. */
  tokens_cached: z.number().optional(),
  /** In US dollars. Absent if the prices of the model are unknown. */
  cost: z.number().optional(),
  /** The HTTP requests, in their order. `wait_ms` is the pause before the next one. */
  requests: z
    .array(
      z.object({ outcome: z.string(), status: z.number().optional(), duration_ms: z.number(), wait_ms: z.number().optional() }),
    )
    .optional(),
})

export const runLogEntrySchema = z.object({
  step: z.string(),
  query: z.string().optional(),
  attempt: z.number(),
  /** A digest of the step's input. If a run resumes, the step's value is reused only for the same input. */
  fingerprint: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  /**
   * Why the run did not need this step, which had started ahead of time. `error` is then null, unless the step failed before it
   * was cancelled. Absent for all other steps.
   */
  cancelled: z.string().exactOptional(),
  input_keys: z.array(z.string()),
  output_keys: z.array(z.string()),
  usage: usageSchema.optional(),
})

/** The stored result of a finished step, with the fields that identify the step. */
export const checkpointSchema = runLogEntrySchema
  .pick({ step: true, query: true, attempt: true, fingerprint: true })
  .extend({ value: z.unknown().optional() })
export type Checkpoint = z.infer<typeof checkpointSchema>

/** A checkpoint in Redis. A large value is in `packed` instead of `value`. */
const storedCheckpointSchema = checkpointSchema.extend({ packed: z.string().optional() })
export type StoredCheckpoint = z.infer<typeof storedCheckpointSchema>

export type RunLogEntry = z.infer<typeof runLogEntrySchema>
export type StepUsage = z.infer<typeof usageSchema>

/** Reads the stored trace of a run: one entry per step. Empty for an unknown run. */
export function readRunLog(runId: string, store: StateStore, signal: AbortSignal): Promise<RunLogEntry[]> {
  return readList(traceKey(runId), runLogEntrySchema, store, signal)
}

/** Reads the results of a run's finished steps, in the order in which the steps ended. */
export async function readCheckpoints(runId: string, store: StateStore, signal: AbortSignal): Promise<Checkpoint[]> {
  const checkpoints: Checkpoint[] = []
  for (const { packed, ...checkpoint } of await readList(checkpointsKey(runId), storedCheckpointSchema, store, signal)) {
    if (packed === undefined) checkpoints.push(checkpoint)
    else {
      const value = await unpackJson(packed).catch(() => undefined)
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
