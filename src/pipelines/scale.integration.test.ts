import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import { JobRegistry } from './jobs/registry.ts'
import { JobStore } from './jobs/store.ts'
import { LineageGraph } from './lineage/graph.ts'
import { OperationLogSource } from './lineage/operation-log-source.ts'
import { SeenRun } from './lineage/seen-run.ts'
import { OperationLog } from './log/operation-log.ts'
import { Pipelines } from './pipelines.ts'
import { StateDatabase } from './state-database.ts'
import { PipelineTables } from './tables.ts'

jest.setTimeout(60_000)

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const signal = new AbortController().signal
const NODES = 60
const RUNS = 20

let test: TestEngine
let ids = 0
let ahead = 0
const now = () => Date.now() + ahead
beforeAll(async () => {
  test = await startTestEngine()
  await new PipelineTables(test.warehouse, 'pipelines').createDatabase(signal)
  await new StateDatabase(test.warehouse, 'clew').migrate(MIGRATIONS, now, signal)
})
afterAll(() => test.close())

function open() {
  const state = new StateDatabase(test.warehouse, 'clew')
  const parts = {
    registry: new JobRegistry({ state, now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables: new PipelineTables(test.warehouse, 'pipelines'),
  }
  const newJobId = () => {
    ids += 1
    return `job_${ids}`
  }
  const logger = createLogger({ level: 'silent' })
  const pipelines = new Pipelines({ ...parts, warehouse: test.warehouse, preservation: 'NONE', newJobId, now, logger })
  return { state, pipelines, source: new OperationLogSource(parts) }
}

const write = (sql: string) => test.warehouse.write({ sql, database: 'default' }, signal)
const ask = async (sql: string) => (await test.warehouse.readOwn({ sql, database: 'default' }, signal)).rows

describe('concurrent replays', () => {
  const CHECKSUMS = ['p_from_1', 'p_from_2', 'sums_1', 'sums_2'].map(
    name => `SELECT '${name}', count(), groupBitXor(cityHash64(*)) FROM pipelines.${name}`,
  )

  it('of the same and of different jobs leave no table behind and mix nothing up', async () => {
    const { pipelines } = open()
    const originals: string[] = []
    for (const number of [1, 2]) {
      await pipelines.register(
        `
name: sums_of_${number}
inputs: { from_${number}: { source: "SELECT number AS n FROM numbers(${number}00)" } }
operations:
  - { name: few, sql: "SELECT n FROM {{ from_${number} }} WHERE n < ${number}0" }
  - { name: sums, sql: "SELECT ${number} AS job, sum(n) AS s FROM {{ few }}" }
target: { operation: sums, table: sums_${number} }
ttl_hours: 1
`,
        signal,
      )
      const { id } = await pipelines.create(`sums_of_${number}`, {}, signal)
      expect(await pipelines.run(id, {}, signal)).toMatchObject({ status: 'COMPLETED' })
      originals.push(id)
    }
    const checksums = async () => Promise.all(CHECKSUMS.map(ask))
    const before = await checksums()
    const replays = await Promise.all(
      Array.from({ length: 10 }, (_, at) => pipelines.createReplay(originals[at % 2] ?? '', 'side by side', signal)),
    )
    const ended = await Promise.all(replays.map(({ id }) => open().pipelines.run(id, {}, signal)))
    expect(ended.map(({ status, error }) => `${status} ${error}`)).toEqual(Array.from({ length: 10 }, () => 'COMPLETED '))
    expect(await checksums()).toEqual(before)
    const own = new Set<string>()
    for (const { id, name } of ended) {
      const { log } = await pipelines.history(id, signal)
      const number = name.at(-1)
      expect(log.map(({ taskId, rows }) => `${taskId} ${rows}`).sort()).toEqual([
        `input:from_${number} ${number}00`,
        `operation:few ${number}0`,
        'operation:sums 1',
        `target:sums_${number} 1`,
      ])
      for (const { result } of log) own.add(result.name)
      const target = log.find(({ kind }) => kind === 'target')?.result.name
      expect(await ask(`SELECT job FROM pipelines.${target}`)).toEqual([[Number(number)]])
    }
    expect(own.size).toBe(40)
    ahead += 3_600_000
    expect((await pipelines.sweep(signal)).dropped).toBe(40)
    expect((await ask("SELECT name FROM system.tables WHERE database = 'pipelines' ORDER BY name")).flat()).toEqual([
      'p_from_1',
      'p_from_2',
      'sums_1',
      'sums_2',
    ])
  })
})

describe('the graph of a run', () => {
  it(`with ${NODES} tables among ${NODES * RUNS} logged operations takes four queries`, async () => {
    const { state, pipelines, source } = open()
    await pipelines.register(
      `
name: long
inputs: { raw: { source: SELECT 1 AS n } }
operations: [{ name: all, sql: "SELECT n FROM {{ raw }}" }]
target: { operation: all, table: long_target }
`,
      signal,
    )
    const runs: string[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const { id } = await pipelines.create('long', {}, signal)
      await pipelines.cancel(id, signal)
      runs.push(id)
    }
    const at = '2026-03-01 12:00:00.000'
    const table = (run: string, node: number) => ({ database: 'pipelines', name: `${run}_${node}` })
    const rows = runs.flatMap(run =>
      Array.from({ length: NODES }, (_, node) => ({
        job_id: run,
        task_id: `operation:step_${node}`,
        operation_id: `${run}/${node}`,
        kind: node === 0 ? 'input' : node === NODES - 1 ? 'target' : 'operation',
        operation: `step_${node}`,
        result_database: 'pipelines',
        result_table: table(run, node).name,
        inputs: [node - 1, node - 2, node - 7]
          .filter(from => from >= 0)
          .map(from => ({ role: `step_${from}`, ...table(run, from) })),
        template: 'SELECT * FROM {{ a }}',
        sql: `SELECT * FROM a WHERE note = '${'long '.repeat(100)}'`,
        started_at: at,
        finished_at: at,
        rows: 1,
        bytes: 1,
        error: '',
        revision: 1,
      })),
    )
    await state.insert('operation_log', rows, signal)
    const asked = runs[RUNS / 2] ?? ''
    for (let node = 0; node < NODES; node += 1) {
      await write(`CREATE TABLE pipelines.${table(asked, node).name} ENGINE = MergeTree ORDER BY tuple() AS SELECT ${node} AS n`)
    }
    const build = async () => {
      const found = await source.findRun(asked, signal)
      if (!('run' in found)) throw new Error('the run was not found')
      const seen = SeenRun.whole(found.run, await source.operations(asked, signal))
      return new LineageGraph(seen, await source.liveTables(seen.tables, signal))
    }
    await build()
    const before = (await test.receivedQueries()).length
    const graph = await build()
    expect((await test.receivedQueries()).length - before).toBe(4)
    const startedAt = performance.now()
    await build()
    // Building the graph takes four round trips to the warehouse, for any number of tables. This is less than 100 ms on an idle machine.
    process.stdout.write(`graph of ${NODES} tables: ${(performance.now() - startedAt).toFixed(0)} ms\n`)
    const [target] = graph.targets
    expect(graph.nodes.map(({ state }) => state)).toEqual(Array.from({ length: NODES }, () => 'live'))
    expect(target && graph.backward(target)).toHaveLength(NODES)
  })
})
