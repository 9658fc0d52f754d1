import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import type { Cell, DataWarehouse, ReadQuery, ResultColumn } from './warehouse.ts'

/** The SQL of the contract's cases, in the dialect of one kind of data source. */
export interface ContractSql {
  /** One row with a 1 named `one` and an x named `text`. */
  readonly oneAndText: { readonly sql: string; readonly columns: readonly ResultColumn[] }
  /** A result with one column named `a` and no rows. */
  readonly nothing: { readonly sql: string; readonly columns: readonly ResultColumn[] }
  /** Expressions with their values. */
  readonly values: readonly (readonly [string, Cell])[]
  /** Selects this many rows. */
  readonly rows: (count: number) => string
  /** A million rows in an order of their own. */
  readonly ordered: string
  /** Queries of any form, of at most 1,000 rows, whose result must not change when rows are limited. */
  readonly unchanged: readonly string[]
  /** Wrong queries, with the kind of their error. */
  readonly errors: readonly (readonly [string, string])[]
  /** Texts that an error's message must not contain. */
  readonly internals: RegExp
  /** A statement that writes. */
  readonly forbidden: string
  /** A query that never ends by itself and uses little memory. Its text contains the mark. */
  readonly endless: (mark: string) => string
  /** Counts the running queries whose text contains the mark, other than the counting one. */
  readonly running: (mark: string) => string
}

/** Registers the tests that every warehouse must pass. */
export function warehouseContract(warehouse: () => DataWarehouse, sql: ContractSql): void {
  const signal = () => AbortSignal.timeout(20_000)
  const read = (query: string | ReadQuery) => warehouse().read(typeof query === 'string' ? { sql: query } : query, signal())
  const running = async (mark: string) => Number((await read(sql.running(mark))).rows[0]?.[0])

  it('answers a query with columns, types and rows', async () => {
    const result = await read(sql.oneAndText.sql)
    expect(result.columns).toEqual(sql.oneAndText.columns)
    expect(result.rows).toEqual([[1, 'x']])
    expect(result.truncated).toBe(false)
    expect(result.queryId).not.toBe('')
    expect(result.elapsedMs).toBeGreaterThan(0)
  })

  it('keeps the given id', async () => {
    expect((await read({ sql: sql.oneAndText.sql, queryId: `contract-${Date.now()}` })).queryId).toMatch(/^contract-/)
  })

  it('has columns and no rows for an empty result', async () => {
    expect(await read(sql.nothing.sql)).toMatchObject({ columns: sql.nothing.columns, rows: [], truncated: false })
  })

  it.each(sql.values)('returns %s without loss', async (expression, expected) => {
    expect((await read(`SELECT ${expression}`)).rows[0]?.[0]).toEqual(expected)
  })

  it('does not write as the reader', async () => {
    await expect(read(sql.forbidden)).rejects.toMatchObject({ kind: 'denied' })
  })

  it('cuts at maxRows and says so', async () => {
    expect(await read({ sql: sql.rows(10), maxRows: 10 })).toMatchObject({ truncated: false })
    const cut = await read({ sql: sql.rows(11), maxRows: 10 })
    expect([cut.rows.length, cut.truncated]).toEqual([10, true])
    expect(await read({ sql: sql.rows(1_000_000), maxRows: 0 })).toMatchObject({ rows: [], truncated: true })
  })

  it('cuts a result that does not fit into its room, and takes the room', async () => {
    let left = 20_000
    const took = (bytes: number) => {
      left -= bytes
    }
    const room = { bytesLeft: () => left, took }
    const cut = await read({ sql: sql.rows(1_000_000), room })
    expect(cut).toMatchObject({ truncated: true })
    expect(cut.rows.length).toBeGreaterThan(10)
    expect(cut.rows.length).toBeLessThan(20_000)
    expect(left).toBe(0)
  })

  it('keeps the order of a limited query', async () => {
    const whole = await read(`${sql.ordered} LIMIT 2000`)
    const cut = await read({ sql: sql.ordered, maxRows: 2_000 })
    expect(cut.rows).toEqual(whole.rows)
  })

  it.each(sql.unchanged)('limits %s without changing it', async text => {
    const whole = await read(text)
    const limited = await read({ sql: text, maxRows: 1_000 })
    expect(limited.rows).toEqual(whole.rows)
    expect(limited.columns.map(({ type }) => type)).toEqual(whole.columns.map(({ type }) => type))
  })

  it.each(sql.errors)('answers %s with an error of kind %s', async (text, kind) => {
    const failure = await read(text).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'WarehouseError', kind })
    expect(String(failure)).not.toMatch(sql.internals)
  })

  it('ends an aborted query, in the server too', async () => {
    const abort = new AbortController()
    const pending = warehouse().read({ sql: sql.endless('contract-abort') }, abort.signal)
    pending.catch(() => {})
    while ((await running('contract-abort')) === 0) await delay(20)
    abort.abort()
    await expect(pending).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await running('contract-abort')).toBe(0)
  })

  it('ends a query at its deadline, in the server too', async () => {
    const startedAt = Date.now()
    await expect(read({ sql: sql.endless('contract-deadline'), timeoutMs: 600 })).rejects.toMatchObject({ kind: 'timeout' })
    expect(Date.now() - startedAt).toBeLessThan(60_000)
    expect(await running('contract-deadline')).toBe(0)
  })

  it('does not start an aborted query', async () => {
    await expect(warehouse().read({ sql: 'SELECT 1' }, AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' })
  })
}
