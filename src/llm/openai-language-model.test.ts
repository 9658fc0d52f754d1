import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { runInThisContext } from 'node:vm'
import { afterEach, describe, expect, it } from '@jest/globals'
import { Agent } from 'undici'
import { z } from 'zod'
import { type EndpointRules, strictFlaw } from '../../test/emulators/model/endpoint-rules.ts'
import type { ModelScript, ScriptedCall } from '../../test/emulators/model/model-script.ts'
import * as scripts from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { createLogger } from '../base/logger.ts'
import { SIZES } from '../base/sizes.ts'
import type { Observation } from '../telemetry/observation.ts'
import { AnswerBudget, type ModelSpending } from './answer-budget.ts'
import { completeStructured } from './json/structured-output.ts'
import { collect, describeLanguageModel, textSinceRestart } from './language-model.contract.ts'
import type { ModelCompletion, ModelEvent, ModelRequest } from './language-model.ts'
import { OpenAILanguageModel, type OpenAILanguageModelOptions } from './openai-language-model.ts'
import { MODEL_STEPS, STEP_TOKENS } from './step.ts'

const KEY = 'sk-test-0123456789abcdef'
const request: ModelRequest = { step: 'respond', messages: [{ role: 'user', content: 'How many links are there?' }] }
const structured: ModelRequest = {
  step: 'classify',
  messages: [{ role: 'system', content: 'Classify.' }],
  jsonSchema: { type: 'object', properties: { intent: { type: 'string' } }, required: ['intent'], additionalProperties: false },
  temperature: 0.2,
}
const QUICK_RETRY = { maxAttempts: 3, baseDelayMs: 2, maxDelayMs: 4, maxRetryAfterMs: 1000 }

const endpoints: ScriptedModel[] = []
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.close()
})

async function serve(onRequest: (call: ScriptedCall) => ModelScript, rules?: Partial<EndpointRules>): Promise<ScriptedModel> {
  const endpoint = await startScriptedModel({ onRequest, rules })
  endpoints.push(endpoint)
  return endpoint
}

function modelOf(endpoint: { readonly baseUrl: string }, options: Partial<OpenAILanguageModelOptions> = {}): OpenAILanguageModel {
  return new OpenAILanguageModel({
    apiKey: KEY,
    baseUrl: endpoint.baseUrl,
    model: 'm-large',
    idleTimeoutMs: 5000,
    totalTimeoutMs: 10_000,
    logger: createLogger({ level: 'silent' }),
    retry: QUICK_RETRY,
    random: () => 0.5,
    now: Date.now,
    ...options,
  })
}

function ask(model: OpenAILanguageModel, asked = request, signal = new AbortController().signal): Promise<ModelEvent[]> {
  return collect(model.stream(asked, signal))
}

async function complete(model: OpenAILanguageModel, asked = request): Promise<ModelCompletion> {
  const last = (await ask(model, asked)).at(-1)
  if (last?.kind !== 'completed') throw new Error('no completion')
  return last.completion
}

function failing(model: OpenAILanguageModel, asked = request): Promise<unknown> {
  return ask(model, asked).then(
    () => new Error('an answer came'),
    (error: unknown) => error,
  )
}

/** Returns the tokens that an answer or a failure has used. */
async function spendingOn(endpoint: { readonly baseUrl: string }, asked = request): Promise<ModelSpending | undefined> {
  const budget = new AnswerBudget()
  await ask(modelOf(endpoint), { ...asked, budget }).catch(() => {})
  return budget.spending
}

describeLanguageModel('OpenAILanguageModel', async answers => {
  const endpoint = await startScriptedModel({
    onRequest: call => scripts.answer(call.step === 'classify' ? answers.classify : answers.respond, { pieceDelayMs: 1 }),
  })
  return { model: modelOf(endpoint), close: () => endpoint.close() }
})

