import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { EngineQueryValidator } from '../validation/engine-query-validator.ts'
import { EngineSqlGuard } from './engine-sql-guard.ts'

const { readers } = CLICKHOUSE_LIMITS.engine
const CHECKS = 50
const SCOPE = { database: 'default', tables: new Set(['default.visits']) }
const SCHEMA: Schema = { databases: [], tables: [], serverVersion: '', timeZone: 'UTC', fetchedAt: '' }
const never = new AbortController().signal

let engine: TestEngine

beforeAll(async () => {
  engine = await startTestEngine()
  await engine.warehouse.write({ sql: 'CREATE TABLE visits (site String, length UInt32) ORDER BY site' }, never)
})

afterAll(async () => {
  await engine.close()
})

/** Occupies every slot of the engine, so that further queries wait. Returns a function that frees the slots. */
async function holdEngine(): Promise<() => Promise<void>> {
  await engine.inject({ kind: 'delay', milliseconds: 2_000_000, matching: 'holding', times: readers })
  const ended = new AbortController()
  const held: Promise<unknown>[] = []
  await Promise.all(
    Array.from(
      { length: readers },
      () =>
        new Promise<void>(onSent => {
          const sql = "SELECT 'holding'"
          held.push(engine.warehouse.read({ sql, timeoutMs: 1_000_000, onSent }, ended.signal).catch(() => {}))
        }),
    ),
  )
  return async () => {
    ended.abort()
    await Promise.all(held)
  }
}

/** Counts how many check requests the engine has received. A check sends more of them if the query plan is slow to compute. */
const checksReceived = async () =>
  (await engine.receivedQueries()).filter(({ sql }) => /formatQuerySingleLine|EXPLAIN/.test(sql)).length

it('checks wait for their turn before they are sent, and then all pass', async () => {
  const guard = new EngineSqlGuard({ warehouse: engine.warehouse })
  await guard.engine(never)
  const validator = new EngineQueryValidator({ warehouse: engine.warehouse, maxRows: 10_000, timeLimitMs: 20_000 })
  const release = await holdEngine()
  const checks = Array.from({ length: CHECKS }, async (_, index) => {
    const verdict = await guard.check(`SELECT site, sum(length + ${index}) FROM visits GROUP BY site`, SCOPE, never)
    if (verdict.verdict === 'reject') return verdict.message
    return (await validator.check(verdict, { schema: SCHEMA }, never)).verdict
  })
  expect(await checksReceived()).toBe(0)
  await release()
  expect(await Promise.all(checks)).toEqual(Array.from({ length: CHECKS }, () => 'valid'))
  expect(await checksReceived()).toBe(3 * CHECKS)
}, 120_000)

it('a check cancelled while waiting is never sent, and delays nobody', async () => {
  const release = await holdEngine()
  const givenUp = new AbortController()
  const read = engine.warehouse.read({ sql: "SELECT 'given up'" }, givenUp.signal)
  const next = engine.warehouse.read({ sql: "SELECT 'next'" }, never)
  givenUp.abort()
  await expect(read).rejects.toMatchObject({ kind: 'cancelled' })
  await release()
  expect((await next).rows).toEqual([['next']])
  expect((await engine.receivedQueries()).some(({ sql }) => sql.includes('given up'))).toBe(false)
}, 120_000)
