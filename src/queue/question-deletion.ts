import type { AcceptedRuns } from './accepted-runs.ts'
import type { RunCancellation } from './run-cancellation.ts'
import type { MessageAddress } from './run-id-of-message.ts'

/** What a retry of a run is called in its thread: one run is asked again once. */
export function retryMessageId(runId: string): string {
  return `retry-${runId}`
}

/** What the choice that answers a question of Clew's is called in its thread: one question is answered once. */
export function choiceMessageId(runId: string): string {
  return `choice-${runId}`
}

/** Ends the run of a question that was deleted, and those that asked it again or went on with it; a message that never was one changes nothing. @throws StoreError */
export async function cancelDeletedQuestion(
  deps: { readonly runs: Pick<AcceptedRuns, 'find' | 'idOf'>; readonly cancellation: Pick<RunCancellation, 'request'> },
  deleted: MessageAddress,
  signal: AbortSignal,
): Promise<void> {
  const runId = deps.runs.idOf(deleted)
  if ((await deps.runs.find(runId, signal)) === undefined) return
  await deps.cancellation.request(runId, 'deleted', signal)
  for (const messageId of [retryMessageId(runId), choiceMessageId(runId)]) {
    await cancelDeletedQuestion(deps, { place: deleted.place, messageId }, signal)
  }
}
