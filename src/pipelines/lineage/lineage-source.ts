import type { OperationLogEntry, TableName } from '../operation-log.ts'

/** One run of a pipeline, as whoever ran it tells: nothing of it is shown but by `SeenRun`. */
export interface LoggedRun {
  readonly id: string
  /** The pipeline's name; where the log alone tells of the run, that of its target. */
  readonly job: string
  readonly status: string
  /** Undefined where the log alone tells of the run. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  /** Whether Clew has its definition, and so can run it again. */
  readonly isRepeatable: boolean
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  /** Empty where it succeeded. */
  readonly error: string
}

/** The work of one operation of a run, likewise. */
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

/** A table as it stands now. */
export interface LiveTable {
  readonly rows: number
  /** The run whose rows it holds, where that is known. */
  readonly runId: string | undefined
  /** Whether its rows are its own; else it is a view or the like, and reads others. */
  readonly holdsRows: boolean
}

/** Where lineage comes from: the log of a runner of pipelines. Methods throw WarehouseError. */
export interface LineageSource {
  /** A run by its id, or the latest of a pipeline by name; else the names that there are, and those that are like it or, where it has not run yet, the very name. */
  findRun(
    jobOrId: string,
    signal: AbortSignal,
  ): Promise<{ readonly run: LoggedRun } | { readonly near: readonly string[]; readonly names: readonly string[] }>
  operations(runId: string, signal: AbortSignal): Promise<readonly LoggedOperation[]>
  /** Those of the tables that are there, by `database.table`. */
  liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>>
}
