import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { openUncheckedWarehouse } from './clickhouse/open-warehouse.ts'
import type { Warehouse } from './clickhouse/warehouse.ts'
import { type WiringContext, wireWarehouse } from './main-parts.ts'
import { JobRegistry } from './pipelines/job-registry.ts'
import { JobStore } from './pipelines/job-store.ts'
import { OperationLog } from './pipelines/operation-log.ts'
import { PipelineTables } from './pipelines/pipeline-tables.ts'
import { Pipelines } from './pipelines/pipelines.ts'
import { StateDatabase } from './pipelines/state-database.ts'

/** Numbered SQL files, beside `src/` and `dist/` alike. */
const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../migrations', import.meta.url))

/** The warehouse as the user that may write: CLEW_WRITER_URL's, else CLICKHOUSE_URL's. @throws ConfigurationError */
export async function wireWriter(context: WiringContext, signal: AbortSignal): Promise<Warehouse> {
  const { config, logger, resources } = context
  const { writerUrl: url, stateDatabase: database } = config.pipelines
  if (url === undefined) return wireWarehouse(context, signal)
  const { maxBytes, timeoutMs } = config.warehouse
  const writer = await openUncheckedWarehouse({ url, database, maxBytes, timeoutMs, logger }, signal)
  return resources.add('writer', writer, opened => opened.close())
}

/** Data pipelines over a warehouse that may be written to. */
export function wirePipelines({ config, logger }: WiringContext, warehouse: Warehouse): Pipelines {
  const state = new StateDatabase(warehouse, config.pipelines.stateDatabase)
  return new Pipelines({
    warehouse,
    registry: new JobRegistry({ state, now: Date.now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(warehouse, config.pipelines.database),
    preservation: config.pipelines.preservation,
    newJobId: () => `job_${randomBytes(8).toString('hex')}`,
    now: Date.now,
    logger,
  })
}

/** Makes Clew's own databases and tables, or brings them up to date. @returns the files that were applied */
export async function migrateState(
  { config }: WiringContext,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { stateDatabase, database } = config.pipelines
  await new PipelineTables(warehouse, database).createDatabase(signal)
  return new StateDatabase(warehouse, stateDatabase).migrate(MIGRATIONS_DIRECTORY, Date.now, signal)
}
