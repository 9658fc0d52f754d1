/** All limits of queries and the embedded engine. Sizes are in bytes. Each time has its unit in its name. */
export const CLICKHOUSE_LIMITS = {
  /** The default limits of one query: rows and bytes of its result, and time. */
  query: { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 30_000 },
  /** The default time limit of a write. Pipelines build tables with writes. */
  writeTimeoutMs: 600_000,
  connection: {
    /**
     * An idle socket is closed after this time. It is shorter than any server's keep-alive timeout (3 s before ClickHouse 23.11, 10 s since).
     */
    idleSocketTtlMs: 2_500,
    /**
     * The number of sockets per client, and so of its concurrent queries. It is below the server's limit (max_concurrent_queries, 100 by default
     * before 24.x).
     */
    maxOpenConnections: 16,
    /** The largest value of setTimeout. A query ends by its deadline, never because its socket is silent. */
    socketTimeoutMs: 2_147_483_647,
    /** Clew's deadline comes this long after the server's deadline, so the server's error, which tells more, comes first. */
    deadlineGraceMs: 500,
    /** After an abort, Clew waits this long for the server to confirm the query's end. */
    killWaitMs: 3_000,
    /** Retries after refused connections, missing routes and unknown hosts. They take about 3 s in total. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
    /**
     * Chosen: a broken embedded engine refuses statements while it ends. Clew sends refused statements again for this long. On a busy machine, the
     * end took over 3 s.
     */
    startedAnewMs: 20_000,
  },
  engine: {
    /** The number of concurrent reads. Further reads wait. */
    readers: 8,
    /** The number of concurrent writes. Further writes wait. */
    writers: 4,
    /**
     * A read that runs longer than `afterMs` moves to an extra slot, so that slow reads do not delay fast ones. `readers` is the number of extra
     * slots.
     */
    slow: { afterMs: 3_000, readers: 16 },
    /** The maximum number of waiting reads, and of waiting writes. Further queries are refused with code 202, as on a server. */
    queue: 200,
    /**
     * The number of libuv's threads. Each of the 28 running queries takes one, and ending a query needs another. DNS and files must not wait for
     * them.
     */
    threadPool: 64,
    /** The engine closes an idle socket after this time. It is longer than `connection.idleSocketTtlMs`. */
    keepAliveMs: 10_000,
    /** The engine lives this long after its last lease ends. */
    leaseGraceMs: 1_500,
    /** The engine stops if nobody takes a lease within this time after its start. */
    firstLeaseMs: 15_000,
    /** An engine that is stopping waits this long for the queries that it has cancelled. */
    endQueriesMs: 1_000,
    /** A query that still runs this long after its cancellation is stuck in a call. The engine then restarts. */
    outlivesEndMs: 5_000,
    /**
     * While anything runs, the engine gets `SELECT 1` every `everyMs`. If `missed` of these queries fail in a row, the engine is ended.
     */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /**
     * The memory that the process may take besides `max_server_memory_usage`, for thread stacks, caches and Node. Measured: at most 1.4 GB under full
     * load.
     */
    processOverheadBytes: 2_000_000_000,
    /** The process that starts the engine waits this long for it. */
    startTimeoutMs: 30_000,
    /** The maximum size of a request's body: a query's text, and inserted rows. */
    maxRequestBytes: 256 * 1024 * 1024,
    /**
     * The maximum size of the headers and the URL. The URL contains bound parameters. A server accepts 1 MiB (http_max_uri_size).
     */
    maxHeaderBytes: 1024 * 1024,
    /** The time between two attempts to kill a query. A query that is still being planned is not yet in system.processes. */
    killRetryMs: 25,
    /** Chosen: a broken engine checks at this interval whether queries still run. */
    brokenPollMs: 20,
    /** Chosen: the last answers get this long to leave the process. */
    lastAnswersMs: 100,
    /** The pause between two attempts to join an engine that is starting. */
    joinRetryMs: 50,
    loggedSqlCharacters: 1_000,
    /** A running engine must prove its identity within this time. */
    proofMs: 2_000,
    /**
     * Folders younger than this are never removed. Containers may share a folder, and a process id of another container tells nothing.
     */
    leftOverMs: 24 * 60 * 60 * 1000,
  },
} as const

