import type { EngineRequest } from './http-request.ts'

/**
 * Matches `KILL QUERY WHERE query_id = '…'`. The HTTP interface runs these statements itself, because only the interface knows
 * the query ids.
 */
const KILL =
  /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([\w-]+)'|\{(\w+):String\})\s*(?:A?SYNC\b\s*)?(?:FORMAT\s+\w+\s*)?(?:;\s*)?$/i

/**
 * Matches the start of an INSERT with rows, in the form that @clickhouse/client sends: `INSERT INTO table (columns) SETTINGS …
 * FORMAT JSONEachRow`.
 */
const INSERT = /^(\s*INSERT\s+INTO\s[^'{}]*?)\bFORMAT\s+(\w+)(?:\s|$)/i

/** Matches SQL that may contain a second statement or use a file. ClickHouse's parser must check such SQL first. */
const SUSPECT = /;\s*\S|\b(?:out|in)file\b/i

/** Returns the query id in a KILL QUERY statement. Returns undefined for any other statement. */
export function parseKill(request: EngineRequest): string | undefined {
  const match = KILL.exec(request.sql)
  if (match === null) return undefined
  return match[1] ?? (match[2] === undefined ? undefined : request.parameters[match[2]])
}

/**
 * Recognizes an INSERT with rows, which are in the statement, in the request's body, or in both. Returns undefined for other
 * statements. chDB must get the rows in a file: in the SQL, it would take the rows after an empty line for another statement.
 */
export function parseInsert(request: EngineRequest): { readonly rows: Buffer; statement(file: string): string } | undefined {
  const match = INSERT.exec(request.sql)
  if (match === null) return undefined
  const [all, target, format] = match
  const inline = request.sql.slice(all.length)
  return {
    rows: request.body === undefined ? Buffer.from(inline) : Buffer.concat([Buffer.from(inline), request.body]),
    statement: file => `${target}FROM INFILE '${file}' COMPRESSION 'none' FORMAT ${format}`,
  }
}

/** Whether SQL may contain a second statement or use files. A server allows neither, but chDB allows both. */
export function needsParsing(sql: string): boolean {
  return SUSPECT.test(sql)
}

/**
 * Whether a statement reads or writes a file. It must be printed by ClickHouse's formatter (no comments, upper-case keywords).
 */
export function namesFile(canonical: string): boolean {
  const words = canonical.replaceAll(/'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"/g, "''")
  return /\b(?:INTO OUTFILE|FROM INFILE)\b/.test(words)
}
