import type { Interrupt } from '../../agent/interrupt.ts'
import type { ChatAction } from '../chat-action.ts'
import type { RunRecord } from '../run-record.ts'
import { hasRows } from './has-rows.ts'

/** Under what is still being worked on. */
export function stopAction(runId: string): ChatAction {
  return { action: 'stop', runId, label: 'Stop' }
}

/** Under what did not become an answer. */
export function retryAction(runId: string): ChatAction {
  return { action: 'retry', runId, label: 'Retry' }
}

/** Under an answer that only its asker sees. */
export function publishAction(runId: string): ChatAction {
  return { action: 'publish', runId, label: 'Post to channel' }
}

/** Under an answer: none where no query was asked for. */
export function answerActions({ runId, queries, isFailure }: Pick<RunRecord, 'runId' | 'queries' | 'isFailure'>): ChatAction[] {
  if (queries.length === 0) return []
  return [
    ...(isFailure ? [retryAction(runId)] : []),
    { action: 'sql', runId, label: 'Show SQL' },
    ...(queries.some(hasRows) ? [{ action: 'csv', runId, label: 'Download CSV' } as const] : []),
    { action: 'helpful', runId, label: 'Helpful' },
    { action: 'unhelpful', runId, label: 'Not helpful' },
  ]
}

/** Under a question of Clew's. */
export function chooseActions(runId: string, { choices }: Pick<Interrupt, 'choices'>): ChatAction[] {
  return choices.map(({ label }, choice) => ({ action: 'choose', runId, choice, label }))
}
