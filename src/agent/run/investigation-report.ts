import type { ToolErrorKind } from '../lineage/tool-result.ts'

export interface ToolCallReport {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly ok: boolean
  readonly error_kind: ToolErrorKind | null
  readonly duration_ms: number
  /** The labels of the tables that the call is about. */
  readonly tables: readonly string[]
  /** The id of the rows that the call found, such as E1. Null if the answer does not cite them. */
  readonly evidence: string | null
}

/** The steps of an investigation, as its answer keeps them. */
export interface InvestigationReport {
  /** The run that was looked into. */
  readonly job_id: string
  /** The id of the replay. Null if the job was not run again. */
  readonly replayed_job_id: string | null
  /** The label of the table that the model calls faulty. Null if it names none. */
  readonly suspected_table: string | null
  readonly tool_calls: readonly ToolCallReport[]
}
