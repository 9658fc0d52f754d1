/** All limits of queries and of the embedded engine. Sizes are in bytes. The names of time limits end in their unit. */
export const CLICKHOUSE_LIMITS = {
  /** The default limits of one query: the rows and bytes of its result, and its running time. */
  query: {
    maxRows: 10_000,
    maxBytes: 10_000_000,
    timeoutMs: 30_000,
    /**
     * The maximum number of values in the result of a question, nested ones included: 10,000 rows of 100 columns. A value takes up
     * to 30 bytes of memory for each byte of a nested array.
     */
    maxValues: 1_000_000,
  },
  /** The default time limit of a write. Pipelines fill their tables with writes, so it is long. */
  writeTimeoutMs: 600_000,
  connection: {
    /**
     * An idle socket is closed after this time. It must be shorter than the server's keep-alive timeout: 3 s before ClickHouse
     * 23.11, 10 s since then.
     */
    idleSocketTtlMs: 2_500,
    /**
     * The number of sockets per client, and so of its concurrent queries. It is below the server's limit of concurrent queries
     * (max_concurrent_queries, 100 by default before 24.x).
     */
    maxOpenConnections: 16,
    /** The longest time that setTimeout accepts. Each query has a deadline of its own, so a silent socket is no error. */
    socketTimeoutMs: 2_147_483_647,
    /**
     * Clew's deadline for a query is this much later than the server's. So the server's own error arrives first, which says more.
     */
    deadlineGraceMs: 500,
    /** After an abort, Clew waits this long until the server confirms that the query has stopped. */
    killWaitMs: 3_000,
    /** How often a refused connection, a missing route or an unknown host is tried again. All retries together take about 3 s. */
    retry: { attempts: 5, initialDelayMs: 100, maxDelayMs: 1_200 },
    /**
     * A broken embedded engine refuses statements until its process has stopped. Clew sends them again for this long. The value
     * is an estimate; on a busy machine, stopping took over 3 s.
     */
    startedAnewMs: 20_000,
    /** A read is repeated this often if an engine ends in its turn. With 1, it fails if another read crashes the engine then. */
    furtherEngines: 2,
  },
  engine: {
    /** The maximum number of reads at the same time. Further reads wait. */
    readers: 8,
    /** The maximum number of writes at the same time. Further writes wait. */
    writers: 4,
    /**
     * A read that runs longer than `afterMs` moves to one of `readers` extra slots, so that slow reads do not delay fast ones. It
     * is short, because people with one wide result each can take all other slots.
     */
    slow: { afterMs: 250, readers: 16 },
    /**
     * The number of reads that one person may run at the same time, per core. Clew runs on the same machine, so more reads would
     * not finish sooner. Measured on 2 cores, beside 180 slow joins of another person: an answer took up to 3 s with 3 reads per
     * core, and up to 1 s with these values.
     */
    ofOnePerson: { readersPerCore: 1.5, slowPerCore: 0.5 },
    /** The maximum number of waiting reads, and of waiting writes. A further query is refused with code 202, as by a server. */
    queue: 200,
    /**
     * The number of libuv's threads. Each of the 28 running queries takes one, and each kill takes another. Enough must remain
     * for DNS and files.
     */
    threadPool: 64,
    /**
     * The engine closes a socket that is idle for this long. Clients close their own sockets earlier
     * (`connection.idleSocketTtlMs`).
     */
    keepAliveMs: 10_000,
    /** The engine runs on for this long after its last lease is released. A lease is a client's claim on the engine. */
    leaseGraceMs: 1_500,
    /** A new engine stops if no client takes a lease within this time. */
    firstLeaseMs: 15_000,
    /** An engine that is stopping cancels its queries, and then waits this long until they have stopped. */
    endQueriesMs: 1_000,
    /** If a query still runs this long after its cancellation, it is stuck in a call, and the engine is restarted. */
    outlivesEndMs: 5_000,
    /**
     * As long as any query runs, the engine gets `SELECT 1` every `everyMs`. If `missed` of these in a row fail, the engine's
     * process is killed.
     */
    heartbeat: { everyMs: 1_000, missed: 10 },
    /**
     * The memory of the process beside `max_server_memory_usage`: for thread stacks, caches and Node. Measured: at most 1.4 GB
     * under full load.
     */
    processOverheadBytes: 2_000_000_000,
    /** How long the process that starts an engine waits until the engine is ready. */
    startTimeoutMs: 30_000,
    /** The maximum size of a request's body, which contains the query's text or the rows to insert. */
    maxRequestBytes: 256 * 1024 * 1024,
    /**
     * The maximum size of the headers with the URL, which contains bound parameters. A server accepts a URL of 1 MiB
     * (http_max_uri_size).
     */
    maxHeaderBytes: 1024 * 1024,
    /** The pause between two attempts to kill a query. While a query is being planned, a kill does not find it. */
    killRetryMs: 25,
    /** How often a broken engine checks whether queries still run. The value is an estimate. */
    brokenPollMs: 20,
    /** When the turn of a query that is repeated after a crash lapses. Until then, the engine must notice a crash and end. */
    turnMs: 5_000,
    /** How long a broken engine's process waits until its last answers are sent. The value is an estimate. */
    lastAnswersMs: 100,
    /** The pause between two attempts to connect to an engine that is starting. */
    joinRetryMs: 50,
    loggedSqlCharacters: 1_000,
    /** A program on the engine's port must prove within this time that it is the engine. */
    proofMs: 2_000,
    /**
     * Temporary folders younger than this are never removed. Containers may share the parent folder, so the process id in a
     * folder's name may belong to a process of another container.
     */
    leftOverMs: 24 * 60 * 60 * 1000,
  },
} as const

