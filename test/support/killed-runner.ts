import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../../src/base/logger.ts'
import { compiledEntry } from '../../src/base/package-files.ts'
import { JobRegistry } from '../../src/pipelines/jobs/registry.ts'
import { JobStore } from '../../src/pipelines/jobs/store.ts'
import { OperationLog, type OperationLogEntry } from '../../src/pipelines/log/operation-log.ts'
import { Pipelines } from '../../src/pipelines/pipelines.ts'
import { StateDatabase } from '../../src/pipelines/state-database.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'
import type { TestEngine } from './engine.ts'
import { type OutlivingServer, startOutlivingServer } from './outliving-server.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const signal = new AbortController().signal

/** The kind of work that the runner does when it is killed: a job, a job that keeps its tables, or a replay. */
export type KilledWork = 'job' | 'full' | 'replay'
/**
 * When the runner is killed. `sent`: after sending the statement, which the server continues. `done`: after the server has completed it, before the
 * runner knows. `stopped`: the runner is only paused after sending the statement, and continues after the next start.
 */
export type KillMoment = 'sent' | 'done' | 'stopped'
/** The next step after the kill. `resume`: another runner continues the job at once. `sweep`: half a minute later, a sweep cleans up. */
export type NextStart = 'resume' | 'sweep'

export interface KillPoint {
  readonly work: KilledWork
  /** The statement at which the runner is killed: its number, counted from 1, or a pattern for the first that matches. */
  readonly statement: number | RegExp
  readonly moment: KillMoment
  readonly next: NextStart
}

/** A pipeline with two operations. `large` takes a while, so it is still running when its runner is killed. */
const DEFINITION = `
name: orders_by_vendor
arguments: { least: 0 }
inputs:
  orders: { source: "SELECT id, vendor, amount FROM shop.orders", order_by: [id] }
  codes: { source: "SELECT * FROM values('code String', 'a', 'b', 'c')" }
  vendors: { table: p_vendors }
operations:
  - name: large
    sql: SELECT *, sleepEachRow(0.1) AS slept FROM {{ orders }} WHERE amount >= {{ arguments.least }}
  - name: named
    sql: SELECT l.id AS id, v.name AS name FROM {{ large }} AS l LEFT JOIN {{ vendors }} AS v ON v.code = l.vendor WHERE l.vendor IN (SELECT code FROM {{ codes }})
target: { operation: named, table: orders_by_vendor }
ttl_hours: 1
`
const ROWS_OF = new Map([
  [0, '1,2,3'],
  [15, '2,3'],
  [25, '3'],
])
const ENTRIES = ['input:codes', 'input:orders', 'input:vendors', 'operation:large', 'operation:named', 'target:orders_by_vendor']

/** Creates the table that the jobs read. */
export async function makeOrders(test: TestEngine): Promise<void> {
  const write = (sql: string) => test.warehouse.write({ sql }, signal)
  await write('CREATE DATABASE shop')
  await write('CREATE TABLE shop.orders (id UInt32, vendor String, amount Float64) ENGINE = MergeTree ORDER BY id')
  await write("INSERT INTO shop.orders VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30)")
}

/** Runs a job without a kill, and returns its statements. A runner can be killed at each of them. */
export async function statementsOf(test: TestEngine, suffix: string, work: KilledWork): Promise<readonly string[]> {
  const statements: string[] = []
  const world = await openWorld(test, suffix)
  const server = await startOutlivingServer(await writerUrl(test), {
    arrived: statement => void statements.push(statement),
    done: () => {},
  })
  const child = await startProcess()
  const gone = once(child, 'exit')
  child.send(world.order(server, work))
  await gone
  await server.close()
  await world.drop()
  return statements
}

/** Kills a runner at a given statement, continues, and checks the result. @returns the faults that were found */
export async function faultsAfterKill(test: TestEngine, suffix: string, point: KillPoint): Promise<readonly string[]> {
  const child = await startProcess()
  try {
    return await faultsAfter(child, test, suffix, point)
  } finally {
    child.kill('SIGKILL')
  }
}

