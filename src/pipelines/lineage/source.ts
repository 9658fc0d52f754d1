import type { TableName } from '../../warehouse/schema.ts'
import type { OperationLogEntry } from '../log/operation-log.ts'

/** One run, as its runner logged it. Only `SeenRun` may show any of it to people or models. */
export interface LoggedRun {
  readonly id: string
  /** The name of the pipeline. A run that only the log contains has the name of its target. */
  readonly job: string
  readonly status: string
  /** Undefined for a run that only the log contains. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  /** Whether Clew has the definition of the run, and so can repeat it. */
  readonly isRepeatable: boolean
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  /** The error of the run. Empty if it succeeded. */
  readonly error: string
}

/** One operation of a run. Only `SeenRun` may show any of it to people or models. */
export type LoggedOperation = Pick<
  OperationLogEntry,
  | 'operationId'
  | 'kind'
  | 'operation'
  | 'result'
  | 'inputs'
  | 'template'
  | 'sql'
  | 'columnLineage'
  | 'reads'
  | 'startedAt'
  | 'finishedAt'
  | 'rows'
  | 'bytes'
  | 'error'
>

export interface LiveTable {
  readonly rows: number
  /** The id of the run that wrote the table's rows. Undefined if unknown. */
  readonly runId: string | undefined
  /** False for a view and similar tables, because they only read other tables. */
  readonly holdsRows: boolean
}

/** The source of lineage: the log of a runner. Methods throw WarehouseError. */
export interface LineageSource {
  /**
   * Finds a run by its id, or a pipeline's latest run by the pipeline's name. If there is none, returns the names of all pipelines, and similar names
   * in `near`. For a pipeline that has never run, `near` contains only its name.
   */
  findRun(
    jobOrId: string,
    signal: AbortSignal,
  ): Promise<{ readonly run: LoggedRun } | { readonly near: readonly string[]; readonly names: readonly string[] }>
  operations(runId: string, signal: AbortSignal): Promise<readonly LoggedOperation[]>
  /** Returns the tables that exist, keyed by `database.table`. */
  liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>>
}
