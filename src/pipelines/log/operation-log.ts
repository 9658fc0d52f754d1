import { z } from 'zod'
import type { ColumnLineage } from '../../warehouse/column-lineage.ts'
import type { TableName } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { readFacet, writeFacet } from '../lineage/column-lineage-facet.ts'
import { queryInParts } from '../query-in-parts.ts'
import { fencedRevision, type StateDatabase, timeSchema, timeText } from '../state-database.ts'

/** One operation in the operation log. Any program may write such entries, as described in docs/operation-log.md. */
export interface OperationLogEntry {
  readonly jobId: string
  readonly taskId: string
  readonly operationId: string
  readonly kind: (typeof KINDS)[number]
  /** The name of the operation for people. */
  readonly operation: string
  readonly result: TableName
  /** The tables that the operation read. `role` is the input's name in the SQL template: `orders` for `{{ orders }}`. */
  readonly inputs: readonly { readonly role: string; readonly table: TableName }[]
  readonly template: string
  /** The SQL that was executed. */
  readonly sql: string
  /** For each result column, the columns from which it is made. Undefined if unknown. */
  readonly columnLineage?: ColumnLineage | undefined
  /** All tables that the SQL reads. Undefined if they are uncertain. */
  readonly reads?: readonly TableName[] | undefined
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly rows: number
  readonly bytes: number
  /** The error message. Empty if the operation succeeded. */
  readonly error: string
}

const KINDS = ['input', 'operation', 'target'] as const
/** Parses a UInt64 that is written in digits. Above 2^53, the number is rounded. */
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
    operation: onOneLine(row.operation, PIPELINES_LIMITS.nameCharacters),
    result: { database: row.result_database, name: row.result_table },
    inputs: row.inputs.map(({ role, ...table }) => ({ role: onOneLine(role, PIPELINES_LIMITS.nameCharacters), table })),
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

/** Parses a list of tables in JSON. Returns undefined for any other text, because another program may have written it. */
function readTables(text: string): readonly TableName[] | undefined {
  try {
    return readsSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const LONG = new Set(['template', 'sql', 'error'])
const resultsSchema = z.object({ job_id: z.string(), tables: z.array(z.string()) })

const otherRunSchema = z.object({
  job_id: z.string(),
  target: z.string().transform(target => onOneLine(target, PIPELINES_LIMITS.nameCharacters)),
  started: timeSchema,
  finished: timeSchema,
  status: z.string(),
})

/** Stores the entries of the operation log. Methods throw WarehouseError. */
export class OperationLog {
  readonly #state: StateDatabase

  constructor(state: StateDatabase) {
    this.#state = state
  }

  /**
   * Writes an entry. It replaces an earlier entry with the same job and operation id, unless a later runner wrote that entry.
   * @param runner the job's revision when the runner began
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

  /**
   * Returns the last 2,000 entries of a job at most, in the order in which the operations ended. Skips entries that do not follow
   * docs/operation-log.md.
   */
  async ofJob(jobId: string, signal: AbortSignal): Promise<readonly OperationLogEntry[]> {
    const columns = Object.keys(rowSchema.shape).map(name =>
      LONG.has(name) ? `leftUTF8(${name}, ${PIPELINES_LIMITS.sqlCharacters}) AS ${name}` : name,
    )
    const sql = `SELECT ${columns.join(', ')} FROM operation_log FINAL WHERE job_id = {job:String} AND kind IN {kinds:Array(String)}
      ORDER BY finished_at DESC, operation_id DESC LIMIT ${PIPELINES_LIMITS.logEntries}`
    return (await this.#state.select(entrySchema, sql, { job: jobId, kinds: KINDS }, signal)).toReversed()
  }

  /**
   * Finds the latest run of another program that filled this target.
   * @param target the target's name for people, or its table name
   * @returns the run's id
   */
  async latestFor(target: string, signal: AbortSignal): Promise<string | undefined> {
    const names = 'operation, result_table, concat(result_database, {dot:String}, result_table)'
    const sql = `SELECT job_id FROM operation_log WHERE kind = 'target' AND has([${names}], {name:String}) AND job_id NOT IN (SELECT id FROM jobs)
      ORDER BY finished_at DESC, job_id LIMIT 1`
    const [row] = await this.#state.select(z.object({ job_id: z.string() }), sql, { name: target, dot: '.' }, signal)
    return row?.job_id
  }

  /** Lists the latest runs of other programs that filled this target, or the latest one for each target. The newest is first. */
  otherRuns(target: string | undefined, signal: AbortSignal): Promise<readonly z.infer<typeof otherRunSchema>[]> {
    const published = "countIf(kind = 'target' AND error = '') > 0"
    const sql = `SELECT job_id, anyIf(operation, kind = 'target') AS target, min(started_at) AS started, max(finished_at) AS finished,
        multiIf(${published}, 'COMPLETED', countIf(error != '') > 0, 'FAILED', 'no target logged') AS status
      FROM operation_log FINAL WHERE job_id NOT IN (SELECT id FROM jobs) GROUP BY job_id
      HAVING target != '' AND {target:String} IN ('', target)
      ORDER BY finished DESC, job_id ${target === undefined ? 'LIMIT 1 BY target' : ''} LIMIT ${PIPELINES_LIMITS.listedRuns}`
    return this.#state.select(otherRunSchema, sql, { target: target ?? '' }, signal)
  }

  /** For each of these jobs, returns the names of the tables that the job's operations filled. */
  async resultsOf(jobIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const sql =
      "SELECT job_id, groupArray(result_table) AS tables FROM operation_log FINAL WHERE job_id IN {jobs:Array(String)} AND error = '' GROUP BY job_id"
    const rows = await queryInParts(jobIds, jobs => this.#state.select(resultsSchema, sql, { jobs }, signal))
    return new Map(rows.map(({ job_id: job, tables }) => [job, new Set(tables)]))
  }
}