async function faultsAfter(child: ChildProcess, test: TestEngine, suffix: string, point: KillPoint): Promise<readonly string[]> {
  const world = await openWorld(test, suffix)
  const gone = once(child, 'exit')
  const reached = new EventEmitter()
  const isReached = Promise.race([once(reached, 'point'), gone])
  const isPoint = (text: string, at: number) =>
    typeof point.statement === 'number' ? at === point.statement : !child.killed && point.statement.test(text)
  const killAt = (moments: readonly KillMoment[]) => (text: string, at: number) => {
    if (!moments.includes(point.moment) || !isPoint(text, at)) return
    child.kill(point.moment === 'stopped' ? 'SIGSTOP' : 'SIGKILL')
    reached.emit('point')
    // At the moment `done`, the statement has completed, but its answer is held back. At the other moments, the statement continues.
    return point.moment === 'done' ? gone.then(() => {}) : undefined
  }
  const server = await startOutlivingServer(await writerUrl(test), {
    arrived: killAt(['sent', 'stopped']),
    done: killAt(['done']),
  })
  const before = await world.production()
  child.send(world.order(server, point.work))
  await (point.moment === 'stopped' ? isReached : gone)
  const faults: string[] = []
  const expect = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault))

  expect(child.killed || typeof point.statement === 'number', 'the runner ended before it could be killed')
  const killed = (await world.jobs()).find(({ id }) => id !== world.first)
  if (point.next === 'sweep') world.wait(31_000)
  else if (killed !== undefined) await world.pipelines.run(killed.id, {}, signal)
  await world.pipelines.sweep(signal)
  await server.settled()
  if (point.moment === 'stopped') {
    child.kill('SIGCONT')
    await gone
    await server.settled()
  }
  // The first sweep leaves alone what may still be in progress. Another sweep a minute later cleans it up.
  world.wait(60_000)
  await world.pipelines.sweep(signal)

  const all = await world.jobs()
  for (const { id, status, error } of all) {
    expect(status === 'COMPLETED' || (status === 'FAILED' && error !== ''), `job ${id} is ${status}, error «${error}»`)
    if (point.next === 'resume' && id === killed?.id) expect(status === 'COMPLETED', `job ${id} was not finished: ${error}`)
  }
  const target = await world.targetRows()
  const job = all.find(({ id }) => id !== world.first)
  const mayBe = point.work === 'replay' ? ['1,2,3'] : job?.status === 'COMPLETED' ? ['2,3'] : ['1,2,3', '2,3']
  expect(mayBe.includes(target), `the target holds ${target}, expected ${mayBe.join(' or ')} (job ${job?.status})`)
  const after = await world.production()
  const isUntouched = point.work === 'replay' ? after.all === before.all : after.foreign === before.foreign
  expect(isUntouched, `production: ${JSON.stringify(before)} became ${JSON.stringify(after)}`)
  expect((await world.running()) === 0, 'a query of the killed runner still runs')
  faults.push(...(await world.logFaults()))
  faults.push(...(await world.tableFaults(point.work === 'job' ? [] : all.flatMap(({ id }) => (id === world.first ? [] : [id])))))

  const next = await world.pipelines.create('orders_by_vendor', { arguments: { least: 25 } }, signal)
  const ended = await world.pipelines.run(next.id, {}, signal)
  expect(ended.status === 'COMPLETED', `the next run is ${ended.status}: ${ended.error}`)
  expect((await world.targetRows()) === '3', 'the next run has not published its rows')
  world.wait(3_600_000)
  await world.pipelines.sweep(signal)
  faults.push(...(await world.tableFaults([])))
  await server.close()
  if (faults.length === 0) await world.drop()
  return faults
}

async function writerUrl(test: TestEngine): Promise<string> {
  const { writer } = await test.engine.endpoint(signal)
  return writer.url.replace('//', `//${writer.username}:${writer.password}@`)
}

