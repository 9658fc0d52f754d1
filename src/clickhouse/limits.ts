/** All limits of queries and of the embedded engine. Sizes are in bytes. The name of each time limit contains its unit. */
export const CLICKHOUSE_LIMITS = {
  /** The default limits of one query: the rows and bytes of its result, and its running time. */
  query: { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 30_000 },
  /** The default time limit of a write. Pipelines fill their tables with writes, so it is long. */
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
    /**
     * The largest time that setTimeout accepts. A socket may be silent for long, because each query has a deadline of its own.
     */
    socketTimeoutMs: 2_147_483_647,
    /** Clew's deadline for a query is this much later than the server's. So the server's error, which tells more, comes first. */
    deadlineGraceMs: 500,
    /** After an abort, Clew waits this long for the server to confirm the query's end. */
    killWaitMs: 3_000,
    /** Limits of the retries after a refused connection, a missing route or an unknown host. All retries together take about 3 s. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
    /**
     * A broken embedded engine refuses statements while it ends. Clew sends refused statements again for this long. The value is a judgment; on
     * a busy machine, the end took over 3 s.
     */
    startedAnewMs: 20_000,
  },
  /**
   * The share of the slots for queries that one person's queries may take, and the share of the extra slots for slow queries. The rest stays
   * free for others. A judgment, not a measurement.
   */
  ofOnePerson: { share: 0.75, slowShare: 0.25 },
  engine: {
    /** The maximum number of reads that run at the same time. Further reads wait. */
    readers: 8,
    /** The maximum number of writes that run at the same time. Further writes wait. */
    writers: 4,
    /**
     * A read that runs longer than `afterMs` moves to an extra slot, so that slow reads do not delay fast ones. There are `readers` extra slots.
     */
    slow: { afterMs: 3_000, readers: 16 },
    /**
     * The number of reads that one person may have running, per core. The engine shares the machine with Clew, so more would not end sooner. With
     * 3 on each core, beside 180 slow joins of one person, answers to another took up to 3 s; with these, up to 1 s (measured on 2 cores).
     */
    ofOnePerson: { readersPerCore: 1.5, slowPerCore: 0.5 },
    /** The maximum number of reads, and of writes, that wait for a slot. Any further query is refused with code 202, as a server does. */
    queue: 200,
    /**
     * The number of libuv's threads. Each of the 28 running queries takes one, and ending a query needs another. DNS and files must not wait for
     * them.
     */
    threadPool: 64,
    /** The engine closes a socket after this much idle time. Clients close their own sockets earlier (`connection.idleSocketTtlMs`). */
    keepAliveMs: 10_000,
    /** A lease is a client's claim on the engine. After the last lease ends, the engine lives on for this long. */
    leaseGraceMs: 1_500,
    /** A lease is a client's claim on the engine. If no client takes one within this time, a new engine stops. */
    firstLeaseMs: 15_000,
    /** An engine that is stopping cancels its queries, and then waits this long for them to end. */
    endQueriesMs: 1_000,
    /** If a query still runs this long after its cancellation, it is stuck in a call. The engine then restarts. */
    outlivesEndMs: 5_000,
    /** While any query runs, the engine gets `SELECT 1` every `everyMs`. If `missed` of these in a row fail, the engine's process is ended. */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /**
     * The memory that the process may take in addition to `max_server_memory_usage`, for thread stacks, caches and Node. Measured: at most 1.4
     * GB under full load.
     */
    processOverheadBytes: 2_000_000_000,
    /** A process that starts an engine waits this long until the engine is ready. */
    startTimeoutMs: 30_000,
    /** The maximum size of a request's body. The body contains the query's text or the inserted rows. */
    maxRequestBytes: 256 * 1024 * 1024,
    /**
     * The maximum size of the headers and the URL. The URL contains bound parameters. A server accepts 1 MiB (http_max_uri_size).
     */
    maxHeaderBytes: 1024 * 1024,
    /** The pause between two attempts to kill a query. A kill finds nothing while the query is still being planned. */
    killRetryMs: 25,
    /** A broken engine checks at this interval whether queries still run. The value is a judgment. */
    brokenPollMs: 20,
    /** Before a broken engine's process ends, its last answers get this much time to be sent. The value is a judgment. */
    lastAnswersMs: 100,
    /** The pause between two attempts to connect to an engine that is starting. */
    joinRetryMs: 50,
    loggedSqlCharacters: 1_000,
    /** A program on the engine's port must prove within this time that it is the engine. */
    proofMs: 2_000,
    /**
     * Temporary folders younger than this are never removed. Containers may share the folder above them, and then the process id
     * in a folder's name may be one of another container.
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
  /** The memory limit of all queries together, as a share of the machine's memory. The engine applies the lower of the two memory limits. */
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Without these settings, JSON results contain wrong values for UInt64, Decimal, NaN and Inf (measured on 26.7). */
export const EXACT_OUTPUT_SETTINGS = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
} as const

