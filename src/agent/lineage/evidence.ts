import { z } from 'zod'
import { columnsSchema, type QueryReport, rowsSchema } from '../run/result.ts'

/** Rows that an investigation read and may cite, e.g. as [E1]. */
export const evidenceSchema = z.object({
  id: z.string(),
  /** Labels of the tables read. */
  table: z.string(),
  sql: z.string(),
  columns: columnsSchema,
  rows: rowsSchema,
  /** There are more rows. */
  truncated: z.boolean(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** Converts evidence into a query report. */
export function asQuery({ id, sql, columns, rows, truncated, table }: Evidence): QueryReport {
  return {
    id,
    question: `rows of ${table}`,
    sql,
    // No rules name a job's own tables, so access is judged by all of the asker's rights.
    tables: null,
    explanation: `rows of ${table}`,
    assumptions: [],
    deciding_assumptions: [],
    columns,
    rows,
    row_count: rows.length,
    truncated,
    attempts: 1,
    error: null,
    elapsed_ms: 0,
    unchecked: null,
    review: null,
    look_up: [],
    narrowed: null,
    definitions: null,
    chart: null,
    failed_attempts: [],
  }
}
