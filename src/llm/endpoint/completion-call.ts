import type { Logger } from '../../base/logger.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import { ModelError, type ModelErrorKind } from '../error.ts'
import type { ModelRequest } from '../language-model.ts'
import { LLM_LIMITS } from '../limits.ts'
import { STEP_TOKENS } from '../step.ts'
import { ALL_CAPABILITIES, type EndpointCapabilities, LEAST_CAPABILITIES, withoutFeature } from './capabilities.ts'
import { buildChatRequest, type ChatRequest } from './chat-request.ts'
import type { AttemptOutcome } from './completion-attempt.ts'
import type { EndpointFailure } from './failure.ts'
import { isTooLarge, readComplaint } from './refusal-reading.ts'

export interface RetryLimits {
  /**
   * After this many requests that failed with transient errors, the answer gets no further request. The first request is
   * included.
   */
  readonly maxAttempts: number
  /** The wait before retry n is a random time up to `baseDelayMs` · 2ⁿ, but at most `maxDelayMs` ("full jitter"). */
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  /** If the endpoint's `retry-after` is longer than this, the call fails at once. */
  readonly maxRetryAfterMs: number
}

/** The known capabilities of each model. All calls of one `OpenAILanguageModel` share them and learn from refusals. */
export type CapabilityMemory = Map<string, EndpointCapabilities>

export interface CompletionCallDeps {
  readonly budget: AnswerBudget
  readonly memory: CapabilityMemory
  readonly retry: RetryLimits
  readonly random: () => number
  readonly logger: Logger
  /** The API key, which no error message may contain. */
  readonly secret: string
}

/**
 * One call to the model, which may take several HTTP requests. Builds each request, and decides after a failure whether to send
 * another.
 */
export class CompletionCall {
  readonly #deps: CompletionCallDeps
  readonly #request: ModelRequest
  readonly #model: string
  #capabilities: EndpointCapabilities
  #maxTokens: number
  /**
   * True while a request tries guessed capabilities, because the refusal before it did not say what the endpoint accepts. If that
   * request works, the guessed capabilities are remembered.
   */
  #guessing = false
  #enlarged = false

  constructor(deps: CompletionCallDeps, request: ModelRequest, model: string) {
    this.#deps = deps
    this.#request = request
    this.#model = model
    this.#capabilities = this.#known()
    this.#maxTokens = STEP_TOKENS[request.step]
  }

  nextRequest(): ChatRequest {
    return buildChatRequest(this.#request, this.#model, this.#capabilities, this.#maxTokens)
  }

  /** Called when the endpoint has accepted the request. If the capabilities were a guess, remembers them. */
  confirm(): void {
    if (this.#guessing) this.#remember(this.#capabilities)
    this.#guessing = false
  }

  /**
   * Decides whether another request follows a request that brought no answer.
   * @returns the milliseconds to wait before that request
   * @throws ModelError if no request follows
   */
  delayAfter(outcome: AttemptOutcome, sent: ChatRequest): number {
    const delayMs = this.#route(outcome, sent)
    const fields = { step: this.#request.step, model: this.#model, end: outcome.end, status: outcome.failure?.status, delayMs }
    this.#deps.logger.warn(fields, 'model request repeated')
    return delayMs
  }

  #route(outcome: AttemptOutcome, sent: ChatRequest): number {
    switch (outcome.end) {
      case 'refused':
        throw new ModelError(refusalSentence(outcome.refusal), { kind: 'refused' })
      case 'truncated':
        return this.#enlarge()
      case 'empty':
        return this.#repeat('The model answered with nothing, twice: check OPENAI_MODEL and the endpoint.', 'empty')
      case 'idle':
        return this.#repeat(
          'The model stopped sending, twice: choose a faster one with OPENAI_MODEL, or raise CLEW_MODEL_TIMEOUT_S.',
          'timeout',
        )
      case 'timeout':
        throw new ModelError('The model took longer than CLEW_MODEL_TIMEOUT_S allows.', { kind: 'timeout' })
      case 'too_long':
        throw new ModelError('The model wrote more than any answer needs, and was stopped.', { kind: 'truncated' })
      case 'not_a_stream':
        throw new ModelError(
          `OPENAI_BASE_URL answers, but with ${outcome.mediaType || 'no type of content'} and not with a stream: check the address (most end in /v1), and that the endpoint can stream.`,
          { kind: 'bad_request' },
        )
      case 'failed':
        return outcome.failure === undefined ? this.#transient(undefined) : this.#afterFailure(outcome.failure, sent)
      case 'answered':
        return 0
    }
  }

  #afterFailure(failure: EndpointFailure, sent: ChatRequest): number {
    const { status, cause } = failure
    if (status === 401 || status === 403) {
      // The endpoint's message may contain the API key. So the thrown error leaves out that message and the original error.
      throw new ModelError(`The model endpoint refused the key (HTTP ${status}): check OPENAI_API_KEY and OPENAI_BASE_URL.`, {
        kind: 'authentication',
        status,
      })
    }
    if (failure.code === 'insufficient_quota') throw this.#error('has no quota left for this key', 'no_quota', failure)
    if (isTooLarge(failure)) throw this.#tooLarge(failure)
    if (status === 404) throw this.#unknownModel(failure)
    if (status === 400 || status === 422) return this.#afterRejection(failure, sent)
    if (status === undefined || status === 408 || status === 409 || status === 429 || status >= 500)
      return this.#transient(failure)
    throw new ModelError(`The model endpoint refused the request (HTTP ${status}): ${this.#quote(failure)}`, {
      kind: 'bad_request',
      status,
      cause,
    })
  }

