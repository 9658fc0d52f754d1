import { Analyst } from '../../src/agent/analyst.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import type { DomainPack } from '../../src/domain/pack.ts'
import { ConversationStore } from '../../src/history/conversation-store.ts'
import type { LanguageModel } from '../../src/llm/language-model.ts'
import { Prompts } from '../../src/llm/prompts.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const logger = createLogger({ level: 'silent' })

/** The recorded replies that replace a model, and the matching settings of the analyst. */
interface Replay {
  readonly model: LanguageModel
  readonly domain: DomainPack
  /** Whether the recorded model was asked for SQL before the plan existed. */
  readonly speculation: boolean
}

/**
 * Opens analysts with the demo's parts on a real engine. Each has a replaying model and its own state. They share the schema cache.
 */
export async function openRecordedAnalysts(warehouse: Warehouse, database: string) {
  const schemaStore = createMemoryStateStore({ now: Date.now })
  const schemaSource = new SchemaCatalog({ warehouse, store: schemaStore, logger }, { databases: [database], privateColumns: [] })
  const guard = new EngineSqlGuard({ warehouse })
  const prompts = await Prompts.load('prompts')
  return {
    open({ model, domain, speculation }: Replay) {
      const store = createMemoryStateStore({ now: Date.now })
      const conversations = new ConversationStore({ store, newId: newRunId, logger })
      const analyst = new Analyst({
        model,
        // A query without a database runs in the database `database`.
        warehouse: { read: (query, own) => warehouse.read({ database, ...query }, own) },
        guard,
        validatorOn: own => new EngineQueryValidator({ maxRows: 10_000, warehouse: own }),
        schemaSource,
        store,
        prompts,
        dialect: 'clickhouse',
        domain,
        conversations,
        historyTurns: 8,
        timeZone: 'UTC',
        databases: [database],
        maxRows: 10_000,
        budget: { maxRows: 0, maxBytes: 0 },
        runTimeoutMs: 60_000,
        speculation,
        linkHosts: [],
        now: Date.now,
        logger,
      })
      return { analyst, conversations }
    },
    close: () => schemaSource.close(),
  }
}
