import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import type { Cell } from '../warehouse/warehouse.ts'
import { JobRegistry } from './jobs/registry.ts'
import type { JobEvent } from './jobs/runner.ts'
import { JobStore } from './jobs/store.ts'
import { PIPELINES_LIMITS } from './limits.ts'
import { OperationLog } from './log/operation-log.ts'
import { Pipelines } from './pipelines.ts'
import { StateDatabase } from './state-database.ts'
import { PipelineTables } from './tables.ts'

jest.setTimeout(60_000)

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const signal = new AbortController().signal

const DEFINITION = `
name: orders_by_vendor
description: Orders with their vendor.
arguments: { least: 0, country: "d'or" }
inputs:
  orders: { source: "SELECT id, vendor, amount FROM shop.orders", order_by: [id] }
  vendors: { table: p_vendors }
operations:
  - name: large
    sql: SELECT * FROM {{ orders }} WHERE amount >= {{ arguments.least }}
  - name: named
    sql: |
      SELECT l.id AS id, v.name AS name, l.amount AS amount, {{ arguments.country }} AS country
      FROM {{ large }} AS l LEFT JOIN {{ vendors }} AS v ON v.code = l.vendor
target: { operation: named, table: orders_by_vendor }
ttl_hours: 1
`

let test: TestEngine
let now: number
let ids = 0

beforeAll(async () => {
  test = await startTestEngine()
})
afterAll(() => test.close())

const write = (sql: string) => test.warehouse.write({ sql, database: 'default' }, signal)
const ask = async (sql: string): Promise<readonly (readonly Cell[])[]> =>
  (await test.warehouse.readOwn({ sql, database: 'default' }, signal)).rows
const tablesThere = async () => (await ask("SELECT name FROM system.tables WHERE database = 'pipelines' ORDER BY name")).flat()
const ownTables = async () => (await tablesThere()).filter(name => String(name).startsWith('t_'))

function open(): Pipelines {
  const state = new StateDatabase(test.warehouse, 'clew')
  return new Pipelines({
    warehouse: test.warehouse,
    registry: new JobRegistry({ state, now: () => now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(test.warehouse, 'pipelines'),
    preservation: 'NONE',
    newJobId: () => {
      ids += 1
      return `job_${ids}`
    },
    now: () => now,
    logger: createLogger({ level: 'silent' }),
  })
}

beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00Z')
  await new PipelineTables(test.warehouse, 'pipelines').createDatabase(signal)
  await new StateDatabase(test.warehouse, 'clew').migrate(MIGRATIONS, () => now, signal)
  await write('CREATE DATABASE shop')
  await write('CREATE TABLE shop.orders (id UInt32, vendor String, amount Float64) ENGINE = MergeTree ORDER BY id')
  await write("INSERT INTO shop.orders VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)")
  await write('CREATE TABLE pipelines.p_vendors (code String, name String) ENGINE = MergeTree ORDER BY code')
  await write("INSERT INTO pipelines.p_vendors VALUES ('a', 'Anna'), ('b', 'Bert')")
})
afterEach(async () => {
  await test.inject()
  for (const database of ['shop', 'pipelines', 'clew']) await write(`DROP DATABASE ${database} SYNC`)
})

async function registered(yaml = DEFINITION): Promise<Pipelines> {
  const pipelines = open()
  await pipelines.register(yaml, signal)
  return pipelines
}

