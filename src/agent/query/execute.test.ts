import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../../test/support/schema-fixture.ts'
import { createLogger } from '../../base/logger.ts'
import { EngineQueryValidator } from '../../clickhouse/validation/engine-query-validator.ts'
import { newConversation } from '../../history/conversation.ts'
import { RunLog } from '../../history/run-log.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import type { CostVerdict } from '../../warehouse/cost/estimate.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { MultipliedRows, ValidationVerdict } from '../../warehouse/query-validator.ts'
import type { GuardVerdict } from '../../warehouse/sql-guard.ts'
import type { QueryContext } from '../run/context.ts'
import { runRequestSchema } from '../run/request.ts'
import { ResultRooms } from '../run/result-room.ts'
import { execute } from './execute.ts'

const schema = schemaOf(tableOf('orders', { columns: [columnOf('amount', 'UInt64')] }))
const signal = new AbortController().signal

const ALLOWED: GuardVerdict = {
  verdict: 'allow',
  canonical: 'SELECT canonical',
  tables: ['shop.orders'],
  functions: [],
}
const request = runRequestSchema.parse({
  ...{ version: 1, run_id: 'run', question: 'How much?', asked_at: '2026-03-04T12:00:00Z' },
  ...{ time_zone: 'UTC', time_zone_source: 'operator', conversation: newConversation('c') },
})

const UNESTIMATED: CostVerdict = { verdict: 'unestimated', reason: 'slow' }

type Verdict =
  | { readonly verdict: 'valid'; readonly doubt?: { readonly message: string; readonly found: MultipliedRows } }
  | { readonly verdict: 'unchecked'; readonly reason: string }
  | Extract<ValidationVerdict, { readonly verdict: 'invalid' }>

/** Runs a query. The validator and the server return the given results. */
async function run(verdict: Verdict, failure?: WarehouseError, cost: CostVerdict = UNESTIMATED, more: object = {}) {
  const ran: string[] = []
  const alarms: string[] = []
  const logger = createLogger({ level: 'error', destination: { write: (line: string) => void alarms.push(line) } })
  const log = await RunLog.open('run', { store: createMemoryStateStore({ now: Date.now }), now: Date.now }, signal)
  const context: QueryContext = {
    ...{ log, logger, request, now: Date.now, room: new ResultRooms().open(), observe: () => undefined },
    guard: { check: async () => ALLOWED },
    validator: {
      check: async () => ({ ...verdict, cost }),
      explain: EngineQueryValidator.prototype.explain,
    },
    warehouse: {
      read: async ({ sql }: { readonly sql: string }) => {
        ran.push(sql)
        if (failure !== undefined) throw failure
        return { columns: [], rows: [], truncated: false, elapsedMs: 1, queryId: 'q', rowsRead: 0, bytesRead: 0 }
      },
    },
    ...{ dialect: 'clickhouse', databases: ['shop'], maxRows: 10, budget: { maxRows: 1_000, maxBytes: 0 } },
  }
  const outcome = await execute(
    context,
    { schema, id: 'Q1', attempt: 1, sql: 'SELECT drafted', isConfirmed: false, tooExpensive: null, ...more },
    signal,
  )
  return { outcome, ran, alarms, steps: log.entries().map(entry => entry.step), errors: log.entries().map(entry => entry.error) }
}

