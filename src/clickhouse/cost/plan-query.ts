import { readWithin, type TimedStatement } from '../../warehouse/read-within.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type PlanNode, readQueryPlan } from './query-plan.ts'

const EXPLAIN = 'EXPLAIN json = 1, header = 1, indexes = 1, actions = 1'

/** The result of planning. `late`: planning took longer than allowed. `unreadable`: Clew cannot parse the plan. */
export type Planned = PlanNode | 'late' | 'unreadable'

/**
 * Asks the engine for a query plan. This is as fast as `EXPLAIN ESTIMATE`, and gives the same numbers of marks. The plan also
 * shows columns, joins without a condition, the reads behind views and Merge tables, and where a LIMIT stops reading. Planning
 * runs scalar subqueries, and subqueries after IN by which marks are selected.
 * @throws WarehouseError for errors that the run would have too: unknown names, wrong types, misused aggregates
 */
export async function planQuery(
  warehouse: Pick<Warehouse, 'read'>,
  { sql, ...timing }: TimedStatement,
  signal: AbortSignal,
): Promise<Planned> {
  const result = await readWithin(warehouse, { ...timing, sql: `${EXPLAIN} ${sql}` }, signal)
  if (result === undefined) return 'late'
  return readQueryPlan(result.rows.flat().join('\n')) ?? 'unreadable'
}
