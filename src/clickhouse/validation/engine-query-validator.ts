import { errorMessage } from '../../errors.ts'
import type { CostEstimate, CostVerdict } from '../cost/cost-estimate.ts'
import { estimateParts } from '../cost/estimate-parts.ts'
import { estimatePlan } from '../cost/estimate-plan.ts'
import { mostByCatalog } from '../cost/most-by-catalog.ts'
import { type Planned, planQuery } from '../cost/plan-query.ts'
import { runsWhilePlanned } from '../cost/runs-while-planned.ts'
import { ERROR_ROUTES } from '../error-routes.ts'
import { readWithin } from '../read-within.ts'
import type { Schema } from '../schema.ts'
import { plainSentence } from '../server-failure.ts'
import { limitedToRows, type Warehouse } from '../warehouse.ts'
import { WarehouseError } from '../warehouse-error.ts'
import { explainFailure } from './explain-failure.ts'
import { isFaultOfNames } from './fault-of-names.ts'
import { findHiddenColumn } from './hidden-column.ts'
import { doubtOfMultipliedRows } from './multiplied-rows.ts'
import type { AllowedQuery, CheckContext, QueryValidator, ValidationVerdict } from './query-validator.ts'
import { findUnboundedResult } from './unbounded-result.ts'

/** What planning may take where it may run subqueries, beside the way to the server and back; the whole check then takes less than 50 ms. */
const TIME_LIMIT_MS = 20
/** Most plans that run nothing are there by then. */
const SLOW_MS = 15
/**
 * Where nothing is run and the cost may be beyond the budget: a server that is busy or far away, or a table of a trillion rows whose marks take their time, is no reason
 * to leave a query unchecked.
 */
const PLAIN_TIME_LIMIT_MS = 3_000

const TOO_LONG = 'the check took too long'

/**
 * Asks the engine for the plan of the very text that would run. Planning resolves names, types and the use of aggregates as a run does, and reads no table; the plan
 * tells what would be read. Of 2,000 random queries (26.7) it refused all that `DESCRIBE` did, in the same words, and of the faults of a run also
 * those that come up behind the analysis, such as the types of a JOIN's keys.
 *
 * Planning runs scalar subqueries, hence its limit. Where there are any, the engine is asked at the same time for the names and types alone, which runs nothing, and for
 * the cost of the query's parts. These count where the limit is passed. Where there are none, planning is slow for a table of thousands of parts only: then names and types
 * are asked for too, and the plan is waited for where the cost by the catalog may be too much.
 */
export class EngineQueryValidator implements QueryValidator {
  readonly #warehouse: Pick<Warehouse, 'read'>
  readonly #maxRows: number
  readonly #timeLimitMs: number
  /** The least that a plan has taken which ran nothing: for the most part the way to the server and back, which is no reason to end the next. */
  #shortestMs = Number.POSITIVE_INFINITY

  constructor(deps: {
    readonly warehouse: Pick<Warehouse, 'read'>
    /** Rows that a result may have: no more are fetched, and a query that certainly returns more is invalid. */
    readonly maxRows: number
    /** Milliseconds, where a part of the query may run; 20 when absent. */
    readonly timeLimitMs?: number
  }) {
    this.#warehouse = deps.warehouse
    this.#maxRows = deps.maxRows
    this.#timeLimitMs = deps.timeLimitMs ?? TIME_LIMIT_MS
  }

