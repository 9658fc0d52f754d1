import { ERROR_ROUTES } from '../clickhouse/error-routes.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { confirmCost } from './confirm-cost.ts'
import { execute } from './execute.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'
import type { SqlDraft } from './generate.ts'
import { cheaperQuestion, type Narrowing, narrowingOf } from './narrowing.ts'
import type { WrittenQuery } from './prepare-query.ts'
import type { RunContext } from './run-context.ts'
import type { FailedAttempt } from './run-result.ts'

/** An outcome of which the cost has been dealt with. */
export type BudgetedOutcome =
  | Exclude<ExecutionOutcome, { readonly kind: 'costly' }>
  /** It was right and too expensive. `narrowing` is what its one successor is told; null where there is to be none. */
  | { readonly kind: 'expensive'; readonly attempt: FailedAttempt; readonly narrowing: Narrowing | null }

interface BudgetedOptions {
  readonly schema: Schema
  readonly id: string
  readonly dataQuestion: string
  readonly attempt: number
  readonly draft: SqlDraft
  /** What the draft was to narrow; null where it was not. */
  readonly narrowing: Narrowing | null
  /** What the query came to, unasked; null where there is none. */
  readonly outcome: ExecutionOutcome | null
}

/** The query of a draft, to be run without anybody being asked about its cost: within the budget, or where the person had a wider one run. */
export function unaskedQuery(
  { schema, id, attempt, narrowing }: Pick<BudgetedOptions, 'schema' | 'id' | 'attempt' | 'narrowing'>,
  sql: string,
): WrittenQuery {
  const tooExpensive = narrowing && { canonical: narrowing.canonical, tables: narrowing.tables }
  return { schema, id, attempt, sql, isConfirmed: narrowing?.isConfirmed ?? false, tooExpensive }
}

/**
 * Deals with what SQL that a model wrote has come to, and asks about what is over the budget. A query that is narrower already is not asked about: it runs within the
 * budget, or where the person had the wider one run. One that still is too expensive has no successor.
 * @throws WarehouseError of kind `cancelled` only; InterruptError where the person answers later
 */
export async function executeWithinBudget(
  context: RunContext,
  options: BudgetedOptions,
  signal: AbortSignal,
): Promise<BudgetedOutcome> {
  const { schema, id, dataQuestion, attempt, draft, narrowing } = options
  const { sql } = draft
  if (narrowing !== null && sql.trim() === '') return notNarrowed(context, schema, narrowing, draft.explanation)
  const query = unaskedQuery(options, sql)
  let { isConfirmed } = query
  let outcome = options.outcome ?? (await execute(context, query, signal))
  let isStopped = false
  if (outcome.kind === 'costly' && narrowing === null) {
    const choice = await confirmCost(context, { id, dataQuestion, attempt, costly: outcome }, signal)
    isConfirmed = choice === 'run'
    isStopped = choice === 'stop'
    if (isConfirmed) outcome = await execute(context, { ...query, isConfirmed }, signal)
  }
  if (narrowing !== null && outcome.kind === 'rejected' && outcome.code === 'same_query') {
    return notNarrowed(context, schema, narrowing, 'no query that reads less was found')
  }
  if (outcome.kind === 'succeeded' || outcome.kind === 'rejected') return outcome
  if (outcome.kind === 'failed' && ERROR_ROUTES[outcome.error].route !== 'narrow') return outcome
  const expensive = narrowingOf(outcome, { sql, isConfirmed, isNarrower: narrowing !== null })
  const kind = isStopped ? 'stopped' : outcome.kind === 'failed' ? outcome.error : 'cost'
  return {
    kind: 'expensive',
    attempt: advised(context, schema, expensive, { sql, kind, message: expensive.why, near: [] }),
    narrowing: narrowing !== null || isStopped ? null : expensive,
  }
}

function notNarrowed(context: RunContext, schema: Schema, narrowing: Narrowing, why: string): BudgetedOutcome {
  const attempt = { sql: '', kind: 'cost', message: `Nothing could be left out: ${why}`, near: [] }
  return { kind: 'expensive', attempt: advised(context, schema, narrowing, attempt), narrowing: null }
}

function advised(
  { deps, language }: RunContext,
  schema: Schema,
  { estimate }: Narrowing,
  attempt: Omit<FailedAttempt, 'advice'>,
): FailedAttempt {
  const advice = cheaperQuestion(estimate, deps.settings.budget, schema, language)
  return advice === undefined ? attempt : { ...attempt, advice }
}
