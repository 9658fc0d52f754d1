import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { scopeOfSchema } from '../../src/clickhouse/guard/scope-of-schema.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import { createLogger } from '../../src/logger.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { median, quantile } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const DATABASES = ['network']
const QUERIES = 200
const QUICK_QUERIES = 60
const WARM_UP = 20

/** What a query goes through before it runs: guard, then names, types and cost. Every query is another one. */
export async function measureChecks(parts: BenchParts): Promise<readonly Row[]> {
  const logger = createLogger({ level: 'error' })
  const { maxBytes, timeoutMs, maxRows } = CLICKHOUSE_LIMITS.query
  const signal = AbortSignal.timeout(120_000)
  const warehouse = await openWarehouse({ url: parts.world.url, database: 'network', maxBytes, timeoutMs, logger }, signal)
  const source = new SchemaCatalog(
    { warehouse, store: createMemoryStateStore({ now: Date.now }), logger },
    { databases: DATABASES },
  )
  try {
    const schema = await source.load(signal)
    const guard = new EngineSqlGuard({ warehouse })
    const validator = new EngineQueryValidator({ warehouse, maxRows })
    const scope = scopeOfSchema(schema, DATABASES)
    const taken: number[] = []
    const queries = parts.isQuick ? QUICK_QUERIES : QUERIES
    for (let index = 0; index < queries + WARM_UP; index += 1) {
      const { dataQuestions } = asked('complex', parts.nextNumber()).scenario
      const { sql } = dataQuestions[index % dataQuestions.length] ?? { sql: '' }
      const started = performance.now()
      const verdict = await guard.check(sql, scope, signal)
      if (verdict.verdict !== 'allow') throw new Error(`the guard refused: ${sql}`)
      await validator.check(verdict, { schema }, signal)
      if (index >= WARM_UP) taken.push(performance.now() - started)
    }
    const workload = 'a query without scalar subqueries'
    return [
      row('checks_p50', `guard, validation and cost, p50: ${workload}`, median(taken), 'ms', { most: 10 }),
      row('checks_p99', `guard, validation and cost, p99: ${workload}`, quantile(taken, 0.99), 'ms'),
    ]
  } finally {
    source.close()
    await warehouse.close()
  }
}
