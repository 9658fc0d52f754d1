import type { QueryReport } from '../../src/agent/run/result.ts'

/** Returns the report of a successful query. `given` replaces parts of it. */
export function queryReport(given: Partial<QueryReport>): QueryReport {
  return {
    id: 'Q1',
    question: 'How many devices are there per metro?',
    sql: 'SELECT 1',
    tables: [],
    explanation: 'Counts devices per metro.',
    assumptions: [],
    deciding_assumptions: [],
    columns: [],
    rows: [],
    row_count: given.rows?.length ?? 0,
    truncated: false,
    attempts: 1,
    error: null,
    elapsed_ms: 3,
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
