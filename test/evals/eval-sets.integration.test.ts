import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { readEvalCases } from '../../src/evals/case.ts'
import { loadEvalWorld } from '../../src/evals/world.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { scopeOfSchema } from '../../src/warehouse/scope-of-schema.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { IS_WHOLE } from '../support/whole.ts'

/** The sample leaves out this set, because other tests already run its gold queries. */
const DEMO_SET = ['network', 'network'] as const
const NEWEST_SETS = [
  ['transit', 'transit'],
  ['clinic', 'clinic'],
] as const
const SETS = [...(IS_WHOLE ? [DEMO_SET, ...NEWEST_SETS] : []), ['shop', 'shop'], ['logs', 'ops'], ['rollups', 'mart']] as const
const signal = AbortSignal.timeout(300_000)
const logger = createLogger({ level: 'silent' })

let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
})
afterAll(async () => await engine.close())

/** Each evaluation question has gold queries, which define the right answer. They must find rows, and Clew must be able to run them. */
describe.each(SETS)('the questions over %s', (folder, database) => {
  it('have gold queries that find rows, and that the guard accepts', async () => {
    const { warehouse } = engine
    const cases = await readEvalCases(`evals/${folder}/cases.jsonl`)
    await loadEvalWorld(`evals/${folder}`, cases, warehouse, signal)
    const store = createMemoryStateStore({ now: Date.now })
    const catalog = new SchemaCatalog({ warehouse, store, logger }, { databases: [database], privateColumns: [] })
    const scope = scopeOfSchema(await catalog.load(signal), [database])
    const guard = new EngineSqlGuard({ warehouse })
    expect(cases.length).toBeGreaterThanOrEqual(30)
    const faults: string[] = []
    for (const { id, gold_sql: gold = [] } of cases) {
      // The other gold queries give the same answer in another form: rounded, in percent, as rows or as columns.
      const [sql = ''] = gold
      const { rows } = await warehouse.read({ sql, database }, signal)
      if (rows.length === 0) faults.push(`${id} finds nothing: ${sql}`)
      const verdict = await guard.check(sql, scope, signal)
      if (verdict.verdict === 'reject') faults.push(`${id} is refused: ${verdict.message}`)
    }
    expect(faults).toEqual([])
    await catalog.close()
  }, 120_000)
})

it('the cases of behaviour are readable', async () => {
  expect((await readEvalCases('evals/network/behaviour.jsonl')).filter(each => each.expect !== undefined)).toHaveLength(80)
})
