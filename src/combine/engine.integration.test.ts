import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CUSTOMERS_AND_USAGE, idOf, planFor } from '../../test/support/plans.ts'
import { createLogger } from '../base/logger.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../clickhouse/engine/open-embedded-engine.ts'
import { openUncheckedWarehouse, openWarehouseOn } from '../clickhouse/open-warehouse.ts'
import type { Cell, Warehouse } from '../warehouse/warehouse.ts'
import type { CombineOutcome } from './answer-terminals.ts'
import { CombineEngine } from './engine.ts'
import type { ScanResult } from './load-input.ts'
import { type Combine, type Plan, type PlanDraft, type PostStep, planDraftSchema } from './plan.ts'

const logger = createLogger({ level: 'silent' })
const signal = () => AbortSignal.timeout(100_000)

let process_: EmbeddedEngine
let engine: CombineEngine
/** The engine's own tables, seen from outside. */
let inside: Warehouse
let ids = 0
/** Called before each statement, with the number of statements of this run before it. */
let beforeStatement: ((index: number) => Promise<void>) | undefined
let statements = 0

beforeAll(async () => {
  process_ = await openEmbeddedEngine({ directory: 'memory', readTimeoutMs: 10_000 }, signal())
  const counted: EmbeddedEngine = {
    ...process_,
    async endpoint(endpointSignal) {
      await beforeStatement?.(statements++)
      return process_.endpoint(endpointSignal)
    },
  }
  const options = { database: 'default', maxBytes: 10_000_000, timeoutMs: 10_000, logger }
  engine = new CombineEngine({ open: () => openWarehouseOn(counted, options), logger, newId: () => `${ids++}` })
  inside = await openWarehouseOn(process_, options)
})
afterAll(async () => {
  await inside.close()
  await engine.close()
  await process_.close()
})

async function runDatabases(): Promise<readonly Cell[]> {
  const { rows } = await inside.readOwn({ sql: "SELECT name FROM system.databases WHERE name LIKE 'run%'" }, signal())
  return rows.map(([name]) => name ?? null)
}

async function killEngine(): Promise<void> {
  process.kill((await process_.endpoint(signal())).pid, 'SIGKILL')
}

const CUSTOMERS = {
  columns: [
    { name: 'id', type: 'Int64' },
    { name: 'name', type: 'String' },
    { name: 'value', type: 'Decimal(18, 2)' },
    { name: 'score', type: 'Float64' },
  ],
  rows: [
    ['1', 'Ada', '10.50', 0.5],
    ['2', "B'ob \\ \ud800{p0:String}", '20', 'nan'],
    ['3', 'Cy', null, '-inf'],
  ],
  truncated: false,
} as const satisfies ScanResult
const USAGE = {
  columns: [
    { name: 'customer', type: 'Nullable(UInt32)' },
    { name: 'name', type: 'Nullable(String)' },
    { name: 'month', type: 'Date' },
    { name: 'gigabytes', type: 'UInt64' },
  ],
  rows: [
    [1, 'a', '2024-01-01', '5'],
    [1, 'a', '2024-02-01', '7'],
    [2, 'b', '2024-01-01', '1'],
    [null, 'c', '2024-01-01', '100'],
    [4, 'd', '2024-01-01', '1000'],
  ],
  truncated: false,
} as const satisfies ScanResult

interface Given {
  readonly combine?: Combine
  readonly steps?: readonly PostStep[]
  readonly customers?: ScanResult
  readonly usage?: ScanResult
}

function planWith({ combine, steps }: Given): Plan {
  const draft: PlanDraft = { ...CUSTOMERS_AND_USAGE, ...(combine && { combines: [combine] }) }
  const input = combine?.key ?? 'joined'
  return planFor(
    planDraftSchema.parse({ ...draft, posts: steps === undefined ? [] : [{ key: 'post', input, question: 'p', steps }] }),
  )
}

async function combined(given: Given, runSignal = signal()): Promise<CombineOutcome> {
  const plan = planWith(given)
  const results = new Map<string, ScanResult>([
    [idOf(plan, 'customers'), given.customers ?? CUSTOMERS],
    [idOf(plan, 'usage'), given.usage ?? USAGE],
  ])
  const [outcome] = await engine.combine({ plan, results }, runSignal)
  if (outcome === undefined) throw new Error('The plan has no terminal')
  return outcome
}

function rowsOf(outcome: CombineOutcome): readonly (readonly Cell[])[] {
  if (outcome.kind === 'refused') throw new Error(outcome.message)
  return outcome.result.rows
}

const on = [{ left: 'id', right: 'customer' }]
const INNER: Combine = { kind: 'join', key: 'met', join: 'inner', left: 'customers', right: 'usage', on }
const COMPARE: Combine = {
  kind: 'compare',
  key: 'met',
  left: 'customers',
  right: 'usage',
  on,
  values: [{ left: 'value', right: 'gigabytes' }],
}
const sumOf = (column: string, ...by: string[]): PostStep => ({
  kind: 'aggregate',
  by,
  measures: [{ name: 'total', function: 'sum', column }],
})
const count: PostStep = { kind: 'aggregate', by: [], measures: [{ name: 'n', function: 'count', column: null }] }

