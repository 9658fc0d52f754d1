import { chatWords } from '../words/chat.ts'
import type { Language } from '../words/language.ts'
import type { ChatAction } from './action.ts'

/** The button that stops a run. Shown while the run is in progress. */
export function stopAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'stop', runId, label: chatWords(language).stop }
}

/** The button that repeats a run. Shown if the run ended without an answer. */
export function retryAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'retry', runId, label: chatWords(language).retry }
}