/**
 * Server settings of the embedded engine. ClickHouse's defaults are for a database server, with 5 GB per cache. With these
 * settings, an idle engine with a table of a million rows takes about 310 MB. Heavy queries double this for some seconds, until
 * the allocator frees the memory. `processMemoryBytes` limits the whole process, including memory that these settings do not
 * cover.
 */
export const ENGINE_SERVER_SETTINGS = {
  mark_cache_size: 134_217_728,
  index_mark_cache_size: 33_554_432,
  primary_index_cache_size: 134_217_728,
  query_condition_cache_size: 33_554_432,
  /** The memory limit of all queries together, in bytes. */
  max_server_memory_usage: 4_000_000_000,
  /** The same limit as a share of the machine's memory. The engine applies the lower of the two. */
  max_server_memory_usage_to_ram_ratio: 0.6,
} as const

/** Without these settings, values of UInt64, Decimal, NaN and Inf are wrong in JSON results (measured on 26.7). */
export const EXACT_OUTPUT_SETTINGS = {
  output_format_json_quote_64bit_integers: '1',
  output_format_json_quote_64bit_floats: '0',
  output_format_json_quote_decimals: '1',
  output_format_json_quote_denormals: '1',
  output_format_json_named_tuples_as_objects: '1',
} as const

/** Limits on the cost of the reading user's queries. The profile that Clew ships for servers has the same ones. */
export const READER_LIMIT_SETTINGS = {
  max_execution_time: '30',
  timeout_overflow_mode: 'throw',
  /** 0 turns off the engine's prediction of a query's running time, so that only the time limit itself stops a query. */
  timeout_before_checking_execution_speed: '0',
  max_memory_usage: '1000000000',
  max_rows_to_read: '10000000000',
  max_result_bytes: '50000000',
  result_overflow_mode: 'throw',
  /**
   * The maximum number of nodes in a query after WITH and views are expanded. Without it, planning 14 nested CTEs took 5.6 s,
   * although the time limit was 2 s.
   */
  max_expanded_ast_elements: '20000',
  max_ast_elements: '20000',
  max_ast_depth: '500',
  max_query_size: '262144',
  max_threads: '2',
  /**
   * The engine checks limits only between blocks. This is a quarter of the default block size, so slow functions stop four times
   * sooner. Scans take 2 to 5 % longer (measured).
   */
  max_block_size: '16384',
  /** 0: a query must begin with SELECT, as the SQL guard requires. With 1, the bare expression `1 + 1` would be a query. */
  implicit_select: '0',
} as const

