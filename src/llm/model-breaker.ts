import { Breaker } from '../base/breaker.ts'
import { BASE_LIMITS } from '../base/limits.ts'
import { ModelError } from './error.ts'
import type { LanguageModel } from './language-model.ts'
import { LLM_LIMITS } from './limits.ts'

/** Creates the breaker of the model's endpoint. It counts calls that found no endpoint, a broken one, or a silent one. */
export function modelBreaker(): Breaker {
  const seconds = BASE_LIMITS.breakerOpenMs / 1000
  const message = `The model endpoint (OPENAI_BASE_URL) cannot be reached. Clew asks it again ${seconds} seconds after it last failed.`
  return new Breaker({
    name: 'model',
    failures: LLM_LIMITS.breakerFailures,
    judge: error =>
      error instanceof ModelError && error.kind !== 'cancelled' ? (isAway(error) ? 'away' : 'answered') : 'unknown',
    refusal: () => new ModelError(message, { kind: 'unavailable' }),
  })
}

/** Without an HTTP status, no response arrived. An endpoint with a status below 500 works, such as 429 for too many requests. */
function isAway({ kind, status = 500 }: ModelError): boolean {
  return kind === 'timeout' || ((kind === 'unavailable' || kind === 'rate_limited') && status >= 500)
}

/**
 * Returns the model behind its breaker. The client repeats requests itself, and all requests of a call count as one. A call
 * counts as answered with its first words, so that nobody waits for the rest of a trial.
 */
export function modelThroughBreaker(model: LanguageModel, breaker: Breaker): LanguageModel {
  return {
    async *stream(request, signal) {
      const events = model.stream(request, signal)[Symbol.asyncIterator]()
      try {
        let next = await breaker.run(() => events.next())
        for (; !next.done; next = await events.next()) yield next.value
      } finally {
        await events.return?.()
      }
    },
  }
}
