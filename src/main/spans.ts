import { packageVersion } from '../base/package-files.ts'
import { showContent, spansOf } from '../telemetry/span.ts'
import type { CommandContext } from './commands/command-context.ts'
import { defaultSource } from './observed-source.ts'

/** Sends the spans of this process to OTEL_EXPORTER_OTLP_ENDPOINT. Does nothing if it is not set. */
export async function wireSpans({ config, logger, resources, observers }: CommandContext, service: string): Promise<void> {
  const { endpoint, hasContent } = config.spans
  if (endpoint === undefined) return
  const { exportSpans } = await import('../telemetry/otlp.ts')
  const exporting = exportSpans(service, packageVersion(), logger)
  resources.add('spans', exporting, opened => opened.close())
  if (hasContent) showContent()
  const kinds = new Map(config.sources?.map(({ id, kind }) => [id, kind]) ?? [[defaultSource(config), 'clickhouse']])
  observers.add(spansOf(source => (kinds.get(source) === 'postgres' ? 'postgresql' : 'clickhouse')))
}
