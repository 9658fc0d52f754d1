import { type Attributes, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ClewError } from '../base/errors.ts'
import type { Observation, Observe } from './observation.ts'

/** Spans go nowhere until the program sets up OpenTelemetry: a `clew` process does by `otlp.ts`, a program with the library itself. */
const TRACER = trace.getTracer('clew')

const KINDS = { internal: SpanKind.INTERNAL, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const

interface SpanOptions {
  readonly kind?: keyof typeof KINDS
  readonly attributes?: Attributes
  /** The span that has caused this one, from `traceparent`. Default: the span around the call. */
  readonly parent?: string | undefined
  /** True if an error only says that the work was not needed. */
  readonly isCalledOff?: () => boolean
}

/** Does a piece of work as a span. All spans that the work makes are below it. */
export function inSpan<Value>(
  name: string,
  { kind = 'internal', attributes = {}, parent, isCalledOff }: SpanOptions,
  work: () => Promise<Value>,
): Promise<Value> {
  const around = parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent: parent })
  return TRACER.startActiveSpan(name, { kind: KINDS[kind], attributes }, around, async span => {
    try {
      return await work()
    } catch (error) {
      if (!isCalledOff?.()) failSpan(error instanceof ClewError ? error.code : 'fault')
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks the current span as failed. */
export function failSpan(code: string): void {
  trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code)
}

/** The current span in the form of a W3C header, for work that another process continues. Empty if there is no span. */
export function traceparent(): { readonly traceparent?: string } {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent }
}

let showsContent = false

/** From now on, spans have the texts of questions and SQL. */
export function showContent(): void {
  showsContent = true
}

/** Returns a text of people or models as an attribute. Empty unless the operator wants such texts in traces. */
export function contentAttribute(name: string, text: string): Attributes {
  return showsContent ? { [name]: text } : {}
}

/**
 * Makes a span of each call of a model, query and delivery that was observed as part of a trace.
 * @param systemOf returns the kind of a data source, as OpenTelemetry names it
 */
export function spansOf(systemOf: (source: string) => string): Observe {
  return observation => {
    const described = trace.getActiveSpan() === undefined ? undefined : describe(observation, systemOf)
    if (described === undefined) return
    const { name, attributes, durationMs, error } = described
    const endTime = Date.now()
    const span = TRACER.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: endTime - durationMs })
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', error)
    span.end(endTime)
  }
}

interface DescribedSpan {
  readonly name: string
  readonly attributes: Attributes
  readonly durationMs: number
  readonly error: string | undefined
}

/** The names are OpenTelemetry's semantic conventions, or begin with `clew`. */
function describe(observation: Observation, systemOf: (source: string) => string): DescribedSpan | undefined {
  switch (observation.kind) {
    case 'model_call':
      return {
        name: `chat ${observation.model}`,
        durationMs: observation.durationMs,
        error: ['answered', 'cancelled'].includes(observation.outcome) ? undefined : observation.outcome,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.response.model': observation.model,
          'gen_ai.request.temperature': observation.temperature,
          'gen_ai.usage.input_tokens': observation.inputTokens,
          'gen_ai.usage.cache_read.input_tokens': observation.cachedTokens,
          'gen_ai.usage.output_tokens': observation.outputTokens,
          'http.response.status_code': observation.status,
          'clew.outcome': observation.outcome,
          'clew.tokens_estimated': observation.isEstimated,
          'clew.cost_usd': observation.cost,
        },
      }
    case 'query':
      return {
        name: `query ${observation.source}`,
        durationMs: observation.durationMs,
        error: observation.outcome === 'ok' ? undefined : observation.outcome,
        attributes: {
          'db.system.name': systemOf(observation.source),
          'db.response.returned_rows': observation.rows,
          'clew.source': observation.source,
          'clew.rows_read': observation.rowsRead,
          'clew.bytes_read': observation.bytesRead,
          ...contentAttribute('db.query.text', observation.sql),
        },
      }
    case 'delivery':
      return {
        name: `${observation.request} ${observation.platform}`,
        durationMs: observation.durationMs,
        error: observation.outcome === 'ok' ? undefined : observation.outcome,
        attributes: {
          'messaging.system': observation.platform,
          'messaging.operation.name': observation.request,
          'messaging.operation.type': 'send',
        },
      }
    default:
      return undefined
  }
}
