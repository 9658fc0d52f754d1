import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { ENDS_ENGINE } from '../../../test/support/fault-injection.ts'
import { isAlive } from '../../base/is-alive.ts'
import { createLogger } from '../../base/logger.ts'
import { compiledEntry } from '../../base/package-files.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { openWarehouseOn } from '../open-warehouse.ts'
import type { EngineLease } from './lease.ts'
import type { EmbeddedEngine } from './open-embedded-engine.ts'
import { ENGINE_PATHS } from './options.ts'

const CRASHES = "SELECT getSubcolumn(CAST('{}' AS JSON), ':`UInt8`')"
const ENDLESS = 'SELECT arrayLevenshteinDistance(range(300000), arrayReverse(range(300000)))'
const ENORMOUS = "SELECT length(printf('%2147483647d', number)) FROM numbers(9)"
const signal = () => AbortSignal.timeout(100_000)

let world: TestEngine

beforeAll(async () => {
  world = await startTestEngine()
  await world.warehouse.write({ sql: 'CREATE TABLE kept (a UInt8) ENGINE = MergeTree ORDER BY a' }, signal())
  await world.warehouse.write({ sql: 'INSERT INTO kept VALUES (5)' }, signal())
})
afterAll(() => world.close())

const read = (sql: string, timeoutMs?: number) =>
  world.warehouse.read(timeoutMs === undefined ? { sql } : { sql, timeoutMs }, signal())
const logOf = ({ engine }: TestEngine) => readFile(join(engine.directory, ENGINE_PATHS.log), 'utf8')
const enginesEnded = async (test: TestEngine) => (await logOf(test)).split(ENDS_ENGINE).length - 1
const pid = async () => (await world.engine.endpoint(signal())).pid

/** Waits until a new engine process serves the same data as the old one. */
async function startedAnew(before: number): Promise<void> {
  while ((await pid()) === before) await delay(50, undefined, { signal: signal() })
  expect((await read('SELECT a FROM kept')).rows).toEqual([[5]])
}

/** Opens a warehouse whose turns pass through `pass`. */
function throughTurns(engine: EmbeddedEngine, pass: (turn: Promise<EngineLease>) => Promise<EngineLease>): Promise<Warehouse> {
  const endpoint = async (ended: AbortSignal) => {
    const current = await engine.endpoint(ended)
    return { ...current, takeTurn: (waiting: AbortSignal) => pass(current.takeTurn(waiting)) }
  }
  const logger = createLogger({ level: 'silent' })
  return openWarehouseOn({ ...engine, endpoint }, { database: 'default', maxBytes: 1_000_000, timeoutMs: 30_000, logger })
}

describe('an engine that a query breaks', () => {
  it('reports the query, and restarts on the same data', async () => {
    const before = await pid()
    await expect(read(CRASHES)).rejects.toMatchObject({ kind: 'query', serverCode: 49, retryable: false })
    await startedAnew(before)
    expect(await logOf(world)).toMatch(/ the engine ends, since a query crashed it/)
  }, 100_000)

  it('answers the other questions under way', async () => {
    const before = await pid()
    const others = Promise.all([read('SELECT sleep(1.5)'), read('SELECT count() FROM numbers(1000)')])
    await expect(read(CRASHES)).rejects.toMatchObject({ code: expect.stringMatching(/^warehouse_/) })
    expect((await others).map(({ rows }) => rows[0])).toEqual([[0], ['1000']])
    await startedAnew(before)
  }, 100_000)

  it('answers others beside a query that ends each engine without a message, and blames that query after a few', async () => {
    const others = Promise.all(['a', 'b', 'c', 'd'].map(name => read(`SELECT '${name}', sleep(1)`)))
    const cause = read(`SELECT '${ENDS_ENGINE}'`).catch((error: unknown) => error)
    expect((await others).map(({ rows }) => rows[0]?.[0])).toEqual(['a', 'b', 'c', 'd'])
    expect(await cause).toMatchObject({ kind: 'query', serverCode: 49, retryable: false })
    expect(await enginesEnded(world)).toBe(1 + CLICKHOUSE_LIMITS.connection.furtherEngines)
  }, 100_000)

  it('does not blame a lost query that waits for its turn when the next engine ends', async () => {
    const own = await startTestEngine()
    const { pid: first, takeTurn } = await own.engine.endpoint(signal())
    await takeTurn(signal())
    const warehouse = await throughTurns(own.engine, turn => {
      if (isAlive(first)) process.kill(first, 'SIGKILL')
      return turn
    })
    await own.inject({ kind: 'reset', matching: 'lost', times: 2 })
    expect((await warehouse.read({ sql: "SELECT 'lost'" }, signal())).rows).toEqual([['lost']])
    await warehouse.close()
    await own.close()
  }, 100_000)

  it('does not blame a query whose turns had lapsed, but repeats it a few times only', async () => {
    const own = await startTestEngine()
    const warehouse = await throughTurns(own.engine, async turn => ({ ...(await turn), lapsed: true }))
    const cause = warehouse.read({ sql: `SELECT '${ENDS_ENGINE}'` }, signal())
    await expect(cause).rejects.toMatchObject({ kind: 'unavailable', retryable: true })
    expect(await enginesEnded(own)).toBe(1 + CLICKHOUSE_LIMITS.connection.retry.attempts)
    await warehouse.close()
    await own.close()
  }, 100_000)

  it('restarts if a query survives its end, and serves others meanwhile', async () => {
    const before = await pid()
    await expect(read(ENDLESS, 1_000)).rejects.toMatchObject({ kind: 'timeout' })
    expect((await read('SELECT 1')).rows).toEqual([[1]])
    await startedAnew(before)
  }, 100_000)

  it('restarts the same way for a query check that folds constants', async () => {
    const before = await pid()
    await expect(read(`EXPLAIN ${ENDLESS}`, 1_000)).rejects.toMatchObject({ kind: 'timeout' })
    await startedAnew(before)
  }, 100_000)

  it("refuses allocations beyond the machine's memory that ClickHouse's limits miss", async () => {
    const before = await pid()
    // The engine fills gigabytes of memory before it refuses the query. On a busy machine, this takes long.
    await expect(read(ENORMOUS, 80_000)).rejects.toMatchObject({ kind: 'resource', serverCode: 241 })
    expect(await pid()).toBe(before)
    expect((await read('SELECT a FROM kept')).rows).toEqual([[5]])
  }, 100_000)

  it('answers a small question beside more endless ones than it has slots', async () => {
    const before = await pid()
    const copies = CLICKHOUSE_LIMITS.engine.readers + 1
    const stop = new AbortController()
    const endless = Array.from({ length: copies }, () =>
      world.warehouse.read({ sql: ENDLESS, timeoutMs: 25_000 }, stop.signal).catch((error: { kind: string }) => error.kind),
    )
    await delay(500)
    expect((await read('SELECT count() FROM numbers(1000)', 20_000)).rows).toEqual([['1000']])
    stop.abort()
    expect(await Promise.all(endless)).toEqual(Array(copies).fill('cancelled'))
    await startedAnew(before)
  }, 100_000)
})

describe('an engine that stops answering', () => {
  it('ends itself', async () => {
    const script = `
      const { watchEngine } = await import(${JSON.stringify(compiledEntry('test/watch-engine'))})
      let beats = 0
      watchEngine(async () => {
        beats += 1
        if (beats > 4) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      })
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore', timeout: 90_000 })
    expect(await once(child, 'exit', { signal: signal() })).toEqual([null, 'SIGKILL'])
  }, 100_000)
})
