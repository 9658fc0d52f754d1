import type { RunResult } from '../../src/agent/run/result.ts'

/** Returns the result of a run without queries. `given` replaces parts of it. */
export function runResult(given: Partial<RunResult>): RunResult {
  return {
    run_id: 'run_1',
    intent: 'data_analysis',
    standalone_question: 'How many?',
    answer: 'Sixty [Q1].',
    language: 'en',
    confidence: null,
    confidence_reason: null,
    note: '',
    interrupt: null,
    queries: [],
    chart: null,
    citations: null,
    figures: [],
    draft: null,
    steps: [],
    ...given,
  }
}
