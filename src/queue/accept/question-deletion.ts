import type { RunCancellation } from '../run-cancellation.ts'
import type { AcceptedRuns } from './accepted-runs.ts'
import type { MessageAddress } from './run-id-of-message.ts'

/** Returns the message id of a retry. The id depends only on the run, so a second retry of the same run is a duplicate. */
export function retryMessageId(runId: string): string {
  return `retry-${runId}`
}

/**
 * Returns the message id of a choice. The id depends only on the run, so a second choice for the same question is a duplicate.
 */
export function choiceMessageId(runId: string): string {
  return `choice-${runId}`
}

/**
 * Cancels the run of a deleted question. Also cancels its retry, and the run that started when the author chose a reading below
 * its answer. Does nothing for a message without a run.
 * @throws StoreError
 */
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
