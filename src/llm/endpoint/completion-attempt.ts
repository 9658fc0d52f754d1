import OpenAI from 'openai'
import { z } from 'zod'
import { SIZES } from '../../base/sizes.ts'
import { afterOthersTurn, inSlices } from '../../base/slices.ts'
import type { Observe } from '../../telemetry/observation.ts'
import type { AnswerBudget, ModelSpending } from '../answer-budget.ts'
import { cancelledModelError } from '../error.ts'
import type { ModelEvent, ModelToolCall } from '../language-model.ts'
import { costOf, type ModelPrices } from '../prices.ts'
import type { ModelStep } from '../step.ts'
import { estimateTokens } from '../token-estimate.ts'
import { arrivedTogether } from './arrived-together.ts'
import type { ChatRequest } from './chat-request.ts'
import { bytesOf } from './client.ts'
import { EventStream } from './event-stream.ts'
import { type EndpointFailure, readEndpointFailure } from './failure.ts'
import { ToolCallAssembly } from './tool-call-assembly.ts'

export interface AttemptLimits {
  /** A request fails after this time without a new byte. */
  readonly idleTimeoutMs: number
  /** A request fails after this time, even if bytes still arrive. */
  readonly totalTimeoutMs: number
}

/** The outcome of one HTTP request for a completion. The outcome has an answer only if `end` is `answered`. */
export interface AttemptOutcome {
  readonly end: 'answered' | 'refused' | 'truncated' | 'too_long' | 'empty' | 'idle' | 'timeout' | 'not_a_stream' | 'failed'
  /** The text that has arrived. It may be only the beginning of the answer. */
  readonly text: string
  readonly toolCalls: readonly ModelToolCall[]
  /** The words with which the model refuses to answer. Empty if it does not refuse. */
  readonly refusal: string
  /** Whether the endpoint accepted the request. */
  readonly accepted: boolean
  /** The media type of the response if it is not a stream, such as `text/html`. */
  readonly mediaType?: string
  /** The reason why the request failed. Undefined unless `end` is `failed`. */
  readonly failure: EndpointFailure | undefined
}

// A chunk of the stream, with the fields that Clew reads. Endpoints add keys, leave out choices, and send null for absent values.
const chunkSchema = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            // The thoughts of a reasoning model. Endpoints that show them name them in one of two ways.
            reasoning_content: z.string().nullish().catch(undefined),
            reasoning: z.string().nullish().catch(undefined),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: z.int().nonnegative(),
      completion_tokens: z.int().nonnegative(),
      prompt_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish().catch(undefined),
    })
    .nullish(),
})

type Chunk = z.infer<typeof chunkSchema>

const errorEventSchema = z.object({ error: z.union([z.string(), z.looseObject({})]).nullish() })

/**
 * Parses a chunk of the stream.
 * @throws APIError if the endpoint reports an error in the stream; SyntaxError or ZodError for any other data that is not a chunk
 */
function readChunk(data: string, headers: Headers): Chunk {
  const event: unknown = JSON.parse(data)
  const { error } = errorEventSchema.parse(event)
  if (error) throw new OpenAI.APIError(undefined, error, undefined, headers)
  return chunkSchema.parse(event)
}

interface AttemptDeps {
  readonly client: OpenAI
  readonly limits: AttemptLimits
  readonly budget: AnswerBudget
  readonly prices: ModelPrices
  readonly now: () => number
  readonly observe: Observe
  /** Called when the endpoint has accepted the request. */
  readonly onAccepted: () => void
}

/**
 * Makes one request and yields the answer's text as it arrives. The connection is closed if the caller aborts or leaves the loop,
 * or after a time limit. The budget counts the request's tokens. They are zero if the endpoint did not accept the request.
 * @returns how the request ended, even if the endpoint failed
 * @throws ModelError `cancelled` after an abort
 */
