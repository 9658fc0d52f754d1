import { runErrorSentence } from '../../agent/run/describe-run-error.ts'
import { RunError } from '../../agent/run/error.ts'
import { type ClewError, ConfigurationError, errorMessage } from '../../base/errors.ts'
import { NoRecordingError } from '../../llm/no-recording-error.ts'
import { PipelineError } from '../../pipelines/error.ts'
import type { Language } from '../../words/language.ts'

/** Describes an error in the asker's language. Adds the cause in English, because it may help a person at a terminal. */
export function errorInWords(error: ClewError, language: Language): string {
  const cause = errorMessage(error)
  // These messages are not translated: those about pipelines are already in the asker's language, and those about the
  // configuration are for the operator.
  if (language === 'en' || error instanceof ConfigurationError || error instanceof PipelineError) return cause
  const sentence = runErrorSentence(error, language)
  return error instanceof RunError || error instanceof NoRecordingError ? sentence : `${sentence} (${cause})`
}
