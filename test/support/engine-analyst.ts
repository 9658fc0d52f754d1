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
import type { StateStore } from '../../src/store/state-store.ts'
import type { ScriptedModel } from '../emulators/model/scripted-model.ts'
import type { TestEngine } from './engine.ts'

const SHIPPED_PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url))
const logger = createLogger({ level: 'silent' })

export interface EngineAnalystSettings extends AnalystDeps {
  readonly queryTimeoutMs: number
  readonly privateColumns: readonly string[]
}

/**
 * Opens an analyst with the parts of production, on a real engine and a scripted model. Its state is in memory unless a store is given.
 */
export async function openEngineAnalyst(
  {
    engine,
    model,
    store = createMemoryStateStore({ now: Date.now }),
  }: { readonly engine: TestEngine; readonly model: ScriptedModel; readonly store?: StateStore },
  settings: Partial<EngineAnalystSettings> = {},
) {
  const { warehouse } = engine
  const { queryTimeoutMs, privateColumns = [], ...parts } = settings
  const { databases = ['default'] } = parts
  const schemaSource = new SchemaCatalog({ warehouse, store, logger }, { databases, privateColumns })
  const bounded = queryTimeoutMs === undefined ? {} : { timeoutMs: queryTimeoutMs }
  const conversations = new ConversationStore({ store, newId: randomUUID, logger })
  const analyst = new Analyst({
    model: new OpenAILanguageModel({
      apiKey: 'none',
      baseUrl: model.baseUrl,
      model: 'scripted',
      idleTimeoutMs: 20_000,
      totalTimeoutMs: 20_000,
      logger,
      retry: { maxAttempts: 2, baseDelayMs: 2, maxDelayMs: 4, maxRetryAfterMs: 10 },
      random: () => 0.5,
      now: Date.now,
    }),
    warehouse: { read: (query, signal) => warehouse.read({ ...query, ...bounded }, signal) },
    guard: new EngineSqlGuard({ warehouse }),
    // On a busy machine, a check may take long. If Clew skipped it, the answer would get a lower rating.
    validatorOn: own => new EngineQueryValidator({ maxRows: 100, warehouse: own, timeLimitMs: 10_000 }),
    schemaSource,
    store,
    prompts: await Prompts.load(SHIPPED_PROMPTS),
    dialect: 'clickhouse',
    domain: NO_DOMAIN,
    conversations,
    historyTurns: 8,
    timeZone: 'Asia/Tokyo',
    databases,
    maxRows: 100,
    budget: { maxRows: 0, maxBytes: 0 },
    runTimeoutMs: 20_000,
    speculation: true,
    lookUpTimeLimitMs: 15_000,
    linkHosts: ['good.example'],
    now: Date.now,
    logger,
    ...parts,
  })
  return { analyst, conversations, schemaSource, store, close: () => schemaSource.close() }
}
