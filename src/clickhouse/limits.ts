/** Every number that bounds a query or the embedded engine. Sizes in bytes, times in the unit their name says. */
export const CLICKHOUSE_LIMITS = {
  /** What one query may return and how long it may take, by default. */
  query: { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 30_000 },
  /** Time a write may take by default: pipelines build tables with it. */
  writeTimeoutMs: 600_000,
  connection: {
    /** Below the shortest keep-alive time-out in use (3 s before ClickHouse 23.11, 10 s since). */
    idleSocketTtlMs: 2_500,
    /** Sockets of one client, hence its concurrent queries: below the server's own cap (max_concurrent_queries, 100 by default before 24.x). */
    maxOpenConnections: 16,
    /** A query is ended by its deadline, not by silence on its socket; this is the most that setTimeout takes. */
    socketTimeoutMs: 2_147_483_647,
    /** Beyond a deadline that the server was told, so that its own, more telling error comes first. */
    deadlineGraceMs: 500,
    /** How long an abort waits for the server's word that the query has ended. */
    killWaitMs: 3_000,
    /** Refused, no route, no such host: tried again within about 3 s in all. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
  },
  engine: {
    /** Queries that run side by side; the others wait. */
    readers: 8,
    writers: 4,
    /** A read that has run so long gives its place to the next, as long as no more than so many have: slow ones do not keep small ones waiting. */
    slow: { afterMs: 3_000, readers: 16 },
    /** Waiting queries of one kind; a further one is refused with code 202, as a server does. */
    queue: 200,
    /** libuv threads: each of the 28 running queries holds one, ending a query needs one more, and DNS and files must not wait. */
    threadPool: 64,
    /** An idle socket lives this long in the engine; above `connection.idleSocketTtlMs`. */
    keepAliveMs: 10_000,
    /** The engine ends so long after its last lease. */
    leaseGraceMs: 1_500,
    /** The engine ends when nobody has taken a lease so long after its start. */
    firstLeaseMs: 15_000,
    /** How long an engine that ends waits for the queries that it has ended. */
    endQueriesMs: 1_000,
    /** A query that still runs so long after it was ended is inside a call that nothing interrupts: the engine is started anew. */
    outlivesEndMs: 5_000,
    /** `SELECT 1` is asked so often while anything runs, and may go unanswered so many times. */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /** Memory for stacks of threads, caches and Node, beyond `max_server_memory_usage`. Measured: at most 1.4 GB under full load. */
    processOverheadBytes: 2_000_000_000,
    /** A starter gives up when the engine is not ready by then. */
    startTimeoutMs: 30_000,
    /** The largest body of a request: text of queries and rows to insert. */
    maxRequestBytes: 256 * 1024 * 1024,
    /** URLs carry bound parameters; a server takes 1 MiB (http_max_uri_size). */
    maxHeaderBytes: 1024 * 1024,
  },
} as const

/**
 * Server settings of the embedded engine. Its own defaults suit a database server: 5 GB for each cache. With these, an idle engine with a
 * million-row table takes about 310 MB, and about as much again after heavy queries, which the allocator gives back within seconds.
 * `processMemoryBytes` bounds what these settings do not count.
 */
export const ENGINE_SERVER_SETTINGS = {
  mark_cache_size: 134_217_728,
  index_mark_cache_size: 33_554_432,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 33_554_432,
  /** All queries together; or 60 % of the machine, where that is less. */
  max_server_memory_usage: 4_000_000_000,
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Exact values in JSON: without these UInt64, Decimal, NaN and Inf arrive wrong (measured on 26.7). */
export const EXACT_OUTPUT_SETTINGS = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
} as const

/** What a reader may cost. The same list is the profile that the project ships for a server. */
export const READER_LIMIT_SETTINGS = {
  max_execution_time: '30',
  timeout_overflow_mode: 'throw',
  /** 0: no guess from the speed of the first seconds; the time limit alone decides. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /** A bomb of 14 nested CTEs planned for 5.6 s past a limit of 2 s without it. */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /** Limits are looked at between blocks: a quarter of the default lets a slow function meet them four times sooner, and costs scans 2 to 5 % (measured). */
  max_block_size: '16384',
  /** A bare expression is no query: the SQL guard's canonical text comes from a parser that takes SELECT only. */
  implicit_select: '0',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const
