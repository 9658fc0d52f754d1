import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { ModelError } from '../llm/model-error.ts'
import { errorWords } from '../words/error-words.ts'
import type { Language } from '../words/language.ts'
import { RunError } from './run-error.ts'

/** A run's failure for the person who asked: what is wrong and what they can do, and nothing of what is inside. */
export function describeRunError(error: unknown, runId: string, language: Language): string {
  return `${runErrorSentence(error, language)} (${runId})`
}

/** The same without the run. */
export function runErrorSentence(error: unknown, language: Language): string {
  const words = errorWords(language)
  if (error instanceof RunError) return error.inLanguage(language)
  if (error instanceof ModelError) {
    switch (error.kind) {
      case 'no_recording':
        return error.message
      case 'rate_limited':
        return words.modelOverloaded
      case 'timeout':
        return words.modelSlow
      case 'unavailable':
        return words.modelAway
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
