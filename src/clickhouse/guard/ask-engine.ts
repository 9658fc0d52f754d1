import { z } from 'zod'
import { WarehouseError } from '../../warehouse/error.ts'
import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import type { ReadQuery, Warehouse } from '../../warehouse/warehouse.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { withoutInternals } from '../server-failure.ts'
import { readForGuard } from './read-for-guard.ts'

const linesSchema = z.array(z.tuple([z.string()])).transform(rows => rows.map(([line]) => line))

/**
 * Layer 2 of the guard: the engine parses the SQL as a bound value, and prints it as one statement without comments. The reading
 * user's profile must set `implicit_select = 0`. Otherwise the engine would take a bare expression such as `1 + 1` for a query.
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
 * Layer 4 of the guard: returns the lines of the query tree. With `run_passes = 0`, the engine only parses: it resolves no name
 * and runs no subquery. `canonical` must have passed the token check. Otherwise it could close the parentheses that the guard
 * puts around it.
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
    // The missing part of a cut tree could contain forbidden references.
    if (result.truncated) return rejection('too_long', 'The query is too large to be checked; make it simpler.')
    return linesSchema.parse(result.rows)
  } catch (error) {
    const refusal = readEngineRefusal(error)
    if (refusal === undefined) throw error
    return refusal
  }
}

/**
 * Returns a rejection if the engine refused the SQL itself. Returns undefined for other errors, such as a lost connection,
 * missing rights or a cancellation. A timeout without a server code is one of these, because it may only mean that the server is
 * busy. Parses texts such as "Syntax error (Multi-statements are not allowed): failed at position 9 (…): …".
 */
export function readEngineRefusal(error: unknown): Rejection | undefined {
  if (!(error instanceof WarehouseError)) return undefined
  if (error.kind === 'timeout' && error.serverCode === undefined) return undefined
  if (error.kind === 'resource' || error.kind === 'timeout') {
    return rejection('too_long', 'The query is too large or too deeply nested to be checked; make it simpler.')
  }
  if (!['syntax', 'query', 'type', 'unknown_name'].includes(error.kind)) return undefined
  if (/Multi-statements are not allowed/i.test(error.message)) {
    return rejection('several_statements', 'Only one statement may be run.')
  }
  return rejection('syntax', sentence(error.message))
}

/**
 * Returns the part of an engine's message that is about the query. Removes the error code, the guard's own statement and the list
 * of expected tokens.
 */
function sentence(message: string): string {
  const text = withoutInternals(message)
    .replace(/^.*?DB::Exception:\s*/s, '')
    .replace(/(?:[.:,]|(?<!\s))\s*In scope SELECT[\s\S]*$/, '')
    .replace(/(?<!\s)\s*Expected one of:[\s\S]*$/, '')
    .replace(/(?<!\s)\s*\([A-Z_]+\)\s*(?:\(version [^)]*\)\s*)?$/, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/(?<![.:\s])[.:\s]+$/, '')
  const position = /^Syntax error: failed at position (\d+) \((.*?)\)(?::|$)/.exec(text)
  if (position !== null) return `Syntax error at position ${position[1]}, near ${shown(position[2] ?? '')}.`
  const reason = text.replace(/: Syntax error: failed at position .*/, '')
  return `${reason.length <= 300 ? reason : `${reason.slice(0, 299)}…`}.`
}
