import type { FigureSource } from '../../answer-check/workings/figure-source.ts'
import type { GraphPicture } from '../../charts/picture.ts'
import type { ToolCallReport } from '../run/investigation-report.ts'
import type { CitationReport } from '../run/result.ts'
import type { Evidence } from './evidence.ts'
import type { InputDrift } from './input-drift.ts'

/** The result of an investigation. `clew lineage --json` prints it unchanged. */
export interface LineageResult {
  readonly job: string
  readonly job_id: string
  /** 2 if the job was replayed, otherwise 1. */
  readonly tier: 1 | 2
  /** Markdown. */
  readonly answer: string
  /** The first line of the answer, as plain text. */
  readonly root_cause: string
  /** The label of the table that the model calls faulty. Null if the model names no existing table. */
  readonly suspected_table: string | null
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
  /** The sources of the figures in the answer, in order of appearance. */
  readonly figures: readonly FigureSource[]
  readonly graph: GraphPicture | null
}
