import { fileURLToPath } from 'node:url'
import { createLogger } from '../../src/base/logger.ts'
import { JobRegistry } from '../../src/pipelines/jobs/registry.ts'
import { JobStore } from '../../src/pipelines/jobs/store.ts'
import { OperationLog } from '../../src/pipelines/log/operation-log.ts'
import { Pipelines } from '../../src/pipelines/pipelines.ts'
import { StateDatabase, timeText } from '../../src/pipelines/state-database.ts'
import { PipelineTables } from '../../src/pipelines/tables.ts'
import type { Warehouse } from '../../src/warehouse/warehouse.ts'

const DEFINITION = `
name: daily
inputs:
  raw: { source: SELECT number AS n FROM numbers(1500) }
  load: { table: p_load }
operations:
  - { name: heavy, sql: "SELECT count() AS n FROM {{ load }} AS a, {{ load }} AS b, {{ load }} AS c WHERE sipHash64(a.n, b.n, c.n) = 1" }
  - { name: all_rows, sql: "SELECT n FROM {{ raw }} WHERE n >= (SELECT max(n) FROM {{ heavy }})" }
target: { operation: all_rows, table: daily_rows }
`
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const signal = new AbortController().signal

/** A pipeline called `daily` that has run once. Tests can make its replays endless. */
export interface EndlessPipeline {
  readonly pipelines: Pipelines
  /** The id of the run that the replays repeat. */
  readonly original: string
  /** Makes further replays of the pipeline endless, or normal again. */
  setEndless(isEndless: boolean): Promise<void>
  /** Counts the endless operations that are running now. */
  busy(): Promise<number>
  /** Counts the replays with a runner that has reported since this time. */
  seenSince(time: Date): Promise<number>
  /** Counts the replays with this status. With `reason`, counts only those that have this reason. */
  countReplays(status: string, reason?: string): Promise<number>
}

export async function startEndlessPipeline(warehouse: Warehouse): Promise<EndlessPipeline> {
  const state = new StateDatabase(warehouse, 'clew')
  const tables = new PipelineTables(warehouse, 'pipelines')
  await tables.createDatabase(signal)
  await state.migrate(MIGRATIONS, Date.now, signal)
  const write = (sql: string) => warehouse.write({ sql, database: 'pipelines' }, signal)
  await write('CREATE TABLE p_load (n UInt64) ENGINE = MergeTree ORDER BY n')
  const pipelines = new Pipelines({
    warehouse,
    registry: new JobRegistry({ state, now: Date.now }),
    jobs: new JobStore(state),
    log: new OperationLog(state),
    tables,
    preservation: 'NONE',
    newJobId: () => 'job_original',
    now: Date.now,
    logger: createLogger({ level: 'silent' }),
  })
  await pipelines.register(DEFINITION, signal)
  const { id: original } = await pipelines.run((await pipelines.create('daily', {}, signal)).id, {}, signal)
  const count = async (sql: string) => Number((await warehouse.readOwn({ sql, database: 'clew' }, signal)).rows[0]?.[0])
  return {
    pipelines,
    original,
    setEndless: isEndless => write(isEndless ? 'INSERT INTO p_load SELECT number FROM numbers(100000)' : 'TRUNCATE TABLE p_load'),
    busy: () => count("SELECT count() FROM system.processes WHERE query LIKE 'CREATE TABLE%sipHash64(a.n%'"),
    seenSince: time =>
      count(`SELECT count() FROM jobs FINAL WHERE replay_of != '' AND status = 'RUNNING' AND seen_at > '${timeText(time)}'`),
    countReplays: (status, reason) =>
      count(
        `SELECT count() FROM jobs FINAL WHERE replay_of != '' AND status = '${status}' ${reason === undefined ? '' : `AND reason = '${reason}'`}`,
      ),
  }
}