describe('a job', () => {
  it('loads its inputs, writes each operation to its own table, and publishes the target last', async () => {
    const pipelines = await registered()
    const events: JobEvent[] = []
    const { id } = await pipelines.create('orders_by_vendor', { arguments: { least: 15 } }, signal)
    const job = await pipelines.run(id, { observe: event => events.push(event) }, signal)
    expect(job).toMatchObject({ status: 'COMPLETED', error: '', arguments: { least: 15, country: "d'or" } })
    expect(await ask('SELECT * FROM pipelines.orders_by_vendor ORDER BY id')).toEqual([
      [2, 'Bert', 20, "d'or"],
      [3, '', 30, "d'or"],
    ])
    expect(await tablesThere()).toEqual(['orders_by_vendor', 'p_orders', 'p_vendors'])
    expect(events.filter(({ kind }) => kind === 'task_ended').map(({ task }) => task)).toEqual([
      'input:orders',
      'operation:large',
      'operation:named',
      'target:orders_by_vendor',
    ])
  })

  it('completes if the engine cannot trace columns, and if another runner does not log it', async () => {
    const pipelines = await registered()
    await test.inject({
      kind: 'exception',
      code: 497,
      message: 'Not enough privileges',
      matching: 'EXPLAIN QUERY TREE',
      times: 9,
    })
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    expect(await pipelines.run(id, {}, signal)).toMatchObject({ status: 'COMPLETED', error: '' })
    await write(
      `INSERT INTO clew.operation_log (job_id, operation_id, kind, operation, sql) VALUES ('${id}', 'x', 'operation', 'x', 'SELECT 1')`,
    )
    const { log } = await pipelines.history(id, signal)
    expect(log).toHaveLength(6)
    expect(log.map(({ columnLineage }) => columnLineage)).toEqual(log.map(() => undefined))
  })

  it('gives advice if the log is that of an earlier version', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    await write('ALTER TABLE clew.operation_log DROP COLUMN column_lineage')
    const ended = await pipelines.run(id, {}, signal)
    expect(ended).toMatchObject({ status: 'FAILED', error: expect.stringContaining('run `clew migrate`') })
  })

  it('logs the reads and writes of each operation', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', { arguments: { least: 15 } }, signal)
    await pipelines.run(id, {}, signal)
    const { log, tasks } = await pipelines.history(id, signal)
    const byName = new Map(log.map(entry => [`${entry.kind} ${entry.operation}`, entry]))
    expect([...byName.keys()].sort()).toEqual([
      'input orders',
      'input vendors',
      'operation large',
      'operation named',
      'target orders_by_vendor',
    ])
    expect(byName.get('input orders')).toMatchObject({ result: { database: 'pipelines', name: 'p_orders' }, rows: 3, inputs: [] })
    expect(byName.get('input vendors')).toMatchObject({ result: { name: 'p_vendors' }, rows: 2, sql: '' })
    const large = byName.get('operation large')
    expect(large).toMatchObject({
      template: 'SELECT * FROM {{ orders }} WHERE amount >= {{ arguments.least }}',
      sql: 'SELECT * FROM `pipelines`.`p_orders` WHERE amount >= 15',
      inputs: [{ role: 'orders', table: { database: 'pipelines', name: 'p_orders' } }],
      rows: 2,
      error: '',
    })
    expect(byName.get('operation named')?.inputs).toEqual([
      { role: 'large', table: large?.result },
      { role: 'vendors', table: { database: 'pipelines', name: 'p_vendors' } },
    ])
    expect(byName.get('target orders_by_vendor')).toMatchObject({ result: { name: 'orders_by_vendor' }, rows: 2 })
    const largeTable = `pipelines.${large?.result.name}`
    expect(byName.get('operation named')?.columnLineage).toEqual({
      fields: [
        { column: 'id', inputs: [{ table: largeTable, column: 'id', transformations: ['IDENTITY'] }] },
        { column: 'name', inputs: [{ table: 'pipelines.p_vendors', column: 'name', transformations: ['IDENTITY'] }] },
        { column: 'amount', inputs: [{ table: largeTable, column: 'amount', transformations: ['IDENTITY'] }] },
        { column: 'country', inputs: [] },
      ],
      dataset: [
        { table: 'pipelines.p_vendors', column: 'code', transformations: ['JOIN'] },
        { table: largeTable, column: 'vendor', transformations: ['JOIN'] },
      ],
    })
    expect(byName.get('input vendors')?.columnLineage).toBeUndefined()
    expect(tasks.map(({ name, status, attempts, rows }) => [name, status, attempts, rows])).toEqual([
      ['input:orders', 'COMPLETED', 1, 3],
      ['operation:large', 'COMPLETED', 1, 2],
      ['operation:named', 'COMPLETED', 1, 2],
      ['target:orders_by_vendor', 'COMPLETED', 1, 2],
    ])
  })

  it('replaces its own published table, and nothing of others', async () => {
    const pipelines = await registered()
    const run = async () => pipelines.run((await pipelines.create('orders_by_vendor', {}, signal)).id, {}, signal)
    await run()
    await write("INSERT INTO shop.orders VALUES (4, 'a', 40)")
    expect((await run()).status).toBe('COMPLETED')
    expect(await ask('SELECT count() FROM pipelines.orders_by_vendor')).toEqual([['4']])
    await write('DROP TABLE pipelines.orders_by_vendor SYNC')
    await write('CREATE TABLE pipelines.orders_by_vendor ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS mine')
    const refused = await run()
    expect(refused).toMatchObject({ status: 'FAILED', error: expect.stringContaining('Clew did not make it') })
    expect(await ask('SELECT mine FROM pipelines.orders_by_vendor')).toEqual([[1]])
    expect(await tablesThere()).toEqual(['orders_by_vendor', 'p_orders', 'p_vendors'])
  })

  it('keeps every table for its time when preserved in full', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', { preservation: 'FULL' }, signal)
    const { expiresAt } = await pipelines.run(id, {}, signal)
    expect(expiresAt).toEqual(new Date('2026-03-01T13:00:00Z'))
    expect(await ownTables()).toHaveLength(2)
    now += 59 * 60_000
    expect(await pipelines.sweep(signal)).toEqual({ failed: [], dropped: 0 })
    now += 60_000
    expect(await pipelines.sweep(signal)).toEqual({ failed: [], dropped: 2 })
    expect(await tablesThere()).toEqual(['orders_by_vendor', 'p_orders', 'p_vendors'])
  })

  it('fails with the engine’s message, and leaves no table behind', async () => {
    const pipelines = await registered(DEFINITION.replace('amount >=', 'throwIf(id = 2) OR amount >='))
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    const job = await pipelines.run(id, {}, signal)
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^operation large: .*throwIf/) })
    const { log, tasks } = await pipelines.history(id, signal)
    expect(log.find(({ operation }) => operation === 'large')?.error).toMatch(/throwIf/)
    expect(tasks.map(({ name, status }) => [name, status])).toEqual([
      ['input:orders', 'COMPLETED'],
      ['operation:large', 'FAILED'],
    ])
    expect(await ownTables()).toEqual([])
  })

  it('retries an operation after a short outage', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    await test.inject({ kind: 'reset', matching: 'amount >= 0', times: 1 })
    expect(await pipelines.run(id, {}, signal)).toMatchObject({ status: 'COMPLETED' })
  })

  it('ends on request, with its query', async () => {
    const pipelines = await registered(
      DEFINITION.replace(
        'amount >=',
        '(SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1) = 0 AND amount >=',
      ),
    )
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    const running = pipelines.run(
      id,
      {
        observe: event =>
          void (event.kind === 'task_started' && event.task === 'operation:large' && pipelines.cancel(id, signal)),
      },
      signal,
    )
    expect(await running).toMatchObject({ status: 'CANCELLED', error: 'stopped by request' })
    expect(
      await ask("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(a.number%' AND query NOT LIKE '%processes%'"),
    ).toEqual([['0']])
    expect(await ownTables()).toEqual([])
  })

  it('ends by name if one job of that name runs, else the error says what to do', async () => {
    const pipelines = await registered()
    const cancel = () => pipelines.cancel('orders_by_vendor', signal)
    await expect(cancel()).rejects.toThrow('There is no run of orders_by_vendor to cancel: it has never run.')
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    expect(await cancel()).toMatchObject({ id, status: 'CANCELLED' })
    await expect(cancel()).rejects.toThrow(`There is no run of orders_by_vendor to cancel: its latest run, ${id}, is CANCELLED.`)
    const another = await pipelines.create('orders_by_vendor', {}, signal)
    const replay = await pipelines.createReplay(id, 'a look', signal)
    await expect(cancel()).rejects.toThrow(
      `Several runs of orders_by_vendor have not ended: ${another.id}, ${replay.id} (a replay). Name one by its id.`,
    )
    expect(await pipelines.cancel(another.id, signal)).toMatchObject({ status: 'CANCELLED' })
    expect(await cancel()).toMatchObject({ id: replay.id, status: 'CANCELLED' })
    await expect(pipelines.cancel('orders', signal)).rejects.toThrow('No job and no run is called orders')
  })

  it('does not start twice at a time, or with unknown arguments', async () => {
    const pipelines = await registered()
    await pipelines.create('orders_by_vendor', {}, signal)
    await expect(pipelines.create('orders_by_vendor', {}, signal)).rejects.toMatchObject({ kind: 'refused' })
    await expect(pipelines.create('orders', {}, signal)).rejects.toThrow(
      'There is no job orders: there is only orders_by_vendor.',
    )
    const other = await registered(DEFINITION.replaceAll('orders_by_vendor', 'another'))
    const atOnce = await Promise.allSettled([other, open()].map(each => each.create('another', {}, signal)))
    expect(atOnce.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2)
    for (const outcome of atOnce) if (outcome.status === 'fulfilled') await other.cancel(outcome.value.id, signal)
    const start = (values: Record<string, string | number>) => other.create('another', { arguments: values }, signal)
    await expect(start({ most: 1 })).rejects.toThrow('There is no argument most: there are least, country.')
    await expect(start({ least: '1; DROP TABLE shop.orders' })).rejects.toThrow('least must be a number')
  })
})

