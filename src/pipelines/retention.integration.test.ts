import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { until } from '../../test/support/queue-harness.ts'
import { keepRowsFor } from './retention.ts'
import { StateDatabase, timeText } from './state-database.ts'

const DAY_S = 86_400
const signal = AbortSignal.timeout(120_000)

let test: TestEngine
let state: StateDatabase
beforeAll(async () => {
  test = await startTestEngine()
  state = new StateDatabase(test.warehouse, 'clew')
  await state.migrate(fileURLToPath(new URL('../../migrations', import.meta.url)), Date.now, signal)
})
afterAll(() => test.close())

/** Inserts a line and a job of each age, and returns the ages that are still there once ClickHouse has removed the others. */
async function ages(table: 'audit_log' | 'jobs') {
  const column = table === 'jobs' ? 'created_at' : 'at'
  const rows = [5, 15].map(days => ({ id: String(days), [column]: timeText(new Date(Date.now() - days * DAY_S * 1000)) }))
  await state.insert(table, rows, signal)
  let found: readonly (readonly unknown[])[] = []
  await until('old rows are gone', async () => {
    await state.run(`OPTIMIZE TABLE ${table} FINAL`, {}, signal)
    ;({ rows: found } = await test.warehouse.readOwn({ sql: `SELECT id FROM clew.${table} ORDER BY id` }, signal))
    return found.length === 1
  })
  return found
}

it('removes rows of Clew’s own tables after the retention time', async () => {
  await keepRowsFor(state, 10 * DAY_S, signal)
  expect(await ages('audit_log')).toEqual([['5']])
  expect(await ages('jobs')).toEqual([['5']])
})

it('keeps a job as long as its tables', async () => {
  const [created_at, expires_at] = [-30, 2].map(days => timeText(new Date(Date.now() + days * DAY_S * 1000)))
  await state.insert('jobs', [{ id: 'kept', created_at, seen_at: created_at, expires_at }], signal)
  await state.run('OPTIMIZE TABLE jobs FINAL', {}, signal)
  const { rows } = await test.warehouse.readOwn({ sql: "SELECT id FROM clew.jobs WHERE id = 'kept'" }, signal)
  expect(rows).toEqual([['kept']])
})

it('alters a table only if its time is another one', async () => {
  const altered = async (days: number) => {
    const from = (await test.receivedQueries()).length
    await keepRowsFor(state, days * DAY_S, signal)
    return (await test.receivedQueries(from)).filter(({ sql }) => sql.startsWith('ALTER')).length
  }
  expect(await altered(10)).toBe(0)
  expect(await altered(20)).toBe(5)
  expect(await altered(20)).toBe(0)
})
