import { ClewError, ConfigurationError } from '../../base/errors.ts'
import { errorInWords } from '../../bots/terminal/error-in-words.ts'
import type { Language } from '../../words/language.ts'

/**
 * Translates the error of `work` into the asker's language.
 * @param language called only after an error
 */
export async function translateFailure<Result>(language: () => Language, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof ClewError) || error instanceof ConfigurationError) throw error
    throw new ClewError(errorInWords(error, language()), { code: error.code, retryable: error.retryable, cause: error })
  })
}
