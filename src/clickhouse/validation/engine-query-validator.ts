import { errorMessage } from '../../errors.ts'
import type { CostEstimate, CostVerdict } from '../cost/cost-estimate.ts'
import { estimateParts } from '../cost/estimate-parts.ts'
import { estimatePlan } from '../cost/estimate-plan.ts'
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
import type { AllowedQuery, QueryValidator, ValidationVerdict } from './query-validator.ts'
import { findUnboundedResult } from './unbounded-result.ts'

/** What planning may take in all where it may run subqueries; without those it takes about 5 ms. What is asked where it took longer makes it about 50. */
const TIME_LIMIT_MS = 40
/** Where nothing is run: a server that is busy or far away, or a table of a trillion rows whose marks take their time, is no reason to leave a query unchecked. */
const PLAIN_TIME_LIMIT_MS = 1_000

const TOO_LONG = 'the check took too long'

/**
 * Asks the engine for the plan of the very text that would run. Planning resolves names, types and the use of aggregates as a run does, and reads no table; the plan
 * tells what would be read. Of 2,000 random queries (26.7) it refused all that `DESCRIBE` did, in the same words, and of the faults of a run also
 * those that come up behind the analysis, such as the types of a JOIN's keys.
 *
 * Planning runs scalar subqueries, hence its limit. Where that is passed, the engine is asked for the names and types alone, which runs nothing, and the cost is
 * added up from the query's parts.
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
    /** Milliseconds, where a part of the query may run; 40 when absent. */
    readonly timeLimitMs?: number
  }) {
    this.#warehouse = deps.warehouse
    this.#maxRows = deps.maxRows
    this.#timeLimitMs = deps.timeLimitMs ?? TIME_LIMIT_MS
  }

  async check(
    query: AllowedQuery,
    { schema, whole = schema }: { readonly schema: Schema; readonly whole?: Schema },
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    const hidden = findHiddenColumn(query, schema)
    if (hidden !== undefined) return { verdict: 'invalid', kind: 'query', message: hidden, suggestions: [] }
    const verdict = await this.#planned(query, { schema, whole }, signal)
    if (verdict.verdict !== 'valid') return verdict
    const unbounded = findUnboundedResult(query, schema, this.#maxRows)
    return unbounded === undefined ? verdict : { verdict: 'invalid', kind: 'query', message: unbounded, suggestions: [] }
  }

  async #planned(query: AllowedQuery, schemas: Schemas, signal: AbortSignal): Promise<ValidationVerdict> {
    const mayRun = runsWhilePlanned(query.tree) || readsView(query.tables, schemas.whole)
    const wayMs = Number.isFinite(this.#shortestMs) ? this.#shortestMs : 0
    const limitMs = mayRun ? this.#timeLimitMs + wayMs : Math.max(this.#timeLimitMs, PLAIN_TIME_LIMIT_MS)
    const sql = limitedToRows(query.canonical, this.#maxRows)
    try {
      const began = performance.now()
      const plan = await planQuery(this.#warehouse, { sql, limitMs }, signal)
      if (!mayRun) this.#shortestMs = Math.min(this.#shortestMs, performance.now() - began)
      if (plan !== 'late') return { verdict: 'valid', cost: costOf(plan, query, schemas.whole) }
      return await this.#withoutPlan(query, schemas, { mayRun, reason: TOO_LONG }, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const reason = error instanceof WarehouseError ? plainSentence(error) : errorMessage(error)
      if (!(error instanceof WarehouseError)) return unchecked(reason)
      const { route } = ERROR_ROUTES[error.kind]
      if (route === 'regenerate') return invalid(error, query, schemas.schema)
      // Something that it ran was too much; its names and types may still be right or wrong.
      return route === 'narrow' ? this.#withoutPlan(query, schemas, { mayRun, reason }, signal) : unchecked(reason)
    }
  }

  async #withoutPlan(
    query: AllowedQuery,
    { schema, whole }: Schemas,
    { mayRun, reason }: { readonly mayRun: boolean; readonly reason: string },
    signal: AbortSignal,
  ): Promise<ValidationVerdict> {
    const [resolved, estimate] = await Promise.all([
      this.#resolve(query, signal),
      mayRun ? this.#estimateParts(query, whole, signal) : undefined,
    ])
    if (resolved instanceof WarehouseError) return invalid(resolved, query, schema)
    const cost: CostVerdict = estimate === undefined ? { verdict: 'unestimated', reason } : { verdict: 'estimated', estimate }
    return resolved === 'right' ? { verdict: 'valid', cost } : { ...unchecked(reason), cost }
  }

  /**
   * Whether names and types are right, or what is wrong with them. Of a `view(…)` the engine resolves what it returns with default values in place of scalar
   * subqueries, and runs none. `SELECT 1`, because a view cannot have two columns of one name.
   */
  async #resolve(query: AllowedQuery, signal: AbortSignal): Promise<'right' | 'unknown' | WarehouseError> {
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

interface Schemas {
  readonly schema: Schema
  readonly whole: Schema
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
