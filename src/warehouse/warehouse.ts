/**
 * The port through which all parts reach ClickHouse. The implementation over HTTP works with a server and with the embedded engine. Queries run as
 * one of two users of the warehouse. `read` uses the reading user, who is read-only and limited, with exact output settings. `readOwn` and `write`
 * use the writing user, who owns Clew's own tables. SQL from a model reaches only `read`, and only as the guard's canonical text.
 */
export interface Warehouse {
  /** A short description of the warehouse's address, for messages and `clew doctor`. */
  readonly description: string
  /**
   * Runs one SELECT (or SHOW, EXPLAIN, DESCRIBE) as the reading user. Returns the whole result up to its limits.
   * @throws WarehouseError; after an abort its kind is `cancelled`, and the query has ended in the engine too
   */
  read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult>
  /**
   * Runs one SELECT on Clew's own tables as the writing user. The reading user need not see these tables.
   * @throws WarehouseError
   */
  readOwn(query: Omit<ReadQuery, 'role'>, signal: AbortSignal): Promise<QueryResult>
  /**
   * Runs one statement without a result (DDL, INSERT … SELECT) as the writing user.
   * @throws WarehouseError
   */
  write(statement: WriteStatement, signal: AbortSignal): Promise<void>
  /** Closes the sockets. An embedded engine keeps running, because the caller opened it and must close it. */
  close(): Promise<void>
}

export interface ReadQuery {
  readonly sql: string
  /** The values of bound parameters, which the SQL contains as `{name:Type}`. The values never become a part of the SQL text. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>
  /** The database for table names without a database. Default: the first one in CLICKHOUSE_DATABASE. */
  readonly database?: string
  /**
   * This query runs with the rights of only these roles. deploy/clickhouse/scope-role.sql creates such a role. Default: the
   * reading user's default roles.
   */
  readonly roles?: readonly string[]
  /** The id of the query in system.query_log. It is also used to cancel the query. Default: the warehouse generates an id. */
  readonly queryId?: string
  /** The maximum number of rows to return. If the query has more, `truncated` is true. Default: only the byte limit applies. */
  readonly maxRows?: number
  /** The memory that the result may take. A larger result is cut. The warehouse's own limit applies too. */
  readonly room?: ResultRoom
  /** The time limit in milliseconds. The time begins when the query is sent. Default: the warehouse's own limit. */
  readonly timeoutMs?: number
  /** Called when the query leaves the queue and is sent to the server. The time limit begins at this moment. */
  readonly onSent?: () => void
}

/** The memory that is still free for query results, in bytes. Results are measured by the size of the server's responses. */
export interface ResultRoom {
  bytesLeft(): number
  took(bytes: number): void
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
  /** The ClickHouse type in the server's spelling, such as `Nullable(Decimal(18, 2))`. */
  readonly type: string
}

/**
 * A value in a form that JSON can hold without loss. UInt64, Int64 and Decimal are strings of digits. NaN and Inf are "nan", "inf", "-inf". Arrays,
 * tuples and maps are nested values.
 */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell }

export interface QueryResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  /** True if the result is incomplete: it had more rows than `maxRows`, or exceeded a byte limit. */
  readonly truncated: boolean
  readonly elapsedMs: number
  readonly queryId: string
  /** The number of rows that the query has read, as the server reports it. 0 if the server does not report it. */
  readonly rowsRead: number
  readonly bytesRead: number
}

/**
 * Returns SQL that reads at most `maxRows` rows of a query, and one more to show that the result was longer. Only a query that can be a subquery is
 * limited, because the results of SHOW, EXPLAIN and DESCRIBE are short anyway.
 */
export function limitedToRows(sql: string, maxRows: number): string {
  return /^\s*(?:SELECT|WITH|\()/i.test(sql) ? `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows + 1}` : sql
}
