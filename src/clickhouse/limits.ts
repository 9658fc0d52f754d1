/** All limits of queries and the embedded engine. Sizes are in bytes. The name of each time contains its unit. */
export const CLICKHOUSE_LIMITS = {
  /** The default limits of one query: rows and bytes of its result, and time. */
  query: { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 30_000 },
  /** The default time limit of a write. Pipelines build tables with writes. */
  writeTimeoutMs: 600_000,
  connection: {
    /**
     * Idle sockets are closed after this time. The time is less than the shortest keep-alive timeout of servers (3 s before ClickHouse 23.11, 10 s
     * since).
     */
    idleSocketTtlMs: 2_500,
    /**
     * The number of sockets of one client, which limits its concurrent queries. The number is below the server's limit (max_concurrent_queries, 100
     * by default before 24.x).
     */
    maxOpenConnections: 16,
    /** The largest value of setTimeout. A query ends by its deadline, and never because its socket is silent. */
    socketTimeoutMs: 2_147_483_647,
    /** Clew's deadline comes this long after the server's deadline. So the server's own error, which is more specific, comes first. */
    deadlineGraceMs: 500,
    /** After an abort, Clew waits this long until the server confirms the end of the query. */
    killWaitMs: 3_000,
    /** Retries after refused connections, missing routes and unknown hosts. They take about 3 s in all. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
    /** Chosen: a statement is sent again for this long while a broken embedded engine ends. On a busy machine that took over 3 s. */
    startedAnewMs: 20_000,
  },
  engine: {
    /** The numbers of concurrent queries. Further queries wait. */
    readers: 8,
    writers: 4,
    /** A read that runs longer than `afterMs` moves to one of the extra slots, so that slow reads do not delay fast reads. */
    slow: { afterMs: 3_000, readers: 16 },
    /** At most this many reads and this many writes wait. Further queries are refused with code 202, as on a server. */
    queue: 200,
    /** The number of libuv's threads. Each of the 28 running queries holds one, ending a query needs one, and DNS and files must not wait. */
    threadPool: 64,
    /** The engine keeps an idle socket this long. The time is longer than `connection.idleSocketTtlMs`. */
    keepAliveMs: 10_000,
    /** The engine lives this long after its last lease ends. */
    leaseGraceMs: 1_500,
    /** The engine stops if nobody takes a lease within this time after its start. */
    firstLeaseMs: 15_000,
    /** A stopping engine waits this long for the queries that it has cancelled. */
    endQueriesMs: 1_000,
    /** If a query runs this long after its cancellation, it is stuck in a call, and the engine restarts. */
    outlivesEndMs: 5_000,
    /** While anything runs, the engine gets `SELECT 1` every `everyMs`. If `missed` of these queries fail in a row, the engine is ended. */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /**
     * The memory that the process may take beyond `max_server_memory_usage`, for thread stacks, caches and Node. Measured: at most 1.4 GB under full
     * load.
     */
    processOverheadBytes: 2_000_000_000,
    /** The process that starts the engine waits this long for it. */
    startTimeoutMs: 30_000,
    /** The largest body of a request: the text of a query, and inserted rows. */
    maxRequestBytes: 256 * 1024 * 1024,
    /** The largest size of the headers with the URL, which carries bound parameters. A server accepts 1 MiB (http_max_uri_size). */
    maxHeaderBytes: 1024 * 1024,
    /** The time between two attempts to kill a query. While a query is being planned, it is not yet in system.processes. */
    killRetryMs: 25,
    /** Chosen: the interval at which a broken engine checks whether queries still run. */
    brokenPollMs: 20,
    /** Chosen: the time that the last answers get to leave the process. */
    lastAnswersMs: 100,
    /** The pause between two attempts to join an engine that is starting. */
    joinRetryMs: 50,
    /** The log shows at most this many characters of a query. */
    loggedSqlCharacters: 1_000,
    /** A running engine must prove within this time that it is the engine of the state file. */
    proofMs: 2_000,
    /** Folders younger than this are never removed, since a process id means nothing across containers that share a folder. */
    leftOverMs: 24 * 60 * 60 * 1000,
  },
} as const

