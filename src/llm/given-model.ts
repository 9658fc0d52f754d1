import { ClewError, errorMessage } from '../base/errors.ts'
import { cancelledModelError, ModelError } from './error.ts'
import type { LanguageModel } from './language-model.ts'

/** Wraps a caller's own model, so that whatever it throws becomes a ModelError with the thrown error as its `cause`. */
export function givenModel(model: LanguageModel): LanguageModel {
  return {
    async *stream(request, signal) {
      try {
        yield* model.stream(request, signal)
      } catch (error) {
        if (error instanceof ClewError) throw error
        if (signal.aborted) throw cancelledModelError(signal)
        throw new ModelError(`The given model failed: ${errorMessage(error)}`, { kind: 'unavailable', cause: error })
      }
    },
  }
}
