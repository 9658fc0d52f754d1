import { setTimeout as wait } from 'node:timers/promises'
import type OpenAI from 'openai'
import type { Logger } from '../base/logger.ts'
import type { Observe } from '../telemetry/observation.ts'
import { AnswerBudget } from './answer-budget.ts'
import { createEndpointClient, type EndpointOptions } from './endpoint/client.ts'
import { type AttemptLimits, type AttemptOutcome, attemptCompletion } from './endpoint/completion-attempt.ts'
import { type CapabilityMemory, CompletionCall, type RetryLimits } from './endpoint/completion-call.ts'
import { toolCallsInText } from './endpoint/tool-calls-in-text.ts'
import { cancelledModelError } from './error.ts'
import type { LanguageModel, ModelCompletion, ModelEvent, ModelRequest } from './language-model.ts'
import { LLM_LIMITS } from './limits.ts'
import { LIST_PRICES, type ModelPrices } from './prices.ts'
import type { ModelStep } from './step.ts'

/** The options of a model's client. `baseUrl` usually ends in `/v1`. Its default is OpenAI's address. */
export interface OpenAILanguageModelOptions extends AttemptLimits, EndpointOptions {
  readonly model: string
  /** The models for single steps. All other steps use `model`. */
  readonly models?: Readonly<Partial<Record<ModelStep, string>>>
  readonly logger: Logger
  readonly retry?: Partial<RetryLimits>
  /** Remembers which features the endpoint accepts. A caller that wants to read this passes its own map. */
  readonly capabilities?: CapabilityMemory
  /** Returns a random number between 0 and 1, which varies the pauses before retries. */
  readonly random: () => number
  /** Returns the current Unix time in milliseconds. It is needed if the endpoint's `retry-after` is a date. */
  readonly now: () => number
  /** Default: the list prices. */
  readonly prices?: ModelPrices
  /** Told of each HTTP request. */
  readonly observe?: Observe
}

/**
 * A model behind an OpenAI-compatible endpoint that streams chat completions. If the endpoint refuses a request because it lacks
 * a feature (JSON schema, usage, temperature, or the token limit's name), later requests no longer use this feature.
 */
export class OpenAILanguageModel implements LanguageModel {
  readonly #client: OpenAI
  readonly #options: OpenAILanguageModelOptions
  readonly #learnt: CapabilityMemory

  constructor(options: OpenAILanguageModelOptions) {
    this.#options = options
    this.#learnt = options.capabilities ?? new Map()
    this.#client = createEndpointClient(options)
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const { logger, random, now, apiKey, prices = LIST_PRICES, observe = () => undefined } = this.#options
    const model = this.#options.models?.[request.step] ?? this.#options.model
    const budget = request.budget ?? new AnswerBudget()
    const call = new CompletionCall(
      {
        budget,
        memory: this.#learnt,
        retry: { ...LLM_LIMITS.retry, ...this.#options.retry },
        random,
        logger,
        secret: apiKey,
      },
      request,
      model,
    )
    let wasBusy = false
    const tellBusy = (isBusy: boolean) => {
      if (isBusy !== wasBusy) request.onBusy?.(isBusy)
      wasBusy = isBusy
    }
    const deps = { client: this.#client, limits: this.#options, budget, prices, now, observe, onAccepted: () => tellBusy(false) }
    try {
      for (;;) {
        const sent = call.nextRequest()
        const outcome = yield* attemptCompletion(deps, request.step, sent, signal)
        if (outcome.accepted) call.confirm()
        if (outcome.end === 'answered') {
          yield { kind: 'completed', completion: completionOf(outcome, request) }
          return
        }
        const delayMs = call.delayAfter(outcome, sent)
        budget.addWait(delayMs)
        if (outcome.text !== '') yield { kind: 'restarted' }
        tellBusy(isOverloaded(outcome))
        await pause(delayMs, signal)
      }
    } finally {
      tellBusy(false)
    }
  }
}

/** Whether the endpoint itself says that it is overloaded or broken. */
function isOverloaded({ failure }: AttemptOutcome): boolean {
  return failure?.status === 429 || (failure?.status ?? 0) >= 500
}

/** Turns a response into a completion. If tools cannot be called directly, reads the tool calls from the text. */
function completionOf({ text, toolCalls }: AttemptOutcome, { tools, toolChoice }: ModelRequest): ModelCompletion {
  if (tools === undefined) return { text }
  if (toolCalls.length > 0 || toolChoice === 'none') return { text, toolCalls }
  return toolCallsInText(text, new Set(tools.map(({ name }) => name)))
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(delayMs, undefined, { signal })
  } catch {
    throw cancelledModelError(signal)
  }
}
