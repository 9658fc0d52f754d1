import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { until } from '../../test/support/queue-harness.ts'
import { asRun } from '../base/watched-work.ts'
import { METRIC_LIMITS } from './limits.ts'
import { createMetrics, type QueueFigures } from './metrics.ts'
import type { ObservationOf } from './observation.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach(close => void close()))

/** Serves new metrics. `read` returns the lines of a metric. */
async function world({ breakers = [] }: { breakers?: { name: string; state: string }[] } = {}) {
  const metrics = createMetrics({ routeOf: kind => (kind === 'syntax' ? 'regenerate' : 'give_up'), breakers: () => breakers })
  const server = createServer(metrics.listener).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  const get = () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)
  const read = async (name: string) => (await (await get()).text()).split('\n').filter(line => line.startsWith(name))
  return { metrics, get, read }
}

const step = (given: Partial<ObservationOf<'step'>>) =>
  ({ kind: 'step', step: 'generate', query: 'Q1', attempt: 1, durationMs: 300, isNeeded: true, ...given }) as const
const call = { kind: 'model_call', step: 'generate', outcome: 'answered', isEstimated: false, durationMs: 900 } as const
const FIGURES: QueueFigures = { threads: 2, messages: 3, oldestSeconds: 61.5, running: 1, delayed: 1, deadLetters: 1 }

