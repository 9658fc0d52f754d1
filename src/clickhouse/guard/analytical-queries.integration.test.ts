import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { readStatements } from '../../../test/support/statements.ts'
import { sampleOf } from '../../../test/support/whole.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import type { GuardScope } from '../../warehouse/sql-guard.ts'
import type { Cell, QueryResult } from '../../warehouse/warehouse.ts'
import { SchemaCatalog } from '../catalog/schema-catalog.ts'
import { EngineQueryValidator } from '../validation/engine-query-validator.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'

const DATABASE = 'shop'
const caseSchema = z.object({ id: z.string(), sql: z.string(), asks: z.string(), tags: z.array(z.string()) })
const cases = readFileSync(new URL('../../../test/cases/analytical-queries.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => caseSchema.parse(JSON.parse(line)))

let engine: TestEngine
let guard: EngineSqlGuard
let scope: GuardScope
let schema: Schema
const signal = new AbortController().signal
const count = { allowed: 0, valid: 0, same: 0 }
/** A row limit that is higher than the result of any query in this test. */
const MOST_ROWS = 1_000_000

beforeAll(async () => {
  engine = await startTestEngine({ database: DATABASE })
  const world = new URL('../../../test/cases/analytical-world.sql', import.meta.url)
  for (const sql of readStatements(world)) await engine.warehouse.write({ sql, database: 'default' }, signal)
  const { rows } = await engine.warehouse.read({ sql: 'SHOW TABLES' }, signal)
  scope = { database: DATABASE, tables: new Set(rows.map(([name]) => `${DATABASE}.${name}`)) }
  const { warehouse } = engine
  guard = new EngineSqlGuard({ warehouse })
  const catalog = new SchemaCatalog(
    { warehouse, store: createMemoryStateStore({ now: Date.now }), logger: createLogger({ level: 'silent' }) },
    { databases: [DATABASE] },
  )
  schema = await catalog.load(signal)
  catalog.close()
})

afterAll(async () => {
  process.stdout.write(
    `analytical queries: ${cases.length}, allowed ${count.allowed}, valid ${count.valid}, the same result ${count.same}\n`,
  )
  await engine.close()
})

describe("a query in an analyst's style", () => {
  it('has 300 shapes', () => {
    expect(cases.length).toBeGreaterThanOrEqual(300)
    expect(new Set(cases.map(({ sql }) => sql)).size).toBe(cases.length)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it.each(sampleOf(cases, 8, ({ tags }) => tags.join(' ')))('$id: $asks', async ({ sql }) => {
    const verdict = await guard.check(sql, scope, signal)
    if (verdict.verdict === 'reject') throw new Error(`refused: ${verdict.code}: ${verdict.message}`)
    count.allowed += 1
    const checked = await new EngineQueryValidator({ warehouse: engine.warehouse, maxRows: MOST_ROWS }).check(
      verdict,
      { schema },
      signal,
    )
    if (checked.verdict === 'invalid') throw new Error(`invalid: ${checked.message}`)
    if (checked.verdict === 'valid') count.valid += 1
    const original = await run(sql.replace(/[;\s]+$/, ''))
    const canonical = await run(verdict.canonical)
    expect(canonical.columns.map(column => column.type)).toEqual(original.columns.map(column => column.type))
    expect(comparable(canonical, verdict.canonical)).toEqual(comparable(original, verdict.canonical))
    count.same += 1
  })
})

function run(sql: string): Promise<QueryResult> {
  return engine.warehouse.read({ sql }, signal)
}

/** Returns a result's rows as texts for a comparison. Sorts them unless the query itself orders its result. */
function comparable({ rows }: QueryResult, canonical: string): readonly string[] {
  const lines = rows.map(row => JSON.stringify(row.map(rounded)))
  return ordersItsResult(canonical) ? lines : lines.sort()
}

/** Rounds a float. Parallel threads add floats in a changing order, so the last digits differ between runs. */
function rounded(cell: Cell): unknown {
  if (typeof cell === 'number') return Number(cell.toPrecision(9))
  if (Array.isArray(cell)) return cell.map(rounded)
  if (typeof cell !== 'object' || cell === null) return cell
  return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key, rounded(value)]))
}

/** Whether the query orders its whole result. In a UNION, an ORDER BY orders only the rows of the last SELECT. */
function ordersItsResult(canonical: string): boolean {
  let depth = 0
  const outermost = (splitTokens(canonical) ?? []).map(({ text }) => {
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    return depth === 0 ? text : ''
  })
  return outermost.includes('ORDER') && !['UNION', 'INTERSECT', 'EXCEPT'].some(word => outermost.includes(word))
}
