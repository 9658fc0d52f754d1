import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ClewError } from '../base/errors.ts'
import type { Observation, ObservationOf, Observe } from './observation.ts'

/** Spans go nowhere until the program sets up OpenTelemetry: a `clew` process does by `otlp.ts`, a program with the library itself. */
const TRACER = trace.getTracer('clew')

const KINDS = { internal: SpanKind.INTERNAL, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const

interface SpanOptions<Value> {
  readonly kind?: keyof typeof KINDS
  readonly attributes?: Attributes
  /** The span above this one, from `traceparent` or `spanAround`. Default: the span around the call. */
  readonly parent?: string | Context | undefined
  /** True if an error only says that the work was not needed. */
  readonly isCalledOff?: () => boolean
  /** Whether the span is kept, by the work's result. Default: it is. */
  readonly isKept?: (value: Value) => boolean
}

/** Does a piece of work as a span. All spans that the work makes are below it. */
export function inSpan<Value>(
  name: string,
  { kind = 'internal', attributes = {}, parent, isCalledOff, isKept = () => true }: SpanOptions<Value>,
  work: () => Promise<Value>,
): Promise<Value> {
  const above = typeof parent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent: parent }) : parent
  const around = above ?? context.active()
  return TRACER.startActiveSpan(name, { kind: KINDS[kind], attributes }, around, async span => {
    try {
      const value = await work()
      // A span that never ends is never sent.
      if (isKept(value)) span.end()
      return value
    } catch (error) {
      if (!isCalledOff?.()) failSpan(error instanceof ClewError ? error.code : 'fault')
      span.end()
      throw error
    }
  })
}

/** Marks the current span as failed. */
export function failSpan(code: string): void {
  trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code)
}

/** The current span, as the `parent` of spans that begin elsewhere in this process. */
export function spanAround(): Context {
  return context.active()
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

/** Outcomes of observations that are no errors. */
const GOOD: readonly string[] = ['ok', 'answered', 'cancelled']

/**
 * Makes a span of each call of a model, query and delivery that was observed as part of a trace.
 * @param systemOf returns the kind of a data source, as OpenTelemetry names it
 */
export function spansOf(systemOf: (source: string) => string): Observe {
  return observation => {
    if (trace.getActiveSpan() === undefined || !isCall(observation)) return
    const { outcome, durationMs } = observation
    const { name, attributes } = describe(observation, systemOf)
    const endTime = Date.now()
    const span = TRACER.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: endTime - durationMs })
    if (!GOOD.includes(outcome)) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', outcome)
    span.end(endTime)
  }
}

type Call = ObservationOf<'model_call' | 'query' | 'delivery'>

function isCall(observation: Observation): observation is Call {
  return observation.kind === 'model_call' || observation.kind === 'query' || observation.kind === 'delivery'
}

/** The names are OpenTelemetry's semantic conventions, or begin with `clew`. */
function describe(call: Call, systemOf: (source: string) => string): { readonly name: string; readonly attributes: Attributes } {
  switch (call.kind) {
    case 'model_call':
      return {
        name: `chat ${call.model}`,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.response.model': call.model,
          'gen_ai.request.temperature': call.temperature,
          'gen_ai.usage.input_tokens': call.inputTokens,
          'gen_ai.usage.cache_read.input_tokens': call.cachedTokens,
          'gen_ai.usage.output_tokens': call.outputTokens,
          'http.response.status_code': call.status,
          'clew.outcome': call.outcome,
          'clew.tokens_estimated': call.isEstimated,
          'clew.cost_usd': call.cost,
        },
      }
    case 'query':
      return {
        name: `query ${call.source}`,
        attributes: {
          'db.system.name': systemOf(call.source),
          'db.response.returned_rows': call.rows,
          'clew.source': call.source,
          'clew.rows_read': call.rowsRead,
          'clew.bytes_read': call.bytesRead,
          ...contentAttribute('db.query.text', call.sql),
        },
      }
    case 'delivery':
      return {
        name: `${call.request} ${call.platform}`,
        attributes: { 'messaging.system': call.platform, 'messaging.operation.name': call.request },
      }
  }
}
