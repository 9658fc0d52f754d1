/** The limits of a guard's messages. */
export const REJECTION_LIMITS = {
  /** A message lists all available tables if there are at most this many. Otherwise it lists only those with similar names. */
  maxListedTables: 12,
} as const

export const BREAKER_LIMITS = {
  /**
   * A data source is left alone after this many failed connections in a row. The warehouse repeats a failed query itself, and all
   * repeats count as one. A run ends with its first failures.
   */
  failures: 5,
} as const

/** The limits of the schema catalog, with their reasons. Times are in milliseconds unless a name ends in `Seconds`. */
export const CATALOG_LIMITS = {
  /**
   * The time limit of one query for names and types. 2,000 tables take 70 ms. A server that needs longer than the limit has a
   * problem.
   */
  fetchTimeoutMs: 10_000,
  /** The maximum number of tables in one query. Their names are in the URL, and some proxies allow only 8 KB for it. */
  tablesPerFetch: 200,
  /**
   * A table that has just changed is fetched again after this time. Modification times are whole seconds, so they do not show a
   * second change within the same second.
   */
  settledAfterSeconds: 2,
  /**
   * Names and types are fetched again after this time, even if nothing seems changed. A change of grants does not change the
   * modification times.
   */
  structureSeconds: 3_600,

  /**
   * A catalog with more tables than this is called large. Each turn then reads only digests and the parts that have changed.
   * Statistics are gathered only for tables that questions need.
   */
  largeTables: 500,
  /**
   * A large catalog is split into this many parts by table name. After a change, only the part with the changed table is read.
   */
  parts: 64,
  /** The number of parts that one query reads. In a catalog of 10,000 tables, 8 parts have 1,250 tables and take 10 ms. */
  partsPerRead: 8,
  /** A background task refreshes the row counts of a large catalog at this interval. */
  rowsSeconds: 600,

  /** How long a turn waits for missing statistics. It can also answer without them, from names and types alone. */
  firstMomentMs: 2_000,
  /**
   * Statistics that are older than this are gathered again. Time ranges change fastest, but after an hour they are still correct
   * to the day.
   */
  statisticsSeconds: 3_600,
  /** The pause before the next attempt if statistics could not be gathered completely. */
  statisticsRetrySeconds: 600,
  /** If a table's row count grows or shrinks by this factor, its statistics are gathered again before they are old. */
  growthFactor: 2,
  /**
   * The minimum pause before such an early renewal. Otherwise a table that is being loaded, and doubles many times, would be
   * scanned all the time.
   */
  growthPauseSeconds: 30,

  /** The time limit for gathering the statistics of all tables. */
  gatherMs: 60_000,
  /** The maximum number of bytes that all scans of one run of the gathering read. */
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** The time limit for the scan of one table. With the limits below, a scan usually takes about 20 ms. */
  tableTimeoutMs: 3_000,
  /**
   * The number of rows that a scan reads: 16 granules of 8,192 rows. A value that one percent of the rows have is almost
   * certainly among them.
   */
  scanRows: 131_072,
  scanWindows: 16,
  /** The maximum number of bytes that a scan reads. If rows are wide, a scan reads fewer rows than `scanRows`. */
  scanBytes: 64_000_000,
  /** A column whose values have more bytes on average is not scanned. It holds long text, by which nobody groups. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /**
   * The maximum number of paths in a JSON column. A column with more paths uses data as keys, such as user ids or days, so its
   * paths are no help.
   */
  jsonPaths: 100,
  pathCharacters: 200,

  /** Per run of the gathering, values of columns in at most this many tables are compared. */
  comparedTables: 500,
  /** Per run of the gathering, at most this many comparisons of columns are made. */
  comparisons: 400,
  /** A comparison of two columns uses this many distinct values. That is enough for a percentage. */
  comparedValues: 1_024,
  /**
   * The same limit if each value must be looked up by the key of a large table. It is lower, because each look-up may read a
   * whole granule.
   */
  comparedByKey: 64,
  /** If a table has more rows than this, values are compared only with the columns of its sorting key. */
  comparedRows: 2_000_000,

  /** A column with more distinct values than this gets no samples. The most frequent values then say little about the column. */
  sampledDistinct: 50,
  /**
   * The number of sample values. `topK(20)` keeps 60 counters, and sampled columns have at most 50 distinct values, so the values
   * are exactly the most frequent ones.
   */
  samplesShown: 20,
  sampleCharacters: 100,
  /**
   * A column gets samples only if the first half of the scanned rows already has this share of its scanned values. With a smaller
   * share, the rest of the table probably has further values.
   */
  saturation: 0.75,

  /** A value in the shared store expires after this time. Before it is used, it is compared with the server's list of tables. */
  cacheSeconds: 86_400,
  /** A value above this size is compressed in the shared store. */
  compressBytes: 32_768,
  /** If another process is already fetching, this process waits this long for the result. Then it fetches the tables itself. */
  lockWaitMs: 3_000,
  /** A process that waits for another's result checks the store at this interval. */
  lockPollMs: 100,
} as const