/**
 * Server settings of the embedded engine. The engine's defaults are for a database server, with 5 GB per cache. With these settings, an idle engine
 * with a table of a million rows takes about 310 MB. Heavy queries double this for some seconds, until the allocator frees the memory.
 * `processMemoryBytes` also limits memory that these settings do not cover.
 */
export const ENGINE_SERVER_SETTINGS = {
  mark_cache_size: 134_217_728,
  index_mark_cache_size: 33_554_432,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 33_554_432,
  /** The memory limit of all queries together, in bytes. */
  max_server_memory_usage: 4_000_000_000,
  /** The same limit as a share of the machine's memory. The lower of the two counts. */
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Without these settings, UInt64, Decimal, NaN and Inf are wrong in JSON (measured on 26.7). */
export const EXACT_OUTPUT_SETTINGS = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
} as const

/** Limits on the cost of the reading user's queries. The shipped profile for servers has the same list. */
export const READER_LIMIT_SETTINGS = {
  max_execution_time: '30',
  timeout_overflow_mode: 'throw',
  /** 0: the engine does not predict a query's time from its first seconds. Only the time limit itself ends a query. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /** Without this limit, planning 14 nested CTEs took 5.6 s despite a time limit of 2 s. */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /**
   * Limits are checked between blocks. With a quarter of the default block size, slow functions stop four times sooner. Scans take 2 to 5 % longer
   * (measured).
   */
  max_block_size: '16384',
  /** With 0, a bare expression is no query. The SQL guard requires a SELECT. */
  implicit_select: '0',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const

export const GUARD_LIMITS = {
  /**
   * The maximum number of bytes that the engine has to print. 5 MB took about 1 s. This limit allows 12 nested BETWEEN in a query of 1 KB.
   */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /**
   * The maximum length of the canonical text, in characters. It is longer than the input, because operators and casts are written as calls. Twice the
   * input is enough.
   */
  maxCanonicalLength: 64 * 1024,
  /** The maximum nesting of brackets in the canonical text. Legitimate sample queries reach 6. */
  maxDepth: 150,
  /**
   * The maximum number of tokens after the engine has copied WITH lists into the branches of a UNION. Before that, 16 KB of SQL have at most 8,000
   * tokens.
   */
  maxExpandedTokens: 40_000,
  /** The maximum number of lines of EXPLAIN output. Legitimate sample queries reach about 200. */
  maxTreeLines: 50_000,
  /** The time limit of one of the guard's own statements, in milliseconds from sending. It usually takes about 1 ms. */
  timeoutMs: 5_000,
  /** If the server is busy, one of the guard's own statements gets this many attempts, with pauses between. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** A message lists at most this many tables. Beyond that, it lists similar names only. */
  maxListedTables: 12,
  /** The maximum number of copies of a value by all repeating calls of a query together. */
  maxCopies: 10_000,
  /** The maximum length of a list or text, if the query compares lists or texts element by element. */
  maxComparedElements: 10_000,
  /** The maximum length of a text that is compared character by character: a literal, or a text cut by `substring` or `left`. */
  maxComparedCharacters: 1_000,
  /** The maximum number of rows that `numbers()` or `generateSeries()` may generate. */
  maxGeneratedRows: 100_000_000,
  /** The maximum number of keys of GROUP BY CUBE, which groups by every subset of its keys. */
  maxCubeKeys: 10,
  /** The maximum number of buckets of the combinator -Resample. */
  maxBuckets: 10_000,
  /** The largest number in a type name, such as the 10 in FixedString(10). */
  maxTypeNumber: 65_535,
  /** The maximum length of a chain of names and calls that is followed to a value. */
  maxSteps: 40,
  /**
   * The maximum size of a pattern: this many elements, and this many characters. Elements are counted after repetitions such as `a{900}` are
   * expanded.
   */
  maxPatternElements: 1_000,
  /** The maximum number of nested levels of BETWEEN that are counted. No real query has more. */
  maxTextLevels: 30,
} as const

/** The limits of Clew's own queries, besides those that answer questions. Times are in milliseconds. */
export const SERVER_LIMITS = {
  /** The time limit of each check of `clew doctor`. */
  checkMs: 5_000,
  /** The demo data take 100 MB. Below this much free space, inserts and merges begin to fail. */
  freeBytes: 1e9,
  /** The layout of a table is found from at most this many partitions. */
  partitions: 5_000,
  /**
   * The time limit of tracing columns. The engine usually prints a tree in about 5 ms. It takes longer only if it computes a part of the query.
   */
  lineageMs: 2_000,
  /** The maximum number of lines of EXPLAIN output that are read for lineage and filters. */
  treeLines: 20_000,
  /**
   * The maximum number of rounds for the inputs of a recursive CTE. A chain of columns, each made from the next, takes one round per column.
   */
  lineageRounds: 100,
  /** A subquery in place of a value is planned on its own. The cost of a query with more of them than this counts as unknown. */
  valueSubqueries: 16,
  /** A message names at most this many databases. */
  namedDatabases: 10,
  /** The time limit of formatting SQL. It is short, because somebody waits, and unformatted SQL is good enough. */
  formatMs: 2_000,
  /** The maximum length of a server's message in an error. */
  messageCharacters: 1_000,
  /** Limits of looking up a query's filters in the data. */
  lookUp: {
    /** The time limit of the whole look-up. A person waits, and the look-up matters less than the answer. */
    timeMs: 1_000,
    /** The maximum number of tables in a look-up. */
    tables: 4,
    /** The maximum number of filters in a look-up. */
    filters: 12,
    /** The maximum number of constants per filter. */
    constants: 8,
    /** The maximum number of joins in a look-up. */
    joins: 4,
    /** The maximum number of distinct values of a joined column that are looked up in the other column. */
    joinedValues: 100_000,
    /** If no row has the text of a filter, Clew searches for similar values, for at most this many texts. */
    missingTexts: 6,
    /** The maximum number of steps from an expression to the table column behind it. Readable queries need fewer. */
    nestedColumns: 30,
    /** A finding shows at most this many characters of a constant. */
    shownCharacters: 60,
    /** A finding shows at most this many constants. */
    shownConstants: 5,
  },
  /** The limits of searching for values similar to a text that no row has. */
  nearValues: {
    /** In a column with more distinct values than this, only values that share a beginning or a word with the text are compared. */
    comparedValues: 5_000,
    /** The engine sorts at most this many values by their distance. */
    sortedValues: 50_000,
    /** The engine returns at most this many of the sorted values. */
    candidates: 50,
    shown: 4,
    /** If a column has at most this many values, the result lists all of them. */
    listedValues: 12,
    /** At most this many characters of a value are shown. */
    shownCharacters: 100,
    /** Only this many characters of each text are compared. The time of a comparison grows with the product of both lengths. */
    comparedCharacters: 64,
  },
  load: {
    /** The maximum length of a table name that is made from a file's name. */
    tableNameCharacters: 60,
    /** This many bytes at the beginning of a file show its kind. */
    headBytes: 1_000,
    /** The time limit of reading files, which may be as large as the disk. */
    timeMs: 24 * 60 * 60 * 1_000,
    /** Messages show at most this many characters of a value or line. */
    shownCharacters: 60,
  },
  /** Limits of checking a query before it runs. */
  validation: {
    /** The maximum length of an engine's message that an explanation quotes. */
    complaintCharacters: 300,
    /** The time limit of a plan that may run subqueries, without the round trip. It keeps the whole check below 50 ms. */
    planMs: 20,
    /** Most plans that run nothing take less time than this. */
    slowMs: 15,
    /**
     * The time limit of a plan that runs nothing but may show too high a cost. The limit is long, because a busy or distant server, or a huge table,
     * is no reason to skip the check.
     */
    plainPlanMs: 3_000,
    /** A message lists all columns of a table with at most this many. The columns of wider tables are already in the prompt. */
    listedColumns: 16,
    /** A message about a misplaced column names at most this many tables. */
    namedTables: 3,
  },
} as const
