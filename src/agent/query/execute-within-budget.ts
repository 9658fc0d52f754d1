import { similarQueries } from '../../domain/similar-queries.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { confirmCost } from '../ask-back/confirm-cost.ts'
import type { Scan } from '../planning/scan.ts'
import type { PersonContext, QueryContext, QuestionContext } from '../run/context.ts'
import type { FailedAttempt } from '../run/result.ts'
import { execute } from './execute.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'
import type { SqlDraft } from './generate.ts'
import { cheaperQuestion, type Narrowing, narrowingOf } from './narrowing.ts'
import type { WrittenQuery } from './prepare-query.ts'

/** The outcome of a query after the decision about its cost. */
export type BudgetedOutcome =
  | Exclude<ExecutionOutcome, { readonly kind: 'costly' }>
  /** A valid query that is too expensive. `narrowing` is the task to write a narrower query, or null if there will be none. */
  | { readonly kind: 'expensive'; readonly attempt: FailedAttempt; readonly narrowing: Narrowing | null }

interface BudgetedOptions {
  readonly schema: Schema
  readonly id: string
  readonly question: string
  readonly dataQuestion: string
  readonly scan?: Scan
  readonly attempt: number
  readonly draft: SqlDraft
  /** Set if the draft is to narrow an earlier query. */
  readonly narrowing: Narrowing | null
  /** The outcome so far, if the query was already checked or run. */
  readonly outcome: ExecutionOutcome | null
}

/**
 * Builds a draft's query for its first run, before the person is asked about its cost. So it must be within the budget. Only if
 * the person has already allowed a query and the draft narrows it, the budget does not apply.
 */
export function unaskedQuery(
  { domain }: Pick<QuestionContext, 'domain'>,
  options: Pick<BudgetedOptions, 'schema' | 'id' | 'question' | 'dataQuestion' | 'scan' | 'attempt' | 'narrowing'>,
  sql: string,
): WrittenQuery {
  const { schema, id, question, dataQuestion, scan, attempt, narrowing } = options
  const tooExpensive = narrowing && { canonical: narrowing.canonical, tables: narrowing.tables }
  const query = { schema, id, attempt, sql, isConfirmed: narrowing?.isConfirmed ?? false, tooExpensive, ...(scan && { scan }) }
  // A narrower query keeps its LIMIT, because the LIMIT may be what makes it cheaper.
  if (narrowing !== null) return query
  return { ...query, asked: [question, ...similarQueries(dataQuestion, domain().verifiedQueries).map(({ sql: text }) => text)] }
}

/**
 * Decides what follows from a query's outcome. If the query is over the budget, the person is asked. A narrowed query runs
 * without asking: it must be within the budget, unless the person has allowed the wider query. If it is still too expensive, it
 * fails.
 * @throws WarehouseError of kind `cancelled` only; InterruptError if the person will answer later
 */
export async function executeWithinBudget(
  context: PersonContext & QuestionContext & QueryContext,
  options: BudgetedOptions,
  signal: AbortSignal,
): Promise<BudgetedOutcome> {
  const { schema, id, dataQuestion, attempt, draft, narrowing } = options
  const { sql } = draft
  const { budget, language } = context
  const adviceOn = ({ estimate }: Narrowing) => cheaperQuestion(estimate, budget, schema, language)
  if (narrowing !== null && sql.trim() === '') return notNarrowed(draft.explanation, narrowing.kind, adviceOn(narrowing))
  const query = unaskedQuery(context, options, sql)
  let { isConfirmed } = query
  let outcome = options.outcome ?? (await execute(context, query, signal))
  let isStopped = false
  if (outcome.kind === 'costly' && narrowing === null) {
    const choice = await confirmCost(context, { id, dataQuestion, attempt, costly: outcome, budget, language }, signal)
    isConfirmed = choice === 'run'
    isStopped = choice === 'stop'
    if (isConfirmed) outcome = await execute(context, { ...query, isConfirmed }, signal)
  }
  if (narrowing !== null && outcome.kind === 'rejected' && outcome.code === 'same_query') {
    return notNarrowed('no query that reads less was found', narrowing.kind, adviceOn(narrowing))
  }
  if (outcome.kind === 'succeeded' || outcome.kind === 'rejected') return outcome
  if (outcome.kind === 'failed' && ERROR_ROUTES[outcome.error].route !== 'narrow') return outcome
  const expensive = narrowingOf(outcome, { sql, isConfirmed, isNarrower: narrowing !== null })
  const kind = isStopped ? 'stopped' : expensive.kind
  return {
    kind: 'expensive',
    attempt: advised({ sql, kind, message: expensive.why, near: [] }, adviceOn(expensive)),
    narrowing: narrowing !== null || isStopped ? null : expensive,
  }
}

function notNarrowed(why: string, kind: string, advice: string | undefined): BudgetedOutcome {
  const attempt = { sql: '', kind, message: `Nothing could be left out: ${why}`, near: [] }
  return { kind: 'expensive', attempt: advised(attempt, advice), narrowing: null }
}

function advised(attempt: Omit<FailedAttempt, 'advice'>, advice: string | undefined): FailedAttempt {
  return advice === undefined ? attempt : { ...attempt, advice }
}
