import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { EngineQueryValidator } from '../../src/clickhouse/validation/engine-query-validator.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { overBudget } from '../../src/warehouse/cost/budget.ts'
import type { CostEstimate } from '../../src/warehouse/cost/estimate.ts'
import { scopeOfSchema } from '../../src/warehouse/scope-of-schema.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { median, quantile } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const DATABASES = ['network']
/** The budget for the cost of a query that Clew has by default. */
const BUDGET = { maxRows: 5_000_000_000, maxBytes: 50_000_000_000 }
const QUERIES = 200
const QUICK_QUERIES = 60
const WARM_UP = 20
/** Every fifth query has a slow subquery. The number of query forms is not a multiple of 5, so each form gets one at some time. */
const SLOW_EVERY = 5

/** Returns a subquery that takes some tenths of a second. Its number differs each time, so the engine cannot take it from a cache. */
const slowSubquery = (number: number) =>
  `(SELECT uniqExact(sipHash64(measured_at, rtt_us, ${number})) FROM network.fact_link_telemetry)`
const SLOW_SHAPES: readonly string[] = [
  'SELECT code, SLOW AS much FROM network.dz_links',
  'SELECT code FROM network.dz_links WHERE mtu > SLOW',
  'WITH SLOW AS most SELECT code FROM network.dz_links WHERE mtu < most',
  'SELECT (SELECT count() FROM network.dz_links WHERE mtu > SLOW) AS n',
  'SELECT code FROM network.dz_links WHERE code IN (SELECT toString(much) FROM (SELECT SLOW AS much))',
  'SELECT l.code, max(t.rtt_us) FROM network.dz_links AS l JOIN network.fact_link_telemetry AS t ON t.link_code = l.code WHERE t.rtt_us < SLOW GROUP BY l.code',
]

/** Measures the checks before a query runs: first the guard, then names, types and cost. No query occurs twice. */
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
    const isAffordable = (cost: CostEstimate) => overBudget(cost, BUDGET) === null
    const check = async (sql: string) => {
      const started = performance.now()
      const verdict = await guard.check(sql, scope, signal)
      if (verdict.verdict !== 'allow') throw new Error(`the guard refused: ${sql}`)
      const checked = await validator.check(verdict, { schema, isAffordable }, signal)
      if (checked.verdict !== 'valid') throw new Error(`it is ${checked.verdict}: ${sql}`)
      return performance.now() - started
    }
    const taken: number[] = []
    const takenBySlow: number[] = []
    const queries = parts.isQuick ? QUICK_QUERIES : QUERIES
    for (let index = 0; index < queries + WARM_UP; index += 1) {
      const number = parts.nextNumber()
      const { dataQuestions } = asked('complex', number).scenario
      const { sql } = dataQuestions[index % dataQuestions.length] ?? { sql: '' }
      const plain = await check(sql)
      if (index < WARM_UP) continue
      taken.push(plain)
      const shape = SLOW_SHAPES[index % SLOW_SHAPES.length] ?? ''
      if (index % SLOW_EVERY === 0) takenBySlow.push(await check(shape.replace('SLOW', slowSubquery(number))))
    }
    const workload = 'a query without scalar subqueries'
    const slow = 'a query with a slow subquery'
    return [
      row('checks_p50', `guard, validation and cost, p50: ${workload}`, median(taken), 'ms', { most: 10 }),
      row('checks_p99', `guard, validation and cost, p99: ${workload}`, quantile(taken, 0.99), 'ms'),
      row('checks_slow_p50', `guard, validation and cost, p50: ${slow}`, median(takenBySlow), 'ms', { most: 50 }),
      row('checks_slow_max', `guard, validation and cost, longest: ${slow}`, Math.max(...takenBySlow), 'ms'),
      row('checks_slow_ratio', `the same, p50 ÷ p50: ${slow} ÷ ${workload}`, median(takenBySlow) / median(taken), '×'),
    ]
  } finally {
    source.close()
    await warehouse.close()
  }
}
