import type { TestEngine } from './engine.ts'

/** The id of the run in the other program. */
export const FOREIGN_RUN = 'scheduled__2026-03-01T06:00:00+00:00'

/** Writes a run of another program: its tables, and its rows in the operation log, in the form of docs/operation-log.md. */
export async function writeForeignRun({ warehouse }: TestEngine, signal: AbortSignal): Promise<void> {
  const at = { started_at: '2026-03-01 06:00:00.000', finished_at: '2026-03-01 06:00:02.500' }
  const table = (database: string, name: string, role: string) => ({ role, database, name })
  const entries = [
    {
      task_id: 'clean',
      operation_id: '1',
      kind: 'operation',
      operation: 'clean trips',
      result_database: 'staging',
      result_table: 'trips_clean',
      inputs: [table('bikes', 'trips', 'trips')],
      template: "SELECT * FROM {{ trips }} WHERE bike != ''",
      sql: "SELECT * FROM bikes.trips WHERE bike != ''",
      rows: 2,
    },
    {
      task_id: 'publish',
      operation_id: '2',
      kind: 'target',
      operation: 'trips per bike',
      result_database: 'bikes',
      result_table: 'trips_per_bike',
      inputs: [table('staging', 'trips_clean', 'clean')],
      template: '',
      sql: 'SELECT bike, count() AS trips FROM staging.trips_clean GROUP BY bike',
      rows: 1,
    },
    // This row breaks the rules of docs/operation-log.md, so Clew skips it.
    {
      ...{ task_id: '', operation_id: '3', kind: 'note', operation: '', result_database: '', result_table: '', inputs: [] },
      ...{ template: '', sql: '', rows: 0 },
    },
  ]
  const lines = entries.map(entry =>
    JSON.stringify({ job_id: FOREIGN_RUN, ...entry, ...at, bytes: '18446744073709551615', error: '', revision: 1 }),
  )
  for (const sql of [
    'CREATE DATABASE bikes',
    'CREATE DATABASE staging',
    'CREATE TABLE bikes.trips (bike String, minutes UInt32) ENGINE = MergeTree ORDER BY bike',
    "INSERT INTO bikes.trips VALUES ('B1', 10), ('B1', 20), ('', 30)",
    "CREATE TABLE staging.trips_clean ENGINE = MergeTree ORDER BY bike AS SELECT * FROM bikes.trips WHERE bike != ''",
    'CREATE TABLE bikes.trips_per_bike ENGINE = MergeTree ORDER BY bike AS SELECT bike, count() AS trips FROM staging.trips_clean GROUP BY bike',
    `INSERT INTO clew.operation_log FORMAT JSONEachRow\n${lines.join('\n')}`,
  ])
    await warehouse.write({ sql, database: 'default' }, signal)
}
