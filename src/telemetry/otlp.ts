import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { doneWithin } from '../base/done-within.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { TELEMETRY_LIMITS } from './limits.ts'

/**
 * Sends the spans of this process to the receiver that the variables `OTEL_EXPORTER_OTLP_…` name, which the exporter reads. Only
 * processes that export spans load this file. `close` sends what is left.
 */
export function exportSpans(service: string, version: string, logger: Logger): { close(): Promise<void> } {
  const named = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const resource = named.merge(detectResources({ detectors: [envDetector] }))
  let isTold = false
  const tell = (error: string | undefined) => {
    if (error !== undefined && !isTold) logger.warn({ error }, 'spans could not be sent, and are lost')
    isTold = error !== undefined
  }
  const exporter = telling(new OTLPTraceExporter({ timeoutMillis: TELEMETRY_LIMITS.sendMs }), tell)
  const spanProcessors = [new BatchSpanProcessor({ exporter })]
  const provider = new TracerProvider({ resource, spanProcessors })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    close: async () => {
      const sent = provider.shutdown().catch(() => undefined)
      if (!(await doneWithin(TELEMETRY_LIMITS.flushMs, sent))) tell('the receiver did not answer in time')
    },
  }
}

/** Tells of each failure, and with undefined of each success. */
function telling(exporter: SpanExporter, tell: (error: string | undefined) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        tell(result.code === ExportResultCode.SUCCESS ? undefined : errorMessage(result.error))
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
