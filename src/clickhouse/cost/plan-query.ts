import { readWithin, type TimedStatement } from '../read-within.ts'
import type { Warehouse } from '../warehouse.ts'
import { type PlanNode, readQueryPlan } from './query-plan.ts'

const EXPLAIN = 'EXPLAIN json = 1, header = 1, indexes = 1, actions = 1'

/** `late` is one that took longer than it may; `unreadable` was made, and looks otherwise than on the versions that Clew knows. */
export type Planned = PlanNode | 'late' | 'unreadable'

/**
 * Asks the engine for its plan of a query. A plan has what `EXPLAIN ESTIMATE` has (marks after partitions and keys), in the same time, and also the columns
 * that are read, what lies behind views and Merge tables, joins without a condition, and where a LIMIT ends the reading. Planning runs scalar subqueries,
 * and those under IN that choose among marks.
 * @throws WarehouseError for what would also end the run: names, types, misused aggregates
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