describe('metrics', () => {
  it('are answers by outcome and confidence, with their time and sentences', async () => {
    const { metrics, read } = await world()
    const answer = { kind: 'answer', durationMs: 1_500, sentences: 0, unverifiedSentences: 0 } as const
    metrics.observe({ ...answer, outcome: 'answered', confidence: 'HIGH', sentences: 5, unverifiedSentences: 1 })
    metrics.observe({ ...answer, outcome: 'failed', error: 'timeout' })
    expect(await read('clew_answer')).toEqual(
      expect.arrayContaining([
        'clew_answers_total{outcome="answered",confidence="none"} 0',
        'clew_answers_total{outcome="answered",confidence="high"} 1',
        'clew_answers_total{outcome="failed",confidence="none"} 1',
        'clew_answer_seconds_bucket{le="1",outcome="answered"} 0',
        'clew_answer_seconds_bucket{le="2",outcome="answered"} 1',
        'clew_answer_errors_total{outcome="failed",error="timeout"} 1',
        'clew_answer_sentences_total 5',
        'clew_answer_unverified_sentences_total 1',
      ]),
    )
  })

  it('name a retry by the error of the same query before it, which another step may have met', async () => {
    const { metrics, read } = await world()
    const inRun = (run: string, ...steps: Partial<ObservationOf<'step'>>[]) =>
      asRun({ id: run }, async () => steps.forEach(given => void metrics.observe(step(given))))
    await inRun('run_1', { step: 'execute', error: 'unknown_name' }, { step: 'execute', query: 'Q2', error: 'timeout' })
    await inRun('run_2', { attempt: 2 })
    await inRun('run_1', { attempt: 2 }, { attempt: 2, query: 'Q2' }, { step: 'execute', isNeeded: false, error: 'not_needed' })
    expect(await read('clew_step_retries_total')).toEqual([
      'clew_step_retries_total{step="generate",reason="unknown"} 1',
      'clew_step_retries_total{step="generate",reason="unknown_name"} 1',
      'clew_step_retries_total{step="generate",reason="timeout"} 1',
    ])
    expect(await read('clew_step_errors_total')).toHaveLength(2)
    expect(await read('clew_step_seconds_count')).toContain('clew_step_seconds_count{step="execute"} 2')
    expect(await read('clew_steps_dropped_total')).toEqual(['clew_steps_dropped_total{step="execute"} 1'])
  })

  it('are tokens and costs by model, the latter only for known prices', async () => {
    const { metrics, read } = await world()
    metrics.observe({ ...call, model: 'dear', inputTokens: 100, cachedTokens: 80, outputTokens: 9, cost: 0.25 })
    metrics.observe({ ...call, model: 'unknown', inputTokens: 1, outputTokens: 2 })
    expect(await read('clew_model_tokens_total')).toHaveLength(4)
    expect(await read('clew_model_cached_tokens_total')).toEqual([
      'clew_model_cached_tokens_total{step="generate",model="dear"} 80',
    ])
    expect(await read('clew_model_cost_dollars_total')).toEqual([
      'clew_model_cost_dollars_total{step="generate",model="dear"} 0.25',
    ])
  })

  it('tell what Clew does after the error of a query', async () => {
    const { metrics, read } = await world()
    const query = {
      kind: 'query',
      source: 'crm',
      sql: 'SELECT secret',
      rows: 0,
      rowsRead: 7,
      bytesRead: 70,
      durationMs: 1,
    } as const
    for (const outcome of ['ok', 'syntax', 'denied']) metrics.observe({ ...query, outcome })
    expect(await read('clew_query_errors_total')).toEqual([
      'clew_query_errors_total{source="crm",kind="syntax",route="regenerate"} 1',
      'clew_query_errors_total{source="crm",kind="denied",route="give_up"} 1',
    ])
    expect(await read('clew_query_read_bytes_total')).toEqual(['clew_query_read_bytes_total{source="crm"} 210'])
  })

  it('have a limited number of values for each label, and none from a person or a text', async () => {
    const { metrics, get, read } = await world()
    const place = { platform: 'slack', channel: 'C-secret' }
    await asRun({ id: 'run-secret', person: 'slack/U-secret', place, role: 'secret' }, async () => {
      for (let model = 0; model < 200; model += 1)
        metrics.observe({ ...call, model: `m${model}`, inputTokens: 1, outputTokens: 1 })
      metrics.observe({
        kind: 'query',
        source: 'a',
        sql: 'secret',
        outcome: 'ok',
        rows: 1,
        rowsRead: 1,
        bytesRead: 1,
        durationMs: 1,
      })
      metrics.observe({ kind: 'token', token: 'tok_secret', outcome: 'used' })
      metrics.observe({ kind: 'replay', job: 'job-secret', outcome: 'completed', durationMs: 1 })
    })
    const calls = await read('clew_model_calls_total')
    expect(calls).toHaveLength(METRIC_LIMITS.labelValues + 1)
    expect(calls.at(-1)).toBe(`clew_model_calls_total{model="other",outcome="answered"} ${200 - METRIC_LIMITS.labelValues}`)
    expect(await (await get()).text()).not.toContain('secret')
  })

  it('never throw, whatever a number is', async () => {
    const { metrics, read } = await world()
    for (const inputTokens of [Number.NaN, -5, 3])
      metrics.observe({ ...call, model: 'm', inputTokens, outputTokens: Number.POSITIVE_INFINITY, durationMs: -1 })
    expect(await read('clew_model_tokens_total')).toEqual([
      'clew_model_tokens_total{step="generate",model="m",direction="input"} 3',
      'clew_model_tokens_total{step="generate",model="m",direction="output"} 0',
    ])
    expect(await read('clew_model_call_seconds_sum')).toEqual(['clew_model_call_seconds_sum{step="generate",model="m"} 0'])
  })

  it('show the states of breakers', async () => {
    const breakers = [{ name: 'model', state: 'open' }]
    const { read } = await world({ breakers })
    expect(await read('clew_breaker_state')).toEqual([
      'clew_breaker_state{part="model",state="closed"} 0',
      'clew_breaker_state{part="model",state="open"} 1',
      'clew_breaker_state{part="model",state="half_open"} 0',
    ])
  })

  it('read the queue once for many scrapes at the same time', async () => {
    const { metrics, get } = await world()
    const gate = createGate()
    let reads = 0
    metrics.watchQueue(async () => {
      reads += 1
      await gate.opened
      return FIGURES
    })
    const scrapes = Array.from({ length: 50 }, async () => (await get()).text())
    gate.open()
    const texts = await Promise.all(scrapes)
    expect(reads).toBe(1)
    for (const line of ['clew_waiting_messages 3', 'clew_oldest_waiting_message_seconds 61.5', 'clew_dead_letters 1'])
      expect(texts[0]?.split('\n')).toContain(line)
    expect(new Set(texts).size).toBe(1)
  })

  it('do without the queue while it cannot be read, and show it only where it is watched', async () => {
    const unwatched = await world()
    expect(await unwatched.read('clew_waiting_messages')).toEqual([])
    const { metrics, read } = await world()
    let figures: QueueFigures | undefined
    metrics.watchQueue(async () => figures ?? Promise.reject(new Error('Redis is away')))
    expect(await read('clew_waiting_messages')).toEqual([])
    expect(await read('clew_answers_total')).not.toEqual([])
    figures = FIGURES
    await until('the shared text is over', async () => (await read('clew_waiting_messages')).length === 1)
    expect(await read('clew_waiting_messages')).toEqual(['clew_waiting_messages 3'])
  })
})
