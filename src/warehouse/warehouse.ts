/**
 * The port through which questions reach a data source of any kind. `read` runs as the reading user, who is read-only and limited,
 * with output settings that keep numbers exact. SQL from a model reaches only `read`, and only as the guard's canonical text.
 */
export interface DataWarehouse {
  /** The warehouse's address in a short form, for messages and `clew doctor`. */
  readonly description: string
  /**
   * Runs one SELECT (in ClickHouse also SHOW, EXPLAIN, DESCRIBE) as the reading user. Returns the whole result, up to the limits.
   * @throws WarehouseError; after an abort its kind is `cancelled`, and the query has stopped in the engine too
   */
  read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult>
  /** Closes the sockets. An embedded engine keeps running, because the caller has opened it and must close it. */
  close(): Promise<void>
}

/**
 * The port through which all code reaches ClickHouse. The implementation over HTTP works with a server and with the embedded
 * engine. `readOwn` and `write` run as the writing user, who owns Clew's own tables.
 */
export interface Warehouse extends DataWarehouse {
  /**
   * Runs one SELECT on Clew's own tables as the writing user. The reading user need not have access to them.
   * @throws WarehouseError
   */
  readOwn(query: Omit<ReadQuery, 'role'>, signal: AbortSignal): Promise<QueryResult>
  /**
   * Runs one statement without a result (DDL, INSERT … SELECT) as the writing user.
   * @throws WarehouseError
   */
  write(statement: WriteStatement, signal: AbortSignal): Promise<void>
}

export interface ReadQuery {
  readonly sql: string
  /** The values of the parameters that the SQL contains as `{name:Type}`. They never become part of the SQL text. */
  readonly parameters?: Readonly<Record<string, string | number | readonly string[]>>
  /** The database for table names without a database. Default: the first one in CLICKHOUSE_DATABASE. */
  readonly database?: string
  /**
   * The query has only the rights of these roles. deploy/clickhouse/scope-role.sql creates such a role. Default: the reading
   * user's default roles.
   */
  readonly roles?: readonly string[]
  /** The query's id in system.query_log, by which it is also cancelled. Default: a generated id. */
  readonly queryId?: string
  /** The maximum number of rows to return. If the query has more, `truncated` is true. Default: only the byte limit applies. */
  readonly maxRows?: number
  /** Memory that results of several queries share. A result that does not fit is cut. The warehouse's own limit applies too. */
  readonly room?: ResultRoom
  /** The time limit in milliseconds, counted from the moment when the query is sent. Default: the warehouse's own limit. */
  readonly timeoutMs?: number
  /** Whether it only checks that the server answers. Such a query comes every few seconds, so it is not observed. */
  readonly isProbe?: boolean
  /** Called when the query leaves the queue and is sent. The time limit begins now. */
  readonly onSent?: () => void
}

/** The memory that is still free for query results. A result's size is the size of the server's response, in bytes. */
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
 * A value in a form that JSON holds without loss. UInt64, Int64 and Decimal are strings of digits. NaN and Inf are "nan", "inf"
 * and "-inf". Arrays, tuples and maps are nested values.
 */
export type Cell = string | number | boolean | null | readonly Cell[] | { readonly [key: string]: Cell }

export interface QueryResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  /** True if rows are missing: the result had more than `maxRows`, or exceeded a byte limit. */
  readonly truncated: boolean
  readonly elapsedMs: number
  readonly queryId: string
  /** The number of rows that the query read, as the server reports it. 0 if it does not. */
  readonly rowsRead: number
  readonly bytesRead: number
}

/**
 * Returns SQL that reads at most one row more than `maxRows`. The extra row shows that the result is longer. SHOW, EXPLAIN and
 * DESCRIBE cannot be subqueries, so they stay unchanged; their results are short anyway.
 */
export function limitedToRows(sql: string, maxRows: number): string {
  return /^\s*(?:SELECT|WITH|\()/i.test(sql) ? `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows + 1}` : sql
}
