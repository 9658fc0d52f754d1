import type { FormatSql } from '../warehouse/format-sql.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'

/** Somebody is waiting, and unformatted text is good enough. */
const TIMEOUT_MS = 2_000

/** Formats SQL by an engine, which only parses it: the text is a bound parameter. */
export function createSqlFormatter(warehouse: Pick<Warehouse, 'read'>): FormatSql {
  return async (sql, signal) => {
    const query = { sql: 'SELECT formatQuery({q:String})', parameters: { q: sql }, timeoutMs: TIMEOUT_MS }
    try {
      const { rows } = await warehouse.read(query, signal)
      const laidOut = rows[0]?.[0]
      return typeof laidOut === 'string' ? laidOut : sql
    } catch (error) {
      if (signal.aborted) throw error
      return sql
    }
  }
}