/** The limits of the schema in a prompt. Sizes are in characters. Four characters are about one token. */
export const SCHEMA_PROMPT_LIMITS = {
  /**
   * The maximum length of the tables that are shown with all facts, about 15,000 tokens. A cached prompt of this size is cheap,
   * and it fits into a context window of 32,000 tokens.
   */
  wholeCharacters: 60_000,
  /**
   * The maximum length of the further tables, which are shown only with names and types. From these, the model at least knows
   * that the tables exist.
   */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  samples: 12,
  paths: 60,
  /** The number of sample values shown for a column of keys or hashes. Two are enough to show their form. */
  opaqueSamples: 2,
  ttlCharacters: 200,
  /** Joins are searched only among the first tables of a schema, up to this number. */
  joinedTables: 400,
  /**
   * The length of the shortest possible table in a prompt: a name, an engine and one column. A large schema is thus known not to
   * fit without being rendered.
   */
  leastTableCharacters: 30,
  /** Longer names of tables and columns are cut to this length. */
  nameCharacters: 300,
} as const

/** The limits of answers about the catalog, of the search for similar names, and of error messages. */
export const CATALOG_ANSWER_LIMITS = {
  /** The maximum number of tables in a list of all tables. A longer list is of no use to a person. */
  listedTables: 100,
  /** If the catalog is large, the list shows only this many tables: those that fit the question best. */
  nearestTables: 30,
  /** If the catalog is large, the list shows at most this many databases. */
  listedDatabases: 20,
  listedColumns: 200,
  shownValues: 5,
  /** A query's described cost names at most this many tables. */
  costlyTables: 3,
  /** The length to which a finding about a filter cuts names of columns. */
  filterNameCharacters: 200,
  /**
   * Two names are similar if they differ in at most this share of their letters. With more differences, it is probably not a
   * typing error.
   */
  nearShare: 0.35,
  /** Only this many characters of each name are compared. The time of a comparison grows with the product of both lengths. */
  comparedCharacters: 64,
  /**
   * The server's time limit for a read, rounded to whole seconds. It is longer than the caller's own limit, so it only matters if
   * the server does not receive the caller's cancellation.
   */
  readWithinMs: 2_000,
  /** Rows are parsed in slices of this many bytes, half a millisecond each. Other work runs between two slices. */
  rowSliceBytes: 16 * 1024,
} as const

export const JOIN_LIMITS = {
  /** The maximum number of possible joins for one column. More would be guesses. */
  perColumn: 3,
  /** If more tables than this match a column by name, the name says too little, and the column refers to none of them. */
  nameTables: 8,
  /** Above 65,536 values, counts are inexact. A column is then called unique if at least this share of its values is distinct. */
  uniqueShare: 0.97,
  /** A join is sure if at least this share of the compared values occurs in the joined table. */
  sureShare: 0.9,
  /** If only names suggest a join, at least this many values must have been compared. A single value may match by chance. */
  values: 2,
  /**
   * Two tables may share an identifier, such as `trace_id`, that is unique in neither. A join over it is suggested only if at
   * least this many of its values were compared.
   */
  identifiers: 50,
} as const

/** The limits of the search for tables that fit a question. Its weights are in the files in `retrieval`. */
export const RETRIEVAL_LIMITS = {
  /** A prompt for a large catalog shows tables of at most this many families. A family is a table with its copies. */
  families: 48,
  /** For this many of the best results, the prompt also lists the names of their copies. */
  withCopies: 3,
  /**
   * If the question mentions certain years or versions, the prompt shows at most this many tables of one family (a table with its
   * copies).
   */
  ofFamily: 3,
  /** If several tables have a name that the question mentions, the prompt shows at most this many of them. */
  ofName: 3,
  /** Typing errors are corrected only in words of at least this many letters. Shorter words resemble too many others. */
  nearWordCharacters: 4,
  /** The search uses only this many words from the beginning of a question. They are enough to find the subject. */
  questionWords: 60,
  /** A compound word is split only into words of at least this many letters. */
  compoundPartCharacters: 4,
  /** A longer word is no compound. No language's usual compounds are longer, and each place to split costs a look-up. */
  compoundCharacters: 80,
  /** A family (a table with its copies) is dropped if its score is below this share of the best score. */
  scoreShare: 0.06,
  /** The search follows the joins of this many families (tables with their copies), best first. */
  followedFamilies: 12,
  /** The number of tables in one message to the thread that builds the index. Preparing a message takes about a millisecond. */
  tablesPerMessage: 200,
  /**
   * If the tables of more families (tables with their copies) than this begin with a column of the same name, that column is not
   * a key by which tables are joined.
   */
  owners: 400,
  links: 16,
  /**
   * The search uses at most this many known values of a column. Longer lists are usually names, which say little about the
   * table's subject.
   */
  values: 12,
  /** The index uses at most this many characters of each kind of text, for example of all column comments of a table. */
  textCharacters: 2_000,
} as const
