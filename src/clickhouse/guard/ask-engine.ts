import { z } from 'zod'
import type { ReadQuery, Warehouse } from '../../warehouse/warehouse.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { readEngineRefusal } from './engine-refusal.ts'
import { readForGuard } from './read-for-guard.ts'
import { type Rejection, rejection } from './rejection.ts'

const linesSchema = z.array(z.tuple([z.string()])).transform(rows => rows.map(([line]) => line))

/**
 * Layer 2: the engine parses the SQL as data and prints it as one statement without comments. The profile of the reading user must set
 * `implicit_select = 0`. Otherwise a bare expression would count as a query.
 * @throws WarehouseError if the engine is unreachable
 */
export async function askCanonical(warehouse: Warehouse, sql: string, signal: AbortSignal): Promise<string | Rejection> {
  const lines = await ask(warehouse, { sql: 'SELECT formatQuerySingleLine({q:String})', parameters: { q: sql } }, signal)
  if (!Array.isArray(lines)) return lines
  const canonical = lines.join('\n')
  if (lines.length === 1 && canonical.length <= GUARD_LIMITS.maxCanonicalLength) return canonical
  return rejection('too_long', 'The query is too long once written out; make it simpler.')
}

/**
 * Layer 4: returns the lines of the unresolved query tree. `run_passes = 0` only parses: it resolves no name and runs no subquery. `canonical` must
 * have passed the token check, so that its text cannot close the parentheses that the guard puts around it.
 */
export async function askQueryTree(
  warehouse: Warehouse,
  canonical: string,
  signal: AbortSignal,
): Promise<readonly string[] | Rejection> {
  const lines = await ask(warehouse, { sql: `EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (${canonical})` }, signal)
  if (!Array.isArray(lines)) return lines
  if (lines.length <= GUARD_LIMITS.maxTreeLines) return lines.flatMap(line => line.split('\n'))
  return rejection('too_long', 'The query has too many parts to be checked; make it simpler.')
}

async function ask(
  warehouse: Warehouse,
  query: Pick<ReadQuery, 'sql' | 'parameters'>,
  signal: AbortSignal,
): Promise<string[] | Rejection> {
  try {
    const result = await readForGuard(warehouse, query, signal)
    // If the tree was cut, its missing part could contain forbidden references.
    if (result.truncated) return rejection('too_long', 'The query is too large to be checked; make it simpler.')
    return linesSchema.parse(result.rows)
  } catch (error) {
    const refusal = readEngineRefusal(error)
    if (refusal === undefined) throw error
    return refusal
  }
}
