import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** Collects the spans of a test file. Call this once in a file, because modules keep the first provider that they find. */
export function collectSpans(): { spans(): readonly ReadableSpan[]; forget(): void; stop(): Promise<void> } {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    spans: () => exporter.getFinishedSpans(),
    forget: () => exporter.reset(),
    stop: async () => {
      await provider.shutdown()
      for (const api of [context, propagation, trace]) api.disable()
    },
  }
}