describe('a runner that was killed', () => {
  /** Runs a job until the task begins. Then stops the runner abruptly, as a kill would. */
  async function runUntil(pipelines: Pipelines, id: string, task: string): Promise<void> {
    const killed = new AbortController()
    const running = pipelines.run(
      id,
      { observe: event => void (event.kind === 'task_started' && event.task === task && killed.abort(new Error('killed'))) },
      killed.signal,
    )
    await expect(running).rejects.toThrow('killed')
  }

  it.each(['input:orders', 'operation:large', 'operation:named', 'target:orders_by_vendor'])(
    'in %s leaves a job that another one finishes without repeating finished parts',
    async task => {
      const pipelines = await registered()
      const { id } = await pipelines.create('orders_by_vendor', {}, signal)
      await runUntil(pipelines, id, task)
      const done = (await pipelines.history(id, signal)).tasks.filter(({ status }) => status === 'COMPLETED')
      const again: string[] = []
      const job = await open().run(
        id,
        { observe: event => void (event.kind === 'task_started' && again.push(event.task)) },
        signal,
      )
      expect(job.status).toBe('COMPLETED')
      expect(again.filter(name => done.some(other => other.name === name))).toEqual([])
      expect(await ask('SELECT count() FROM pipelines.orders_by_vendor')).toEqual([['3']])
      expect(await tablesThere()).toEqual(['orders_by_vendor', 'p_orders', 'p_vendors'])
    },
  )

  it('fails visibly if nobody continues its job, and its tables are dropped', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    await runUntil(pipelines, id, 'operation:named')
    expect(await ownTables()).not.toEqual([])
    now += PIPELINES_LIMITS.runnerLostMs
    expect((await pipelines.sweep(signal)).failed).toEqual([])
    now += 1
    expect((await pipelines.sweep(signal)).failed).toMatchObject([
      { id, status: 'FAILED', error: 'the process that ran it is gone' },
    ])
    expect(await ownTables()).toEqual([])
    expect(await pipelines.latest('orders_by_vendor', signal)).toMatchObject({ id, status: 'FAILED' })
  })
})

