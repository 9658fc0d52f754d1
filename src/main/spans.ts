import { packageVersion } from '../base/package-files.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import type { SourceConfig } from '../sources/source.ts'
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
  const kinds = new Map<string, SourceConfig['kind']>(
    config.sources?.map(({ id, kind }) => [id, kind]) ?? [[defaultSource(config), 'clickhouse']],
  )
  observers.add(spansOf(source => SOURCE_KINDS[kinds.get(source) ?? 'clickhouse'].system))
}
