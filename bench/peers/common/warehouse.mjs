import { createClient } from '@clickhouse/client'

/** A model sees at most this many rows, as in Clew. */
const SHOWN_ROWS = 50

/**
 * @typedef {object} QueryResult
 * @property {string[]} columns
 * @property {unknown[][]} rows
 */

/**
 * @typedef {object} Warehouse
 * @property {(sql: string) => Promise<QueryResult>} query runs the text as it stands; rejects with the server's error
 */

/**
 * Opens the warehouse with ClickHouse's own client, which keeps connections alive. It opens as many as Clew does, so no peer waits for one sooner.
 * @param {string} url
 * @returns {Warehouse}
 */
export function openWarehouse(url) {
  const client = createClient({ url, application: 'clew-bench-peer', max_open_connections: 16 })
  return {
    async query(sql) {
      const answer = await client.query({ query: sql, format: 'JSONCompact' })
      const { meta = [], data } = /** @type {{ meta?: { name: string }[], data: unknown[][] }} */ (await answer.json())
      return { columns: meta.map(column => column.name), rows: data }
    },
  }
}

/**
 * A result as a model reads it.
 * @param {QueryResult} result
 */
export function resultText({ columns, rows }) {
  return JSON.stringify({ columns, rows: rows.slice(0, SHOWN_ROWS), row_count: rows.length })
}

/**
 * Returns the result or the error as text for a model. The pipelines need this, because they do not catch a query's error.
 * @param {Warehouse} warehouse
 * @param {string} sql
 */
export async function resultOrError(warehouse, sql) {
  try {
    return resultText(await warehouse.query(sql))
  } catch (error) {
    return `The query failed: ${error instanceof Error ? error.message : String(error)}`
  }
}
