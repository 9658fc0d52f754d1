import { expect, it } from '@jest/globals'
import { ConfigurationError } from '../../base/errors.ts'
import { ModelError } from '../../llm/error.ts'
import { PipelineError } from '../../pipelines/error.ts'
import { translateFailure } from './translate-failure.ts'

it("a failure is reported in the question's language, with its cause; configuration and pipeline errors stay in English", async () => {
  const away = new ModelError('The endpoint refused.', { kind: 'unavailable' })
  const told = (error: Error) => translateFailure(() => 'de', Promise.reject(error))
  await expect(told(away)).rejects.toThrow(
    'Das Sprachmodell war nicht erreichbar. Bitte in einer Minute noch einmal fragen. (The endpoint refused.)',
  )
  await expect(translateFailure(() => 'en', Promise.reject(away))).rejects.toThrow('The endpoint refused.')
  const wrong = new ConfigurationError('CLICKHOUSE_URL is wrong.')
  await expect(told(wrong)).rejects.toBe(wrong)
  await expect(told(new PipelineError('Den Lauf gibt es nicht.', { kind: 'not_found' }))).rejects.toThrow(
    /^Den Lauf gibt es nicht\.$/,
  )
})
