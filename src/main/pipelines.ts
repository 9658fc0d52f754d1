import { randomBytes } from 'node:crypto'
import type { Analyst } from '../agent/analyst.ts'
import { LINEAGE_LIMITS } from '../agent/limits.ts'
import { LineageAnalyst } from '../agent/lineage/analyst.ts'
import type { LineageDeps } from '../agent/lineage/context.ts'
import { createPipelineReplayer } from '../agent/lineage/pipeline-replayer.ts'
import type { Replayer } from '../agent/lineage/replayer.ts'
import { ThreadAnalyst } from '../agent/thread-analyst.ts'
import { ConfigurationError } from '../base/errors.ts'
import { packageFile } from '../base/package-files.ts'
import { openUncheckedWarehouse } from '../clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../clickhouse/validation/engine-query-validator.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { Prompts } from '../llm/prompts.ts'
import { JobRegistry } from '../pipelines/jobs/registry.ts'
import { JobStore } from '../pipelines/jobs/store.ts'
import { Trials } from '../pipelines/jobs/trial.ts'
import { OperationLogSource } from '../pipelines/lineage/operation-log-source.ts'
import type { ListRuns } from '../pipelines/lineage/source.ts'
import { OperationLog } from '../pipelines/log/operation-log.ts'
import { Pipelines } from '../pipelines/pipelines.ts'
import { keepRowsFor } from '../pipelines/retention.ts'
import { StateDatabase } from '../pipelines/state-database.ts'
import { PipelineTables } from '../pipelines/tables.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import type { StateStore } from '../store/state-store.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { privateColumnTest } from '../warehouse/private-columns.ts'
import type { SqlGuard } from '../warehouse/sql-guard.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { MAIN_LIMITS } from './limits.ts'
import { type FolderOptions, PROMPTS_DIRECTORY, wireWarehouse } from './parts.ts'
import type { WiringContext } from './store.ts'

/** The folder of migrations, which are numbered SQL files. */
const MIGRATIONS_DIRECTORY = packageFile('migrations')

/**
 * Connects as the user with write access: to CLEW_WRITER_URL, or if it is not set to CLICKHOUSE_URL.
 * @throws ConfigurationError
 */
export async function wireWriter(context: WiringContext, signal: AbortSignal, own: FolderOptions = {}): Promise<Warehouse> {
  const { config, logger, resources } = context
  const { writerUrl: url, stateDatabase: database } = config.pipelines
  if (url === undefined) return wireWarehouse(context, signal, own)
  const { maxBytes, timeoutMs } = config.warehouse
  const writer = await openUncheckedWarehouse({ url, database, maxBytes, timeoutMs, logger }, signal)
  return resources.add('writer', writer, opened => opened.close())
}

/** Whether one of the sources is a ClickHouse. Without a file of sources, the only one is. */
export function hasClickHouse({ sources }: Pick<WiringContext['config'], 'sources'>): boolean {
  return sources === undefined || sources.some(({ kind }) => SOURCE_KINDS[kind].hasPipelines)
}

/**
 * Checks that there is a ClickHouse, because pipelines and investigations work on nothing else.
 * @throws ConfigurationError
 */
export function requireClickHouse(config: Pick<WiringContext['config'], 'sources'>): void {
  if (hasClickHouse(config)) return
  throw new ConfigurationError(
    'Pipelines and investigations need ClickHouse, and CLEW_SOURCES_FILE names no source of that kind: add one, as the first.',
  )
}

/**
 * Connects as `wireWriter` does, and checks that the server answers. Errors name the variable to correct.
 * @throws ConfigurationError, WarehouseError
 */
export async function reachWriter(context: WiringContext, signal: AbortSignal, own: FolderOptions = {}): Promise<Warehouse> {
  requireClickHouse(context.config)
  const writer = await wireWriter(context, signal, own)
  if (context.config.pipelines.writerUrl === undefined) return writer
  try {
    await writer.readOwn({ sql: 'SELECT 1', database: 'system' }, signal)
    return writer
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error
    const wayOut = error.kind === 'unavailable' ? ' Is it running there?' : ''
    const message = `CLEW_WRITER_URL: the server cannot be used: ${error.message.replace(/(?<![.\s])[.\s]+$/, '')}.${wayOut}`
    throw new WarehouseError(message, { kind: error.kind, cause: error })
  }
}