describe('the results of a run', () => {
  it('keep every value as it is', async () => {
    const standalone = await combined({ combine: { kind: 'standalone', key: 'all', input: 'customers' } })
    expect(rowsOf(standalone)).toEqual([
      ['1', 'Ada', '10.5', 0.5],
      ['2', "B'ob \\ \ufffd{p0:String}", '20', 'nan'],
      ['3', 'Cy', null, '-inf'],
    ])
  })

  it('come with SQL that shows the values, and with what met', async () => {
    const outcome = await combined({
      combine: INNER,
      steps: [{ kind: 'filter', conditions: [{ column: 'name', operator: '=', values: ["A'da"] }] }],
    })
    expect(outcome).toMatchObject({ kind: 'answered', sql: expect.stringContaining("t.`name` = 'A\\'da'") })
    expect(outcome.reports).toMatchObject([
      {
        counts: {
          rows_left: 3,
          keys_left: 3,
          rows_right: 5,
          keys_right: 3,
          keys_met: 2,
          rows: 3,
          most_rows_left: 1,
          most_rows_right: 2,
          lost_share: 0.4,
        },
        multiplies: false,
      },
    ])
  })

  it.each([
    ['left', 4, 1 / 3],
    ['full', 6, 0],
  ] as const)('of a %s join have %d rows', async (kind, joinedRows, lostShare) => {
    const outcome = await combined({ combine: { ...INNER, join: kind } })
    expect(rowsOf(outcome)).toHaveLength(joinedRows)
    expect(outcome.reports).toMatchObject([{ counts: { rows: joinedRows, lost_share: expect.closeTo(lostShare) } }])
  })

  it('have at most 10,000 rows, and say so', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => [`${index}`, 'x', null, null])
    const outcome = await combined({
      combine: { kind: 'standalone', key: 'all', input: 'customers' },
      customers: { ...CUSTOMERS, rows },
    })
    expect(outcome).toMatchObject({ kind: 'answered', result: { truncated: true, rows: { length: 10_000 } } })
  })

  it('pass through a post, a join of it and a compare of that', async () => {
    const plan = planFor(
      planDraftSchema.parse({
        ...CUSTOMERS_AND_USAGE,
        combines: [
          { kind: 'join', key: 'joined', join: 'left', left: 'customers', right: 'sums', on },
          {
            kind: 'compare',
            key: 'compared',
            left: 'joined',
            right: 'sums',
            on: [{ left: 'id', right: 'customer' }],
            values: [{ left: 'total', right: 'total' }],
          },
        ],
        posts: [{ key: 'sums', input: 'usage', question: 'sums', steps: [sumOf('gigabytes', 'customer')] }],
      }),
    )
    const results = new Map<string, ScanResult>([
      [idOf(plan, 'customers'), CUSTOMERS],
      [idOf(plan, 'usage'), USAGE],
    ])
    const [outcome] = await engine.combine({ plan, results }, signal())
    expect(outcome?.kind === 'answered' && outcome.result.rows).toEqual([
      ['1', '12', '12', 'same'],
      ['2', '1', '1', 'same'],
      ['3', null, null, 'only_left'],
      ['4', null, '1000', 'only_right'],
      [null, null, '100', 'only_right'],
    ])
    expect(outcome?.reports.map(({ node, counts }) => [node, counts.keys_met])).toEqual([
      [idOf(plan, 'joined'), 2],
      [idOf(plan, 'compared'), 2],
    ])
  })

  it('leave nothing behind', async () => {
    await combined({})
    expect(await runDatabases()).toEqual([])
  })
})