  #afterRejection(failure: EndpointFailure, sent: ChatRequest): number {
    const { status, cause } = failure
    const complaint = readComplaint(failure, sent.features)
    if (complaint.kind === 'content_filter') {
      throw new ModelError("The model endpoint's content filter refused the request.", { kind: 'refused', status, cause })
    }
    if (complaint.kind === 'unknown_model') throw this.#unknownModel(failure)
    if (this.#enlarged) throw truncated()
    if (complaint.kind === 'too_large') throw this.#tooLarge(failure)
    if (complaint.kind === 'feature') {
      // Another call may have met the same refusal in the meantime, and learnt from it. If so, this call uses the capabilities
      // that the other call found.
      const known = this.#known()
      const learnt = known === this.#capabilities ? withoutFeature(known, complaint.feature) : known
      this.#deps.logger.info({ model: this.#model, feature: complaint.feature }, 'model endpoint takes less')
      this.#remember(learnt)
      this.#capabilities = learnt
      return 0
    }
    if (complaint.kind === 'token_limit') {
      const mostTokens = Math.min(this.#maxTokens, this.#capabilities.mostTokens) / 2
      if (mostTokens >= LLM_LIMITS.leastTokens) return this.#guess({ ...this.#capabilities, mostTokens })
    }
    if (complaint.kind === 'unclear' && sent.features.size > 0) {
      return this.#guess(LEAST_CAPABILITIES)
    }
    throw new ModelError(`The model endpoint refused the request (HTTP ${status}): ${this.#quote(failure)}`, {
      kind: 'bad_request',
      status,
      cause,
    })
  }

  #transient(failure: EndpointFailure | undefined): number {
    const { maxAttempts, baseDelayMs, maxDelayMs, maxRetryAfterMs } = this.#deps.retry
    const asked = failure?.retryAfterMs
    if (asked !== undefined && asked > maxRetryAfterMs) {
      throw this.#error(`asks to wait ${Math.ceil(asked / 1000)} s`, 'rate_limited', failure)
    }
    const failures = this.#deps.budget.countFailure()
    if (failures >= maxAttempts) {
      if (failure?.status === 429) throw this.#error('takes no more requests for now', 'rate_limited', failure)
      const isReached = failure === undefined || failure.status !== undefined
      const what = isReached ? `failed ${maxAttempts} times` : `could not be reached in ${maxAttempts} tries (OPENAI_BASE_URL)`
      throw this.#error(what, 'unavailable', failure)
    }
    const jitterMs = this.#deps.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (failures - 1))
    // The next request is never sent before the time that the endpoint asked for. A random addition spreads the callers, so that
    // they do not all return at once.
    return asked === undefined ? jitterMs : asked + this.#deps.random() * baseDelayMs
  }

  /** Repeats the request with twice the token limit, if the endpoint allows that many tokens. */
  #enlarge(): number {
    const { tokenLimit, mostTokens } = this.#capabilities
    if (tokenLimit === 'none' || mostTokens <= this.#maxTokens) throw truncated()
    this.#enlarged = true
    this.#maxTokens *= 2
    return this.#repeat(
      'The model was cut off at its token limit, twice: choose one that may write longer answers with OPENAI_MODEL.',
      'truncated',
    )
  }

  /**
   * Allows one repeat of the request per answer, without a pause.
   * @param failure the error's message if the repeat is used up
   * @returns 0, the pause in milliseconds
   * @throws ModelError
   */
  #repeat(failure: string, kind: ModelErrorKind): number {
    if (this.#deps.budget.takeRepeat()) return 0
    throw new ModelError(failure, { kind })
  }

  #guess(capabilities: EndpointCapabilities): number {
    this.#guessing = true
    this.#capabilities = capabilities
    return 0
  }

  #known(): EndpointCapabilities {
    return this.#deps.memory.get(this.#model) ?? ALL_CAPABILITIES
  }

  #remember(capabilities: EndpointCapabilities): void {
    this.#deps.memory.set(this.#model, capabilities)
  }

  #unknownModel(failure: EndpointFailure): ModelError {
    const variable = `CLEW_MODEL_${this.#request.step.toUpperCase()}`
    return new ModelError(
      `The model endpoint does not know the model "${this.#model}": check OPENAI_MODEL (or ${variable}) and OPENAI_BASE_URL.`,
      { kind: 'bad_request', status: failure.status, cause: failure.cause },
    )
  }

  #tooLarge(failure: EndpointFailure): ModelError {
    return this.#error('takes no request of this size: choose a model with a larger context window', 'too_large', failure)
  }

  #error(what: string, kind: ModelErrorKind, failure: EndpointFailure | undefined): ModelError {
    const details = failure === undefined ? '' : `: ${this.#quote(failure)}`
    const { status, retryAfterMs, cause } = failure ?? {}
    return new ModelError(`The model endpoint ${what}${details}`, { kind, status, retryAfterMs, cause })
  }

  #quote(failure: EndpointFailure): string {
    const text = this.#deps.secret === '' ? failure.message : failure.message.replaceAll(this.#deps.secret, '[redacted]')
    return text.replace(/\s+/g, ' ').slice(0, 300)
  }
}

function truncated(): ModelError {
  return new ModelError("The model's answer was cut off at the token limit.", { kind: 'truncated' })
}

function refusalSentence(words: string): string {
  const said = words.trim().slice(0, 500)
  return said === '' ? 'The model declined to answer.' : `The model declined to answer: ${said}`
}