/** Limits on the length of the owner's queries. `clew load` asks about a thousand columns and more in one. */
export const OWNER_SETTINGS = {
  max_query_size: '20000000',
  max_ast_elements: '2000000',
  max_expanded_ast_elements: '10000000',
} as const

export const READER_SETTINGS = { ...EXACT_OUTPUT_SETTINGS, ...READER_LIMIT_SETTINGS } as const

export const GUARD_LIMITS = {
  /**
   * The maximum number of bytes that a query with nested BETWEEN may have when the engine prints it. Printing 5 MB took about 1
   * s. A query of 1 KB may have 12 nested BETWEEN.
   */
  maxWrittenOutBytes: 4 * 1024 * 1024,
  /**
   * The maximum length of the SQL as the engine prints it, in characters. Operators and casts become calls, so it is longer than
   * the original. Twice the length is enough.
   */
  maxCanonicalLength: 64 * 1024,
  /** The maximum nesting of parentheses in the SQL that the engine has printed. Legitimate sample queries reach 6. */
  maxDepth: 150,
  /**
   * The maximum number of tokens after the engine has copied WITH lists into the branches of a UNION. Without such copies, 16 KB
   * of SQL have at most 8,000 tokens.
   */
  maxExpandedTokens: 40_000,
  /** The maximum number of lines of EXPLAIN. Legitimate sample queries reach about 200. */
  maxTreeLines: 50_000,
  /**
   * The time limit of each statement that the guard itself sends, in milliseconds. It begins with sending. Such a statement
   * usually takes about 1 ms.
   */
  timeoutMs: 5_000,
  /** How often, and after which pauses, the guard repeats its own statements on a busy server. */
  retry: { attempts: 2, initialDelayMs: 500, maxDelayMs: 2_000 },
  /** The maximum number of copies that functions such as `repeat` make. The numbers of all calls in a query are multiplied. */
  maxCopies: 10_000,
  /** The maximum length of a generated list or text in a query that compares lists or texts element by element. */
  maxComparedElements: 10_000,
  /** The maximum length of a text that is compared character by character: a literal, or a text cut by `substring` or `left`. */
  maxComparedCharacters: 1_000,
  /** The maximum number of rows that a call of `numbers()` or `generateSeries()` may generate. */
  maxGeneratedRows: 100_000_000,
  /** The maximum number of keys in GROUP BY CUBE, which groups by every subset of its keys. */
  maxCubeKeys: 10,
  /** The maximum number of groups of a call with the combinator -Resample, as in `sumResample(0, 100, 1)(x, key)`. */
  maxBuckets: 10_000,
  /** The largest number in a type, such as the 10 in FixedString(10). */
  maxTypeNumber: 65_535,
  /** The guard follows a name to its value through at most this many aliases and calls. */
  maxSteps: 40,
  /** The maximum number of characters of a pattern, and of its elements after repetitions such as `a{900}` are expanded. */
  maxPatternElements: 1_000,
  /** The guard counts levels of nested BETWEENs only up to this number. No real query has more. */
  maxTextLevels: 30,
} as const

