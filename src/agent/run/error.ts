import { ClewError } from '../../base/errors.ts'
import { SIZES } from '../../base/sizes.ts'
import { type ErrorWords, errorWords } from '../../words/error.ts'
import type { Language } from '../../words/language.ts'

type ErrorWording = (words: ErrorWords) => string

/** A run that ended without an answer, for one of Clew's own reasons. */
export class RunError extends ClewError {
  static timedOut(limitMs: number): RunError {
    return new RunError('run_timeout', ({ timedOut }) => timedOut(Math.round(limitMs / 1000)))
  }

  static tooLong(): RunError {
    return new RunError('question_too_long', ({ tooLong }) => tooLong(SIZES.question))
  }

  /** It blocked everything else in its process. */
  static heldUp(): RunError {
    return new RunError('run_held_up', ({ heldUp }) => heldUp)
  }

  /** Another process reports this, because the run's own process has died. */
  static crashed(): RunError {
    return new RunError('run_crashed', ({ crashed }) => crashed)
  }

  static otherAccess(): RunError {
    return new RunError('run_access', ({ otherAccess }) => otherAccess)
  }

  /** The answer to a run's question came after the run had expired. */
  static forgotten(): RunError {
    return new RunError('run_forgotten', ({ forgotten }) => forgotten)
  }

  readonly #said: ErrorWording

  private constructor(code: string, said: ErrorWording) {
    super(said(errorWords('en')), { code })
    this.#said = said
  }

  inLanguage(language: Language): string {
    return this.#said(errorWords(language))
  }
}
