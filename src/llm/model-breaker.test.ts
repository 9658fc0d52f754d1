import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import type { ModelScript } from '../../test/emulators/model/model-script.ts'
import * as scripts from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { createLogger } from '../base/logger.ts'
import type { ModelError } from './error.ts'
import { collect } from './language-model.contract.ts'
import type { ModelRequest } from './language-model.ts'
import { LLM_LIMITS } from './limits.ts'
import { modelBreaker, modelThroughBreaker } from './model-breaker.ts'
import { OpenAILanguageModel } from './openai-language-model.ts'

const START = Date.UTC(2026, 0, 1)
const request: ModelRequest = { step: 'respond', messages: [{ role: 'user', content: 'How many links are there?' }] }
const { signal } = new AbortController()
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const
const { breakerFailures } = LLM_LIMITS
const AWAY = 'The model endpoint (OPENAI_BASE_URL) cannot be reached. Clew asks it again 30 seconds after it last failed.'

let endpoint: ScriptedModel
let script: ModelScript = scripts.answer('64')

beforeAll(async () => {
  endpoint = await startScriptedModel({ onRequest: () => script })
})
afterAll(() => endpoint.close())
// Only the date stands still, because requests need real timers.
beforeEach(() => {
  jest.useFakeTimers({ now: START, doNotFake: [...REAL] })
})
afterEach(() => {
  jest.useRealTimers()
})

function open({ baseUrl = endpoint.baseUrl, idleTimeoutMs = 5_000 } = {}) {
  const model = new OpenAILanguageModel({
    apiKey: 'none',
    baseUrl,
    model: 'scripted',
    idleTimeoutMs,
    totalTimeoutMs: 2 * idleTimeoutMs,
    logger: createLogger({ level: 'silent' }),
    retry: { maxAttempts: 2, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 1 },
    random: () => 0.5,
    now: Date.now,
  })
  const breaker = modelBreaker()
  const through = modelThroughBreaker(model, breaker)
  const ask = (own = signal) =>
    collect(through.stream(request, own)).then(
      () => 'answered',
      (error: ModelError) => `${error.code}: ${error.message}`,
    )
  const askAll = async (count: number) => {
    for (let at = 0; at < count; at++) await ask()
  }
  return { breaker, ask, askAll, through }
}

describe('the breaker of the model', () => {
  it.each([
    ['HTTP status 503', scripts.status(503), 5_000],
    ['an error event', scripts.errorEvent('', { message: 'overloaded', code: 529 }), 5_000],
    ['silence', scripts.stall(''), 50],
  ])(
    'tells at once that the endpoint is away after eight calls that met %s, whatever their retries',
    async (_, failing, idleTimeoutMs) => {
      script = failing
      const { breaker, ask, askAll } = open({ idleTimeoutMs })
      await askAll(breakerFailures - 1)
      expect(breaker.state).toBe('closed')
      await askAll(1)
      expect(breaker.state).toBe('open')
      const before = endpoint.calls.length
      expect([await ask(), endpoint.calls.length]).toEqual([`model_unavailable: ${AWAY}`, before])
    },
  )

  it('counts connections that fail', async () => {
    const { breaker, askAll } = open({ baseUrl: 'http://127.0.0.1:1/v1' })
    await askAll(breakerFailures)
    expect(breaker.state).toBe('open')
  })

  it.each([
    ['429', scripts.status(429)],
    ['429 with a long pause', scripts.status(429, { headers: { 'retry-after': '60' } })],
    ['400', scripts.status(400)],
    ['401', scripts.status(401)],
    ['a refusal', scripts.refusal('No.')],
    ['nothing', scripts.answer('')],
    ['an answer that is too long', scripts.answer('6', { finishReason: 'length' })],
  ])('stays closed after %s, and counts anew', async (_, answered) => {
    const { breaker, ask, askAll } = open()
    script = scripts.status(500)
    await askAll(breakerFailures - 1)
    script = answered
    expect(await ask()).not.toBe('answered')
    script = scripts.status(500)
    await askAll(breakerFailures - 1)
    expect(breaker.state).toBe('closed')
    await askAll(1)
    expect(breaker.state).toBe('open')
  })

  it('tries again after 30 seconds with one call, and closes with its first words', async () => {
    const { breaker, ask, askAll, through } = open()
    script = scripts.status(500)
    await askAll(breakerFailures)
    jest.setSystemTime(START + 29_999)
    expect(await ask()).toContain(AWAY)
    jest.setSystemTime(START + 30_000)
    const holding = createGate()
    script = scripts.answer('', { pieces: ['6', '4'], hold: { piece: 1, until: holding.opened } })
    const trial = through.stream(request, signal)[Symbol.asyncIterator]()
    const first = trial.next()
    expect([breaker.state, await ask()]).toEqual(['half_open', `model_unavailable: ${AWAY}`])
    expect([await first, breaker.state]).toEqual([{ done: false, value: { kind: 'text', text: '6' } }, 'closed'])
    script = scripts.answer('64')
    expect(await ask()).toBe('answered')
    holding.open()
    while (!(await trial.next()).done);
  })

  it('does not count cancelled calls', async () => {
    const { breaker, ask, askAll } = open()
    script = scripts.status(500)
    await askAll(breakerFailures - 1)
    expect(await ask(AbortSignal.abort())).toContain('model_cancelled')
    expect(breaker.state).toBe('closed')
    await askAll(1)
    expect(breaker.state).toBe('open')
  })

  it('closes the request of a caller who leaves', async () => {
    script = scripts.answer('', { pieces: ['6', '4'], hold: { piece: 1, until: new Promise(() => {}) } })
    const { through } = open()
    const before = endpoint.calls.length
    for await (const event of through.stream(request, signal)) if (event.kind === 'text') break
    expect(await endpoint.calls[before]?.left).toBe(true)
  })
})
