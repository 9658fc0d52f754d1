import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { type OutlivingServer, type StatementWatcher, startOutlivingServer } from '../../test/support/outliving-server.ts'
import { PERMISSIVE } from '../../test/support/permissive-guard.ts'
import type { TrialOrder } from '../../test/support/trial-process.ts'
import { createLogger } from '../base/logger.ts'
import { compiledEntry } from '../base/package-files.ts'
import { parseJobDefinition } from './jobs/definition.ts'
import { JobRegistry } from './jobs/registry.ts'
import { JobStore } from './jobs/store.ts'
import { type TrialReader, Trials } from './jobs/trial.ts'
import { newTrialId } from './jobs/trial-id.ts'
import { OperationLog } from './log/operation-log.ts'
import { Pipelines } from './pipelines.ts'
import { StateDatabase } from './state-database.ts'
import { PipelineTables } from './tables.ts'

jest.setTimeout(240_000)

const signal = new AbortController().signal
const logger = createLogger({ level: 'silent' })
/** `large` takes a while, so it still runs when its process is killed. */
const YAML = `
name: orders
inputs:
  all_orders: { source: "SELECT number AS id, number % 3 AS vendor FROM numbers(6)" }
operations:
  - { name: large, sql: "SELECT *, sleepEachRow(0.1) AS slept FROM {{ all_orders }}" }
  - { name: by_vendor, sql: "SELECT vendor, count() AS orders FROM {{ large }} GROUP BY vendor" }
target: { operation: by_vendor, table: orders }
`
let test: TestEngine
/** The clock of the next start is this many milliseconds ahead. */
let ahead = 0
let trials: Trials
let pipelines: Pipelines
beforeAll(async () => {
  test = await startTestEngine()
  const { warehouse } = test
  const tables = new PipelineTables(warehouse, 'pipelines')
  const state = new StateDatabase(warehouse, 'clew')
  const now = () => Date.now() + ahead
  await tables.createDatabase(signal)
  await state.migrate(fileURLToPath(new URL('../../migrations', import.meta.url)), now, signal)
  trials = new Trials({ warehouse, tables, now, logger })
  pipelines = new Pipelines({
    ...{ warehouse, tables, now, logger, preservation: 'NONE', newJobId: () => 'job_1' },
    ...{ registry: new JobRegistry({ state, now }), jobs: new JobStore(state), log: new OperationLog(state) },
  })
})
afterAll(() => test.close())

async function tablesThere(): Promise<readonly string[]> {
  const sql = "SELECT name FROM system.tables WHERE database = 'pipelines'"
  return (await test.warehouse.readOwn({ sql, database: 'system' }, signal)).rows.map(([name]) => String(name))
}

