import { readWithin, type TimedStatement } from '../../warehouse/read-within.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type PlanNode, readQueryPlan } from './query-plan.ts'

const EXPLAIN = 'EXPLAIN json = 1, header = 1, indexes = 1, actions = 1'

/** The result of planning. `late`: planning took longer than allowed. `unreadable`: Clew does not know the form of the plan. */
export type Planned = PlanNode | 'late' | 'unreadable'

/**
 * Asks the engine for a query plan. The request is as fast as `EXPLAIN ESTIMATE`. It gives the same marks after partitions and keys are applied. The
 * plan also shows columns, joins without a condition, the reads of views and Merge tables, and where a LIMIT ends the read. Planning runs scalar
 * subqueries, and subqueries under IN that select marks.
 * @throws WarehouseError for errors that would also fail the run: names, types, misused aggregates
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
