import { z } from 'zod'
import { columnsSchema, type QueryReport, rowsSchema } from '../run-result.ts'

/** Rows that an investigation looked at, and cites as [E1]. */
export const evidenceSchema = z.object({
  id: z.string(),
  /** Labels of the tables that were read. */
  table: z.string(),
  sql: z.string(),
  columns: columnsSchema,
  rows: rowsSchema,
  /** There were more rows. */
  truncated: z.boolean(),
})
export type Evidence = z.infer<typeof evidenceSchema>

/** Evidence as results of queries are told. */
export function asQuery({ id, sql, columns, rows, truncated, table }: Evidence): QueryReport {
  return {
    id,
    question: `rows of ${table}`,
    sql,
    // A job's own tables are in nobody's rules: who may see their rows is judged by what the asker may.
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
