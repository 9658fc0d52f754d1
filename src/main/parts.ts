import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Analyst } from '../agent/analyst.ts'
import type { DirectReadsDeps } from '../agent/direct-reads.ts'
import { AGENT_LIMITS } from '../agent/limits.ts'
import { ConfigurationError } from '../base/errors.ts'
import { noticeWhenSlow } from '../base/notice-when-slow.ts'
import { packageFile } from '../base/package-files.ts'
import { SchemaCatalog } from '../clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../clickhouse/guard/engine-sql-guard.ts'
import {
  KNOWN_ENGINE_VERSIONS,
  refusedEngineSentence,
  UNKNOWN_ENGINE,
  unknownEngineSentence,
} from '../clickhouse/guard/engine-version.ts'
import { embeddedDirectory, type OpenWarehouseOptions, openWarehouse } from '../clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../clickhouse/validation/engine-query-validator.ts'
import { loadDomainPack, NO_DOMAIN } from '../domain/pack.ts'
import { ConversationStore } from '../history/conversation-store.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { modelBreaker, modelThroughBreaker } from '../llm/model-breaker.ts'
import { OpenAILanguageModel } from '../llm/openai-language-model.ts'
import { LIST_PRICES, readPricesFile } from '../llm/prices.ts'
import { Prompts } from '../llm/prompts.ts'
import { MODEL_STEPS } from '../llm/step.ts'
import type { Trials } from '../pipelines/jobs/trial.ts'
import type { StateStore } from '../store/state-store.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { SqlGuard } from '../warehouse/sql-guard.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { Config } from './config.ts'
import { defaultSource, observedWarehouse } from './observed-source.ts'
import { notConfigured } from './required-parts.ts'
import type { SourceDeps } from './sources.ts'
import { observing, type WiringContext } from './store.ts'

export const PROMPTS_DIRECTORY = packageFile('prompts')

/** `clew load` puts its data into this folder if CLICKHOUSE_URL is not set. */
export const LOCAL_FOLDER = 'clew-data'

/** Returns CLICKHOUSE_URL. If it is not set and `clew load` has made its folder, returns the address of this folder. */
export function warehouseUrl({ warehouse }: Pick<Config, 'warehouse'>): string | undefined {
  return warehouse.url ?? (existsSync(LOCAL_FOLDER) ? `chdb:${LOCAL_FOLDER}` : undefined)
}

export type FolderOptions = Pick<OpenWarehouseOptions, 'createsFolder'>

/**
 * @throws ConfigurationError if there is no address or no folder; WarehouseError if the warehouse does not answer
 */
export async function wireWarehouse(context: WiringContext, signal: AbortSignal, own: FolderOptions = {}): Promise<Warehouse> {
  const { config, logger, resources, tell } = context
  const { databases, maxBytes, timeoutMs } = config.warehouse
  const url = warehouseUrl(config)
  if (url === undefined) throw notConfigured(config, 'warehouse')
  const directory = embeddedDirectory(url)
  const opening = openWarehouse({ ...own, url, database: databases[0] ?? 'default', maxBytes, timeoutMs, logger }, signal)
  const sentence =
    directory === undefined ? 'Connecting to ClickHouse …' : `Starting the embedded ClickHouse engine (${directory}) …`
  const warehouse = await noticeWhenSlow(opening, sentence, tell)
  return observedWarehouse(
    context,
    defaultSource(config),
    resources.add('warehouse', warehouse, opened => opened.close()),
  )
}

/** @throws ConfigurationError if neither a key nor an endpoint is set, or CLEW_PRICES_FILE is wrong */
export function wireModel({ config, logger, observers, breakers }: WiringContext): LanguageModel {
  if (config.model === undefined) throw notConfigured(config, 'model')
  const { apiKey, baseUrl, model, perStep, timeoutMs, pricesFile } = config.model
  const unknown = Object.keys(perStep).find(step => !MODEL_STEPS.some(known => known === step))
  if (unknown !== undefined) {
    const variables = MODEL_STEPS.map(step => `CLEW_MODEL_${step.toUpperCase()}`).join(', ')
    throw new ConfigurationError(
      `CLEW_MODEL_${unknown.toUpperCase()} names no step of a run. The steps have these variables: ${variables}.`,
    )
  }
  const endpoint = new OpenAILanguageModel({
    apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    model,
    models: perStep,
    // A stream without new bytes is retried once. Both attempts should fit into the time limit of one request.
    idleTimeoutMs: timeoutMs / 2,
    totalTimeoutMs: timeoutMs,
    logger,
    random: Math.random,
    now: Date.now,
    prices: pricesFile === undefined ? LIST_PRICES : readPricesFile(pricesFile),
    ...(observers && { observe: observers.observe }),
  })
  const breaker = modelBreaker()
  breakers?.add(breaker)
  return modelThroughBreaker(endpoint, breaker)
}

