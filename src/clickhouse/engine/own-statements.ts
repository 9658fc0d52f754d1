import type { EngineRequest } from './http-request.ts'

/** `KILL QUERY WHERE query_id = '…'`: ids of queries exist in the HTTP face only, so it answers this one form by itself. */
const KILL =
  /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([\w-]+)'|\{(\w+):String\})\s*(?:SYNC|ASYNC)?\s*(?:FORMAT\s+\w+)?\s*;?\s*$/i

/** `INSERT INTO table (columns) FORMAT F`, then rows; what @clickhouse/client sends for `insert`. */
const INSERT = /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.`"]+)\s*(?:\(([^()]*)\))?\s*FORMAT\s+(\w+)(?:\s|$)/i

/** The id that a KILL QUERY names; undefined when the statement is another. */
export function parseKill(request: EngineRequest): string | undefined {
  const match = KILL.exec(request.sql)
  if (match === null) return undefined
  return match[1] ?? (match[2] === undefined ? undefined : request.parameters[match[2]])
}

/**
 * An INSERT that carries its rows, in the URL's statement and the body or one after the other. chDB would take what follows an empty line
 * of rows for further statements, so statement and rows are handed over apart. Undefined for every other statement.
 */
export function parseInsert(
  request: EngineRequest,
): { table: string; columns?: string[]; format: string; bytes: Buffer } | undefined {
  const match = INSERT.exec(request.sql)
  if (match === null) return undefined
  const [head, table = '', columns, format = ''] = match
  const inline = request.sql.slice(head.length)
  return {
    table: unquoted(table),
    ...(columns?.trim() ? { columns: columns.split(',').map(unquoted) } : {}),
    format,
    bytes: request.body === undefined ? Buffer.from(inline) : Buffer.concat([Buffer.from(inline), request.body]),
  }
}

function unquoted(name: string): string {
  return name.trim().replaceAll(/[`"]/g, '')
}
