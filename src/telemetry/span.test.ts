import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { SpanStatusCode } from '@opentelemetry/api'
import { collectSpans } from '../../test/support/collected-spans.ts'
import { ClewError } from '../base/errors.ts'
import type { Observation } from './observation.ts'
import { contentAttribute, failSpan, inSpan, spanAround, spansOf, traceparent } from './span.ts'

const collected = collectSpans()
beforeEach(() => collected.forget())
afterAll(() => collected.stop())

const failure = async () => {
  throw new ClewError('no', { code: 'model_timeout', retryable: true })
}

/** Returns the error of each span, by its name. */
function errors() {
  return Object.fromEntries(
    collected
      .spans()
      .map(({ name, status, attributes }) => [name, status.code === SpanStatusCode.ERROR && attributes['error.type']]),
  )
}

describe('a span', () => {
  it('has the error of its work, unless the work was called off', async () => {
    await inSpan('fails', {}, failure).catch(() => undefined)
    await inSpan('breaks', {}, () => Promise.reject(new TypeError('bug'))).catch(() => undefined)
    await inSpan('is called off', { isCalledOff: () => true }, failure).catch(() => undefined)
    await inSpan('is refused', {}, async () => failSpan('refused'))
    await inSpan('works', {}, async () => 1)
    expect(errors()).toEqual({
      fails: 'model_timeout',
      breaks: 'fault',
      'is called off': false,
      'is refused': 'refused',
      works: false,
    })
  })

  it('is left out if its result is not worth it', async () => {
    expect(await inSpan('left out', { isKept: value => value > 1 }, async () => 1)).toBe(1)
    expect(await inSpan('kept', { isKept: value => value > 1 }, async () => 2)).toBe(2)
    expect(collected.spans().map(({ name }) => name)).toEqual(['kept'])
  })

  it('is below the span that another process or another step names', async () => {
    let header: string | undefined
    let around = spanAround()
    await inSpan('first', {}, async () => {
      header = traceparent().traceparent
      around = spanAround()
    })
    await inSpan('elsewhere', { parent: header }, async () => undefined)
    await inSpan('step', {}, () => inSpan('step of the first', { parent: around }, async () => undefined))
    const [first, elsewhere, ofFirst] = collected.spans()
    expect(header).toBe(`00-${first?.spanContext().traceId}-${first?.spanContext().spanId}-01`)
    for (const span of [elsewhere, ofFirst]) expect(span?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId)
    expect(traceparent()).toEqual({})
  })
})

describe('an observation', () => {
  const query: Observation = {
    ...{ kind: 'query', source: 'crm', sql: 'SELECT secret', outcome: 'timeout', durationMs: 250 },
    ...{ rows: 0, rowsRead: 10, bytesRead: 80 },
  }

  it('becomes a span below the current one, with its duration and its error, without SQL', async () => {
    const observe = spansOf(source => (source === 'crm' ? 'postgresql' : 'clickhouse'))
    await inSpan('step', {}, async () => observe(query))
    const [span, step] = collected.spans()
    expect(span?.parentSpanContext?.spanId).toBe(step?.spanContext().spanId)
    expect(span).toMatchObject({ name: 'query crm', duration: [0, 250_000_000], attributes: { 'db.system.name': 'postgresql' } })
    expect(errors()).toMatchObject({ 'query crm': 'timeout' })
    expect(JSON.stringify(span?.attributes)).not.toContain('secret')
    expect(contentAttribute('clew.question', 'secret')).toEqual({})
  })

  it('outside of a trace, or of another kind, becomes none', async () => {
    const observe = spansOf(() => 'clickhouse')
    observe(query)
    await inSpan('step', {}, async () => observe({ kind: 'cache', cache: 'schema', isHit: true }))
    expect(collected.spans().map(({ name }) => name)).toEqual(['step'])
  })
})