/**
 * Wires the SQL guard. Warns once if the guard was not written for this version of the server.
 * @param tell shows the warning at a terminal; without it, the warning is logged
 * @throws WarehouseError if the server does not answer
 * @throws ConfigurationError if the guard was not written for this version and CLEW_REQUIRE_KNOWN_ENGINE is set
 */
export async function wireGuard(
  { config, logger }: Pick<WiringContext, 'config' | 'logger'>,
  warehouse: Warehouse,
  signal: AbortSignal,
  tell?: (sentence: string) => void,
): Promise<EngineSqlGuard> {
  const guard = new EngineSqlGuard({ warehouse })
  const { version, known } = await guard.engine(signal)
  if (known) return guard
  if (config.warehouse.requireKnownEngine)
    throw new ConfigurationError(`${refusedEngineSentence(version)} Unset it, or use another server.`)
  if (tell !== undefined) tell(unknownEngineSentence(version))
  else {
    const fields = { server: version, writtenFor: KNOWN_ENGINE_VERSIONS, ...UNKNOWN_ENGINE }
    logger.warn(fields, 'the SQL guard was not written for this version of ClickHouse')
  }
  return guard
}

export function wireSchemaSource(
  context: WiringContext,
  parts: { readonly warehouse: Warehouse; readonly store: StateStore },
): SchemaSource {
  const { config, logger, resources } = context
  const { databases, privateColumns } = config.warehouse
  const catalog = new SchemaCatalog({ ...parts, logger, ...observing(context) }, { databases, privateColumns })
  return resources.add('schema catalog', catalog, opened => opened.close())
}

/** The parts that are opened before an analyst is built. */
export interface OpenedParts {
  readonly warehouse: Warehouse
  readonly guard: SqlGuard
  readonly store: StateStore
  readonly schemaSource: SchemaSource
  /** The parts for several sources. */
  readonly sources?: SourceDeps
}

/**
 * Builds the parts of an analyst that read data, which need no model.
 * @throws ConfigurationError for an invalid domain pack
 */
export async function wireReads({ config, logger, observers }: WiringContext, parts: OpenedParts): Promise<DirectReadsDeps> {
  const { warehouse, guard, store, schemaSource, sources } = parts
  return {
    warehouse,
    guard,
    store,
    schemaSource,
    ...sources,
    validatorOn: own => new EngineQueryValidator({ warehouse: own, maxRows: config.warehouse.maxRows }),
    domain: config.domainDirectory === undefined ? NO_DOMAIN : await loadDomainPack(config.domainDirectory),
    traceRetentionSeconds: config.retention.traces,
    ...(observers && { telemetry: observers.observe }),
    timeZone: config.timeZone,
    databases: config.warehouse.databases,
    maxRows: config.warehouse.maxRows,
    budget: config.warehouse.budget,
    now: Date.now,
    logger,
  }
}

/**
 * Builds the analyst from its parts.
 * @throws ConfigurationError for an invalid prompt or domain pack
 */
export async function wireAnalyst(
  context: WiringContext,
  { model, trials, ...parts }: OpenedParts & { readonly model: LanguageModel; readonly trials?: Trials },
): Promise<Analyst> {
  const { config, logger } = context
  return new Analyst({
    ...(await wireReads(context, parts)),
    ...parts.sources,
    model,
    ...(trials && { trials }),
    prompts: await Prompts.load(PROMPTS_DIRECTORY, config.promptsDirectory),
    dialect: 'clickhouse',
    conversations: new ConversationStore({
      store: parts.store,
      newId: randomUUID,
      logger,
      retentionSeconds: config.retention.history,
    }),
    historyTurns: config.historyTurns,
    runTimeoutMs: config.runTimeoutMs,
    speculation: config.speculation,
    proofreadMs: config.model?.perStep.proofread === undefined ? undefined : AGENT_LIMITS.write.proofreadMs,
    linkHosts: config.linkHosts,
  })
}
