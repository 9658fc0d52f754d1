import type { FormatSql } from '../warehouse/format-sql.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { SERVER_LIMITS } from './limits.ts'

/**
 * Creates a function that formats SQL. The engine gets the SQL as a bound parameter, so it only parses it and does not run it.
 */
export function createSqlFormatter(warehouse: Pick<Warehouse, 'read'>): FormatSql {
  return async (sql, signal) => {
    const query = { sql: 'SELECT formatQuery({q:String})', parameters: { q: sql }, timeoutMs: SERVER_LIMITS.formatMs }
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
