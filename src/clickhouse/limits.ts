/** All limits of queries and the embedded engine. Sizes are in bytes; each name tells the unit of time. */
export const CLICKHOUSE_LIMITS = {
  /** Default limits of one query's result and time. */
  query: { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 30_000 },
  /** The default time for a write. Pipelines build tables with it. */
  writeTimeoutMs: 600_000,
  connection: {
    /** Less than the shortest keep-alive timeout in use (3 s before ClickHouse 23.11, 10 s since). */
    idleSocketTtlMs: 2_500,
    /** Sockets per client, which limit its concurrent queries. Below the server's limit (max_concurrent_queries, 100 by default before 24.x). */
    maxOpenConnections: 16,
    /** The largest value of setTimeout: a deadline ends a query, not a silent socket. */
    socketTimeoutMs: 2_147_483_647,
    /** Added to the server's deadline, so that the server's own, more specific error comes first. */
    deadlineGraceMs: 500,
    /** How long an abort waits for the server to confirm the query's end. */
    killWaitMs: 3_000,
    /** For refused connections, missing routes and unknown hosts: about 3 s in all. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
  },
  engine: {
    /** Concurrent queries. Others wait. */
    readers: 8,
    writers: 4,
    /** A read that runs this long moves to an extra slot, up to this many, so that slow reads do not delay small ones. */
    slow: { afterMs: 3_000, readers: 16 },
    /** Waiting queries of one kind. Further ones are refused with code 202, as on a server. */
    queue: 200,
    /** libuv threads. Each of the 28 running queries holds one, ending a query needs one, and DNS and files must not wait. */
    threadPool: 64,
    /** How long the engine keeps an idle socket. More than `connection.idleSocketTtlMs`. */
    keepAliveMs: 10_000,
    /** How long the engine lives after its last lease. */
    leaseGraceMs: 1_500,
    /** The engine stops if nobody takes a lease within this time of its start. */
    firstLeaseMs: 15_000,
    /** How long a stopping engine waits for its cancelled queries. */
    endQueriesMs: 1_000,
    /** A query that runs this long after its end is stuck in a call, and the engine restarts. */
    outlivesEndMs: 5_000,
    /** The interval of `SELECT 1` while anything runs, and how many may fail in a row. */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /** Memory beyond `max_server_memory_usage` for thread stacks, caches and Node. Measured: at most 1.4 GB under full load. */
    processOverheadBytes: 2_000_000_000,
    /** How long a starter waits for the engine. */
    startTimeoutMs: 30_000,
    /** The largest request body: query text and inserted rows. */
    maxRequestBytes: 256 * 1024 * 1024,
    /** URLs carry bound parameters. A server accepts 1 MiB (http_max_uri_size). */
    maxHeaderBytes: 1024 * 1024,
  },
} as const

/**
 * Server settings of the embedded engine. Its defaults suit a database server, with 5 GB per cache. With these, an idle engine with a million-row
 * table takes about 310 MB. Heavy queries double that until the allocator frees it within seconds. `processMemoryBytes` limits memory that these
 * settings miss.
 */
export const ENGINE_SERVER_SETTINGS = {
  mark_cache_size: 134_217_728,
  index_mark_cache_size: 33_554_432,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 33_554_432,
  /** For all queries together, or 60 % of the machine if that is less. */
  max_server_memory_usage: 4_000_000_000,
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Without these, UInt64, Decimal, NaN and Inf arrive wrong in JSON (measured on 26.7). */
export const EXACT_OUTPUT_SETTINGS = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
} as const

/** Limits on a reader's cost. The shipped server profile has the same list. */
export const READER_LIMIT_SETTINGS = {
  max_execution_time: '30',
  timeout_overflow_mode: 'throw',
  /** 0: do not extrapolate from the first seconds. Only the time limit decides. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /** Without it, 14 nested CTEs planned for 5.6 s despite a limit of 2 s. */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /** Limits are checked between blocks. A quarter of the default stops slow functions four times sooner, and costs scans 2 to 5 % (measured). */
  max_block_size: '16384',
  /** A bare expression is no query, since the SQL guard's canonical text must be a SELECT. */
  implicit_select: '0',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const
