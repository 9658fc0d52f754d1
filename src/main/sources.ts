import { ConfigurationError } from '../base/errors.ts'
import { EngineQueryValidator } from '../clickhouse/validation/engine-query-validator.ts'
import { SourceBreaker, throughBreaker } from '../sources/breaker.ts'
import type { OpenedSource, SourceConfig } from '../sources/source.ts'
import type { StateStore } from '../store/state-store.ts'
import { wireGuard, wireSchemaSource, wireWarehouse } from './parts.ts'
import type { WiringContext } from './store.ts'

/**
 * Opens a data source of CLEW_SOURCES_FILE. It is closed with the resources of the context.
 * @throws WarehouseError if the source does not answer; ConfigurationError
 */
export async function openSource(
  context: WiringContext,
  source: SourceConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<OpenedSource> {
  if (source.kind !== 'clickhouse') throw new ConfigurationError(`The source ${source.id} is of a kind that Clew cannot ask yet.`)
  const { config } = context
  const asked = { url: source.url, databases: [...source.databases], privateColumns: [...source.privateColumns] }
  const own = { ...context, config: { ...config, warehouse: { ...config.warehouse, ...asked } } }
  const warehouse = await wireWarehouse(own, signal)
  const guard = await wireGuard(own, warehouse, signal)
  const schemaSource = wireSchemaSource(own, { warehouse, store })
  const breaker = new SourceBreaker(source.id)
  const { maxRows } = config.warehouse
  return {
    config: source,
    breaker,
    validatorOn: reader => new EngineQueryValidator({ warehouse: reader, maxRows }),
    ...throughBreaker(breaker, { warehouse, guard, schemaSource }),
  }
}
