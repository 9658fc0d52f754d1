import type { TableName } from '../../warehouse/schema.ts'
import type { OperationLogEntry } from '../log/operation-log.ts'

/** One run of a pipeline, as its log describes it. Only `SeenRun` is allowed to show any of it to people or models. */
export interface LoggedRun {
  readonly id: string
  /** The name of the pipeline. For a run that another program logged, the name of the published table. */
  readonly job: string
  readonly status: string
  /** The arguments of the run. Undefined for a run that another program logged. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  /** Whether Clew has the definition of this pipeline. Without it, Clew cannot repeat the run. */
  readonly isRepeatable: boolean
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  /** The error message of the run. Empty if the run succeeded. */
  readonly error: string
}

/** A run in a list of runs. It tells nothing of the run's tables, but only `SeenRun` decides who may see that it exists. */
export type ListedRun = Omit<LoggedRun, 'arguments' | 'error'> & {
  /** The id of the run that this one repeats. Undefined if it is no replay. */
  readonly replayOf: string | undefined
}

/** Lists the latest runs of a job with its replays, or the latest run of each job. The newest is first. Throws WarehouseError. */
export type ListRuns = (job: string | undefined, signal: AbortSignal) => Promise<readonly ListedRun[]>

/** One logged operation of a run. Only `SeenRun` is allowed to show any of it to people or models. */
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
  /** Undefined for a view or the like, whose rows would have to be counted. */
  readonly rows: number | undefined
  /** The id of the run that wrote the table's rows. Undefined if unknown. */
  readonly runId: string | undefined
  /** False for a view or a similar table that stores no rows but reads other tables. */
  readonly holdsRows: boolean
}

/** No run was found. */
interface NoRun {
  readonly near: readonly string[]
  readonly names: readonly string[]
}

/** A source of facts about runs, such as the operation log. Methods throw WarehouseError. */
export interface LineageSource {
  /**
   * Finds a run by its id, or the latest run of a pipeline by the pipeline's name. If there is none, returns the names of all
   * pipelines, and the similar names in `near`. If the pipeline exists but has never run, `near` contains only its name.
   * A run that another program logged is also found by the name of its table. `ifHidden` is the answer for those who may not know
   * of that table.
   */
  findRun(jobOrId: string, signal: AbortSignal): Promise<{ readonly run: LoggedRun; readonly ifHidden?: NoRun } | NoRun>
  operations(runId: string, signal: AbortSignal): Promise<readonly LoggedOperation[]>
  /** Returns the tables that still exist, keyed by `database.table`. Tables that were dropped are missing in the result. */
  liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>>
}