/** Limits on the cost of the reading user's queries. The profile that Clew ships for servers contains the same list. */
export const READER_LIMIT_SETTINGS = {
  max_execution_time: '30',
  timeout_overflow_mode: 'throw',
  /** Turns off the engine's prediction of a query's running time. So only the time limit itself ends a query. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /**
   * The maximum number of nodes in a query after WITH and views are expanded. Without it, planning 14 nested CTEs took 5.6 s despite a time
   * limit of 2 s.
   */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /**
   * The engine checks limits only between blocks. With a quarter of the default block size, slow functions stop four times sooner. Scans take 2
   * to 5 % longer (measured).
   */
  max_block_size: '16384',
  /** With 0, a query must begin with SELECT, as the SQL guard requires. With 1, the bare expression `1 + 1` would be a query. */
  implicit_select: '0',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const

export const GUARD_LIMITS = {
  /**
   * The maximum number of bytes that the engine would have to print for a query with nested BETWEEN. Printing 5 MB took about 1
   * s. This limit allows 12 nested BETWEEN in a query of 1 KB.
   */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /**
   * The maximum length of the SQL that the engine prints, in characters. The printed SQL is longer than the original, because
   * operators and casts become calls. Twice the length of the original is enough.
   */
  maxCanonicalLength: 64 * 1024,
  /** The maximum nesting of parentheses in the SQL that the engine has printed. Legitimate sample queries reach 6. */
  maxDepth: 150,
  /**
   * The maximum number of tokens after the engine has copied WITH lists into the branches of a UNION. Before that, 16 KB of SQL have at most 8,000
   * tokens.
   */
  maxExpandedTokens: 40_000,
  /** The maximum number of lines that EXPLAIN may print. Legitimate sample queries reach about 200. */
  maxTreeLines: 50_000,
  /**
   * The time limit of each statement that the guard itself sends, in milliseconds. The time begins with sending, and is usually
   * about 1 ms.
   */
  timeoutMs: 5_000,
  /** The guard repeats its own statements if the server is busy: this many attempts, with pauses between them. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** A message lists at most this many tables. If there are more, it lists only tables with similar names. */
  maxListedTables: 12,
  /** The maximum number of copies that functions such as `repeat` may make, multiplied over the whole query. */
  maxCopies: 10_000,
  /** The maximum length of a list or a text in a query that compares lists or texts element by element. */
  maxComparedElements: 10_000,
  /** The maximum length of a text that is compared character by character. The text is a literal, or is cut by `substring` or `left`. */
  maxComparedCharacters: 1_000,
  /** The maximum number of rows that a call of `numbers()` or `generateSeries()` may generate. */
  maxGeneratedRows: 100_000_000,
  /** The maximum number of keys in GROUP BY CUBE. CUBE groups by every subset of its keys. */
  maxCubeKeys: 10,
  /** The maximum number of groups that a call with the combinator -Resample may make, as in `sumResample(0, 100, 1)(x, key)`. */
  maxBuckets: 10_000,
  /** The largest number that may occur in a type, such as the 10 in FixedString(10). */
  maxTypeNumber: 65_535,
  /** The guard follows a name to its value through at most this many aliases and calls. */
  maxSteps: 40,
  /**
   * The maximum size of a pattern: this many elements, and this many characters. Elements are counted after repetitions such as `a{900}` are
   * expanded.
   */
  maxPatternElements: 1_000,
  /** The guard counts the levels of nested BETWEENs only up to this number. No real query has more. */
  maxTextLevels: 30,
} as const

/** The limits of queries that Clew sends for its own purposes, not to answer a question. Times are in milliseconds. */
export const SERVER_LIMITS = {
  /** The time limit of each check of `clew doctor`. */
  checkMs: 5_000,
  /**
   * `clew doctor` warns if the disk has less free space than this. The demo data take 100 MB, and inserts and merges begin to fail below this.
   */
  freeBytes: 1e9,
  /** The catalog reads at most this many partitions to find the layout of a table. */
  partitions: 5_000,
  /**
   * The time limit of tracing columns. The engine usually prints a tree in about 5 ms. It takes longer only if it computes a part of the query.
   */
  lineageMs: 2_000,
  /** The maximum number of EXPLAIN output lines that Clew reads to find lineage and filters. */
  treeLines: 20_000,
  /**
   * The maximum number of rounds in which the inputs of a recursive CTE are collected. A chain of columns, each made from the next, takes one
   * round per column.
   */
  lineageRounds: 100,
  /** The maximum number of subqueries in place of a value. The cost of a query with more is unknown. */
  valueSubqueries: 16,
  /** A message lists at most this many databases. */
  namedDatabases: 10,
  /** The time limit for formatting SQL. It is short, because somebody waits, and unformatted SQL is good enough. */
  formatMs: 2_000,
  /** The maximum length of a server's message inside one of Clew's errors. */
  messageCharacters: 1_000,
  /** When a filter matches no row, Clew looks up its column in the data. These are the limits of that look-up. */
  lookUp: {
    /** The time limit of the whole look-up. A person waits, and the look-up matters less than the answer. */
    timeMs: 1_000,
    /** The maximum number of tables that one look-up reads. */
    tables: 4,
    /** The maximum number of filters that one look-up examines. */
    filters: 12,
    /** The maximum number of constants that one look-up examines per filter. */
    constants: 8,
    /** The maximum number of joins that one look-up examines. */
    joins: 4,
    /** A look-up takes at most this many distinct values from a joined column and searches for them in the other column. */
    joinedValues: 100_000,
    /** For a filter's text that no row contains, Clew searches for similar values. It does this for at most this many texts. */
    missingTexts: 6,
    /** An expression is followed through at most this many steps to its table column. Readable queries need fewer. */
    nestedColumns: 30,
    /** The description of a filter shows at most this many characters of a constant. */
    shownCharacters: 60,
    /** The description of a filter shows at most this many constants. */
    shownConstants: 5,
  },
  /** If no row contains a text, Clew searches for similar values. These are the limits of that search. */
  nearValues: {
    /** If a column has more distinct values than this, only some are compared: those that share their beginning or a word with the text. */
    comparedValues: 5_000,
    /** The engine sorts at most this many values by their distance from the text. */
    sortedValues: 50_000,
    /** The engine returns at most this many of the nearest values. */
    candidates: 50,
    shown: 4,
    /** If a column has at most this many distinct values, the result lists all of them. */
    listedValues: 12,
    /** The result shows at most this many characters of a value. */
    shownCharacters: 100,
    /**
     * Only the first characters of each text are compared, at most this many. The time of a comparison grows with the product of both lengths.
     */
    comparedCharacters: 64,
  },
  load: {
    /** The maximum length of a table name that is made from a file's name. */
    tableNameCharacters: 60,
    /** The kind of a file is recognized from this many bytes at its beginning. */
    headBytes: 1_000,
    /** The time limit for reading the files. It is long, because files may be as large as the disk. */
    timeMs: 24 * 60 * 60 * 1_000,
    /** A message shows at most this many characters of a value or a line. */
    shownCharacters: 60,
  },
  /** The limits of the check that every query must pass before it runs. */
  validation: {
    /** An explanation for the model quotes at most this many characters of the engine's message. */
    complaintCharacters: 300,
    /**
     * The time limit of planning if planning may run subqueries, without the round trip to the server. This limit keeps the whole
     * check below 50 ms.
     */
    planMs: 20,
    /** Planning that runs no subquery usually takes less time than this. */
    slowMs: 15,
    /**
     * The time limit of a plan that runs nothing but may show too high a cost. The limit is long, so that the check is not
     * skipped for a busy or distant server, or for a huge table.
     */
    plainPlanMs: 3_000,
    /** A message lists all columns of a table if there are at most this many. The columns of wider tables are already in the prompt. */
    listedColumns: 16,
    /** A message about a column in the wrong table lists at most this many tables that have the column. */
    namedTables: 3,
  },
} as const
