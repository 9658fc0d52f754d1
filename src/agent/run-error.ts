import { ClewError } from '../errors.ts'
import { SIZES } from '../sizes.ts'
import { type ErrorWords, errorWords } from '../words/error-words.ts'
import type { Language } from '../words/language.ts'

type Said = (words: ErrorWords) => string

/** A run that ended without an answer for a reason of its own. */
export class RunError extends ClewError {
  static timedOut(limitMs: number): RunError {
    return new RunError('run_timeout', ({ timedOut }) => timedOut(Math.round(limitMs / 1000)))
  }

  static tooLong(): RunError {
    return new RunError('question_too_long', ({ tooLong }) => tooLong(SIZES.question))
  }

  /** Beside it, nothing else in its process could go on. */
  static heldUp(): RunError {
    return new RunError('run_held_up', ({ heldUp }) => heldUp)
  }

  /** Noticed by another process: the one that worked on the question is gone. */
  static crashed(): RunError {
    return new RunError('run_crashed', ({ crashed }) => crashed)
  }

  static otherAccess(): RunError {
    return new RunError('run_access', ({ otherAccess }) => otherAccess)
  }

  /** The answer to what a run stopped to ask came after the run had been forgotten. */
  static forgotten(): RunError {
    return new RunError('run_forgotten', ({ forgotten }) => forgotten)
  }

  readonly #said: Said

  private constructor(code: string, said: Said) {
    super(said(errorWords('en')), { code })
    this.#said = said
  }

  /** The message for whoever asked. */
  inLanguage(language: Language): string {
    return this.#said(errorWords(language))
  }
}
