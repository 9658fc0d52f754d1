import { z } from 'zod'

/** A request for a replay. It can be sent through a queue. */
export const replayRequestSchema = z.object({
  runId: z.string().min(1),
  reason: z.string(),
  /** The id of the investigation. Each investigation gets one replay, even if it asks again. */
  askedBy: z.string().min(1),
  /** The ids of runs. If one of them is stopped, the replay is cancelled. */
  stoppedWith: z.array(z.string()),
})
export type ReplayRequest = z.infer<typeof replayRequestSchema>

/** The outcome of a replay. `busy`: the replay did not start, because too many others are running. */
export const replayOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), runId: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('timeout'), limitMs: z.number() }),
  z.object({ kind: z.literal('busy'), others: z.number() }),
])
export type ReplayOutcome = z.infer<typeof replayOutcomeSchema>

/** Replays a run. A replay keeps all its tables and publishes nothing. */
export interface Replayer {
  /**
   * @param onProgress receives short texts about the progress
   * @throws the signal's reason; WarehouseError or StoreError if the state cannot be stored
   */
  replay(request: ReplayRequest, onProgress: (line: string) => void, signal: AbortSignal): Promise<ReplayOutcome>
}
