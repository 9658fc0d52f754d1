import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Analyst, type AnalystDeps } from '../../src/agent/analyst.ts'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import { NO_DOMAIN } from '../../src/domain/pack.ts'
import { ConversationStore } from '../../src/history/conversation-store.ts'
import { OpenAILanguageModel } from '../../src/llm/openai-language-model.ts'
import { Prompts } from '../../src/llm/prompts.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const SHIPPED_PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url))

export interface OpenAnalystOptions {
  readonly warehouse: Warehouse
  /** The URL of the endpoint that serves the model. */
  readonly baseUrl: string
  readonly databases: readonly string[]
  readonly parts?: Partial<AnalystDeps>
}

/**
 * Opens an analyst with the same parts as in `clew`, over a warehouse and a model's endpoint, with its own memory. Its time limits are long enough
 * for a busy machine.
 */
export async function openAnalyst({ warehouse, baseUrl, databases, parts }: OpenAnalystOptions) {
  const logger = createLogger({ level: 'silent' })
  const store = createMemoryStateStore({ now: Date.now })
  const schemaSource = new SchemaCatalog({ warehouse, store, logger }, { databases })
  const model = { apiKey: 'none', baseUrl, model: 'scripted', idleTimeoutMs: 20_000, totalTimeoutMs: 20_000 }
  const analyst = new Analyst({
    model: new OpenAILanguageModel({ ...model, logger, random: () => 0.5, now: Date.now }),
    warehouse,
    guard: new EngineSqlGuard({ warehouse }),
    validatorOn: own => new EngineQueryValidator({ maxRows: 100, warehouse: own, timeLimitMs: 10_000 }),
    schemaSource,
    store,
    prompts: await Prompts.load(SHIPPED_PROMPTS),
    dialect: 'clickhouse',
    domain: NO_DOMAIN,
    conversations: new ConversationStore({ store, newId: randomUUID, logger }),
    historyTurns: 8,
    timeZone: 'UTC',
    databases,
    maxRows: 100,
    budget: { maxRows: 0, maxBytes: 0 },
    runTimeoutMs: 30_000,
    speculation: true,
    lookUpTimeLimitMs: 15_000,
    linkHosts: [],
    now: Date.now,
    logger,
    ...parts,
  })
  return { analyst, schemaSource, close: () => schemaSource.close() }
}
