import { z } from 'zod'
import { plainReport } from '../run/plain-report.ts'
import { columnsSchema, type QueryReport, rowsSchema } from '../run/result.ts'

/** Rows that an investigation has read and may cite, for example as [E1]. */
export const evidenceSchema = z.object({
  id: z.string(),
  /** The labels of the tables that the query read, as one text. */
  table: z.string(),
  sql: z.string(),
  columns: columnsSchema,
  rows: rowsSchema,
  /** Whether the query has more rows than `rows` contains. */
  truncated: z.boolean(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** Returns evidence in the form of a query report, as the checks of an answer need it. */
export function asQuery({ table, ...evidence }: Evidence): QueryReport {
  // Access rules do not name a job's own tables, so the tables are left unknown. Then only a person with all rights of the asker
  // may see these rows.
  return plainReport({ ...evidence, question: `rows of ${table}` })
}