/** Runs a trial in a process of its own. @returns when the process is gone */
async function runTrial(id: string, watch: (kill: () => void) => StatementWatcher): Promise<OutlivingServer> {
  const child = fork(compiledEntry('test/trial-process'), { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  try {
    await once(child, 'message')
    const { writer } = await test.engine.endpoint(signal)
    const url = writer.url.replace('//', `//${writer.username}:${writer.password}@`)
    const server = await startOutlivingServer(
      url,
      watch(() => child.kill('SIGKILL')),
    )
    child.send({ url: server.url, id, yaml: YAML } satisfies TrialOrder)
    await gone
    return server
  } finally {
    child.kill('SIGKILL')
  }
}

describe('a trial', () => {
  it('is ended by the engine where it takes too much, and its tables are dropped', async () => {
    const endless = 'SELECT sum(cityHash64(number)) AS vendor FROM numbers(100000000000)'
    const yaml = YAML.replace(
      'SELECT *, sleepEachRow(0.1) AS slept FROM {{ all_orders }}',
      `${endless} WHERE number IN {{ all_orders }}`,
    )
    const read: TrialReader['warehouse']['read'] = query =>
      test.warehouse.read({ ...query, sql: `SELECT id FROM (${query.sql})` }, signal)
    const id = newTrialId(Date.now())
    expect(await trials.run(id, parseJobDefinition(yaml), { ...PERMISSIVE, warehouse: { read } }, signal)).toMatchObject({
      kind: 'failed',
      operation: 'large',
      message: expect.stringMatching(/limit|maximum/i),
    })
    expect(await tablesThere()).not.toEqual([])
    await trials.cleanUp(id, signal)
    expect(await tablesThere()).toEqual([])
  })
})

describe('without the database of pipelines, a trial', () => {
  it.each([
    ['of an input', 'inputs: { all: { source: SELECT 1 AS n } }', 'SELECT * FROM {{ all }}'],
    ['without inputs', 'inputs: {}', 'SELECT 1 AS n'],
  ])('%s is not run', async (_, inputs, sql) => {
    const { warehouse } = test
    const missing = new Trials({ warehouse, tables: new PipelineTables(warehouse, 'missing'), now: Date.now, logger })
    const yaml = `name: orders\n${inputs}\noperations: [{ name: all_of_it, sql: '${sql}' }]\ntarget: { operation: all_of_it, table: orders }`
    const outcome = await missing.run(newTrialId(Date.now()), parseJobDefinition(yaml), { ...PERMISSIVE, warehouse }, signal)
    expect(outcome).toMatchObject({ kind: 'not_run', reason: 'no_database' })
  })
})

describe('a sample', () => {
  it('has the values and types of the rows that were read', async () => {
    const values = [
      "toUInt64(18446744073709551615) AS big, toInt128(-170141183460469231731687303715884105728) AS huge, toDecimal64('1.10', 2) AS money",
      "nan AS none, inf AS most, true AS yes, NULL::Nullable(String) AS nothing, 'it''s \\\\ \\n' AS text, toLowCardinality('a') AS low",
      "toDate('2026-01-02') AS day, toDateTime64('2026-01-02 03:04:05.678', 3, 'Europe/Berlin') AS moment, toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0') AS id",
      "[1, NULL] AS list, map('k', [1.5]) AS lookup, tuple(1, 'x')::Tuple(a UInt8, `b c` String) AS pair, 'x'::Enum8('x' = 1) AS choice, toIPv4('1.2.3.4') AS `an address`",
    ]
    const sql = `SELECT ${values.join(', ')}`
    const read = await test.warehouse.read({ sql }, signal)
    const tables = new PipelineTables(test.warehouse, 'pipelines')
    const mark = { clew_job: newTrialId(Date.now()), job_name: 'orders', part: 'input:all' }
    const table = await tables.createFrom(mark, read, signal)
    const { columns, rows } = await test.warehouse.readOwn({ sql: `SELECT * FROM pipelines.${table.name}` }, signal)
    expect({ columns, rows }).toEqual({ columns: read.columns, rows: read.rows })
    await trials.cleanUp(mark.clew_job, signal)
  })
})

describe('a trial whose process is killed with -9', () => {
  it('leaves no table after the next start, at whichever statement it was', async () => {
    const statements: string[] = []
    const whole = await runTrial(newTrialId(Date.now()), () => ({
      arrived: text => void statements.push(text),
      done: () => {},
    }))
    await whole.close()
    expect(await tablesThere()).toEqual([])
    expect(statements.filter(text => text.startsWith('CREATE TABLE'))).toHaveLength(3)
    expect(statements.filter(text => text.startsWith('DROP TABLE'))).toHaveLength(3)
    let left = 0
    // A kill at a statement that only reads leaves what a kill after the statement before it leaves.
    const writes = [...statements.entries()].filter(([, text]) => !/^\s*(?:SELECT|EXPLAIN)/.test(text))
    for (const [index, text] of writes) {
      for (const moment of ['arrived', 'done']) {
        const id = newTrialId(Date.now())
        const server = await runTrial(id, kill => ({
          arrived: (_, at) => (moment === 'arrived' && at === index + 1 ? kill() : undefined),
          done: (_, at) => (moment === 'done' && at === index + 1 ? kill() : undefined),
        }))
        // A resumed run cleans up at once, while a statement may still run. What that statement makes later, a later start drops.
        if (index % 2 === 0) await trials.cleanUp(id, signal)
        await server.settled()
        left += (await tablesThere()).length
        await pipelines.sweep(signal)
        ahead += 121_000
        if (index % 3 === 0) await trials.cleanUp('', signal)
        else await pipelines.sweep(signal)
        ahead = 0
        expect([text.slice(0, 40), moment, await tablesThere()]).toEqual([text.slice(0, 40), moment, []])
        await server.close()
      }
    }
    expect(left).toBeGreaterThan(0)
  })

  it('is not taken for lost while it may still run', async () => {
    const tables = new PipelineTables(test.warehouse, 'pipelines')
    const id = newTrialId(Date.now())
    const rows = { columns: [{ name: 'id', type: 'Nullable(UInt64)' }], rows: [['18446744073709551615'], [null]] }
    const table = await tables.createFrom({ clew_job: id, job_name: 'orders', part: 'input:all' }, rows, signal)
    const sql = `SELECT id FROM pipelines.${table.name} ORDER BY id`
    expect((await test.warehouse.readOwn({ sql }, signal)).rows).toEqual(rows.rows)
    await trials.cleanUp(newTrialId(Date.now()), signal)
    expect(await tablesThere()).toEqual([table.name])
    await trials.cleanUp(id, signal)
    expect(await tablesThere()).toEqual([])
  })
})
