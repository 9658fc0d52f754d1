import { observedGuard, observedRead } from '../warehouse/observed.ts'
import type { SqlGuard } from '../warehouse/sql-guard.ts'
import type { DataWarehouse, Warehouse } from '../warehouse/warehouse.ts'
import type { Config } from './config.ts'
import type { WiringContext } from './store.ts'

/** Returns the name of the data source whose address is CLICKHOUSE_URL. */
export function defaultSource({ sources }: Pick<Config, 'sources'>): string {
  return sources?.find(source => source.isDefault)?.id ?? 'default'
}

/** Returns a warehouse whose reads are observed. */
export function observedWarehouse(context: WiringContext, source: string, warehouse: Warehouse): Warehouse {
  return {
    ...observedReader(context, source, warehouse),
    readOwn: (query, signal) => warehouse.readOwn(query, signal),
    write: (statement, signal) => warehouse.write(statement, signal),
    close: () => warehouse.close(),
  }
}

/** Returns the reading part of a warehouse. Its reads are observed. */
export function observedReader(
  { observers }: Pick<WiringContext, 'observers'>,
  source: string,
  warehouse: Pick<DataWarehouse, 'read' | 'description'>,
): Pick<DataWarehouse, 'read' | 'description'> {
  const { description } = warehouse
  if (observers === undefined) return { description, read: (query, signal) => warehouse.read(query, signal) }
  return { description, read: observedRead(warehouse, { source, observe: observers.observe, now: Date.now }) }
}

/** Returns a guard whose verdicts are observed. */
export function observedSqlGuard({ observers }: Pick<WiringContext, 'observers'>, source: string, guard: SqlGuard): SqlGuard {
  return observers === undefined ? guard : observedGuard(guard, { source, observe: observers.observe })
}
