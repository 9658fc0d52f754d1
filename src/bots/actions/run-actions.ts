import type { Interrupt } from '../../agent/interrupt.ts'
import { chatWords } from '../../words/chat-words.ts'
import type { Language } from '../../words/language.ts'
import type { ChatAction } from '../chat-action.ts'
import type { RunRecord } from '../run-record.ts'
import { hasRows } from './has-rows.ts'

/** Under what is still being worked on. */
export function stopAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'stop', runId, label: chatWords(language).stop }
}

/** Under what did not become an answer. */
export function retryAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'retry', runId, label: chatWords(language).retry }
}

/** Under an answer that only its asker sees. */
export function publishAction({ runId, language }: Pick<RunRecord, 'runId' | 'language'>): ChatAction {
  return { action: 'publish', runId, label: chatWords(language).publish }
}

/** Under an answer: none where no query was asked for. */
export function answerActions({
  runId,
  queries,
  isFailure,
  language,
}: Pick<RunRecord, 'runId' | 'queries' | 'isFailure' | 'language'>): ChatAction[] {
  const words = chatWords(language)
  if (queries.length === 0) return []
  return [
    ...(isFailure ? [retryAction(runId, language)] : []),
    { action: 'sql', runId, label: words.showSql },
    ...(queries.some(hasRows) ? [{ action: 'csv', runId, label: words.csv } as const] : []),
    { action: 'helpful', runId, label: words.helpful },
    { action: 'unhelpful', runId, label: words.unhelpful },
  ]
}

/** Under a question of Clew's. */
export function chooseActions(runId: string, { choices }: Pick<Interrupt, 'choices'>): ChatAction[] {
  return choices.map(({ label }, choice) => ({ action: 'choose', runId, choice, label }))
}
