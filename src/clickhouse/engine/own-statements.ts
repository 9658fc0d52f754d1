import type { EngineRequest } from './http-request.ts'

/** `KILL QUERY WHERE query_id = '…'`: ids of queries exist in the HTTP face only, so it answers this one form by itself. */
const KILL =
  /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([\w-]+)'|\{(\w+):String\})\s*(?:A?SYNC\b\s*)?(?:FORMAT\s+\w+\s*)?(?:;\s*)?$/i

/** `INSERT INTO table (columns) SETTINGS … FORMAT F`, then rows: what @clickhouse/client sends for `insert`. */
const INSERT = /^(\s*INSERT\s+INTO\s[^'{}]*?)\bFORMAT\s+(\w+)(?:\s|$)/i

/** Only what could be one of these is shown to ClickHouse's parser before it runs. */
const SUSPECT = /;\s*\S|\b(?:out|in)file\b/i

/** The id that a KILL QUERY names; undefined when the statement is another. */
export function parseKill(request: EngineRequest): string | undefined {
  const match = KILL.exec(request.sql)
  if (match === null) return undefined
  return match[1] ?? (match[2] === undefined ? undefined : request.parameters[match[2]])
}

/**
 * An INSERT that carries its rows, in the URL's statement and the body or one after the other. chDB would take what follows an empty line
 * of rows for a further statement, so the rows go to it in a file. Undefined for every other statement.
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

/** True for a text that may hold a second statement, or read or write files as only clickhouse-local does. */
export function needsParsing(sql: string): boolean {
  return SUSPECT.test(sql)
}

/** True when a statement, as ClickHouse's own formatter wrote it (no comments, keywords in capitals), names a file. */
export function namesFile(canonical: string): boolean {
  const words = canonical.replaceAll(/'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"/g, "''")
  return /\b(?:INTO OUTFILE|FROM INFILE)\b/.test(words)
}
