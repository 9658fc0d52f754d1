import type { AcceptedRuns } from './accepted-runs.ts'
import type { RunCancellation } from './run-cancellation.ts'
import { type MessageAddress, runIdOfMessage } from './run-id-of-message.ts'

/** What a retry of a run is called in its thread: one run is asked again once. */
export function retryMessageId(runId: string): string {
  return `retry-${runId}`
}

/** Ends the run of a question that was deleted, and those that asked it again; a message that never was one changes nothing. @throws StoreError */
export async function cancelDeletedQuestion(
  deps: { readonly runs: Pick<AcceptedRuns, 'find'>; readonly cancellation: Pick<RunCancellation, 'request'> },
  deleted: MessageAddress,
  signal: AbortSignal,
): Promise<void> {
  let runId = runIdOfMessage(deleted)
  while ((await deps.runs.find(runId, signal)) !== undefined) {
    await deps.cancellation.request(runId, 'deleted', signal)
    runId = runIdOfMessage({ place: deleted.place, messageId: retryMessageId(runId) })
  }
}
