import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import { CombineEngine, openPrivateEngine } from '../../src/combine/engine.ts'
import type { OpenedSource, SourceConfig } from '../../src/sources/source.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const logger = createLogger({ level: 'silent' })

/** Opens a database of a ClickHouse server as a source of its own. */
export function clickhouseSource(
  warehouse: Warehouse,
  config: Partial<SourceConfig> & Pick<SourceConfig, 'id' | 'databases'>,
): OpenedSource {
  const { databases } = config
  const store = createMemoryStateStore({ now: Date.now })
  return {
    config: {
      isDefault: false,
      kind: 'clickhouse',
      url: '',
      urlVariable: '',
      description: '',
      joinKeys: [],
      privateColumns: [],
      ...config,
    },
    warehouse,
    guard: new EngineSqlGuard({ warehouse }),
    validatorOn: own => new EngineQueryValidator({ maxRows: 100, warehouse: own, timeLimitMs: 10_000 }),
    schemaSource: new SchemaCatalog({ warehouse, store, logger }, { databases }),
  }
}

/** A combining engine that only one test file uses. Registers the hooks of the test file. */
export function combinerOfTest(): CombineEngine {
  const engine = new CombineEngine({ open: openPrivateEngine, logger, newId: randomUUID })
  beforeAll(async () => engine.start())
  afterAll(async () => engine.close())
  return engine
}
