import { z } from 'zod'
import { onOneLine } from '../clickhouse/catalog/plain-text.ts'
import type { ColumnLineage } from '../clickhouse/column-lineage/column-lineage.ts'
import { inParts } from './in-parts.ts'
import { readFacet, writeFacet } from './lineage/column-lineage-facet.ts'
import { fencedRevision, type StateDatabase, timeSchema, timeText } from './state-database.ts'

/** A table by its whole name. */
export interface TableName {
  readonly database: string
  readonly name: string
}

/** What one operation of a job did. Any runner may write such rows: docs/operation-log.md. */
export interface OperationLogEntry {
  readonly jobId: string
  readonly taskId: string
  readonly operationId: string
  readonly kind: (typeof KINDS)[number]
  /** Its readable name. */
  readonly operation: string
  readonly result: TableName
  /** The tables that it read, by the role that each plays in its template. */
  readonly inputs: readonly { readonly role: string; readonly table: TableName }[]
  readonly template: string
  /** What ran. */
  readonly sql: string
  /** Which input columns feed those of the result, where that is known. */
  readonly columnLineage?: ColumnLineage | undefined
  /** Every table that the SQL reads; undefined where that is not certain. */
  readonly reads?: readonly TableName[] | undefined
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly rows: number
  readonly bytes: number
  /** Empty where it succeeded. */
  readonly error: string
}

const KINDS = ['input', 'operation', 'target'] as const
/** Bounds one run's entries. Clew's own runs have 200 operations at most. */
const MOST_ENTRIES = 2_000
/** Bounds a template or SQL. Clew's own have 64 KB at most. */
const MOST_CHARACTERS = 100_000
/** Bounds a name that people know. */
const MOST_OF_A_NAME = 200
/** A UInt64; beyond 2^53 roughly. */
const countSchema = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(Number)
const rowSchema = z.object({
  job_id: z.string(),
  task_id: z.string(),
  operation_id: z.string(),
  kind: z.enum(KINDS),
  operation: z.string(),
  result_database: z.string(),
  result_table: z.string(),
  inputs: z.array(z.object({ role: z.string(), database: z.string(), name: z.string() })),
  template: z.string(),
  sql: z.string(),
  column_lineage: z.string(),
  reads: z.string(),
  started_at: timeSchema,
  finished_at: timeSchema,
  rows: countSchema,
  bytes: countSchema,
  error: z.string(),
})
const entrySchema = rowSchema.transform(
  (row): OperationLogEntry => ({
    jobId: row.job_id,
    taskId: row.task_id,
    operationId: row.operation_id,
    kind: row.kind,
    operation: onOneLine(row.operation, MOST_OF_A_NAME),
    result: { database: row.result_database, name: row.result_table },
    inputs: row.inputs.map(({ role, ...table }) => ({ role: onOneLine(role, MOST_OF_A_NAME), table })),
    template: row.template,
    sql: row.sql,
    columnLineage: readFacet(row.column_lineage),
    reads: readTables(row.reads),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    rows: row.rows,
    bytes: row.bytes,
    error: row.error,
  }),
)

const readsSchema = z.array(z.object({ database: z.string().min(1), name: z.string().min(1) }))

/** Another runner may have written anything: undefined where it is not such a list. */
function readTables(text: string): readonly TableName[] | undefined {
  try {
    return readsSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const LONG = new Set(['template', 'sql', 'error'])
const resultsSchema = z.object({ job_id: z.string(), tables: z.array(z.string()) })

/** What the operations of jobs read and wrote. Methods throw WarehouseError. */
export class OperationLog {
  readonly #state: StateDatabase

  constructor(state: StateDatabase) {
    this.#state = state
  }

  /**
   * Writes an entry; one with the same job and id is replaced, unless a later runner of the job has written it.
   * @param runner the job's revision with which the runner began
   */
  async write(entry: OperationLogEntry, runner: number, signal: AbortSignal): Promise<void> {
    const row = {
      job_id: entry.jobId,
      task_id: entry.taskId,
      operation_id: entry.operationId,
      kind: entry.kind,
      operation: entry.operation,
      result_database: entry.result.database,
      result_table: entry.result.name,
      inputs: entry.inputs.map(({ role, table }) => ({ role, ...table })),
      template: entry.template,
      sql: entry.sql,
      column_lineage: writeFacet(entry.columnLineage),
      reads: entry.reads === undefined ? '' : JSON.stringify(entry.reads),
      started_at: timeText(entry.startedAt),
      finished_at: timeText(entry.finishedAt),
      rows: entry.rows,
      bytes: entry.bytes,
      error: entry.error,
      revision: fencedRevision(runner, entry.finishedAt.getTime()),
    }
    await this.#state.insert('operation_log', [row], signal)
  }

  /** The entries of a job in the order in which they ended; of more than 2,000 the last ones. What is no entry by the contract is passed over. */
  async ofJob(jobId: string, signal: AbortSignal): Promise<readonly OperationLogEntry[]> {
    const columns = Object.keys(rowSchema.shape).map(name =>
      LONG.has(name) ? `leftUTF8(${name}, ${MOST_CHARACTERS}) AS ${name}` : name,
    )
    const sql = `SELECT ${columns.join(', ')} FROM operation_log FINAL WHERE job_id = {job:String} AND kind IN {kinds:Array(String)}
      ORDER BY finished_at DESC, operation_id DESC LIMIT ${MOST_ENTRIES}`
    return (await this.#state.select(entrySchema, sql, { job: jobId, kinds: KINDS }, signal)).toReversed()
  }

  /** The latest run of another runner that has published a target of this name: as people know it, or as the table is called. */
  async latestFor(target: string, signal: AbortSignal): Promise<string | undefined> {
    const names = 'operation, result_table, concat(result_database, {dot:String}, result_table)'
    const sql = `SELECT job_id FROM operation_log WHERE kind = 'target' AND has([${names}], {name:String}) AND job_id NOT IN (SELECT id FROM jobs)
      ORDER BY finished_at DESC, job_id LIMIT 1`
    const [row] = await this.#state.select(z.object({ job_id: z.string() }), sql, { name: target, dot: '.' }, signal)
    return row?.job_id
  }

  /** The names of the tables that operations of these jobs have filled, by job. */
  async resultsOf(jobIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const sql =
      "SELECT job_id, groupArray(result_table) AS tables FROM operation_log FINAL WHERE job_id IN {jobs:Array(String)} AND error = '' GROUP BY job_id"
    const rows = await inParts(jobIds, jobs => this.#state.select(resultsSchema, sql, { jobs }, signal))
    return new Map(rows.map(({ job_id: job, tables }) => [job, new Set(tables)]))
  }
}
