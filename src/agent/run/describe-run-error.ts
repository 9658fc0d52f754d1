import { MINUTE_MS } from '../../base/durations.ts'
import { ModelError } from '../../llm/error.ts'
import { NoRecordingError } from '../../llm/no-recording-error.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { errorWords } from '../../words/error.ts'
import type { Language } from '../../words/language.ts'
import { RunError } from './error.ts'

/** Tells the asker why a run failed and what to do now. Leaves out internal details. */
export function describeRunError(error: unknown, runId: string, language: Language): string {
  return `${runErrorSentence(error, language)} (${runId})`
}

/** Like `describeRunError`, but without the run's id. */
export function runErrorSentence(error: unknown, language: Language): string {
  const words = errorWords(language)
  if (error instanceof RunError || error instanceof NoRecordingError) return error.inLanguage(language)
  if (error instanceof ModelError) {
    switch (error.kind) {
      case 'rate_limited':
        return words.modelOverloaded(Math.ceil((error.retryAfterMs ?? 0) / MINUTE_MS))
      case 'too_large':
        return words.modelTooSmall
      case 'timeout':
        return words.modelSlow
      case 'unavailable':
        return words.modelAway
      case 'no_quota':
      case 'authentication':
      case 'bad_request':
        return words.modelRefusesUs
      case 'refused':
        return words.modelDeclined
      default:
        return words.modelUnusable
    }
  }
  if (error instanceof WarehouseError)
    return error.kind === 'unavailable' || error.kind === 'timeout' ? words.warehouseAway : words.warehouseUnreadable
  return words.other
}