describe('a result that cannot be right', () => {
  const cutUsage = { ...USAGE, truncated: true }

  it.each<[string, Given]>([
    ['a join', { combine: INNER }],
    ['a compare', { combine: COMPARE }],
    ['an aggregate', { combine: { kind: 'standalone', key: 'all', input: 'usage' }, steps: [count] }],
    ['the first rows', { combine: { kind: 'standalone', key: 'all', input: 'usage' }, steps: [{ kind: 'limit', rows: 1 }] }],
  ])('is refused for %s over an input that was cut', async (_, given) => {
    expect(await combined({ ...given, usage: cutUsage })).toMatchObject({ kind: 'refused', reason: 'too_large_to_combine' })
  })

  it('is a part of the rows for a filter over an input that was cut', async () => {
    const steps: PostStep[] = [{ kind: 'filter', conditions: [{ column: 'gigabytes', operator: '>', values: ['5'] }] }]
    const outcome = await combined({ combine: { kind: 'standalone', key: 'all', input: 'usage' }, steps, usage: cutUsage })
    expect(outcome).toMatchObject({ kind: 'answered', result: { truncated: true, rows: { length: 3 } } })
  })

  const twice = { ...CUSTOMERS, rows: [...CUSTOMERS.rows, ['1', 'Ada', '1', 1]] } as const satisfies ScanResult

  it.each<[string, Given]>([
    [
      'a sum where both sides have several rows of a key',
      { combine: INNER, customers: twice, steps: [sumOf('gigabytes', 'month')] },
    ],
    ['a count of the same rows', { combine: INNER, customers: twice, steps: [count] }],
    ['a compare of the same rows', { combine: COMPARE, customers: twice }],
    ['a sum of values that the other side repeats', { combine: INNER, steps: [sumOf('value', 'name')] }],
    [
      'a sum after other steps',
      {
        combine: INNER,
        steps: [
          { kind: 'filter', conditions: [{ column: 'id', operator: '>', values: ['0'] }] },
          { kind: 'project', columns: [{ kind: 'minus', name: 'rest', from: 'value', subtract: 'gigabytes' }] },
          sumOf('rest'),
        ],
      },
    ],
  ])('is refused for %s', async (_, given) => {
    const outcome = await combined(given)
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: 'repeated_rows',
      message: expect.stringMatching(/up to [12] rows on the left side and up to 2 on the right/),
    })
  })

  it('is none for a sum of the side with several rows, or by a column of it', async () => {
    expect(rowsOf(await combined({ combine: INNER, steps: [sumOf('gigabytes', 'name')] }))).toEqual([
      ['Ada', '12'],
      ["B'ob \\ \ufffd{p0:String}", '1'],
    ])
    expect(rowsOf(await combined({ combine: INNER, steps: [sumOf('value', 'month')] }))).toEqual([
      ['2024-01-01', '30.5'],
      ['2024-02-01', '10.5'],
    ])
  })

  it('is refused if the types of the results do not allow it', async () => {
    const columns = CUSTOMERS.columns.map(column => (column.name === 'id' ? { ...column, type: 'Float64' } : column))
    expect(await combined({ customers: { ...CUSTOMERS, columns } })).toMatchObject({
      kind: 'refused',
      reason: 'types',
      message: expect.stringContaining('"id"'),
    })
  })

  it('is refused if a result has broken its contract, or is missing', async () => {
    const columns = CUSTOMERS.columns.filter(({ name }) => name !== 'value')
    expect(await combined({ customers: { ...CUSTOMERS, columns } })).toMatchObject({
      kind: 'refused',
      reason: 'contract',
      message: expect.stringContaining('"value"'),
    })
    const plan = planWith({})
    const [outcome] = await engine.combine({ plan, results: new Map([[idOf(plan, 'customers'), CUSTOMERS]]) }, signal())
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'missing_input', message: '"usage" has no result.' })
  })

  it('is refused if the engine reaches its limits', async () => {
    const wide = 'x'.repeat(100_000)
    const customers = { ...CUSTOMERS, rows: Array.from({ length: 100 }, () => ['1', wide, null, null]) }
    const usage = { ...USAGE, rows: Array.from({ length: 300 }, () => [1, 'x', '2024-01-01', '1']) }
    expect(await combined({ combine: INNER, customers, usage })).toMatchObject({
      kind: 'refused',
      reason: 'too_large_to_combine',
    })
  })
})

describe('the engine', () => {
  it.each([1, 2, 4, 6])('starts again and loads everything anew when it is killed before statement %d', async killedBefore => {
    const before = (await process_.endpoint(signal())).pid
    statements = 0
    beforeStatement = async index => {
      if (index === killedBefore) await killEngine()
    }
    const outcome = await combined({ combine: INNER, steps: [sumOf('gigabytes', 'name')] })
    beforeStatement = undefined
    expect(rowsOf(outcome)).toEqual([
      ['Ada', '12'],
      ["B'ob \\ \ufffd{p0:String}", '1'],
    ])
    expect((await process_.endpoint(signal())).pid).not.toBe(before)
  })

  it('stops a run that is cancelled, and drops its tables', async () => {
    const controller = new AbortController()
    statements = 0
    beforeStatement = async index => {
      if (index === 4) controller.abort()
    }
    await expect(combined({ combine: INNER }, controller.signal)).rejects.toMatchObject({ code: 'warehouse_cancelled' })
    beforeStatement = undefined
    expect(await runDatabases()).toEqual([])
  })

  it('drops with the next run what a run could not drop', async () => {
    statements = 0
    beforeStatement = async () => undefined
    await combined({})
    const last = statements - 1
    statements = 0
    beforeStatement = async index => {
      if (index === last) throw new Error('The engine does not answer')
    }
    await combined({})
    beforeStatement = undefined
    expect(await runDatabases()).toHaveLength(1)
    await combined({})
    expect(await runDatabases()).toEqual([])
  })

  it('is missing with a code of its own where it cannot start, and is tried again', async () => {
    let tries = 0
    const file = join(tmpdir(), 'clew-no-engine', '\0')
    const none = new CombineEngine({
      open: () => {
        tries += 1
        return openUncheckedWarehouse({ url: `chdb:${file}`, database: 'default', maxBytes: 1, timeoutMs: 1, logger }, signal())
      },
      logger,
      newId: () => 'id',
    })
    await expect(none.start()).rejects.toMatchObject({
      code: 'no_engine',
      message: expect.stringContaining('cannot be combined here'),
    })
    await expect(none.start()).rejects.toMatchObject({ code: 'no_engine' })
    expect(tries).toBe(2)
    await none.close()
  })
})
