import { errorMessage } from '../../base/errors.ts'
import type { CostEstimate, CostVerdict } from '../../warehouse/cost/estimate.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { ERROR_ROUTES } from '../../warehouse/error-routes.ts'
import type {
  AllowedQuery,
  Explanation,
  QueryText,
  QueryValidator,
  ValidationContext,
  ValidationVerdict,
} from '../../warehouse/query-validator.ts'

import { readWithin } from '../../warehouse/read-within.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { limitedToRows, type Warehouse } from '../../warehouse/warehouse.ts'
import { estimateParts } from '../cost/estimate-parts.ts'
import { estimatePlan } from '../cost/estimate-plan.ts'
import { mostByCatalog } from '../cost/most-by-catalog.ts'
import { type Planned, planQuery } from '../cost/plan-query.ts'
import { runsWhilePlanned } from '../cost/runs-while-planned.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { ParsedQuery } from '../parsed-query.ts'
import { SERVER_CODES } from '../server-codes.ts'
import { plainSentence } from '../server-failure.ts'
import { explainFailure } from './explain-failure.ts'
import { findHiddenColumn } from './hidden-column.ts'
import { doubtOfMultipliedRows } from './multiplied-rows.ts'

const TOO_LONG = 'the check took too long'

/**
 * Lets the engine plan the exact text that would run. Planning resolves names, types and aggregates as a run does, but reads no
 * table. The plan shows the tables and columns that a run would read. In a test with 2,000 random queries (26.7), planning
 * refused every query that `DESCRIBE` refused, with the same message. Planning also finds later faults, such as wrong types of
 * JOIN keys.
 *
 * Planning runs scalar subqueries, so it has a time limit. If a query has such subqueries, two further requests run at the same
 * time: a check of names and types alone, and an estimate of the cost of each part. Neither runs the subqueries. Their results
 * are used only if planning takes too long.
 *
 * Without such subqueries, planning is slow only for tables with thousands of parts. Then names and types are also checked alone.
 * If the catalog shows that the cost is low enough, Clew does not wait for the plan.
 */
export class EngineQueryValidator implements QueryValidator {
  readonly #warehouse: Pick<Warehouse, 'read'>
  readonly #maxRows: number
  readonly #timeLimitMs: number
  /** The shortest time of a planning that ran no subquery. It is mostly the round trip, so it is added to later time limits. */
  #shortestMs = Number.POSITIVE_INFINITY

  constructor(deps: {
    readonly warehouse: Pick<Warehouse, 'read'>
    /** The maximum number of rows of a result, which the cost estimate assumes. */
    readonly maxRows: number
    /** The time limit in milliseconds for planning that may run subqueries. Default: 20. */
    readonly timeLimitMs?: number
  }) {
    this.#warehouse = deps.warehouse
    this.#maxRows = deps.maxRows
    this.#timeLimitMs = deps.timeLimitMs ?? SERVER_LIMITS.validation.planMs
  }

  async check(
    { tree, ...query }: AllowedQuery,
    { schema, whole = schema, isAffordable = () => false, asItStands = false }: ValidationContext,
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    if (tree === undefined) return unchecked('the query has no tree of this engine')
    const parsed = { ...query, tree }
    const hidden = asItStands ? undefined : findHiddenColumn(parsed, schema)
    if (hidden !== undefined) return { verdict: 'invalid', kind: 'query', message: hidden, suggestions: [] }
    const verdict = await this.#planned(parsed, { schema, whole, isAffordable }, signal)
    if (verdict.verdict !== 'valid' || asItStands) return verdict
    return { ...verdict, doubt: doubtOfMultipliedRows(parsed, schema) }
  }

  explain(error: WarehouseError, query: QueryText | undefined, schema: Schema): Explanation {
    const isFault = query !== undefined && ERROR_ROUTES[error.kind].route === 'regenerate'
    return isFault ? explainFailure(error, query, schema) : { message: plainSentence(error), suggestions: [] }
  }