export async function* attemptCompletion(
  deps: AttemptDeps,
  step: ModelStep,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, AttemptOutcome> {
  const startedAt = deps.now()
  let used: UsedTokens | undefined
  let outcome: AttemptOutcome | undefined
  try {
    outcome = yield* attempt(
      deps,
      step,
      request,
      tokens => {
        used = tokens
      },
      signal,
    )
    return outcome
  } finally {
    if (used !== undefined) report(deps, step, request, used, outcome, deps.now() - startedAt)
  }
}

/** Reports a request that was sent to the budget and to those who watch. */
function report(
  { budget, observe, prices }: AttemptDeps,
  step: ModelStep,
  { parameters }: ChatRequest,
  { model, estimated, ...tokens }: UsedTokens,
  outcome: AttemptOutcome | undefined,
  durationMs: number,
): void {
  const temperature = parameters.temperature ?? undefined
  const price = costOf(tokens, [model, parameters.model], prices)
  const cost = price !== undefined && { cost: price }
  const status = outcome?.failure?.status
  const ended = { outcome: outcome?.end ?? 'cancelled', ...(status !== undefined && { status }) }
  budget.add({ model, temperature, ...tokens, estimated, ...cost })
  budget.addRequest({ ...ended, duration_ms: durationMs })
  const sent = { step, model, ...(temperature !== undefined && { temperature }) }
  observe({ kind: 'model_call', ...sent, ...ended, durationMs, ...tokens, isEstimated: estimated, ...cost })
}

async function* attempt(
  deps: AttemptDeps,
  step: ModelStep,
  request: ChatRequest,
  onSpent: (used: UsedTokens) => void,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, AttemptOutcome> {
  const connection = new AbortController()
  const patience = startPatience(deps.limits, connection)
  const onAbort = () => {
    patience.stop()
    connection.abort()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const events = new EventStream()
  const seen = {
    text: '',
    thoughts: '',
    refusal: '',
    model: request.parameters.model,
    finishReason: '',
    accepted: false,
    chunks: 0,
    bytes: 0,
  }
  const calls = new ToolCallAssembly()
  let usage: TokenCounts | undefined
  let contentType = ''
  let failure: EndpointFailure | undefined
  let isSent = false
  let isWhole = false
  let isTooLong = false
  let fresh = ''
  function take(chunk: Chunk): void {
    const choice = chunk.choices?.[0]
    seen.chunks += 1
    seen.model = chunk.model || seen.model
    seen.refusal += choice?.delta?.refusal ?? ''
    seen.thoughts += choice?.delta?.reasoning_content ?? choice?.delta?.reasoning ?? ''
    seen.finishReason = choice?.finish_reason || seen.finishReason
    calls.add(choice?.delta?.tool_calls ?? [])
    if (chunk.usage) {
      const { prompt_tokens: inputTokens, completion_tokens: outputTokens, prompt_tokens_details: details } = chunk.usage
      const cached = details?.cached_tokens ?? undefined
      usage = { inputTokens, outputTokens, ...(cached !== undefined && { cachedTokens: Math.min(cached, inputTokens) }) }
    }
    fresh += choice?.delta?.content ?? ''
    seen.text += choice?.delta?.content ?? ''
    // A text can get this long only if the endpoint ignores the request's token limit.
    isTooLong ||= seen.text.length + seen.refusal.length + calls.characters > SIZES.modelAnswer
  }
  function* read(group: readonly Uint8Array[], headers: Headers): Generator<void, void> {
    for (const bytes of group) {
      if (isTooLong) return
      seen.bytes += bytes.length
      for (const data of events.add(bytes)) {
        take(readChunk(data, headers))
        yield
      }
      const isLong = seen.bytes > SIZES.modelResponseBytes || events.lines > SIZES.modelResponseLines
      isTooLong ||= isLong || events.pendingCharacters > SIZES.modelEvent
      yield
    }
  }
  try {
    // A plan starts many requests at once, and each start blocks the event loop for a millisecond. So other events get a turn
    // before each start.
    await afterOthersTurn()
    if (signal.aborted) throw cancelledModelError(signal)
    isSent = true
    const response = await deps.client.chat.completions
      .create(request.parameters, {
        signal: connection.signal,
        headers: { 'x-clew-step': step },
        timeout: 2 * deps.limits.totalTimeoutMs,
      })
      .asResponse()
    seen.accepted = true
    deps.onAccepted()
    contentType = response.headers.get('content-type') ?? ''
    const body = bytesOf(response)
    // Any bytes renew the idle limit. Even comments do, although endpoints send them only to keep the connection alive.
    body.on('data', patience.renew)
    for await (const group of arrivedTogether(body)) {
      await inSlices(read(group, response.headers))
      if (isTooLong) break
      if (fresh === '') continue
      const text = fresh
      fresh = ''
      // The idle limit pauses while the caller handles the text. Otherwise a slow caller would look like a silent endpoint.
      patience.pause()
      yield { kind: 'text', text }
      patience.resume()
    }
    isWhole = !isTooLong
  } catch (error) {
    if (!signal.aborted) failure = readEndpointFailure(error, deps.now())
  } finally {
    patience.stop()
    signal.removeEventListener('abort', onAbort)
    // Only an unfinished stream is cut off. After the whole stream, the connection ends by itself.
    if (!isWhole) connection.abort()
    const nothing = { model: seen.model, inputTokens: 0, outputTokens: 0, estimated: false }
    const isTurnedAway = failure !== undefined && !seen.accepted && patience.expired() === undefined
    if (isSent) onSpent(isTurnedAway ? nothing : tokensOf(request, { ...seen, isDone: events.isDone }, calls, usage))
  }
  if (signal.aborted) throw cancelledModelError(signal)
  // The stream broke off after these words.
  if (fresh !== '' && !isTooLong) yield { kind: 'text', text: fresh }
  const { text, refusal, accepted } = seen
  const toolCalls = calls.whole()
  const ended = { text, toolCalls, refusal, accepted, failure: undefined }
  if (isTooLong) return { ...ended, end: 'too_long' }
  // The model has finished its answer, so a later error of the connection does not matter.
  if (seen.finishReason !== '') return { ...ended, end: judgeFinished({ ...seen, toolCalls }) }
  const expired = patience.expired()
  if (expired !== undefined) return { ...ended, end: expired }
  if (failure !== undefined) return { ...ended, end: 'failed', failure }
  // Some endpoints send no finish reason. The event `[DONE]` then shows that the stream is complete.
  if (events.isDone) return { ...ended, end: judgeFinished({ ...seen, toolCalls }) }
  if (seen.chunks === 0 && !contentType.includes('text/event-stream'))
    return { ...ended, end: 'not_a_stream', mediaType: contentType.split(';')[0]?.slice(0, 100) }
  return { ...ended, end: 'failed', failure: readEndpointFailure(new Error('the stream broke off before its end'), deps.now()) }
}

type TokenCounts = Pick<ModelSpending, 'inputTokens' | 'cachedTokens' | 'outputTokens'>
type UsedTokens = TokenCounts & Pick<ModelSpending, 'model' | 'estimated'>

/**
 * Returns the tokens that the endpoint reports, or an estimate if it reports none. Some endpoints report while the model still
 * writes, so what a request that broke off has written may be more than the last report.
 */
function tokensOf(
  { parameters }: ChatRequest,
  seen: Readonly<Record<'text' | 'thoughts' | 'refusal' | 'model' | 'finishReason', string>> & { readonly isDone: boolean },
  calls: ToolCallAssembly,
  usage: TokenCounts | undefined,
): UsedTokens {
  const { model } = seen
  if (usage !== undefined && (seen.isDone || seen.finishReason !== '')) return { model, ...usage, estimated: false }
  const written = [seen.text + seen.refusal, seen.thoughts, ...calls.whole().map(call => call.arguments)].join('\n')
  const outputTokens = estimateTokens(written)
  if (usage !== undefined) return { model, ...usage, outputTokens: Math.max(usage.outputTokens, outputTokens), estimated: true }
  return { model, inputTokens: estimateTokens(promptText(parameters)), outputTokens, estimated: true }
}

/** Returns what a model reads of a request: messages, calls of tools, the tools themselves, and the schema of the answer. */
function promptText({ messages, tools, response_format: format }: ChatRequest['parameters']): string {
  const texts = messages.flatMap(message => [
    typeof message.content === 'string' ? message.content : '',
    'tool_calls' in message ? JSON.stringify(message.tool_calls) : '',
  ])
  return [...texts, tools && JSON.stringify(tools), format?.type === 'json_schema' && JSON.stringify(format.json_schema.schema)]
    .filter(Boolean)
    .join('\n')
}

function judgeFinished(
  seen: Pick<AttemptOutcome, 'text' | 'refusal' | 'toolCalls'> & { readonly finishReason: string },
): AttemptOutcome['end'] {
  if (seen.refusal !== '' || seen.finishReason === 'content_filter' || seen.finishReason === 'refusal') return 'refused'
  if (seen.finishReason === 'length') return 'truncated'
  return seen.text.trim() === '' && seen.toolCalls.length === 0 ? 'empty' : 'answered'
}

/**
 * Starts the two time limits of a request. The caller calls `renew` when bytes arrive, and `pause` while the caller itself is
 * busy. `expired` returns the limit that has passed.
 */
function startPatience(limits: AttemptLimits, connection: AbortController) {
  let expired: 'idle' | 'timeout' | undefined
  const expire = (limit: 'idle' | 'timeout') => {
    expired ??= limit
    connection.abort()
  }
  let isPaused = false
  // The idle timer starts first, so that it wins if both limits are equal. A silent endpoint is then asked again.
  const idle = setTimeout(() => {
    if (isPaused) idle.refresh()
    else expire('idle')
  }, limits.idleTimeoutMs)
  const total = setTimeout(expire, limits.totalTimeoutMs, 'timeout' as const)
  return {
    // A timer that was stopped stays so.
    renew: () => void idle.refresh(),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      idle.refresh()
    },
    stop: () => {
      clearTimeout(idle)
      clearTimeout(total)
    },
    expired: () => expired,
  }
}
