import type { QueryReport } from './result.ts'

/** Returns a report that tells nothing but what is given. */
export function plainReport(given: Pick<QueryReport, 'id' | 'question'> & Partial<QueryReport>): QueryReport {
  return {
    sql: null,
    tables: null,
    explanation: given.question,
    assumptions: [],
    deciding_assumptions: [],
    columns: [],
    rows: [],
    row_count: given.rows?.length ?? 0,
    truncated: false,
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
    ...given,
  }
}