describe('execute', () => {
  it('does not run an invalid query', async () => {
    const { outcome, ran, steps } = await run({ verdict: 'invalid', kind: 'type', message: 'No.', suggestions: [] })
    expect(outcome).toEqual({
      kind: 'failed',
      error: 'type',
      message: 'No.',
      canonical: 'SELECT canonical',
      tables: ['shop.orders'],
      estimate: null,
      near: [],
    })
    expect(ran).toEqual([])
    expect(steps).toEqual(['validate', 'execute'])
  })

  it.each<Verdict>([{ verdict: 'valid' }, { verdict: 'unchecked', reason: 'slow' }])('runs what is $verdict', async verdict => {
    const { outcome, ran } = await run(verdict)
    expect(outcome).toMatchObject({ kind: 'succeeded', sql: 'SELECT canonical' })
    expect(ran).toEqual(['SELECT canonical'])
  })

  it('sends a doubtful query back once, then runs it and says so; a verified one runs at once', async () => {
    const found = { table: 'a', by: 'b', column: 'id' }
    const doubtful = { verdict: 'valid', doubt: { message: 'Added up twice.', found } } as const
    const first = await run(doubtful)
    expect(first.outcome).toMatchObject({ kind: 'failed', error: 'query', message: 'Added up twice.' })
    expect(first.ran).toEqual([])
    const second = await run(doubtful, undefined, undefined, { attempt: 2 })
    expect(second.outcome).toMatchObject({ kind: 'succeeded', unchecked: null, doubt: found })
    const verified = await run(doubtful, undefined, undefined, { isVerified: true })
    expect(verified.outcome).toMatchObject({ kind: 'succeeded' })
    expect(verified.outcome).not.toHaveProperty('doubt')
  })

  it('suggests similar names if the engine finds an unknown name only during the run', async () => {
    const message = 'Unknown expression identifier `amont` in scope SELECT amont FROM orders.'
    const { outcome } = await run(
      { verdict: 'unchecked', reason: 'slow' },
      new WarehouseError(message, { kind: 'unknown_name', serverCode: 47 }),
    )
    expect(outcome).toMatchObject({
      error: 'unknown_name',
      unknownColumn: 'amont',
      message: 'There is no column amont in shop.orders; near: amount. Its columns are: amount.',
    })
  })

  it('logs an alarm with the engine’s words if the server denies what the guard allowed', async () => {
    const denied = new WarehouseError('clew_reader: Not enough privileges.', { kind: 'denied', serverCode: 497 })
    const { outcome, alarms } = await run({ verdict: 'valid' }, denied)
    expect(outcome).toMatchObject({ error: 'denied', message: 'The warehouse does not let Clew run this query.' })
    expect(alarms.join('')).toMatch(/clew_reader: Not enough privileges[\s\S]*the server denied what the guard allowed/)
  })

  describe('with a query over the budget', () => {
    const cost: CostVerdict = {
      verdict: 'estimated',
      estimate: { tables: [], rows: 2_000, bytes: 1, joinedRows: 0, unknown: [] },
    }

    it('runs nothing', async () => {
      const { outcome, ran } = await run({ verdict: 'valid' }, undefined, cost)
      expect(outcome).toMatchObject({ kind: 'costly', canonical: 'SELECT canonical', estimate: { rows: 2_000 } })
      expect(ran).toEqual([])
    })

    it("runs it after the person's consent", async () => {
      const { ran } = await run({ verdict: 'valid' }, undefined, cost, { isConfirmed: true })
      expect(ran).toEqual(['SELECT canonical'])
    })

    it('reports an error in it first', async () => {
      const wrong = { verdict: 'invalid', kind: 'type', message: 'No.', suggestions: [] } as const
      expect((await run(wrong, undefined, cost)).outcome).toMatchObject({ kind: 'failed', error: 'type' })
    })
  })

  it("estimates by the tables' rows if a query has no estimate, and traces the reason", async () => {
    const large = schemaOf(tableOf('orders', { rows: 2_000, columns: [columnOf('amount', 'UInt64')] }))
    const { outcome, ran, errors } = await run({ verdict: 'valid' }, undefined, UNESTIMATED, { schema: large })
    expect(outcome).toMatchObject({ kind: 'costly', estimate: { rows: 2_000, isCatalog: true } })
    expect(ran).toEqual([])
    expect(errors[0]).toBe('Without an estimate of its cost: slow')
    expect((await run({ verdict: 'valid' }, undefined, UNESTIMATED, { schema: large, isConfirmed: true })).ran).toHaveLength(1)
  })

  it('does not run a too expensive query again, in whatever spelling', async () => {
    const { outcome, ran } = await run({ verdict: 'valid' }, undefined, UNESTIMATED, {
      tooExpensive: { canonical: 'SELECT canonical', tables: ['shop.orders'] },
    })
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'same_query' })
    expect(ran).toEqual([])
  })

  it('does not replace a too expensive query by one on another table', async () => {
    const instead = (tables: readonly string[] | null) =>
      run({ verdict: 'valid' }, undefined, UNESTIMATED, { tooExpensive: { canonical: 'SELECT wider', tables } })
    const { outcome, ran } = await instead(['shop.visits'])
    expect(outcome).toMatchObject({ kind: 'rejected', code: 'other_tables', message: expect.stringContaining('shop.orders') })
    expect(ran).toEqual([])
    for (const tables of [['shop.orders', 'shop.visits'], null])
      expect((await instead(tables)).outcome).toMatchObject({ kind: 'succeeded' })
  })

  it('explains a limit in a plain sentence', async () => {
    const late = new WarehouseError('Timeout exceeded: elapsed 30001.2 ms, maximum: 30000 ms', {
      kind: 'timeout',
      serverCode: 159,
    })
    expect((await run({ verdict: 'valid' }, late)).outcome).toMatchObject({
      message: 'The query took longer than the 30 s that it may take.',
    })
  })
})