/**
 * Server settings of the embedded engine. The engine's defaults are for a database server, with 5 GB per cache. With these settings, an idle engine
 * with a table of a million rows takes about 310 MB. Heavy queries double this, until the allocator frees the memory within seconds.
 * `processMemoryBytes` also limits memory that these settings do not cover.
 */
export const ENGINE_SERVER_SETTINGS = {
  mark_cache_size: 134_217_728,
  index_mark_cache_size: 33_554_432,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 33_554_432,
  /** The memory limit for all queries together. If 60 % of the machine's memory is less, the 60 % are the limit. */
  max_server_memory_usage: 4_000_000_000,
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Without these settings, UInt64, Decimal, NaN and Inf arrive wrong in JSON (measured on 26.7). */
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
  /** 0 means that the engine does not extrapolate from the first seconds of a query. Only the time limit itself ends a query. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /** Without this limit, 14 nested CTEs were planned for 5.6 s despite a limit of 2 s. */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /**
   * Limits are checked between blocks. Blocks of a quarter of the default size stop slow functions four times sooner. Scans take 2 to 5 % longer
   * (measured).
   */
  max_block_size: '16384',
  /** With 0, a bare expression is no query. The SQL guard's canonical text must be a SELECT. */
  implicit_select: '0',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const

/** All limits of the SQL guard. */
export const GUARD_LIMITS = {
  /** The most bytes that the engine may have to print; 5 MB took about 1 s. This limit allows 12 nested BETWEEN in a query of 1 KB. */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /** The longest canonical text in characters. Operators and casts are written out there, which makes the text longer. Twice the input is enough. */
  maxCanonicalLength: 64 * 1024,
  /** The deepest nesting of brackets in the canonical text. Legitimate sample queries reach 6. */
  maxDepth: 150,
  /** The most tokens after WITH lists are copied into the branches of a UNION. Before this copying, 16 KB of SQL have at most 8,000 tokens. */
  maxExpandedTokens: 40_000,
  /** The most lines of EXPLAIN output. Legitimate sample queries reach about 200. */
  maxTreeLines: 50_000,
  /** The time limit of one of the guard's own statements, in milliseconds from sending. Such a statement takes about 1 ms. */
  timeoutMs: 5_000,
  /** A busy server gets the guard's statement this many times, with pauses between. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** A message lists at most this many tables. Beyond that it lists near names only. */
  maxListedTables: 12,
  /** The most copies of a value that the repeating calls of one query may make together. */
  maxCopies: 10_000,
  /** The greatest length of a list or text in a query that compares lists or texts element by element. */
  maxComparedElements: 10_000,
  /** The longest literal, or text cut to a length, that may be compared character by character. */
  maxComparedCharacters: 1_000,
  /** The most rows that `numbers()` or `generateSeries()` may generate. */
  maxGeneratedRows: 100_000_000,
  /** The most keys of GROUP BY CUBE, which groups by every subset of its keys. */
  maxCubeKeys: 10,
  /** The most buckets of the combinator -Resample. */
  maxBuckets: 10_000,
  /** The largest number in a type name, such as the 10 in FixedString(10). */
  maxTypeNumber: 65_535,
  /** The longest chain of names and calls that is followed to find a value. */
  maxSteps: 40,
  /**
   * The largest pattern that may be compiled, in elements and in characters. Elements are counted after repetitions such as `a{900}` are expanded.
   */
  maxPatternElements: 1_000,
  /** The most nested levels of BETWEEN to count. A query needs fewer. */
  maxTextLevels: 30,
} as const

/** The limits of Clew's own queries. Clew sends them in addition to the queries that answer questions. Times are in milliseconds. */
export const SERVER_LIMITS = {
  /** The time limit of each check by `clew doctor`. */
  checkMs: 5_000,
  /** The demo data takes 100 MB. Below this much free space, inserts and merges begin to fail. */
  freeBytes: 1e9,
  /** At most this many partitions of a table are read to find its layout. */
  partitions: 5_000,
  /** The time limit to trace columns. The engine prints a tree in about 5 ms, and takes longer only if it computes a part of the query. */
  lineageMs: 2_000,
  /** The most lines of EXPLAIN output to read for lineage and filters. */
  treeLines: 20_000,
  /** The most rounds to find the inputs of a recursive CTE. A chain of columns, each made from the next, takes as many rounds as it has columns. */
  lineageRounds: 100,
  /** The most subqueries in place of values to plan separately. If a query has more, its cost counts as unknown. */
  valueSubqueries: 16,
  /** A message names at most this many databases. */
  namedDatabases: 10,
  /** The time limit to format SQL. It is short, since somebody is waiting and unformatted SQL is good enough. */
  formatMs: 2_000,
  /** The longest message of the server that an error keeps. */
  messageCharacters: 1_000,
  /** The limits of the look-up of a query's filters in the data. */
  lookUp: {
    /** The time limit of the whole look-up. A person waits, and the look-up matters less than the answer. */
    timeMs: 1_000,
    /** At most this many tables, filters, constants per filter, and joins are looked up. */
    tables: 4,
    filters: 12,
    constants: 8,
    joins: 4,
    /** The most distinct values of a joined column to look up in the other column. */
    joinedValues: 100_000,
    /** The most texts to search similar values for. The texts stand in filters, and no row has them. */
    missingTexts: 6,
    /** The most steps from an expression to the table column behind the expression. Queries that people read need fewer. */
    nestedColumns: 30,
    /** A finding shows at most this many characters of a constant, and at most this many constants. */
    shownCharacters: 60,
    shownConstants: 5,
  },
  /** The limits of the search for values that are similar to a text that no row has. */
  nearValues: {
    /**
     * In columns with at most this many distinct values, all values are compared. In other columns, only values that share a beginning or a word are
     * compared.
     */
    comparedValues: 5_000,
    /** The engine sorts at most `sortedValues` values by distance, and returns at most `candidates` of them. */
    sortedValues: 50_000,
    candidates: 50,
    /** At most this many similar values are suggested. */
    shown: 4,
    /** If a column has at most this many values, all of them are listed. */
    listedValues: 12,
    /** At most this many characters of a value are shown. */
    shownCharacters: 100,
    /** Only this many characters of each text are compared, since a comparison takes time in proportion to the product of both lengths. */
    comparedCharacters: 64,
  },
  /** The limits of `clew load`. */
  load: {
    /** The longest table name that is made from a file's name. */
    tableNameCharacters: 60,
    /** This many bytes at the beginning of a file are read to recognize its kind. */
    headBytes: 1_000,
    /** The time limit to read files, which may be as large as the disk. */
    timeMs: 24 * 60 * 60 * 1_000,
    /** Messages show at most this many characters of a value or line. */
    shownCharacters: 60,
  },
  /** The limits of the check of a query before it runs. */
  validation: {
    /** The longest part of an engine's message that an explanation quotes. */
    complaintCharacters: 300,
    /** The time limit of a plan that may run subqueries, without the round trip. With this limit, the whole check takes less than 50 ms. */
    planMs: 20,
    /** If nothing runs during planning, most plans take less time than this. */
    slowMs: 15,
    /**
     * The time limit of a plan if nothing runs during planning and the cost may be too high. It is long, because a busy or distant server, or a huge
     * table, is no reason to skip the check.
     */
    plainPlanMs: 3_000,
    /** If a table has at most this many columns, a message lists all of them. For wider tables, the prompt already lists the columns. */
    listedColumns: 16,
    /** A message about a misplaced column names at most this many tables. */
    namedTables: 3,
  },
} as const