  async #planned(query: ParsedQuery, context: PlanContext, signal: AbortSignal): Promise<ValidationVerdict> {
    const mayBeView = readsView(query.tables, context.whole)
    const mayRun = mayBeView || runsWhilePlanned(query.tree)
    const left = new AbortController()
    const ended = AbortSignal.any([signal, left.signal])
    let asked: Unplanned | undefined
    const unplanned = () => {
      asked ??= {
        resolved: this.#resolve(query, ended),
        // For a view, the parts are not estimated: planning the estimate would run the view's own subqueries until its time
        // limit.
        estimate: mayRun && !mayBeView ? this.#estimateParts(query, context.whole, ended) : Promise.resolve(undefined),
      }
      // If planning finishes in time, nobody awaits these results. Without a handler, Node would report their errors as
      // unhandled.
      for (const answer of Object.values(asked)) answer.catch(() => {})
      return asked
    }
    if (mayRun) unplanned()
    try {
      const planned = await new Promise<ValidationVerdict | NoPlan>((resolve, reject) => {
        const decide = (resolved: Resolved) => {
          if (isEnough(resolved, query, context)) resolve({ noPlan: TOO_LONG })
        }
        const onSlow = mayRun ? () => {} : () => void unplanned().resolved.then(decide, () => {})
        this.#plan(query, context, { mayRun, onSlow }, ended).then(resolve, reject)
      })
      return 'noPlan' in planned ? await verdictWithoutPlan(unplanned(), planned.noPlan, query, context) : planned
    } finally {
      left.abort()
    }
  }

  async #plan(
    query: ParsedQuery,
    { schema, whole }: PlanContext,
    { mayRun, onSlow }: { readonly mayRun: boolean; readonly onSlow: () => void },
    signal: AbortSignal,
  ): Promise<ValidationVerdict | NoPlan> {
    const wayMs = Number.isFinite(this.#shortestMs) ? this.#shortestMs : 0
    const limitMs = mayRun ? this.#timeLimitMs + wayMs : Math.max(this.#timeLimitMs, SERVER_LIMITS.validation.plainPlanMs)
    const sql = limitedToRows(query.canonical, this.#maxRows)
    try {
      const began = performance.now()
      const slow = { afterMs: SERVER_LIMITS.validation.slowMs + wayMs, call: onSlow }
      const plan = await planQuery(this.#warehouse, { sql, limitMs, slow }, signal)
      if (!mayRun) this.#shortestMs = Math.min(this.#shortestMs, performance.now() - began)
      return plan === 'late' ? { noPlan: TOO_LONG } : { verdict: 'valid', cost: costOf(plan, query, whole) }
    } catch (error) {
      if (signal.aborted) throw error
      const reason = error instanceof WarehouseError ? plainSentence(error) : errorMessage(error)
      if (!(error instanceof WarehouseError)) return unchecked(reason)
      const { route } = ERROR_ROUTES[error.kind]
      if (route === 'regenerate') return invalid(error, query, schema)
      // Planning ran a subquery that was too expensive. So it remains unknown whether names and types are correct.
      return route === 'narrow' ? { noPlan: reason } : unchecked(reason)
    }
  }

  /**
   * Checks names and types. Inside `view(…)`, the engine runs no scalar subquery: it puts default values in place of them. The
   * outer query selects 1, because a view cannot have two columns of the same name, as the inner query may.
   */
  async #resolve(query: ParsedQuery, signal: AbortSignal): Promise<Resolved> {
    const sql = `DESCRIBE view(SELECT 1 FROM (${query.canonical}))`
    try {
      const result = await readWithin(this.#warehouse, { sql, limitMs: SERVER_LIMITS.validation.plainPlanMs }, signal)
      return result === undefined ? 'unknown' : 'right'
    } catch (error) {
      if (signal.aborted) throw error
      return error instanceof WarehouseError && isFaultOfNames(error) ? error : 'unknown'
    }
  }

  async #estimateParts(query: ParsedQuery, schema: Schema, signal: AbortSignal): Promise<CostEstimate | undefined> {
    const plan = (sql: string) => planQuery(this.#warehouse, { sql, limitMs: SERVER_LIMITS.validation.plainPlanMs }, signal)
    try {
      return await estimateParts(query, { schema, maxRows: this.#maxRows }, plan)
    } catch (error) {
      if (signal.aborted) throw error
      return undefined
    }
  }
}

type PlanContext = Required<Omit<ValidationContext, 'asItStands'>>

/** The reason why there is no plan. */
interface NoPlan {
  readonly noPlan: string
}

/** The result of checking names and types alone. An error means that one of them is wrong. */
type Resolved = 'right' | 'unknown' | WarehouseError

/** Facts about a query that are found without planning it. */
interface Unplanned {
  readonly resolved: Promise<Resolved>
  readonly estimate: Promise<CostEstimate | undefined>
}

/**
 * Whether the verdict is certain without a plan: names or types are wrong, or they are correct and the cost is certainly
 * acceptable.
 */
function isEnough(resolved: Resolved, query: ParsedQuery, context: PlanContext): boolean {
  return resolved === 'right' ? isCertainlyAffordable(query, context) : resolved !== 'unknown'
}

function isCertainlyAffordable(query: ParsedQuery, { whole, isAffordable }: PlanContext): boolean {
  const most = mostByCatalog(query, whole)
  return most !== undefined && isAffordable(most)
}

async function verdictWithoutPlan(
  unplanned: Unplanned,
  reason: string,
  query: ParsedQuery,
  context: PlanContext,
): Promise<ValidationVerdict> {
  const resolved = await unplanned.resolved
  if (resolved instanceof WarehouseError) return invalid(resolved, query, context.schema)
  // If the cost is certainly acceptable, the estimate is used only if it is ready by now. Otherwise Clew waits for it.
  const known = isCertainlyAffordable(query, context) ? [unplanned.estimate, undefined] : [unplanned.estimate]
  const estimate = await Promise.race(known)
  const cost: CostVerdict = estimate === undefined ? { verdict: 'unestimated', reason } : { verdict: 'estimated', estimate }
  return resolved === 'right' ? { verdict: 'valid', cost } : { ...unchecked(reason), cost }
}

function invalid(error: WarehouseError, query: ParsedQuery, schema: Schema): ValidationVerdict {
  return { verdict: 'invalid', kind: error.kind, ...explainFailure(error, query, schema) }
}

function unchecked(reason: string): Extract<ValidationVerdict, { verdict: 'unchecked' }> {
  return { verdict: 'unchecked', reason, cost: { verdict: 'unestimated', reason } }
}

function costOf(plan: Exclude<Planned, 'late'>, { tables }: ParsedQuery, schema: Schema): CostVerdict {
  if (plan === 'unreadable') return { verdict: 'unestimated', reason: 'the plan is not understood' }
  return { verdict: 'estimated', estimate: estimatePlan(plan, tables, schema) }
}

/** Whether a query reads a view, whose subqueries the guard has not checked. */
function readsView(tables: readonly string[], schema: Schema): boolean {
  return schema.tables.some(
    ({ database, name, viewDefinition }) => viewDefinition !== '' && tables.includes(`${database}.${name}`),
  )
}

const { unknown_name, type, query } = SERVER_CODES

const CODES: ReadonlySet<number | undefined> = new Set([
  ...Object.values(unknown_name),
  type.NUMBER_OF_COLUMNS_DOESNT_MATCH,
  type.TOO_MANY_ARGUMENTS_FOR_FUNCTION,
  type.TOO_FEW_ARGUMENTS_FOR_FUNCTION,
  type.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
  type.ILLEGAL_TYPE_OF_ARGUMENT,
  type.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER,
  type.NO_COMMON_TYPE,
  query.CYCLIC_ALIASES,
  query.MULTIPLE_EXPRESSIONS_FOR_ALIAS,
  query.ILLEGAL_AGGREGATION,
  query.NOT_AN_AGGREGATE,
  query.UNION_ALL_RESULT_STRUCTURES_MISMATCH,
  query.INVALID_JOIN_ON_EXPRESSION,
])

/**
 * Whether an error is about names, types or aggregates, which do not depend on the values of subqueries. Any other error may come
 * only from the default value that replaces a subquery, for example in `LIMIT (SELECT …)`.
 */
function isFaultOfNames({ serverCode }: WarehouseError): boolean {
  return CODES.has(serverCode)
}
