import { errorInWords } from '../bots/terminal/error-in-words.ts'
import { ClewError, ConfigurationError } from '../errors.ts'
import type { Language } from '../words/language.ts'

/** Does a run's work, whose failure is then told in the asker's language. @param language asked for when the work has failed */
export async function toldIn<Result>(language: () => Language, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ClewError) || error instanceof ConfigurationError) throw error
    throw new ClewError(errorInWords(error, language()), { code: error.code, retryable: error.retryable, cause: error })
  })
}