  async check(
    query: AllowedQuery,
    { schema, whole = schema, isAffordable = () => false, asItStands = false }: CheckContext,
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    const hidden = asItStands ? undefined : findHiddenColumn(query, schema)
    if (hidden !== undefined) return { verdict: 'invalid', kind: 'query', message: hidden, suggestions: [] }
    const verdict = await this.#planned(query, { schema, whole, isAffordable }, signal)
    if (verdict.verdict !== 'valid' || asItStands) return verdict
    const unbounded = findUnboundedResult(query, schema, this.#maxRows)
    if (unbounded !== undefined) return { verdict: 'invalid', kind: 'query', message: unbounded, suggestions: [] }
    return { ...verdict, doubt: doubtOfMultipliedRows(query, schema) }
  }

  async #planned(query: AllowedQuery, context: PlanContext, signal: AbortSignal): Promise<ValidationVerdict> {
    const mayBeView = readsView(query.tables, context.whole)
    const mayRun = mayBeView || runsWhilePlanned(query.tree)
    const left = new AbortController()
    const ended = AbortSignal.any([signal, left.signal])
    let asked: Unplanned | undefined
    const unplanned = () => {
      asked ??= {
        resolved: this.#resolve(query, ended),
        // What a view holds would run for as long as the plan of the parts may take.
        estimate: mayRun && !mayBeView ? this.#estimateParts(query, context.whole, ended) : Promise.resolve(undefined),
      }
      // Where the plan comes in time, nobody looks at them.
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
    query: AllowedQuery,
    { schema, whole }: PlanContext,
    { mayRun, onSlow }: { readonly mayRun: boolean; readonly onSlow: () => void },
    signal: AbortSignal,
  ): Promise<ValidationVerdict | NoPlan> {
    const wayMs = Number.isFinite(this.#shortestMs) ? this.#shortestMs : 0
    const limitMs = mayRun ? this.#timeLimitMs + wayMs : Math.max(this.#timeLimitMs, PLAIN_TIME_LIMIT_MS)
    const sql = limitedToRows(query.canonical, this.#maxRows)
    try {
      const began = performance.now()
      const slow = { afterMs: SLOW_MS + wayMs, call: onSlow }
      const plan = await planQuery(this.#warehouse, { sql, limitMs, slow }, signal)
      if (!mayRun) this.#shortestMs = Math.min(this.#shortestMs, performance.now() - began)
      return plan === 'late' ? { noPlan: TOO_LONG } : { verdict: 'valid', cost: costOf(plan, query, whole) }
    } catch (error) {
      if (signal.aborted) throw error
      const reason = error instanceof WarehouseError ? plainSentence(error) : errorMessage(error)
      if (!(error instanceof WarehouseError)) return unchecked(reason)
      const { route } = ERROR_ROUTES[error.kind]
      if (route === 'regenerate') return invalid(error, query, schema)
      // Something that it ran was too much; its names and types may still be right or wrong.
      return route === 'narrow' ? { noPlan: reason } : unchecked(reason)
    }
  }

  /**
   * Whether names and types are right, or what is wrong with them. Of a `view(…)` the engine resolves what it returns with default values in place of scalar
   * subqueries, and runs none. `SELECT 1`, because a view cannot have two columns of one name.
   */
  async #resolve(query: AllowedQuery, signal: AbortSignal): Promise<Resolved> {
    const sql = `DESCRIBE view(SELECT 1 FROM (${query.canonical}))`
    try {
      const result = await readWithin(this.#warehouse, { sql, limitMs: PLAIN_TIME_LIMIT_MS }, signal)
      return result === undefined ? 'unknown' : 'right'
    } catch (error) {
      if (signal.aborted) throw error
      return error instanceof WarehouseError && isFaultOfNames(error) ? error : 'unknown'
    }
  }

  async #estimateParts(query: AllowedQuery, schema: Schema, signal: AbortSignal): Promise<CostEstimate | undefined> {
    const plan = (sql: string) => planQuery(this.#warehouse, { sql, limitMs: PLAIN_TIME_LIMIT_MS }, signal)
    try {
      return await estimateParts(query, { schema, maxRows: this.#maxRows }, plan)
    } catch (error) {
      if (signal.aborted) throw error
      return undefined
    }
  }
}

type PlanContext = Required<Omit<CheckContext, 'asItStands'>>

/** Why there is no plan. */
interface NoPlan {
  readonly noPlan: string
}

/** Whether names and types are right, or what is wrong with them. */
type Resolved = 'right' | 'unknown' | WarehouseError

/** What can be known of a query that has no plan. */
interface Unplanned {
  readonly resolved: Promise<Resolved>
  readonly estimate: Promise<CostEstimate | undefined>
}

/** Whether a plan would change nothing: names or types are wrong, or they are right and all that could be read is within the budget. */
function isEnough(resolved: Resolved, query: AllowedQuery, context: PlanContext): boolean {
  return resolved === 'right' ? isCertainlyAffordable(query, context) : resolved !== 'unknown'
}

function isCertainlyAffordable(query: AllowedQuery, { whole, isAffordable }: PlanContext): boolean {
  const most = mostByCatalog(query, whole)
  return most !== undefined && isAffordable(most)
}

async function verdictWithoutPlan(
  unplanned: Unplanned,
  reason: string,
  query: AllowedQuery,
  context: PlanContext,
): Promise<ValidationVerdict> {
  const resolved = await unplanned.resolved
  if (resolved instanceof WarehouseError) return invalid(resolved, query, context.schema)
  // One that is there already is better than none, and one that decides nothing is not waited for.
  const known = isCertainlyAffordable(query, context) ? [unplanned.estimate, undefined] : [unplanned.estimate]
  const estimate = await Promise.race(known)
  const cost: CostVerdict = estimate === undefined ? { verdict: 'unestimated', reason } : { verdict: 'estimated', estimate }
  return resolved === 'right' ? { verdict: 'valid', cost } : { ...unchecked(reason), cost }
}

function invalid(error: WarehouseError, query: AllowedQuery, schema: Schema): ValidationVerdict {
  return { verdict: 'invalid', kind: error.kind, ...explainFailure(error, query, schema) }
}

function unchecked(reason: string): Extract<ValidationVerdict, { verdict: 'unchecked' }> {
  return { verdict: 'unchecked', reason, cost: { verdict: 'unestimated', reason } }
}

function costOf(plan: Exclude<Planned, 'late'>, { tables }: AllowedQuery, schema: Schema): CostVerdict {
  if (plan === 'unreadable') return { verdict: 'unestimated', reason: 'the plan is not understood' }
  return { verdict: 'estimated', estimate: estimatePlan(plan, tables, schema) }
}

/** A view may hold subqueries that nobody has looked at. */
function readsView(tables: readonly string[], schema: Schema): boolean {
  return schema.tables.some(
    ({ database, name, viewDefinition }) => viewDefinition !== '' && tables.includes(`${database}.${name}`),
  )
}
