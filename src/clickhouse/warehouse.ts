/**
 * The warehouse port: how every other part talks to ClickHouse. Implemented over ClickHouse's HTTP protocol, for a server and for the
 * embedded engine alike.
 *
 * Two ways in, never mixed: `read` runs as the reader (read-only, bounded, exact output settings), `readOwn` and `write` as the owner of
 * Clew's own tables. SQL written by a model only ever reaches `read`, and only as the canonical text that the guard returned.
 */
export interface Warehouse {
  /** What this is connected to, for messages and for doctor. */
  readonly description: string
  /**
   * Runs one SELECT (or SHOW, EXPLAIN, DESCRIBE) as the reader and returns its whole, bounded result.
   * @throws WarehouseError, always typed; after an abort its kind is `cancelled` and the query has been ended in the engine.
   */
  read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult>
  /** Runs one SELECT as the writer, for Clew's own tables, which the reader need not see. @throws WarehouseError */
  readOwn(query: Omit<ReadQuery, 'role'>, signal: AbortSignal): Promise<QueryResult>
  /** Runs one statement that returns no rows (DDL, INSERT … SELECT) as the writer. @throws WarehouseError */
  write(statement: WriteStatement, signal: AbortSignal): Promise<void>
  /** Releases sockets. Does not stop an embedded engine that was handed in. */
  close(): Promise<void>
}

export interface ReadQuery {
  readonly sql: string
  /** Bound parameters, `{name:Type}` in the SQL. Never spliced into the text. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>
  /** The database that unqualified names belong to; the first of CLICKHOUSE_DATABASE when absent. */
  readonly database?: string
  /** The roles of the reader whose rights alone count for this query (deploy/clickhouse/scope-role.sql makes such); its default roles when absent. */
  readonly roles?: readonly string[]
  /** Shown in system.query_log and used for cancellation; made by the warehouse when absent. */
  readonly queryId?: string
  /** At most so many rows are returned; a further one sets `truncated`. Unbounded (but for the bytes) when absent. */
  readonly maxRows?: number
  /** Time allowed from when it is sent, in milliseconds; the warehouse's own limit when absent. */
  readonly timeoutMs?: number
  /** Called when its turn has come and it is sent: what it waited for others does not count as its time. */
  readonly onSent?: () => void
}

export interface WriteStatement {
  readonly sql: string
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>
  readonly database?: string
  readonly queryId?: string
  readonly timeoutMs?: number
}

export interface ResultColumn {
  readonly name: string
  /** ClickHouse's type, as the server spells it: `Nullable(Decimal(18, 2))`. */
  readonly type: string
}

/**
 * One value as JSON can carry it without loss: UInt64, Int64, Decimal arrive as strings of digits, NaN and Inf as the strings
 * "nan", "inf", "-inf"; arrays, tuples and maps as nested values.
 */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell }

export interface QueryResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  /** True when the result had more rows than `maxRows`. */
  readonly truncated: boolean
  readonly elapsedMs: number
  readonly queryId: string
  /** What the server says it read; 0 where it does not say. */
  readonly rowsRead: number
  readonly bytesRead: number
}

/**
 * The text that runs for a query of which at most so many rows are wanted: one row more tells that there are more. Only what can stand in a
 * subquery is limited; SHOW, EXPLAIN and DESCRIBE are short.
 */
export function limitedToRows(sql: string, maxRows: number): string {
  return /^\s*(?:SELECT|WITH|\()/i.test(sql) ? `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows + 1}` : sql
}
