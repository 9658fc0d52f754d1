import { z } from 'zod'

/** What is to be repeated, for whom. Travels through a queue. */
export const replayRequestSchema = z.object({
  /** The run to repeat. */
  runId: z.string().min(1),
  reason: z.string(),
  /** The investigation. Asked again by the same one, it is the same replay. */
  askedBy: z.string().min(1),
  /** The runs whose end, when somebody stops them or deletes their question, is the replay's too. */
  stoppedWith: z.array(z.string()),
})
export type ReplayRequest = z.infer<typeof replayRequestSchema>

/** How a repeated run ended. `busy`: it was not begun, since so many others run. */
export const replayOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed'), runId: z.string() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('timeout'), limitMs: z.number() }),
  z.object({ kind: z.literal('busy'), others: z.number() }),
])
export type ReplayOutcome = z.infer<typeof replayOutcomeSchema>

/** Runs a run again, with every table kept and nothing published. */
export interface Replayer {
  /**
   * @param onProgress hears how far it is, in a few words
   * @throws the signal's reason; WarehouseError or StoreError when the state cannot be kept
   */
  replay(request: ReplayRequest, onProgress: (line: string) => void, signal: AbortSignal): Promise<ReplayOutcome>
}
