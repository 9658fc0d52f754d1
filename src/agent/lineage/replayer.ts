import type { LineageRun } from '../../pipelines/lineage/lineage-source.ts'

/** How a repeated run ended. */
export type ReplayOutcome =
  | { readonly kind: 'completed'; readonly run: LineageRun }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }

/** Runs a run again, with every table kept and nothing published. */
export interface Replayer {
  /**
   * @param onProgress hears what is done, in a few words
   * @throws the signal's reason; WarehouseError when the state cannot be kept
   */
  replay(runId: string, reason: string, onProgress: (line: string) => void, signal: AbortSignal): Promise<ReplayOutcome>
}
