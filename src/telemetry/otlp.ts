import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { doneWithin } from '../base/done-within.ts'
import type { Logger } from '../base/logger.ts'
import { TELEMETRY_LIMITS } from './limits.ts'

/**
 * Sends the spans of this process to the receiver that the variables `OTEL_EXPORTER_OTLP_…` name, which the exporter reads. Only
 * processes that export spans load this file. `close` sends what is left.
 */
export function exportSpans({
  service,
  version,
  logger,
}: {
  readonly service: string
  readonly version: string
  readonly logger: Logger
}): { close(): Promise<void> } {
  const named = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const resource = named.merge(detectResources({ detectors: [envDetector] }))
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: toldOnce(new OTLPTraceExporter(), logger) })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    close: async () => {
      const sent = provider.shutdown().catch(() => undefined)
      await doneWithin(TELEMETRY_LIMITS.flushMs, sent)
    },
  }
}

/** Logs the first failure, and the first one after a success. Spans that cannot be sent are lost. */
function toldOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isTold = false
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const isLost = result.code !== ExportResultCode.SUCCESS
        if (isLost && !isTold) logger.warn({ error: result.error?.message }, 'spans could not be sent, and are lost')
        isTold = isLost
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
