import type { GraphPicture } from '../picture.ts'
import type { CitationReport } from '../run-result.ts'
import type { Evidence } from './evidence.ts'
import type { InputDrift } from './input-drift.ts'
import type { ToolErrorKind } from './tool-result.ts'

export interface ToolCallReport {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly ok: boolean
  readonly error_kind: ToolErrorKind | null
  readonly duration_ms: number
}

/** What an investigation returns; `clew lineage --json` prints it as it is. */
export interface LineageResult {
  readonly job: string
  readonly job_id: string
  /** 2 where the job was repeated. */
  readonly tier: 1 | 2
  /** Markdown. */
  readonly answer: string
  /** The answer's first line as plain text. */
  readonly root_cause: string
  /** The label of the table in which the fault is; null where the model names none that the graph has. */
  readonly suspected_table: string | null
  /** What the answer cites. */
  readonly evidence: readonly Evidence[]
  readonly tool_calls: readonly ToolCallReport[]
  readonly replay: {
    readonly reason: string
    readonly original_job_id: string
    readonly replayed_job_id: string
    readonly drift: Readonly<Record<string, InputDrift>>
  } | null
  readonly rounds: number
  readonly citations: CitationReport
  /** The run's tables, as they are drawn. */
  readonly graph: GraphPicture | null
}
