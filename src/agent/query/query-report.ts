import { AGENT_LIMITS } from '../limits.ts'
import { boundedAssumptions } from '../notes/deciding-assumptions.ts'
import type { Scan } from '../planning/scan.ts'
import type { RunObserver } from '../run/event.ts'
import { plainReport } from '../run/plain-report.ts'
import type { FailedAttempt, QueryReport, UnexplainedQuery } from '../run/result.ts'
import { resultTable } from '../write/result-table.ts'
import { isEmptyResult } from './empty-result.ts'
import type { SucceededOutcome } from './execution-outcome.ts'
import type { SqlDraft } from './generate.ts'
import type { Narrowing } from './narrowing.ts'

export interface AskedQuery {
  readonly id: string
  /** The person's question, and the data question that this query answers. */
  readonly question: string
  readonly dataQuestion: string
  /** The promised result, if the query belongs to a plan over several sources. Absent for other queries. */
  readonly scan?: Scan
}

/** Reports a successful query as soon as its rows have arrived. */
export function reportRows(
  observe: RunObserver,
  { id, dataQuestion }: AskedQuery,
  outcome: SucceededOutcome,
  failed: readonly FailedAttempt[],
  narrowing: Narrowing | null,
): UnexplainedQuery {
  observe({
    kind: 'query_finished',
    id,
    question: dataQuestion,
    ok: true,
    rowCount: outcome.rows.length,
    elapsedMs: outcome.elapsed_ms,
    ...(isEmptyResult({ ...outcome, error: null }) ? {} : { table: resultTable(outcome, AGENT_LIMITS.query.firstRows) }),
  })
  return {
    id,
    question: dataQuestion,
    sql: outcome.sql,
    tables: outcome.tables,
    columns: outcome.columns,
    rows: outcome.rows,
    row_count: outcome.rows.length,
    truncated: outcome.truncated,
    ...(outcome.total_rows === undefined ? {} : { total_rows: outcome.total_rows }),
    attempts: failed.length + 1,
    error: null,
    elapsed_ms: outcome.elapsed_ms,
    unchecked: outcome.unchecked,
    ...(outcome.doubt === undefined ? {} : { doubt: outcome.doubt }),
    ...(outcome.edges === undefined ? {} : { edges: outcome.edges }),
    review: null,
    look_up: [],
    narrowed: narrowing?.why ?? null,
    definitions: null,
    failed_attempts: [...failed],
  }
}

/** Adds the model's explanation to a successful query. */
export function explained(query: UnexplainedQuery, draft: SqlDraft): QueryReport {
  return { ...query, explanation: draft.explanation, ...assumptionsOf(draft), chart: draft.chart }
}

/** Reports a data question for which every query has failed. */
export function reportFailure(
  observe: RunObserver,
  { id, dataQuestion }: AskedQuery,
  failed: readonly FailedAttempt[],
  draft?: SqlDraft,
): QueryReport {
  observe({ kind: 'query_finished', id, question: dataQuestion, ok: false, rowCount: 0, elapsedMs: 0 })
  return plainReport({
    id,
    question: dataQuestion,
    sql: failed.findLast(attempt => attempt.sql !== '')?.sql ?? null,
    explanation: draft?.explanation ?? '',
    ...assumptionsOf(draft),
    attempts: failed.length,
    error: failed.at(-1)?.message ?? 'no query was written',
    failed_attempts: [...failed],
  })
}

function assumptionsOf(draft: SqlDraft | undefined): Pick<QueryReport, 'assumptions' | 'deciding_assumptions'> {
  const { assumptions = [], deciding_assumptions = [] } = draft ?? {}
  const deciding = boundedAssumptions(deciding_assumptions)
  return { assumptions: [...new Set([...deciding, ...assumptions])], deciding_assumptions: deciding }
}
