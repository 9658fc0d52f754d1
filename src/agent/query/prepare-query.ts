import { overBudget } from '../../warehouse/cost/budget.ts'
import type { CostEstimate } from '../../warehouse/cost/estimate.ts'
import { estimateByCatalog } from '../../warehouse/cost/estimate-by-catalog.ts'
import { WarehouseError, type WarehouseErrorKind } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type { AllowedQuery, MultipliedRows, ValidationVerdict } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { scopeOfSchema } from '../../warehouse/scope-of-schema.ts'
import type { Scan } from '../planning/scan.ts'
import type { CheckContext } from '../run/context.ts'
import type { ExecutionOutcome } from './execution-outcome.ts'
import { withoutUnaskedLimit } from './unasked-limit.ts'

/** SQL from a model, with its context. */
export interface WrittenQuery {
  readonly schema: Schema
  readonly id: string
  readonly attempt: number
  readonly sql: string
  /**
   * The texts that may ask for a number of rows. A high LIMIT is removed if its number is in none of them. If absent, no LIMIT is
   * removed.
   */
  readonly asked?: readonly string[]
  /** The promised result, if the query belongs to a plan over several sources. Absent for other queries. */
  readonly scan?: Scan
  /** Whether a person has verified the query. */
  readonly isVerified?: boolean
  /** Whether the person has allowed the query to exceed the budget. */
  readonly isConfirmed: boolean
  /** The wider query, which was too expensive and is not run again. The narrower query must not read other tables. */
  readonly tooExpensive: { readonly canonical: string; readonly tables: readonly string[] | null } | null
}

/** The result of all checks before a query runs. */
export type PreparedQuery =
  | {
      readonly kind: 'ready'
      readonly allowed: AllowedQuery
      readonly estimate: CostEstimate | null
      /** Why the check was skipped. Null if the query was checked. */
      readonly unchecked: string | null
      readonly doubt: MultipliedRows | undefined
    }
  | Exclude<ExecutionOutcome, { readonly kind: 'succeeded' }>

/** The message to a model that returns the same query again, even if it is spelt differently. */
const SAME_QUERY = 'This is the query that was too expensive, unchanged: return one that reads less.'

/** Messages in the log about problems that an operator must fix. The person reads other sentences. */
const ALARMS: Readonly<Partial<Record<WarehouseErrorKind, string>>> = {
  authentication: 'the server does not accept the credentials',
  denied: 'the server denied what the guard allowed',
  broken: 'the server cannot read its own data',
}

/**
 * Passes SQL through the guard, and checks its names, types and cost. The query itself does not run.
 * @throws WarehouseError of kind `cancelled` only
 */
export async function prepareQuery(context: CheckContext, query: WrittenQuery, signal: AbortSignal): Promise<PreparedQuery> {
  const { guard, databases, budget } = context
  let allowed: AllowedQuery | undefined
  try {
    const verdict = await guard.check(query.sql, scopeOfSchema(query.schema, databases), signal)
    if (verdict.verdict === 'reject') {
      const { code, message, near = [] } = verdict
      return { kind: 'rejected', code, message, near }
    }
    allowed = query.asked === undefined ? verdict : withoutUnaskedLimit(verdict, query.asked)
    const { canonical, tables } = allowed
    if (canonical === query.tooExpensive?.canonical)
      return { kind: 'rejected', code: 'same_query', message: SAME_QUERY, near: [] }
    const other = otherTable(allowed, query.tooExpensive)
    if (other !== undefined) return { kind: 'rejected', code: 'other_tables', message: otherTables(other), near: [] }
    const checked = await validate(context, { ...query, query: allowed }, signal)
    if (checked.verdict === 'invalid') {
      const { kind, message, suggestions: near, unknownColumn } = checked
      return { kind: 'failed', error: kind, message, canonical, tables, estimate: null, near, unknownColumn }
    }
    const estimate = checked.cost.verdict === 'estimated' ? checked.cost.estimate : null
    const doubt = checked.verdict === 'valid' && query.isVerified !== true ? checked.doubt : undefined
    // The doubt is raised only at the first attempt. A model that then repeats its query may know better than the statistics.
    if (doubt !== undefined && query.attempt === 1) {
      return { kind: 'failed', error: 'query', message: doubt.message, canonical, tables, estimate, near: [] }
    }
    const known = estimate ?? estimateByCatalog(tables, query.schema)
    const excess = query.isConfirmed ? null : overBudget(known, budget)
    if (excess !== null) return { kind: 'costly', excess, canonical, tables, estimate: known }
    const unchecked = checked.verdict === 'unchecked' ? checked.reason : null
    return { kind: 'ready', allowed, estimate, unchecked, doubt: doubt?.found }
  } catch (error) {
    return failedQuery(context, query, { allowed, estimate: null }, error)
  }
}

/**
 * Turns a warehouse error into an outcome.
 * @throws WarehouseError of kind `cancelled`, and any error that is not a WarehouseError
 */
export function failedQuery(
  { logger, log, validator }: CheckContext,
  { sql, schema }: WrittenQuery,
  { allowed, estimate }: { readonly allowed: AllowedQuery | undefined; readonly estimate: CostEstimate | null },
  error: unknown,
): Extract<ExecutionOutcome, { readonly kind: 'failed' }> {
  if (!(error instanceof WarehouseError) || error.kind === 'cancelled') throw error
  const { route } = ERROR_ROUTES[error.kind]
  const alarm = ALARMS[error.kind]
  if (alarm !== undefined) logger.error({ err: error, sql, run: log.runId }, alarm)
  if (route === 'wait') logger.warn({ err: error, run: log.runId }, 'the server could not serve a query')
  const { message, suggestions: near, unknownColumn } = validator.explain(error, allowed, schema)
  const { canonical, tables } = allowed ?? { canonical: '', tables: null }
  return { kind: 'failed', error: error.kind, message, canonical, tables, estimate, near, unknownColumn }
}

/**
 * Returns a table that only the narrower query reads. With it, the narrower query would answer another question, so it is
 * refused.
 */
function otherTable({ tables }: AllowedQuery, wider: WrittenQuery['tooExpensive']): string | undefined {
  const allowed = wider?.tables
  return allowed == null ? undefined : tables.find(table => !allowed.includes(table))
}

function otherTables(table: string): string {
  return `The query that was too expensive does not read ${table}: return one that reads less of the same tables.`
}

/**
 * Checks the names, types and cost of a query that the guard allows, as a traced step. The check takes milliseconds. Its result
 * is not checkpointed, because a resumed run must check against the current schema.
 * @throws WarehouseError of kind `cancelled` only
 */
async function validate(
  { log, validator, budget }: CheckContext,
  {
    schema,
    id,
    attempt,
    query,
    isConfirmed,
  }: {
    readonly schema: Schema
    readonly id: string
    readonly attempt: number
    readonly query: AllowedQuery
    readonly isConfirmed: boolean
  },
  signal: AbortSignal,
): Promise<ValidationVerdict> {
  const isAffordable = (cost: CostEstimate) => isConfirmed || overBudget(cost, budget) === null
  return log.trace({ step: 'validate', query: id, attempt }, { sql: query.canonical }, signal, async trace => {
    const checked = await validator.check(query, { schema, isAffordable }, signal)
    if (checked.verdict !== 'invalid' && checked.cost.verdict === 'unestimated')
      trace.failure(`Without an estimate of its cost: ${checked.cost.reason}`, 'unestimated')
    return checked
  })
}
