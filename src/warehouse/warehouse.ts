/**
 * The port through which all parts reach ClickHouse. The implementation over HTTP works with a server and with the embedded engine. Queries run as
 * one of two users of the warehouse. `read` uses the reading user, who is read-only and limited, with exact output settings. `readOwn` and `write`
 * use the writing user, who owns Clew's own tables. SQL from a model reaches only `read`, and only as the guard's canonical text.
 */
export interface Warehouse {
  /** Describes the target. Messages and `doctor` show it. */
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
  /** Closes the sockets. An embedded engine keeps running: the caller opened it. */
  close(): Promise<void>
}

export interface ReadQuery {
  readonly sql: string
  /** Bound parameters, written `{name:Type}` in the SQL. Their values never become a part of the SQL text. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>
  /** The database of unqualified table names. Default: the first database in CLICKHOUSE_DATABASE. */
  readonly database?: string
  /**
   * For this query, only the rights of these roles count (deploy/clickhouse/scope-role.sql creates such a role). Default: the reading user's default
   * roles.
   */
  readonly roles?: readonly string[]
  /** The id in system.query_log. A cancellation uses it too. Default: the warehouse generates one. */
  readonly queryId?: string
  /** The maximum number of returned rows. If there are more, `truncated` is set. Default: only the byte limit applies. */
  readonly maxRows?: number
  /** The memory that the result may take. A larger result is cut, as at the warehouse's own limit. */
  readonly room?: ResultRoom
  /** The time limit in milliseconds, from the moment of sending. Default: the warehouse's own limit. */
  readonly timeoutMs?: number
  /** Called when the query leaves the queue and is sent. The time limit begins here. */
  readonly onSent?: () => void
}

/** The memory that is left for results. It is counted in bytes of the server's responses. */
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
  /** The ClickHouse type as the server writes it: `Nullable(Decimal(18, 2))`. */
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
  /** True if the result had more rows than `maxRows`, or was cut by a byte limit. */
  readonly truncated: boolean
  readonly elapsedMs: number
  readonly queryId: string
  /** The number of rows that the server reports as read. 0 if it reports none. */
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
