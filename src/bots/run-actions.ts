import { chatWords } from '../words/chat-words.ts'
import type { Language } from '../words/language.ts'
import type { ChatAction } from './chat-action.ts'

/** Under what is still being worked on. */
export function stopAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'stop', runId, label: chatWords(language).stop }
}

/** Under what did not become an answer. */
export function retryAction(runId: string, language: Language = 'en'): ChatAction {
  return { action: 'retry', runId, label: chatWords(language).retry }
}
