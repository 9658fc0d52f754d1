import type { Interrupt } from '../../agent/ask-back/interrupt.ts'
import type { ChatAction } from '../../chat/action.ts'
import { retryAction } from '../../chat/run-actions.ts'
import { chatWords } from '../../words/chat.ts'
import { subscriptionWords } from '../../words/subscription.ts'
import { hasRows, type RunRecord } from './run-record.ts'

/** The button by which the asker shows a private answer to everybody in the channel. */
export function publishAction({ runId, language }: Pick<RunRecord, 'runId' | 'language'>): ChatAction {
  return { action: 'publish', runId, label: chatWords(language).publish }
}

/** The buttons below an answer. Empty for an answer without queries and without a draft. */
export function answerActions({
  runId,
  queries,
  figures,
  isFailure,
  isPrivate,
  language,
  draft,
}: Pick<RunRecord, 'runId' | 'queries' | 'figures' | 'isFailure' | 'isPrivate' | 'language' | 'draft'>): ChatAction[] {
  const words = chatWords(language)
  if (queries.length === 0) return draft?.valid === true ? [{ action: 'yaml', runId, label: words.yaml }] : []
  // Nothing can be set up from a private answer, or over several data sources, whose combined query has no SQL.
  const isRepeatable = !isPrivate && queries.every(({ sql, error }) => sql !== null && error === null)
  return [
    ...(isFailure ? [retryAction(runId, language)] : []),
    ...(figures.length > 0 ? [{ action: 'sources', runId, label: words.showSources } as const] : []),
    { action: 'sql', runId, label: words.showSql },
    ...(queries.some(hasRows) ? [{ action: 'csv', runId, label: words.csv } as const] : []),
    ...(isRepeatable ? [{ action: 'repeat', runId, label: subscriptionWords(language).repeat } as const] : []),
    { action: 'helpful', runId, label: words.helpful },
    { action: 'unhelpful', runId, label: words.unhelpful },
  ]
}

/** Returns one button for each choice of a question that Clew asks. */
export function chooseActions(runId: string, { choices }: Pick<Interrupt, 'choices'>): ChatAction[] {
  return choices.map(({ label }, choice) => ({ action: 'choose', runId, choice, label }))
}