/** Builds the data pipelines for a warehouse that they may write to. */
export function wirePipelines({ config, logger }: WiringContext, warehouse: Warehouse) {
  const state = new StateDatabase(warehouse, config.pipelines.stateDatabase)
  const parts = {
    registry: new JobRegistry({ state, now: Date.now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(warehouse, config.pipelines.database),
  }
  const { preservation } = config.pipelines
  const newJobId = () => `job_${randomBytes(8).toString('hex')}`
  return {
    pipelines: new Pipelines({ ...parts, warehouse, preservation, newJobId, now: Date.now, logger }),
    source: new OperationLogSource(parts),
    trials: new Trials({ ...parts, warehouse, now: Date.now, logger }),
  }
}

/**
 * Wires the data pipelines beside a warehouse that is open for reading. They connect as the writing user.
 * @throws ConfigurationError
 */
export async function wireJobs(context: WiringContext, warehouse: Warehouse, signal: AbortSignal) {
  const isSame = context.config.pipelines.writerUrl === undefined
  return wirePipelines(context, isSame ? warehouse : await wireWriter(context, signal))
}

/**
 * Wires all parts of investigations except the model. Investigations read rows as the warehouse's reading user, never as the
 * writing user.
 * @throws ConfigurationError
 */
export async function wireLineage(
  context: WiringContext,
  { warehouse, guard }: { readonly warehouse: Warehouse; readonly guard: SqlGuard },
  signal: AbortSignal,
): Promise<Omit<LineageDeps, 'model'> & { readonly listRuns: ListRuns }> {
  const { config, logger, observers } = context
  const { pipelines, source } = await wireJobs(context, warehouse, signal)
  return {
    guard,
    warehouse,
    validatorOn: own => new EngineQueryValidator({ warehouse: own, maxRows: LINEAGE_LIMITS.mostRows }),
    isPrivate: privateColumnTest(config.warehouse.privateColumns),
    budget: config.warehouse.budget,
    source,
    listRuns: source.listRuns,
    replayer: createPipelineReplayer({ pipelines, now: Date.now }),
    prompts: await Prompts.load(PROMPTS_DIRECTORY, config.promptsDirectory),
    dialect: 'clickhouse',
    logger,
    now: Date.now,
    ...(observers && { telemetry: observers.observe }),
    timeoutMs: MAIN_LIMITS.lineageTimeFactor * config.runTimeoutMs,
    linkHosts: config.linkHosts,
  }
}

/**
 * Wires the analyst that answers in threads, including questions about pipelines.
 * @throws ConfigurationError
 */
export async function wireThreadAnalyst(
  context: WiringContext,
  parts: {
    readonly analyst: Pick<Analyst, 'ask' | 'languageOf' | 'remember'>
    readonly warehouse: Warehouse
    readonly guard: SqlGuard
    readonly model: LanguageModel
    readonly store: StateStore
    /** Runs replays (repeated jobs) in the workers. If absent, this process runs them. */
    readonly replayer?: Replayer
  },
  signal: AbortSignal,
): Promise<ThreadAnalyst> {
  const { analyst, model, store } = parts
  const wired = await wireLineage(context, parts, signal)
  const deps = { ...wired, replayer: parts.replayer ?? wired.replayer }
  return new ThreadAnalyst({ analyst, lineage: new LineageAnalyst({ ...deps, model, store, timeZone: context.config.timeZone }) })
}

/**
 * Creates or updates Clew's own databases and tables, and sets how long their rows are kept.
 * @returns the names of the migration files that were applied
 */
export async function migrateState(
  { config }: WiringContext,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { stateDatabase, database } = config.pipelines
  await new PipelineTables(warehouse, database).createDatabase(signal)
  const state = new StateDatabase(warehouse, stateDatabase)
  const applied = await state.migrate(MIGRATIONS_DIRECTORY, Date.now, signal)
  await keepRowsFor(state, config.audit.retentionSeconds, signal)
  return applied
}