describe('the request', () => {
  it("names its step in a header, sends the key, and uses the step's model", async () => {
    const endpoint = await serve(() => scripts.answer('12'), { apiKey: KEY })
    const model = modelOf(endpoint, { models: { generate: 'm-sql' } })
    await ask(model)
    await ask(model, { ...request, step: 'generate' })
    expect(endpoint.calls.map(call => [call.step, call.body.model])).toEqual([
      ['respond', 'm-large'],
      ['generate', 'm-sql'],
    ])
    expect(endpoint.refused).toEqual([])
  })

  it("asks for the strict JSON schema under the step's name", async () => {
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}'))
    await ask(modelOf(endpoint), structured)
    const { body } = endpoint.calls[0] ?? {}
    expect(body?.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'classify', strict: true } })
    expect(strictFlaw(structured.jsonSchema, '')).toBeUndefined()
    expect(body).toMatchObject({
      temperature: 0.2,
      max_completion_tokens: STEP_TOKENS.classify,
      stream_options: { include_usage: true },
    })
  })

  it('reads characters and escapes however the bytes are split', async () => {
    const text = '{"metro":"Zürich 🧶 \\u00e9\\n“Łódź”"}'
    const endpoint = await serve(() => scripts.answer(text, { bytesAtOnce: 3 }))
    expect((await complete(modelOf(endpoint))).text).toBe(text)
  })

  it('reads many events in one read, and one event larger than a read', async () => {
    const event = (choice: object) => `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`
    const words = Array.from({ length: 200 }, (_, at) => `word ${at} `)
    const long = 'x'.repeat(60_000)
    const body =
      [...words, long].map(content => event({ delta: { content } })).join('') + event({ delta: {}, finish_reason: 'stop' })
    const own = async () => new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    const { text } = await complete(modelOf({ baseUrl: 'http://model.example/v1' }, { fetch: own }))
    expect(text).toBe(words.join('') + long)
  })

  it('follows an endpoint that has moved', async () => {
    const endpoint = await serve(() => scripts.answer('12'))
    const moved = await serve(() => scripts.status(308, { headers: { location: `${endpoint.baseUrl}/chat/completions` } }))
    expect((await complete(modelOf(moved))).text).toBe('12')
    expect(endpoint.calls[0]?.body).toEqual(moved.calls[0]?.body)
  })

  it('treats [DONE] as the end if the endpoint gives no finish reason', async () => {
    const endpoint = await serve(() => scripts.lines('data: {"choices":[{"delta":{"content":"12"}}]}', 'data: [DONE]'))
    expect((await complete(modelOf(endpoint))).text).toBe('12')
  })
})