/** The limits of queries that Clew sends for its own purposes, not to answer a question. Times are in milliseconds. */
export const SERVER_LIMITS = {
  /** The time limit of each check of `clew doctor`. */
  checkMs: 5_000,
  /**
   * `clew doctor` warns if the disk has less free space than this. The demo data take 100 MB, and with less space, inserts and
   * merges begin to fail.
   */
  freeBytes: 1e9,
  /** If a table has more partitions than this, its layout is not used for scans. */
  partitions: 5_000,
  /**
   * The time limit of tracing the columns of a query. The engine usually prints the tree in about 5 ms, and takes longer only if
   * it computes a part of the query.
   */
  lineageMs: 2_000,
  /** The maximum number of EXPLAIN lines from which Clew reads lineage and filters. */
  treeLines: 20_000,
  /**
   * The maximum number of rounds in which Clew collects the inputs of a recursive CTE. If each column is made from the next one,
   * each round finds one more column.
   */
  lineageRounds: 100,
  /** The maximum number of subqueries that stand for values. With more, the cost of a query is not estimated. */
  valueSubqueries: 16,
  /** A message lists at most this many databases. */
  namedDatabases: 10,
  /** The time limit for formatting SQL. It is short, because somebody waits, and unformatted SQL is also readable. */
  formatMs: 2_000,
  /** An error of Clew quotes at most this many characters of a server's message. */
  messageCharacters: 1_000,
  /** If a filter matches no row, Clew looks up the filtered columns in the data, within these limits. */
  lookUp: {
    /** The time limit of the whole look-up. It is short, because a person waits for the answer. */
    timeMs: 1_000,
    /** The maximum number of tables that one look-up reads. */
    tables: 4,
    /** The maximum number of filters that one look-up examines. */
    filters: 12,
    /** The maximum number of constants that one look-up examines per filter. */
    constants: 8,
    /** The maximum number of joins that one look-up examines. */
    joins: 4,
    /** A look-up takes at most this many distinct values of one joined column and searches for them in the other. */
    joinedValues: 100_000,
    /** Clew searches for values that are similar to a text that no row contains, for at most this many texts. */
    missingTexts: 6,
    /** To find the table column behind an expression, at most this many steps are followed. Readable queries need fewer. */
    nestedColumns: 30,
    /** The description of a filter shows at most this many characters of a constant. */
    shownCharacters: 60,
    /** The description of a filter shows at most this many constants. */
    shownConstants: 5,
  },
  /** If no row contains a text of a filter, Clew searches for similar values, within these limits. */
  nearValues: {
    /**
     * In a column with more distinct values than this, only values that contain a part of the text are compared, such as its
     * beginning or a word.
     */
    comparedValues: 5_000,
    /** The engine sorts at most this many values by how similar they are to the text. */
    sortedValues: 50_000,
    /** The engine returns at most this many of the nearest values. */
    candidates: 50,
    shown: 4,
    /** If a column has at most this many distinct values, the result lists all of them. */
    listedValues: 12,
    /** The result shows at most this many characters of a value. */
    shownCharacters: 100,
    /**
     * Only this many characters of each text are compared, because the time of a comparison grows with the product of both
     * lengths.
     */
    comparedCharacters: 64,
  },
  load: {
    /** The maximum length of a table name that is made from a file's name. */
    tableNameCharacters: 60,
    /** A file's kind is recognized from this many bytes at its beginning. */
    headBytes: 1_000,
    /** The time limit for reading the files. It is long, because files may be very large. */
    timeMs: 24 * 60 * 60 * 1_000,
    /** One query about all values has expressions of this many characters. Longer ones take the engine much longer to plan. */
    queryCharacters: 100_000,
    /** A message shows at most this many characters of a value or a line. */
    shownCharacters: 60,
  },
  /** The limits of the check that every query passes before it runs. */
  validation: {
    /** An explanation for the model quotes at most this many characters of the engine's message. */
    complaintCharacters: 300,
    /**
     * The time limit of planning that may run subqueries, not counting the round trip to the server. It keeps the whole check
     * below 50 ms.
     */
    planMs: 20,
    /**
     * Planning that runs no subquery usually takes less than this. After this time, Clew also asks for a check of names and types
     * alone.
     */
    slowMs: 15,
    /**
     * The time limit of planning that runs no subquery, and may show that a query costs too much. It is long, so that a busy or
     * distant server, or a huge table, does not prevent the check.
     */
    plainPlanMs: 3_000,
    /** A message lists all columns of a table if there are at most this many. The prompt already shows those of wider tables. */
    listedColumns: 16,
    /** If a column is in none of the tables that the query reads, a message names at most this many tables that have it. */
    namedTables: 3,
  },
} as const
