import { randomUUID } from 'node:crypto'
import type { AnalystDeps } from '../agent/analyst.ts'
import { ConfigurationError } from '../base/errors.ts'
import { thereAre } from '../base/text/there-are.ts'
import { SchemaCatalog } from '../clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../clickhouse/guard/engine-sql-guard.ts'
import { LazyWarehouse } from '../clickhouse/lazy-warehouse.ts'
import { openWarehouse } from '../clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../clickhouse/validation/engine-query-validator.ts'
import { CombineEngine, openPrivateEngine } from '../combine/engine.ts'
import { PostgresCatalog } from '../postgres/catalog/postgres-catalog.ts'
import { PostgresConnections } from '../postgres/connection.ts'
import { PostgresSqlGuard } from '../postgres/guard/postgres-sql-guard.ts'
import { PostgresWarehouse, type PostgresWarehouseDeps } from '../postgres/postgres-warehouse.ts'
import { PostgresQueryValidator } from '../postgres/validation/postgres-query-validator.ts'
import { SOURCE_KINDS } from '../sources/kinds.ts'
import { SourceResolver } from '../sources/resolver.ts'
import type { OpenedSource, SourceConfig } from '../sources/source.ts'
import type { StateStore } from '../store/state-store.ts'
import { throughBreaker, warehouseBreaker } from '../warehouse/breaker.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { SqlGuard } from '../warehouse/sql-guard.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Config } from './config.ts'
import { MAIN_LIMITS } from './limits.ts'
import { observedReader, observedSqlGuard } from './observed-source.ts'
import { observing, type WiringContext } from './store.ts'

/** The parts of the warehouse that is the default source. They are opened already, and ask it through its breaker. */
export interface StandingParts {
  readonly warehouse: Warehouse
  readonly guard: SqlGuard
  readonly schemaSource: SchemaSource
}

/** The parts with which an analyst answers from several sources. Empty without CLEW_SOURCES_FILE. */
export type SourceDeps = Pick<AnalystDeps, 'dataSources' | 'resolver' | 'combiner'>

/**
 * Opens the sources of CLEW_SOURCES_FILE. Each connects with its first use, so one that is away does not keep a process from
 * starting.
 * @param standing the parts of the first source, if it is of the kind ClickHouse and opened already
 */
export function wireSources(context: WiringContext, store: StateStore, standing?: StandingParts): SourceDeps {
  const { config, logger, resources } = context
  if (config.sources === undefined) return {}
  const dataSources = config.sources.map(source => openSource(context, store, source, source.isDefault ? standing : undefined))
  const engine = new CombineEngine({ open: openPrivateEngine, logger, newId: randomUUID })
  const combiner = resources.add('combining engine', engine, opened => opened.close())
  return { dataSources, resolver: new SourceResolver(), combiner }
}

/**
 * Opens a source. It connects with its first use.
 * @param standing the parts of the source, if they are opened already
 */
export function openSource(
  context: WiringContext,
  store: StateStore,
  source: SourceConfig,
  standing?: StandingParts,
): OpenedSource {
  const opened = SOURCE_KINDS[source.kind].hasPipelines ? standing : undefined
  const parts = PARTS[source.kind](context, store, source, opened)
  // The parts of the default source are observed already.
  if (opened !== undefined) return { config: source, ...parts }
  const watched = {
    schemaSource: parts.schemaSource,
    warehouse: observedReader(context, source.id, parts.warehouse),
    guard: observedSqlGuard(context, source.id, parts.guard),
  }
  const breaker = warehouseBreaker(source.id)
  context.breakers?.add(breaker)
  return { config: source, ...throughBreaker(breaker, watched), validatorOn: parts.validatorOn }
}

const PARTS = { clickhouse: clickhouseParts, postgres: postgresParts } as const satisfies Record<SourceConfig['kind'], object>

type OpenedParts = Pick<OpenedSource, 'warehouse' | 'guard' | 'schemaSource' | 'validatorOn'>

function clickhouseParts(
  context: WiringContext,
  store: StateStore,
  source: SourceConfig,
  standing: StandingParts | undefined,
): OpenedParts {
  const { config, logger, resources } = context
  const { maxBytes, timeoutMs, maxRows } = config.warehouse
  const validatorOn: OpenedSource['validatorOn'] = warehouse => new EngineQueryValidator({ warehouse, maxRows })
  if (standing !== undefined) return { ...standing, validatorOn }
  const { id, url, urlVariable: variable, databases, privateColumns } = source
  const [database = 'default'] = databases
  const options = { url, variable, database, maxBytes, timeoutMs, logger }
  const open = () => openWarehouse(options, AbortSignal.timeout(MAIN_LIMITS.openSourceMs))
  const warehouse = resources.add(`source ${id}`, new LazyWarehouse(`the source ${id}`, open), opened => opened.close())
  const deps = { warehouse, store, logger, ...observing(context) }
  const catalog = new SchemaCatalog(deps, { databases, privateColumns, identity: `source ${id} ${url}` })
  const schemaSource = resources.add(`catalog of ${id}`, catalog, opened => opened.close())
  return { warehouse, guard: new EngineSqlGuard({ warehouse }), schemaSource, validatorOn }
}

function postgresParts(context: WiringContext, store: StateStore, source: SourceConfig): OpenedParts {
  const { config, logger, resources } = context
  const { id, url, databases: schemas, privateColumns } = source
  const { maxBytes, timeoutMs, maxRows } = config.warehouse
  const connections = resources.add(`source ${id}`, new PostgresConnections(url), opened => opened.close())
  const guard = new PostgresSqlGuard({ connections })
  const recheck: PostgresWarehouseDeps['recheck'] = (client, sql) => guard.recheck(client, sql)
  const warehouse = new PostgresWarehouse({ connections, maxBytes, timeoutMs, recheck, logger })
  const catalog = new PostgresCatalog({ connections, store, logger, ...observing(context) }, { schemas, privateColumns })
  const schemaSource = resources.add(`catalog of ${id}`, catalog, opened => opened.close())
  const validatorOn: OpenedSource['validatorOn'] = reader => new PostgresQueryValidator({ warehouse: reader, maxRows })
  return { warehouse, guard, schemaSource, validatorOn }
}

/**
 * Finds a source of CLEW_SOURCES_FILE.
 * @throws ConfigurationError that lists the sources
 */
export function sourceNamed({ sources = [] }: Pick<Config, 'sources'>, id: string): SourceConfig {
  const found = sources.find(source => source.id === id)
  if (found !== undefined) return found
  const known = sources.length === 0 ? 'CLEW_SOURCES_FILE is not set' : thereAre(sources.map(source => source.id))
  throw new ConfigurationError(`There is no source ${JSON.stringify(id)}: ${known}.`)
}
