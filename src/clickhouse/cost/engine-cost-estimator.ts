import { errorMessage } from '../../errors.ts'
import { readWithin } from '../read-within.ts'
import type { Schema } from '../schema.ts'
import { plainSentence } from '../server-failure.ts'
import { limitedToRows, type Warehouse } from '../warehouse.ts'
import { WarehouseError } from '../warehouse-error.ts'
import type { CostEstimate, CostEstimator, CostVerdict, PlannedQuery } from './cost-estimator.ts'
import { addedUp, estimatePlan } from './estimate-plan.ts'
import { type PlanNode, readQueryPlan } from './query-plan.ts'
import { runsWhilePlanned } from './runs-while-planned.ts'
import { type StandIn, standIn, withStandIns } from './stand-ins.ts'
import { valueSubqueries } from './value-subqueries.ts'

/** What an estimate may take in all where planning may run subqueries; it takes about 7 ms. */
const TIME_LIMIT_MS = 50
/** Where planning runs nothing: looking through the marks of a table of a trillion rows takes its time. */
const PLAIN_TIME_LIMIT_MS = 1_000

/**
 * Asks the engine for its plan of the very text that would run. The plan has what `EXPLAIN ESTIMATE` has (marks after partitions and keys), in the same
 * time, and also the columns that are read, what lies behind views and Merge tables, joins without a condition, and where a LIMIT ends the
 * reading. Planning runs scalar subqueries, and those under IN that choose among marks, hence the limit; where they take too long, each part is
 * planned without running any.
 */
export class EngineCostEstimator implements CostEstimator {
  readonly #warehouse: Pick<Warehouse, 'read'>
  readonly #timeLimitMs: number

  constructor(deps: {
    readonly warehouse: Pick<Warehouse, 'read'>
    /** Milliseconds, where subqueries may run; 50 when absent. */
    readonly timeLimitMs?: number
  }) {
    this.#warehouse = deps.warehouse
    this.#timeLimitMs = deps.timeLimitMs ?? TIME_LIMIT_MS
  }

  async estimate(query: PlannedQuery, schema: Schema, maxRows: number, signal: AbortSignal): Promise<CostVerdict> {
    const mayRun = runsWhilePlanned(query.tree) || readsView(query.tables, schema)
    const limitMs = mayRun ? this.#timeLimitMs : PLAIN_TIME_LIMIT_MS
    const planned = await this.#plan(limitedToRows(query.canonical, maxRows), limitMs, signal)
    if (planned === TOO_LONG && mayRun) return this.#estimateParts(query, schema, maxRows, signal)
    return 'verdict' in planned ? planned : { verdict: 'estimated', estimate: estimatePlan(planned, query.tables, schema) }
  }

  /** What planning could not run through in time: each subquery by itself, inner ones first, and what is around it with a value in its place. */
  async #estimateParts(
    { canonical, tables }: PlannedQuery,
    schema: Schema,
    maxRows: number,
    signal: AbortSignal,
  ): Promise<CostVerdict> {
    const subqueries = valueSubqueries(canonical) ?? []
    if (subqueries.length === 0) return TOO_LONG
    const standIns: StandIn[] = []
    const estimates: CostEstimate[] = []
    for (const subquery of subqueries) {
      const part = withStandIns(canonical, standIns, subquery.start, subquery.end)
      const plan = await this.#plan(`SELECT * FROM (${part})`, PLAIN_TIME_LIMIT_MS, signal)
      if ('verdict' in plan) return plan
      const text = standIn(subquery, plan.columns)
      if (text === null) return TOO_LONG
      estimates.push(estimatePlan(plan, tables, schema))
      standIns.push({ subquery, text })
    }
    const whole = await this.#plan(limitedToRows(withStandIns(canonical, standIns), maxRows), PLAIN_TIME_LIMIT_MS, signal)
    if ('verdict' in whole) return whole
    return { verdict: 'estimated', estimate: addedUp([...estimates, estimatePlan(whole, tables, schema)]) }
  }

  async #plan(sql: string, limitMs: number, signal: AbortSignal): Promise<PlanNode | Unestimated> {
    try {
      const result = await readWithin(this.#warehouse, { sql: `${EXPLAIN} ${sql}`, limitMs }, signal)
      if (result === undefined) return TOO_LONG
      return readQueryPlan(result.rows.flat().join('\n')) ?? { verdict: 'unestimated', reason: 'the plan is not understood' }
    } catch (error) {
      if (signal.aborted) throw error
      return { verdict: 'unestimated', reason: error instanceof WarehouseError ? plainSentence(error) : errorMessage(error) }
    }
  }
}

type Unestimated = Extract<CostVerdict, { readonly verdict: 'unestimated' }>

const EXPLAIN = 'EXPLAIN json = 1, header = 1, indexes = 1, actions = 1'
const TOO_LONG: Unestimated = { verdict: 'unestimated', reason: 'planning the query took too long' }

/** A view may hold subqueries that nobody has looked at. */
function readsView(tables: readonly string[], schema: Schema): boolean {
  return schema.tables.some(
    ({ database, name, viewDefinition }) => viewDefinition !== '' && tables.includes(`${database}.${name}`),
  )
}
