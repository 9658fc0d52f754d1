import { z } from 'zod'
import { TOOL_ERROR_KINDS } from '../lineage/tool-result.ts'

const toolCallReportSchema = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  ok: z.boolean(),
  error_kind: z.enum(TOOL_ERROR_KINDS).nullable(),
  duration_ms: z.number(),
  /** The labels of the tables that the call is about. */
  tables: z.array(z.string()).readonly(),
  /** The id of the rows that the call found, such as E1. Null if the answer does not cite them. */
  evidence: z.string().nullable(),
})
export type ToolCallReport = z.infer<typeof toolCallReportSchema>

/** The steps of an investigation, as its answer and the record of the answer keep them. */
export const investigationReportSchema = z.object({
  job: z.string(),
  job_id: z.string(),
  /** The id of the replay. Null if the job was not run again. */
  replayed_job_id: z.string().nullable(),
  /** The label of the table that the model calls faulty. Null if it names none. */
  suspected_table: z.string().nullable(),
  tool_calls: z.array(toolCallReportSchema).readonly(),
})
export type InvestigationReport = z.infer<typeof investigationReportSchema>
