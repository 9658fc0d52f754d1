import { ClewError } from '../../base/errors.ts'
import { SIZES } from '../../base/sizes.ts'
import { type ErrorWords, errorWords } from '../../words/error.ts'
import type { Language } from '../../words/language.ts'

type ErrorWording = (words: ErrorWords) => string

/** Ends a run without an answer, for one of Clew's own reasons. */
export class RunError extends ClewError {
  static timedOut(limitMs: number): RunError {
    return new RunError('run_timeout', ({ timedOut }) => timedOut(Math.round(limitMs / 1000)))
  }

  static isTimeout(error: unknown): boolean {
    return error instanceof RunError && error.code === 'run_timeout'
  }

  static tooLong(): RunError {
    return new RunError('question_too_long', ({ tooLong }) => tooLong(SIZES.question))
  }

  /** The run blocked all other work in its process, so it was ended. */
  static heldUp(): RunError {
    return new RunError('run_held_up', ({ heldUp }) => heldUp)
  }

  /** The process of the run has died, and another process reports it. */
  static crashed(): RunError {
    return new RunError('run_crashed', ({ crashed }) => crashed)
  }

  static otherAccess(): RunError {
    return new RunError('run_access', ({ otherAccess }) => otherAccess)
  }

  /** The asker may use none of the data sources. */
  static noSource(): RunError {
    return new RunError('run_no_source', ({ noSource }) => noSource)
  }

  /** The person answered the run's question after the run had expired. */
  static forgotten(): RunError {
    return new RunError('run_forgotten', ({ forgotten }) => forgotten)
  }

  /** The audit log is required, and could not be written. */
  static unrecorded(cause: unknown): RunError {
    return new RunError('run_unrecorded', ({ unrecorded }) => unrecorded, { retryable: true, cause })
  }

  /** The run has reached a limit that the operator has set for what may be used. */
  static capReached(code: 'cap_reached' | 'too_many_questions', said: (language: Language) => string): RunError {
    return new RunError(code, ({ language }) => said(language))
  }

  readonly #said: ErrorWording

  private constructor(
    code: string,
    said: ErrorWording,
    options: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(said(errorWords('en')), { code, ...options })
    this.#said = said
  }

  inLanguage(language: Language): string {
    return this.#said(errorWords(language))
  }
}