describe('a runner that was presumed lost', () => {
  const ENDLESS = '(SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1) = 0'

  /** Starts a job with an endless operation, and returns it in the middle of that operation. */
  async function stuck() {
    const pipelines = await registered(DEFINITION.replace('amount >=', `${ENDLESS} AND amount >=`))
    const { id } = await pipelines.create('orders_by_vendor', {}, signal)
    const reached = new EventEmitter()
    const isStuck = once(reached, 'stuck')
    const observe = (event: JobEvent) =>
      void (event.kind === 'task_started' && event.task === 'operation:large' && reached.emit('stuck'))
    const running = pipelines.run(id, { observe }, signal)
    await isStuck
    return { id, pipelines, running }
  }

  it('leaves the job as the sweep ended it', async () => {
    const { id, running } = await stuck()
    now += PIPELINES_LIMITS.runnerLostMs + 1
    expect((await open().sweep(signal)).failed).toMatchObject([{ id }])
    expect(await running).toMatchObject({ status: 'FAILED', error: 'the process that ran it is gone' })
  })

  it('leaves the job to the runner that continues it', async () => {
    const { id, pipelines, running } = await stuck()
    const other = open().run(id, {}, signal)
    await expect(running).rejects.toThrow('Another process has taken over the job')
    await pipelines.cancel(id, signal)
    expect(await other).toMatchObject({ status: 'CANCELLED', error: 'stopped by request' })
    expect((await pipelines.history(id, signal)).job.status).toBe('CANCELLED')
  })
})

