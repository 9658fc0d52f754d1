import { z } from 'zod'
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
export function asQuery({ id, sql, columns, rows, truncated, table }: Evidence): QueryReport {
  return {
    id,
    question: `rows of ${table}`,
    sql,
    // Access rules do not name a job's own tables, so the tables are given as unknown. Then only a person with all rights of the
    // asker may see these rows.
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
