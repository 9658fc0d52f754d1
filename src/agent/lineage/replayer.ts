import { z } from 'zod'

/** A replay to run, sent through a queue. */
export const replayRequestSchema = z.object({
  runId: z.string().min(1),
  reason: z.string(),
  /** The investigation. The same one always gets the same replay. */
  askedBy: z.string().min(1),
  /** The replay is cancelled together with any of these runs. */
  stoppedWith: z.array(z.string()),
})
export type ReplayRequest = z.infer<typeof replayRequestSchema>

/** The outcome of a replay. `busy`: it never started, because too many others run. */
export const replayOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), runId: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('timeout'), limitMs: z.number() }),
  z.object({ kind: z.literal('busy'), others: z.number() }),
])
export type ReplayOutcome = z.infer<typeof replayOutcomeSchema>

/** Runs a run again, keeping every table and publishing nothing. */
export interface Replayer {
  /**
   * @param onProgress receives short progress texts
   * @throws the signal's reason; WarehouseError or StoreError if the state cannot be stored
   */
  replay(request: ReplayRequest, onProgress: (line: string) => void, signal: AbortSignal): Promise<ReplayOutcome>
}