describe('a replay', () => {
  const CHECKSUMS = `SELECT * FROM (SELECT 'target' AS name, count(), groupBitXor(cityHash64(*)) FROM pipelines.orders_by_vendor UNION ALL
    SELECT 'orders', count(), groupBitXor(cityHash64(*)) FROM pipelines.p_orders UNION ALL
    SELECT 'vendors', count(), groupBitXor(cityHash64(*)) FROM pipelines.p_vendors) ORDER BY name`

  it('repeats a job in its own tables, inputs included, and changes nothing published', async () => {
    const pipelines = await registered()
    const original = await pipelines.create('orders_by_vendor', { arguments: { least: 15 } }, signal)
    await pipelines.run(original.id, {}, signal)
    await registered(DEFINITION.replace('amount >=', 'amount <'))
    await write("INSERT INTO shop.orders VALUES (4, 'a', 40)")
    const before = await ask(CHECKSUMS)
    const { id } = await pipelines.createReplay(original.id, 'a look at large', signal)
    const replay = await pipelines.run(id, {}, signal)
    expect(replay).toMatchObject({
      status: 'COMPLETED',
      version: 1,
      arguments: original.arguments,
      preservation: 'FULL',
      replayOf: { jobId: original.id, reason: 'a look at large' },
    })
    expect(await ask(CHECKSUMS)).toEqual(before)
    const { log } = await pipelines.history(id, signal)
    expect(log.map(({ kind, operation, rows }) => [kind, operation, rows]).sort()).toEqual([
      ['input', 'orders', 4],
      ['input', 'vendors', 2],
      ['operation', 'large', 3],
      ['operation', 'named', 3],
      ['target', 'orders_by_vendor', 3],
    ])
    expect(log.every(({ result }) => /^t_[0-9a-f]{16}$/.test(result.name))).toBe(true)
    expect(await ask(`SELECT count() FROM pipelines.${log.at(-1)?.result.name}`)).toEqual([['3']])
    expect((await pipelines.latest('orders_by_vendor', signal))?.id).toBe(original.id)
  })
})

