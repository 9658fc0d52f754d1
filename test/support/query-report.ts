import { plainReport } from '../../src/agent/run/plain-report.ts'
import type { QueryReport } from '../../src/agent/run/result.ts'

/** Returns the report of a successful query. `given` replaces parts of it. */
export function queryReport(given: Partial<QueryReport>): QueryReport {
  return plainReport({
    id: 'Q1',
    question: 'How many devices are there per metro?',
    sql: 'SELECT 1',
    tables: [],
    explanation: 'Counts devices per metro.',
    elapsed_ms: 3,
    ...given,
  })
}