async function startProcess(): Promise<ChildProcess> {
  const child = fork(compiledEntry('test/pipeline-process'), { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

/** Opens databases of its own for one test, with a job that has published once, and with a clock that the test can set. */
async function openWorld(test: TestEngine, suffix: string) {
  const { warehouse } = test
  const [stateName, database] = [`clew_${suffix}`, `pipelines_${suffix}`]
  const write = (sql: string) => warehouse.write({ sql, database: 'default' }, signal)
  const ask = async (sql: string) => (await warehouse.readOwn({ sql, database: 'default' }, signal)).rows
  let ahead = 0
  let ids = 0
  const now = () => Date.now() + ahead
  const state = new StateDatabase(warehouse, stateName)
  const parts = {
    registry: new JobRegistry({ state, now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(warehouse, database),
  }
  const pipelines = new Pipelines({
    ...parts,
    warehouse,
    preservation: 'NONE',
    newJobId: () => {
      ids += 1
      return `job_${suffix}_${ids}`
    },
    now,
    logger: createLogger({ level: 'silent' }),
  })
  await parts.tables.createDatabase(signal)
  await state.migrate(MIGRATIONS, now, signal)
  await write(
    `CREATE TABLE ${database}.p_vendors ENGINE = MergeTree ORDER BY code AS SELECT * FROM values('code String, name String', ('a', 'Anna'), ('b', 'Bert'))`,
  )
  await write(`CREATE TABLE ${database}.t_0123456789abcdef ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS mine`)
  await pipelines.register(DEFINITION, signal)
  const { id: first } = await pipelines.create('orders_by_vendor', {}, signal)
  await pipelines.run(first, {}, signal)
  const checksum = async (table: string) =>
    JSON.stringify((await ask(`SELECT count(), groupBitXor(cityHash64(*)) FROM ${database}.${table}`))[0])

  return {
    first,
    pipelines,
    wait: (milliseconds: number) => {
      ahead += milliseconds
    },
    order: (server: OutlivingServer, work: KilledWork) => ({
      url: server.url,
      suffix,
      arguments: { least: 15 },
      preservation: work === 'full' ? 'FULL' : 'NONE',
      ...(work === 'replay' ? { replayOf: first } : {}),
    }),
    jobs: async () =>
      (await ask(`SELECT id, status, error FROM ${stateName}.jobs FINAL`)).map(([id, status, error]) => ({
        id: String(id),
        status: String(status),
        error: String(error),
      })),
    targetRows: async () =>
      String(
        (
          await ask(`SELECT arrayStringConcat(arraySort(groupArray(toString(id))), ',') FROM ${database}.orders_by_vendor`)
        )[0]?.[0],
      ),
    async production() {
      const foreign = await Promise.all(['p_vendors', 't_0123456789abcdef'].map(checksum))
      const published = await Promise.all(['p_orders', 'p_codes', 'orders_by_vendor'].map(checksum))
      return { foreign: foreign.join(' '), all: [...foreign, ...published].join(' ') }
    },
    running: async () =>
      Number(
        (
          await ask(
            `SELECT count() FROM system.processes WHERE query LIKE 'CREATE TABLE%${database}%' AND query NOT LIKE '%system.processes%'`,
          )
        )[0]?.[0],
      ),
    /** Checks the operation log: each job has its own entries, each entry once, with the right number of rows. */
    async logFaults(): Promise<readonly string[]> {
      const faults: string[] = []
      const own = new Map<string, string>()
      for (const { id, status } of await this.jobs()) {
        const { job, log } = await pipelines.history(id, signal)
        const done = log.filter(({ error }) => error === '')
        const tasks = done.map(({ taskId }) => taskId).sort()
        if (status === 'COMPLETED' && tasks.join() !== ENTRIES.join()) faults.push(`the log of ${id} has ${tasks.join()}`)
        if (new Set(log.map(({ taskId }) => taskId)).size !== log.length) faults.push(`the log of ${id} has an operation twice`)
        for (const entry of done) faults.push(...rowFaults(entry, ROWS_OF.get(Number(job.arguments.least)) ?? ''))
        for (const { result } of log.filter(entry => entry.result.name.startsWith('t_'))) {
          if (own.has(result.name)) faults.push(`${result.name} is of ${own.get(result.name)} and ${id}`)
          own.set(result.name, id)
        }
      }
      return faults
    },
    /** Checks that temporary tables exist for the results of these jobs, and that no other ones exist. */
    async tableFaults(keptJobs: readonly string[]): Promise<readonly string[]> {
      const kept = (await Promise.all(keptJobs.map(id => pipelines.history(id, signal)))).flatMap(({ log }) =>
        log.flatMap(({ error, result }) => (error === '' && result.name.startsWith('t_') ? [result.name] : [])),
      )
      const there = (await ask(`SELECT name FROM system.tables WHERE database = '${database}' ORDER BY name`)).map(([name]) =>
        String(name),
      )
      const expected = [...kept, 'orders_by_vendor', 'p_codes', 'p_orders', 'p_vendors', 't_0123456789abcdef'].sort()
      return there.join() === expected.join() ? [] : [`tables there: ${there.join()}; expected: ${expected.join()}`]
    },
    async drop() {
      for (const name of [stateName, database]) await write(`DROP DATABASE ${name} SYNC`)
    },
  }
}

function rowFaults({ taskId, rows, jobId }: OperationLogEntry, ids: string): readonly string[] {
  const expected = taskId === 'input:vendors' ? 2 : taskId.startsWith('input:') ? 3 : ids.split(',').length
  return rows === expected ? [] : [`${taskId} of ${jobId} has ${rows} rows in the log, not ${expected}`]
}
