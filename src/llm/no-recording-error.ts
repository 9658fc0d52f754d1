import { errorWords } from '../words/error.ts'
import type { Language } from '../words/language.ts'
import { ModelError } from './error.ts'

/** The replaying model has no answer to the question. Names the nearest questions that it can answer. */
export class NoRecordingError extends ModelError {
  readonly #nearest: readonly string[]

  constructor(nearest: readonly string[]) {
    super(errorWords('en').noRecording(nearest), { kind: 'no_recording' })
    this.#nearest = nearest
  }

  inLanguage(language: Language): string {
    return errorWords(language).noRecording(this.#nearest)
  }
}