describe('a view as an input', () => {
  it('is logged with the rows that it has, so that an unchanged one does not seem changed in a replay', async () => {
    const pipelines = await registered()
    await write('DROP TABLE pipelines.p_vendors')
    await write("CREATE VIEW pipelines.p_vendors AS SELECT ['a', 'b'][number + 1] AS code, code AS name FROM numbers(2)")
    try {
      const original = await pipelines.create('orders_by_vendor', {}, signal)
      const { id } = await pipelines.run(original.id, {}, signal)
      const again = await pipelines.run((await pipelines.createReplay(id, 'a look', signal)).id, {}, signal)
      for (const run of [id, again.id]) {
        const { log } = await pipelines.history(run, signal)
        expect(log.find(({ operation }) => operation === 'vendors')).toMatchObject({ kind: 'input', rows: 2 })
      }
    } finally {
      await write('DROP VIEW pipelines.p_vendors')
    }
  })
})

describe('publishing', () => {
  it("restores a table that somebody put in the target's place meanwhile", async () => {
    const at = { database: 'pipelines', name: 'the_target' }
    const mark = { clew_job: 'job_x', job_name: 'x', part: 'target:the_target' }
    const create = (name: string) => tables.create(mark, { table: { ...at, name }, sql: 'SELECT 1 AS a', orderBy: [] }, signal)
    let isReplaced = false
    const tables = new PipelineTables(
      {
        readOwn: (query, signal) => test.warehouse.readOwn(query, signal),
        async write(statement, signal) {
          if (statement.sql.startsWith('EXCHANGE') && !isReplaced) {
            isReplaced = true
            await write('DROP TABLE pipelines.the_target SYNC')
            await write('CREATE TABLE pipelines.the_target ENGINE = MergeTree ORDER BY tuple() AS SELECT 7 AS mine')
          }
          return test.warehouse.write(statement, signal)
        },
      },
      'pipelines',
    )
    await create('the_target')
    const { table } = await create('t_0123456789abcdef')
    await expect(tables.publish(table, mark, at, signal)).rejects.toThrow('the_target is not replaced: Clew did not make it')
    expect(await ask('SELECT mine FROM pipelines.the_target')).toEqual([[7]])
  })
})

describe('the sweep', () => {
  it('continues after a table that cannot be dropped, and leaves it for the next sweep', async () => {
    const pipelines = await registered()
    const { id } = await pipelines.create('orders_by_vendor', { preservation: 'FULL' }, signal)
    await pipelines.run(id, {}, signal)
    now += 3_600_000
    await test.inject({ kind: 'exception', matching: 'DROP TABLE', code: 359, message: 'too large', times: 1 })
    expect((await pipelines.sweep(signal)).dropped).toBe(1)
    expect((await pipelines.sweep(signal)).dropped).toBe(1)
    expect(await ownTables()).toEqual([])
  })

  it('leaves tables that Clew did not make, and tables of unknown jobs', async () => {
    const pipelines = await registered()
    const mark = '{"clew_job":"job_of_another","job_name":"x","part":"operation:y"}'
    await write('CREATE TABLE pipelines.t_0123456789abcdef ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS a')
    await write(
      `CREATE TABLE pipelines.t_0123456789abcdee ENGINE = MergeTree ORDER BY tuple() COMMENT '${mark}' AS SELECT 1 AS a`,
    )
    expect(await pipelines.sweep(signal)).toEqual({ failed: [], dropped: 0 })
    expect(await ownTables()).toHaveLength(2)
  })
})

describe('the state database', () => {
  it('is created once, and a missing one gives advice', async () => {
    const state = new StateDatabase(test.warehouse, 'clew')
    expect(await state.migrate(MIGRATIONS, () => now, signal)).toEqual([])
    await expect(new JobStore(new StateDatabase(test.warehouse, 'nowhere')).get('job_1', signal)).rejects.toThrow(
      'run `clew migrate`',
    )
    await expect(new JobStore(state).get('job_none', signal)).rejects.toMatchObject({ kind: 'not_found' })
  })
})
