import { runErrorSentence } from '../../agent/describe-run-error.ts'
import { RunError } from '../../agent/run-error.ts'
import { type ClewError, ConfigurationError, errorMessage } from '../../errors.ts'
import { PipelineError } from '../../pipelines/pipeline-error.ts'
import type { Language } from '../../words/language.ts'

/** A failure in the asker's language. Whoever sits at a terminal may know what to do about the cause, which is English. */
export function errorInWords(error: ClewError, language: Language): string {
  const cause = errorMessage(error)
  // Those of pipelines are in it already.
  if (language === 'en' || error instanceof ConfigurationError || error instanceof PipelineError) return cause
  const sentence = runErrorSentence(error, language)
  return error instanceof RunError ? sentence : `${sentence} (${cause})`
}
