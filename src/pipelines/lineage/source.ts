import type { TableName } from '../../warehouse/schema.ts'
import type { OperationLogEntry } from '../log/operation-log.ts'

/** One run as its runner reports it. Only `SeenRun` may show parts of it. */
export interface LoggedRun {
  readonly id: string
  /** The pipeline's name. If only the log knows the run, its target's name. */
  readonly job: string
  readonly status: string
  /** Undefined if only the log knows the run. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined
  /** Whether Clew has its definition and can repeat it. */
  readonly isRepeatable: boolean
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  /** Empty if it succeeded. */
  readonly error: string
}

/** One operation of a run. Only `SeenRun` may show parts of it. */
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

/** The current state of a table. */
export interface LiveTable {
  readonly rows: number
  /** The run whose rows it holds, if known. */
  readonly runId: string | undefined
  /** False for a view or similar, which reads other tables. */
  readonly holdsRows: boolean
}

/** The source of lineage: a runner's log. Methods throw WarehouseError. */
export interface LineageSource {
  /** Finds a run by id, or a pipeline's latest by name. Otherwise returns all names and similar ones, or this name if it has not run yet. */
  findRun(
    jobOrId: string,
    signal: AbortSignal,
  ): Promise<{ readonly run: LoggedRun } | { readonly near: readonly string[]; readonly names: readonly string[] }>
  operations(runId: string, signal: AbortSignal): Promise<readonly LoggedOperation[]>
  /** Returns the tables that exist, by `database.table`. */
  liveTables(tables: readonly TableName[], signal: AbortSignal): Promise<ReadonlyMap<string, LiveTable>>
}