describe('usage', () => {
  it("is the endpoint's count", async () => {
    const endpoint = await serve(() => scripts.answer('12', { usage: { prompt_tokens: 90, completion_tokens: 3 } }))
    expect(await spendingOn(endpoint)).toMatchObject({ inputTokens: 90, outputTokens: 3, estimated: false })
  })

  it('is estimated if the endpoint gives none', async () => {
    const endpoint = await serve(() => scripts.answer('There are twelve links.', { usage: 'never' }))
    expect(await spendingOn(endpoint)).toMatchObject({ inputTokens: 6, outputTokens: 5, estimated: true })
  })

  it('includes a failed try', async () => {
    const endpoint = await serve(scripts.inTurn(scripts.brokenOff('There are twel'), scripts.answer('There are twelve links.')))
    expect(await spendingOn(endpoint)).toMatchObject({ inputTokens: 6 + 11, outputTokens: 3 + 7, estimated: true })
  })

  it.each([
    ['is estimated from what had come', () => scripts.stall('There are twelve'), { outputTokens: 3, estimated: true }],
    ['is the prompt where nothing had come', () => scripts.hang(), { outputTokens: 0, estimated: true }],
  ])('for a cancelled request %s', async (_, script, spent) => {
    const endpoint = await serve(script)
    const controller = new AbortController()
    const budget = new AnswerBudget()
    const asked = (async () => {
      for await (const event of modelOf(endpoint).stream({ ...request, budget }, controller.signal)) {
        if (event.kind === 'text') controller.abort()
      }
    })()
    asked.catch(() => {})
    const call = await endpoint.arrival('respond', 0)
    if (spent.outputTokens === 0) controller.abort()
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' })
    await call.left
    expect(budget.spending).toMatchObject({ model: 'm-large', inputTokens: 6, ...spent })
  })

  it('is zero for a rejected request', async () => {
    const endpoint = await serve(() => scripts.status(401))
    expect(await spendingOn(endpoint)).toMatchObject({ inputTokens: 0, outputTokens: 0, estimated: false })
  })

  it.each([
    ['that fell silent', () => scripts.stall('There are twelve'), { outputTokens: 2 * 3 }],
    ['that sent nothing', () => scripts.hang(), { outputTokens: 0 }],
  ])('is estimated for a request %s', async (_, script, spent) => {
    const endpoint = await serve(script)
    const budget = new AnswerBudget()
    await expect(ask(modelOf(endpoint, { idleTimeoutMs: 400 }), { ...request, budget })).rejects.toMatchObject({
      kind: 'timeout',
    })
    expect(budget.spending).toMatchObject({ inputTokens: 2 * 6, estimated: true, ...spent })
    expect(budget.requests).toMatchObject([{ outcome: 'idle', wait_ms: 0 }, { outcome: 'idle' }])
  })

  it('is estimated for a request that took too long', async () => {
    const endpoint = await serve(() => scripts.comments(100, 20, scripts.answer('12')))
    const budget = new AnswerBudget()
    await ask(modelOf(endpoint, { totalTimeoutMs: 100 }), { ...request, budget }).catch(() => {})
    expect(budget.spending).toMatchObject({ inputTokens: 6, outputTokens: 0, estimated: true })
    expect(budget.requests).toMatchObject([{ outcome: 'timeout' }])
  })

  it('of an unfinished answer is at least what it had written, in words and in thoughts', async () => {
    const early = { choices: [], usage: { prompt_tokens: 90, completion_tokens: 0 } }
    const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}`
    const endpoint = await serve(
      scripts.inTurn(
        scripts.lines(`data: ${JSON.stringify(early)}`, event({ content: 'There are twelve' })),
        scripts.lines(event({ reasoning_content: 'There are twelve' })),
        scripts.status(401),
      ),
    )
    expect(await spendingOn(endpoint)).toMatchObject({ inputTokens: 90 + 6, outputTokens: 3 + 3, estimated: true })
  })

  it('counts tools and the schema of the answer in an estimate', async () => {
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}', { usage: 'never' }))
    const plain = await spendingOn(endpoint, { step: 'classify', messages: structured.messages })
    const withSchema = await spendingOn(endpoint, structured)
    expect(withSchema?.inputTokens).toBeGreaterThan((plain?.inputTokens ?? 0) + 10)
    const tools = [{ name: 'look_up', description: 'Looks a table up.', parameters: { type: 'object', properties: {} } }]
    const withTools = await spendingOn(endpoint, { step: 'lineage', messages: structured.messages, tools })
    expect(withTools?.inputTokens).toBeGreaterThan((plain?.inputTokens ?? 0) + 10)
  })

  it('records the temperature as sent', async () => {
    const strict = await serve(() => scripts.answer('{"intent":"x"}'), { temperature: false })
    expect(await spendingOn(strict, structured)).toMatchObject({ temperature: undefined })
    const generous = await serve(() => scripts.answer('{"intent":"x"}'))
    expect(await spendingOn(generous, structured)).toMatchObject({ temperature: 0.2 })
  })
})

describe('a report', () => {
  const prices = { 'm-large': { input: 1, cached_input: 0.1, output: 10 } }
  const usage = { prompt_tokens: 90, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 40 } }

  it('tells of each HTTP request, with its tokens, its cost, and the pause after it', async () => {
    const endpoint = await serve(
      scripts.inTurn(scripts.status(503), scripts.errorEvent('There are', { message: 'x' }), scripts.answer('12', { usage })),
    )
    const budget = new AnswerBudget()
    const told: Observation[] = []
    const model = modelOf(endpoint, { prices, observe: each => told.push(each) })
    await ask(model, { ...request, budget, temperature: 0.2 })
    const common = { kind: 'model_call', step: 'respond', model: 'm-large', temperature: 0.2 }
    expect(told).toEqual([
      { ...common, outcome: 'failed', status: 503, ...tokens(0, 0), cost: 0, isEstimated: false, durationMs: expect.any(Number) },
      { ...common, outcome: 'failed', ...tokens(6, 2), cost: 0.000026, isEstimated: true, durationMs: expect.any(Number) },
      {
        ...{ ...common, outcome: 'answered', ...tokens(90, 3), cachedTokens: 40, isEstimated: false },
        ...{ cost: 0.000084, durationMs: expect.any(Number) },
      },
    ])
    expect(budget.requests.map(({ duration_ms: _, ...each }) => each)).toEqual([
      { outcome: 'failed', status: 503, wait_ms: 1 },
      { outcome: 'failed', wait_ms: 2 },
      { outcome: 'answered' },
    ])
    expect(budget.spending).toMatchObject({ ...tokens(96, 5), cachedTokens: 40, cost: 0.00011, estimated: true })
  })

  it('has no cost for a model without a price', async () => {
    const endpoint = await serve(() => scripts.answer('12', { usage }))
    const told: Observation[] = []
    await ask(modelOf(endpoint, { observe: each => told.push(each) }))
    expect(told).toMatchObject([{ kind: 'model_call', ...tokens(90, 3) }])
    expect(told[0]).not.toHaveProperty('cost')
  })

  it('includes the repair of an answer', async () => {
    const endpoint = await serve(
      scripts.inTurn(scripts.answer('no JSON', { usage }), scripts.answer('{"intent":"x"}', { usage })),
    )
    const budget = new AnswerBudget()
    await completeStructured(
      modelOf(endpoint, { prices }),
      { ...structured, budget },
      z.object({ intent: z.string() }),
      new AbortController().signal,
    )
    expect(budget.spending).toMatchObject({ ...tokens(180, 6), cachedTokens: 80, cost: 0.000168, estimated: false })
  })

  function tokens(inputTokens: number, outputTokens: number) {
    return { inputTokens, outputTokens }
  }
})

describe('an unsupported feature', () => {
  const cases: readonly [string, Partial<EndpointRules>, number, object][] = [
    ['json_schema', { jsonSchema: false }, 1, { response_format: { type: 'json_object' } }],
    ['any response_format', { jsonSchema: false, jsonObject: false }, 2, { response_format: undefined }],
    ['stream_options', { streamOptions: false }, 1, { stream_options: undefined }],
    ['temperature', { temperature: false }, 1, { temperature: undefined }],
    [
      'max_completion_tokens',
      { tokenLimit: 'max_tokens' },
      1,
      { max_completion_tokens: undefined, max_tokens: STEP_TOKENS.classify },
    ],
    ['any token limit', { tokenLimit: 'none' }, 2, { max_tokens: undefined, max_completion_tokens: undefined }],
  ]
  for (const wording of ['openai', 'detail'] as const) {
    it.each(cases)(`is learnt for %s, once (${wording})`, async (_, rules, refusals, sent) => {
      const endpoint = await serve(() => scripts.answer('{"intent":"x"}'), { ...rules, wording })
      const model = modelOf(endpoint)
      await ask(model, structured)
      await ask(model, structured)
      expect(endpoint.refused).toHaveLength(refusals)
      expect(endpoint.calls).toHaveLength(2)
      const { body } = endpoint.calls[0] ?? {}
      expect({ ...sent, ...body }).toEqual({ ...body, ...sent })
    })
  }

  it('is learnt for all features, each once', async () => {
    const rules = {
      jsonObject: false,
      jsonSchema: false,
      streamOptions: false,
      temperature: false,
      tokenLimit: 'max_tokens',
    } as const
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}'), rules)
    const model = modelOf(endpoint)
    await ask(model, structured)
    await ask(model, structured)
    expect(endpoint.refused).toHaveLength(5)
  })

  it('is guessed if the refusal says nothing, and the guess is kept once it worked', async () => {
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}'), { jsonSchema: false, wording: 'terse' })
    const model = modelOf(endpoint)
    await ask(model, structured)
    await ask(model, structured)
    expect(endpoint.refused).toHaveLength(1)
    expect(Object.keys(endpoint.calls[0]?.body ?? {}).sort()).toEqual(['messages', 'model', 'stream'])
  })

  it('is learnt per model', async () => {
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}'), { temperature: false })
    const model = modelOf(endpoint, { models: { decompose: 'm-other' } })
    await ask(model, structured)
    await ask(model, { ...structured, step: 'decompose' })
    expect(endpoint.refused).toHaveLength(2)
  })

  it('moves the schema into the prompt', async () => {
    const endpoint = await serve(() => scripts.answer('{"intent":"x"}'), { jsonSchema: false })
    await ask(modelOf(endpoint), structured)
    const [system] = endpoint.calls[0]?.body.messages ?? []
    expect(system?.content).toContain(JSON.stringify(structured.jsonSchema))
    expect(system?.content?.startsWith('Classify.')).toBe(true)
  })
})

describe('a transient failure', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('%i is retried', async code => {
    const endpoint = await serve(scripts.inTurn(scripts.status(code), scripts.answer('12')))
    expect((await complete(modelOf(endpoint))).text).toBe('12')
    expect(endpoint.calls).toHaveLength(2)
  })

  it('ends the call after the last try, typed by its cause', async () => {
    const limited = await serve(() => scripts.status(429))
    expect(await failing(modelOf(limited))).toMatchObject({ kind: 'rate_limited', status: 429, retryable: true })
    expect(limited.calls).toHaveLength(3)
    const broken = await serve(() => scripts.status(529))
    expect(await failing(modelOf(broken))).toMatchObject({ kind: 'unavailable', status: 529, retryable: true })
    expect(broken.calls).toHaveLength(3)
  })

  it('is followed by a random part of a doubling delay, up to its limit', async () => {
    const endpoint = await serve(() => scripts.status(503))
    const delays: number[] = []
    const destination = new Writable({
      write: (line, _encoding, done) => {
        delays.push(JSON.parse(String(line)).delayMs)
        done()
      },
    })
    const retry = { maxAttempts: 6, baseDelayMs: 2, maxDelayMs: 8, maxRetryAfterMs: 1000 }
    await failing(modelOf(endpoint, { retry, logger: createLogger({ destination }) }))
    expect(delays).toEqual([1, 2, 4, 4, 4])
  })

  it.each([
    [{ 'retry-after-ms': '60' }, 60],
    [{ 'retry-after': '0.06' }, 60],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:02 GMT' }, 100],
  ])('is followed by the requested wait: %j', async (headers, atLeastMs) => {
    const endpoint = await serve(scripts.inTurn(scripts.status(429, { headers }), scripts.answer('12')))
    await complete(modelOf(endpoint, { now: () => 1900 }))
    const [first, second] = endpoint.calls
    // The two clocks round differently, so one millisecond less is still right.
    expect((second?.arrivedAt ?? 0) - (first?.arrivedAt ?? 0)).toBeGreaterThanOrEqual(atLeastMs - 1)
  })

  it('that asks for a long wait, or reports an exhausted quota, ends the call at once', async () => {
    const endpoint = await serve(() => scripts.status(429, { headers: { 'retry-after': '3600' } }))
    expect(await failing(modelOf(endpoint))).toMatchObject({
      kind: 'rate_limited',
      message: expect.stringContaining('3600 s'),
      retryAfterMs: 3_600_000,
    })
    const broke = await serve(() =>
      scripts.status(429, { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } }),
    )
    expect(await failing(modelOf(broke))).toMatchObject({ kind: 'no_quota' })
    expect([...endpoint.calls, ...broke.calls]).toHaveLength(2)
  })

  it('of the network is retried, then reported', async () => {
    const endpoint = await startScriptedModel({ onRequest: () => scripts.answer('12') })
    await endpoint.close()
    expect(await failing(modelOf(endpoint))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /could not be reached in 3 tries \(OPENAI_BASE_URL\): connect ECONNREFUSED 127\.0\.0\.1:\d+\.$/,
      ),
    })
  })

  it('is reported without the password in an invalid address', async () => {
    const failure = await failing(modelOf({ baseUrl: 'http://user:s3cret@127.0.0.1:9/v1' }))
    expect(failure).toMatchObject({ kind: 'unavailable' })
    expect(inspect(failure, { depth: 0 })).toMatch(/credentials/)
    expect(String(failure)).not.toContain('s3cret')
  })

  it.each([
    ['an error event in a 200 stream', scripts.errorEvent('There', { message: 'overloaded', type: 'server_error' })],
    ['a connection that is cut', scripts.cut('There')],
    ['a stream that ends before its time', scripts.brokenOff('There')],
    ['an event that is no JSON', scripts.lines('data: {"choices":[{"delta":{"content":"There"}}]}', 'data: {"cho')],
  ])('after released text voids that text: %s', async (_, broken) => {
    const endpoint = await serve(scripts.inTurn(broken, scripts.answer('Twelve.', { pieces: ['Twelve.'] })))
    const events = await ask(modelOf(endpoint))
    expect(events.slice(0, -1)).toEqual([
      { kind: 'text', text: 'There' },
      { kind: 'restarted' },
      { kind: 'text', text: 'Twelve.' },
    ])
    expect(events.at(-1)).toMatchObject({ kind: 'completed', completion: { text: 'Twelve.' } })
  })

  it('before any text causes no restart', async () => {
    const endpoint = await serve(
      scripts.inTurn(scripts.errorEvent('', { message: 'overloaded', code: 502 }), scripts.answer('12')),
    )
    expect((await ask(modelOf(endpoint))).some(event => event.kind === 'restarted')).toBe(false)
  })
})

describe('a permanent failure', () => {
  it.each([401, 403])('%i is an authentication error without the key', async code => {
    const error = { message: `Incorrect API key provided: ${KEY}` }
    const endpoint = await serve(() => scripts.status(code, { error }))
    const thrown = await failing(modelOf(endpoint))
    expect(thrown).toMatchObject({
      kind: 'authentication',
      status: code,
      retryable: false,
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    expect(inspect(thrown, { depth: 10 })).not.toContain(KEY)
    expect(endpoint.calls).toHaveLength(1)
  })

  it('404 names the model and its variables', async () => {
    const endpoint = await serve(() => scripts.answer('12'), { models: ['m-other'] })
    const thrown = await failing(modelOf(endpoint))
    expect(thrown).toMatchObject({ kind: 'bad_request', status: 404 })
    expect(String(thrown)).toMatch(/"m-large".*OPENAI_MODEL.*CLEW_MODEL_RESPOND/)
    expect(endpoint.refused).toHaveLength(1)
  })

  it.each([
    [
      'a prompt that is too long',
      'too_large',
      { code: 'context_length_exceeded', message: "This model's maximum context length is 8192 tokens." },
    ],
    ['a temperature that is too high', 'bad_request', { param: 'temperature', message: 'temperature must be at most 0.1.' }],
  ])('400 for %s is reported without a retry', async (_, kind, error) => {
    const endpoint = await serve(() => scripts.status(400, { error }))
    const thrown = await failing(modelOf(endpoint), structured)
    expect(thrown).toMatchObject({ kind, status: 400, message: expect.stringContaining(error.message) })
    expect(endpoint.calls).toHaveLength(1)
  })

  it.each([413, 429])('%i for a request that is too large by itself is reported without a retry', async code => {
    const message = 'Request too large for m-large on tokens per min (TPM): Limit 30000, Requested 30651.'
    const endpoint = await serve(() => scripts.status(code, { error: { message } }))
    const thrown = await failing(modelOf(endpoint))
    expect(thrown).toMatchObject({ kind: 'too_large', status: code, message: expect.stringContaining('larger context window') })
    expect(endpoint.calls).toHaveLength(1)
  })

  it('400 that quotes the key is reported without it', async () => {
    const endpoint = await serve(() => scripts.status(400, { error: { message: `too long: Bearer ${KEY}` } }))
    expect(String(await failing(modelOf(endpoint)))).toContain('too long: Bearer [redacted]')
  })

  it('400 of unknown meaning is tried in the plainest form, then reported', async () => {
    const endpoint = await serve(() => scripts.status(400, { error: { message: 'computer says no' } }))
    expect(await failing(modelOf(endpoint))).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('computer says no'),
    })
    expect(endpoint.calls).toHaveLength(2)
  })

  it.each([
    ['a page', 'text/html', scripts.page('<html>welcome</html>', 'text/html; charset=utf-8')],
    ['a JSON body', 'application/json', scripts.page('{"message":"unexpected endpoint"}', 'application/json')],
  ])('%s instead of a stream suggests OPENAI_BASE_URL, and names its type', async (_, type, script) => {
    const endpoint = await serve(() => script)
    expect(await failing(modelOf(endpoint))).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining(`OPENAI_BASE_URL answers, but with ${type} and not`),
    })
  })

  it.each([
    ["in the model's words", scripts.refusal('I cannot help with that.'), 'I cannot help with that.'],
    ['by the content filter', scripts.answer('Well', { finishReason: 'content_filter' }), 'declined'],
    [
      'by the filter of the prompt',
      scripts.status(400, { error: { code: 'content_filter', message: 'filtered' } }),
      'content filter',
    ],
  ])('a refusal %s is not retried', async (_, script, words) => {
    const endpoint = await serve(() => script)
    expect(await failing(modelOf(endpoint))).toMatchObject({
      kind: 'refused',
      retryable: false,
      message: expect.stringContaining(words),
    })
    expect(endpoint.calls).toHaveLength(1)
  })
})

describe('an unusable answer', () => {
  it('that is empty is repeated once', async () => {
    const endpoint = await serve(scripts.inTurn(scripts.answer(' \n'), scripts.answer('12')))
    expect((await complete(modelOf(endpoint))).text).toBe('12')
    const silent = await serve(() => scripts.answer(''))
    expect(await failing(modelOf(silent))).toMatchObject({ kind: 'empty' })
    expect(silent.calls).toHaveLength(2)
  })

  it('that reached the token limit gets twice the room, once', async () => {
    const endpoint = await serve(
      scripts.inTurn(scripts.answer('{"inte', { finishReason: 'length' }), scripts.answer('{"intent":"x"}')),
    )
    const events = await ask(modelOf(endpoint), structured)
    expect(textSinceRestart(events)).toBe('{"intent":"x"}')
    expect(endpoint.calls.map(call => call.body.max_completion_tokens)).toEqual([8_192, 16_384])
    const endless = await serve(() => scripts.answer('{"inte', { finishReason: 'length' }))
    expect(await failing(modelOf(endless), structured)).toMatchObject({ kind: 'truncated' })
    expect(endless.calls).toHaveLength(2)
  })

  it('that reached the token limit is truncated if the endpoint gives no more room', async () => {
    const endpoint = await serve(() => scripts.answer('{"inte', { finishReason: 'length' }), { maxOutputTokens: 9_000 })
    expect(await failing(modelOf(endpoint), structured)).toMatchObject({ kind: 'truncated' })
    expect([endpoint.calls.length, endpoint.refused.length]).toEqual([1, 1])
  })

  it('is repeated once in total, whatever was wrong each time', async () => {
    const cutOff = scripts.answer('{"inte', { finishReason: 'length' })
    for (const [first, second, kind] of [
      [scripts.answer(''), cutOff, 'truncated'],
      [cutOff, scripts.answer(''), 'empty'],
    ] as const) {
      const endpoint = await serve(scripts.inTurn(first, second, scripts.answer('12')))
      expect(await failing(modelOf(endpoint))).toMatchObject({ kind })
      expect(endpoint.calls).toHaveLength(2)
    }
  })
})

describe('the token limit', () => {
  it.each(MODEL_STEPS)('is in every request of %s', async step => {
    const endpoint = await serve(() => scripts.answer('12'))
    await ask(modelOf(endpoint), { ...request, step })
    expect(endpoint.calls[0]?.body.max_completion_tokens).toBe(STEP_TOKENS[step])
  })

  it.each([
    ['openai', { maxOutputTokens: 4_096 }],
    ['detail', { maxOutputTokens: 4_096, tokenLimit: 'max_tokens' }],
  ] as const)('is halved until an endpoint accepts it, once (%s)', async (wording, rules) => {
    const endpoint = await serve(() => scripts.answer('12'), { ...rules, wording })
    const model = modelOf(endpoint)
    await ask(model)
    await ask(model)
    expect(endpoint.calls.map(({ body }) => body.max_completion_tokens ?? body.max_tokens)).toEqual([4_096, 4_096])
    expect(endpoint.refused).toHaveLength('tokenLimit' in rules ? 2 : 1)
  })

  it('is reported if it leaves no room', async () => {
    const endpoint = await serve(() => scripts.answer('12'), { maxOutputTokens: 100 })
    expect(await failing(modelOf(endpoint))).toMatchObject({ kind: 'bad_request', message: expect.stringContaining('too large') })
    expect(endpoint.refused).toHaveLength(4)
  })
})

describe('an endpoint that ignores the limit', () => {
  it.each([
    ['text', () => scripts.answer('', { pieces: Array(200).fill('and so on '.repeat(10_000)) })],
    ['arguments of tools', () => scripts.toolCalls({ name: 'look', arguments: { text: 'and so on '.repeat(20_000) } })],
    ['words of a refusal', () => scripts.refusal('and so on '.repeat(20_000))],
    ['comments', () => scripts.lines(...Array(400).fill(`: ${'x'.repeat(100_000)}`))],
  ])('is abandoned in: %s', async (_, script) => {
    const endpoint = await serve(script)
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
    const model = modelOf(endpoint, { totalTimeoutMs: 60_000 })
    expect(await failing(model, { ...request, tools })).toMatchObject({ kind: 'truncated' })
    expect(endpoint.calls).toHaveLength(1)
  })

  it('closes the connection', async () => {
    const endpoint = await serve(() => scripts.answer('', { pieces: Array(200).fill('and so on '.repeat(10_000)) }))
    await failing(modelOf(endpoint))
    expect(await endpoint.calls[0]?.left).toBe(true)
  })

  it('is abandoned in an endless error', async () => {
    const bytes = new TextEncoder().encode('no '.repeat(10_000))
    let sent = 0
    let isLeft = false
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull: controller => {
          sent += bytes.length
          controller.enqueue(bytes)
        },
        cancel: () => {
          isLeft = true
        },
      })
    const endless = async () => new Response(body(), { status: 400 })
    const model = modelOf({ baseUrl: 'http://model.example/v1' }, { fetch: endless })
    expect(await failing(model)).toMatchObject({ kind: 'bad_request' })
    expect([isLeft, sent < 1_000_000]).toEqual([true, true])
  })
})

describe('time', () => {
  it.each([
    ['before the headers', scripts.hang()],
    ['in the middle', scripts.stall('There')],
  ])('a silent endpoint is asked once more: %s', async (_, silence) => {
    const endpoint = await serve(scripts.inTurn(silence, scripts.answer('12')))
    const events = await ask(modelOf(endpoint, { idleTimeoutMs: 300 }))
    expect(textSinceRestart(events)).toBe('12')
    expect(await endpoint.calls[0]?.left).toBe(true)
  })

  it('a second silence is a timeout', async () => {
    const endpoint = await serve(() => scripts.hang())
    const model = modelOf(endpoint, { idleTimeoutMs: 60, totalTimeoutMs: 60 })
    expect(await failing(model)).toMatchObject({
      kind: 'timeout',
      retryable: true,
      message: 'The model stopped sending, twice: choose a faster one with OPENAI_MODEL, or raise CLEW_MODEL_TIMEOUT_S.',
    })
    expect(endpoint.calls).toHaveLength(2)
  })

  it('comments that keep the connection alive count as life', async () => {
    const endpoint = await serve(() => scripts.comments(12, 60, scripts.answer('12')))
    expect((await complete(modelOf(endpoint, { idleTimeoutMs: 500 }))).text).toBe('12')
    expect(endpoint.calls).toHaveLength(1)
  })

  it('the total limit ends an endless answer without a repeat', async () => {
    const endpoint = await serve(() => scripts.answer('and so on '.repeat(3000), { pieceDelayMs: 5 }))
    expect(await failing(modelOf(endpoint, { totalTimeoutMs: 200 }))).toMatchObject({ kind: 'timeout' })
    expect(endpoint.calls).toHaveLength(1)
    expect(await endpoint.calls[0]?.left).toBe(true)
  })

  it('an answer is read up to its size limit', async () => {
    const endpoint = await serve(() => scripts.answer('x'.repeat(SIZES.modelAnswer + 1)))
    expect(await failing(modelOf(endpoint))).toMatchObject({ kind: 'truncated' })
    const other = await serve(() => scripts.answer('x'.repeat(SIZES.modelAnswer)))
    expect((await complete(modelOf(other))).text).toHaveLength(SIZES.modelAnswer)
  })

  it.each([
    ['empty lines', '\n'.repeat(60_000)],
    ['events without text', 'data: {"choices":[]}\n\n'.repeat(3_000)],
    ['an event without an end', `data: ${'x'.repeat(60_000)}\n`],
    ['a line without an end', 'x'.repeat(60_000)],
  ])('an endless stream of %s is left, and lets others work meanwhile', async (_, piece) => {
    const bytes = new TextEncoder().encode(piece)
    let sent = 0
    let isLeft = false
    const endless = async () => {
      const body = new ReadableStream<Uint8Array>({
        pull: controller => {
          sent += bytes.length
          controller.enqueue(bytes)
        },
        cancel: () => {
          isLeft = true
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    let mostAtOnce = 0
    let sentBefore = 0
    let isOver = false
    const others = () => {
      mostAtOnce = Math.max(mostAtOnce, sent - sentBefore)
      sentBefore = sent
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    const error = await failing(modelOf({ baseUrl: 'http://model.example/v1' }, { fetch: endless }))
    isOver = true
    expect(error).toMatchObject({ kind: 'truncated' })
    expect([isLeft, sent < 10_000_000]).toEqual([true, true])
    // Between two turns of the others, the stream is read for one slice of time.
    expect(mostAtOnce).toBeLessThan(2_000_000)
  })

  it('a slow caller is not a silent endpoint', async () => {
    const endpoint = await serve(() => scripts.answer('one two three', { pieces: ['one ', 'two ', 'three'], pieceDelayMs: 20 }))
    let text = ''
    for await (const event of modelOf(endpoint, { idleTimeoutMs: 300 }).stream(request, new AbortController().signal)) {
      if (event.kind !== 'text') continue
      text += event.text
      if (text === 'one ') await new Promise(resolve => setTimeout(resolve, 450))
    }
    expect(text).toBe('one two three')
    expect(endpoint.calls).toHaveLength(1)
  })

  it('text arrives as it is written, and a caller who leaves closes the connection', async () => {
    const endpoint = await serve(() => scripts.stall('first'))
    const iterator = modelOf(endpoint).stream(request, new AbortController().signal)
    expect(await iterator.next()).toEqual({ done: false, value: { kind: 'text', text: 'first' } })
    await iterator.return()
    expect(await endpoint.calls[0]?.left).toBe(true)
  })
})

describe('a long wait', () => {
  // Node's own limits are 300 s. The test sets them to one second, so that they would show if they still applied.
  it("ends by our limits, not by those of Node's fetch", async () => {
    const key = Symbol.for('undici.globalDispatcher.1')
    const node: Record<symbol, unknown> = runInThisContext('globalThis')
    const own = node[key]
    node[key] = new Agent({ headersTimeout: 1_000, bodyTimeout: 1_000 })
    try {
      const endpoint = await serve(() => async exchange => {
        await wait(2_500)
        await scripts.comments(1, 2_500, scripts.answer('12'))(exchange)
      })
      await expect(
        fetch(`${endpoint.baseUrl}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ model: 'm', stream: true, messages: request.messages }),
        }),
      ).rejects.toThrow()
      expect((await complete(modelOf(endpoint, { idleTimeoutMs: 20_000, totalTimeoutMs: 20_000 }))).text).toBe('12')
      expect(endpoint.calls).toHaveLength(2)
    } finally {
      node[key] = own
    }
  })
})

describe('cancelling', () => {
  it.each([
    ['before the headers', () => scripts.hang()],
    ['in the middle of the answer', () => scripts.stall('There')],
  ])('closes the connection at once: %s', async (_, script) => {
    const endpoint = await serve(script)
    const controller = new AbortController()
    const asked = ask(modelOf(endpoint), request, controller.signal)
    const call = await endpoint.arrival('respond', 0)
    controller.abort()
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await call.left).toBe(true)
    expect(endpoint.calls).toHaveLength(1)
  })

  it('ends the wait between two tries', async () => {
    const endpoint = await serve(() => scripts.status(429, { headers: { 'retry-after': '60' } }))
    const controller = new AbortController()
    const model = modelOf(endpoint, { retry: { ...QUICK_RETRY, maxRetryAfterMs: 100_000 } })
    const asked = ask(model, request, controller.signal)
    const call = await endpoint.arrival('respond', 0)
    await call.left
    controller.abort()
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
