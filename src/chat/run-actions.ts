import { chatWords } from '../words/chat.ts'
import type { Language } from '../words/language.ts'
import type { ChatAction } from './action.ts'

/** For a run that is still under way. */
export function stopAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'stop', runId, label: chatWords(language).stop }
}

/** For a run without an answer. */
export function retryAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'retry', runId, label: chatWords(language).retry }
}
