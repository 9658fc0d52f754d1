/** The limits of the schema catalog, with their reasons. Times are in milliseconds unless the name says otherwise. */
export const CATALOG_LIMITS = {
  /** The time limit of one query for names and types. 2,000 tables take 70 ms. A server that takes longer than this limit is in trouble. */
  fetchTimeoutMs: 10_000,
  /** The maximum number of tables per query. The URL contains their names, and proxies cut a URL at 8 KB or more. */
  tablesPerFetch: 200,
  /**
   * Modification times are whole seconds, so a second change within the same second does not show. A table that has just changed is fetched again
   * after this time.
   */
  settledAfterSeconds: 2,
  /**
   * Names and types are fetched again after this time, even if nothing seems changed. The metadata do not show changes of grants.
   */
  structureSeconds: 3_600,

  /**
   * A catalog with more tables counts as large. Each turn then reads only a digest and the changed parts. Statistics are gathered only for tables
   * that questions need.
   */
  largeTables: 500,
  /** A large catalog is split by table name into this many parts. After a change, only one of them is read. */
  parts: 64,
  /** The number of parts per query. In a catalog of 10,000 tables, 8 parts have 1,250 rows. Reading them takes 10 ms. */
  partsPerRead: 8,
  /** In a large catalog, row counts are refreshed in the background after this time. */
  rowsSeconds: 600,

  /** A turn waits this long for missing statistics. Names and types alone are enough for an answer. */
  firstMomentMs: 2_000,
  /** Statistics are refreshed after this time. Time ranges change most, but their end is still right to the day after an hour. */
  statisticsSeconds: 3_600,
  /** The pause after gathering of statistics has failed or was incomplete. */
  statisticsRetrySeconds: 600,
  /** Statistics are refreshed early if a table has grown or shrunk by this factor. */
  growthFactor: 2,
  /** The minimum pause before such an early refresh. A table that is being loaded doubles many times. */
  growthPauseSeconds: 30,

  /** Gathering the statistics of all tables takes at most this much time. */
  gatherMs: 60_000,
  /** Gathering reads at most this many bytes. */
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** The time limit of one scan. Within the limits below, a scan usually takes about 20 ms. */
  tableTimeoutMs: 3_000,
  /** The number of scanned rows: 16 granules of 8,192 rows. These rows show any value that at least one percent of all rows have. */
  scanRows: 131_072,
  scanWindows: 16,
  /** A scan of wide rows reads fewer rows, up to this many bytes. */
  scanBytes: 64_000_000,
  /** Columns with more bytes per value, on average, are not scanned. Nobody groups by long text. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /** The maximum number of paths in a JSON column. A column with more paths uses data as keys, such as users or days. */
  jsonPaths: 100,
  pathCharacters: 200,

  /** A gathering compares the values of at most this many tables. */
  comparedTables: 500,
  /** A gathering makes at most this many comparisons. */
  comparisons: 400,
  /** The number of distinct values per comparison of two columns. This number is enough for a share in percent. */
  comparedValues: 1_024,
  /** The same for a look-up by the key of a large table, where each value may cost a granule. */
  comparedByKey: 64,
  /** In a table with more rows, only columns of the sorting key are compared. */
  comparedRows: 2_000_000,

  /** A column with more distinct values has high cardinality. Prompts show none of its values. */
  sampledDistinct: 50,
  /** The number of sample values. `topK(20)` has 60 counters, and sampled columns have at most 50 distinct values, so the counts are exact. */
  samplesShown: 20,
  sampleCharacters: 100,
  /**
   * The first half of a scanned part must already show this share of the part's values. Otherwise the unscanned rest probably has more values.
   */
  saturation: 0.75,

  /** Values stay in the shared store for this time, in seconds. Before use, each value is compared with the live list. */
  cacheSeconds: 86_400,
  /** Longer values are compressed in the shared store. */
  compressBytes: 32_768,
  /** While another process is fetching, this process waits this long for the result, and then fetches too. */
  lockWaitMs: 3_000,
  /** While it waits, it looks for the result at this interval. */
  lockPollMs: 100,
} as const

/** The limits of the schema in a prompt. Sizes are in characters, and four characters are about one token. */
export const SCHEMA_PROMPT_LIMITS = {
  /**
   * The limit for tables that are shown with all facts, about 15,000 tokens. They are cheap in a cached prompt, and fit into a context window of
   * 32,000 tokens.
   */
  wholeCharacters: 60_000,
  /** The limit for further tables. Only their names and types are shown, so that the model knows about them. */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  samples: 12,
  paths: 60,
  /** A prompt shows only this many values of a column with keys or hashes. Two are enough to show their form. */
  opaqueSamples: 2,
  ttlCharacters: 200,
  /** If a schema has more tables, no joins are searched for. */
  joinedTables: 400,
  /** The length of the shortest rendered table. It has a name, an engine and one column. */
  leastTableCharacters: 30,
  /** Names of tables and columns are cut to this length. */
  nameCharacters: 300,
} as const

/** The limits of answers about the catalog, of the search for similar names, and of messages. */
export const CATALOG_ANSWER_LIMITS = {
  /** The maximum number of tables in a list. Nobody reads more. */
  listedTables: 100,
  /** A list of a larger catalog shows this many tables, the ones nearest to the question. */
  nearestTables: 30,
  /** The maximum number of listed databases of a large catalog. */
  listedDatabases: 20,
  listedColumns: 200,
  shownValues: 5,
  /** The maximum number of tables in the description of a cost. */
  costlyTables: 3,
  /** The maximum length of a name in a finding about a filter. A longer name is cut. */
  filterNameCharacters: 200,
  /** Two names may differ by at most this share of their length. A larger difference is no typing error. */
  nearShare: 0.35,
  /** Only this many characters of a name are compared. The time of a comparison grows with the product of both lengths. */
  comparedCharacters: 64,
  /**
   * The time limit for the server, in whole seconds. It is longer than the caller's own limit. The limit counts only if the caller's cancellation
   * does not reach the server.
   */
  readWithinMs: 2_000,
  /** The number of bytes of rows that are parsed per slice. Parsing a slice takes a few milliseconds. */
  rowSliceBytes: 128 * 1024,
} as const

export const JOIN_LIMITS = {
  /** The maximum number of candidates for a join, per column. Further candidates would be guesses. */
  perColumn: 3,
  /** If more tables than this have a column of the same name, the column refers to none of them. */
  nameTables: 8,
  /** If counts are not exact, a column counts as unique if it has at least this many distinct values per row. */
  uniqueShare: 0.97,
  /** A join is sure if the other table has this share of the values. */
  sureShare: 0.9,
  /** The minimum number of values for comparing two columns. Fewer values may match by chance. */
  values: 2,
  /** The minimum number of distinct values of a shared identifier. */
  identifiers: 50,
} as const

/** The limits of the search for tables. The weights are in the files in `retrieval`. */
export const RETRIEVAL_LIMITS = {
  /** The maximum number of families in a prompt, for a large catalog. */
  families: 48,
  /** Only this many of the best results have the names of their near-duplicates. */
  withCopies: 3,
  /** If the question asks for certain years or versions, at most this many tables of a family are shown. */
  ofFamily: 3,
  /** If a word of the question is the name of several tables, at most this many of them are shown. */
  ofName: 3,
  /** Typing errors are corrected only in words of at least this length. Shorter words are similar to too many others. */
  nearWordCharacters: 4,
  /** The search uses only this many words of a question. They are enough to find the subject, and a question may be very long. */
  questionWords: 60,
  /** The minimum length of a part of a compound word. */
  compoundPartCharacters: 4,
  /** A family is dropped if its score is below this share of the best score. */
  scoreShare: 0.06,
  /** The joins of this many families are followed, best families first. */
  followedFamilies: 12,
  /** The number of tables per message to the thread that builds the index. Preparing one message takes about a millisecond. */
  tablesPerMessage: 200,
  /** If more families than this have a column in first place, the column is no key. */
  owners: 400,
  links: 16,
  /**
   * The search covers the values of columns with at most this many known values. A column with more values holds names, and names say little about
   * the table's subject.
   */
  values: 12,
  /** The index takes this many characters of each kind of text from a table. */
  textCharacters: 2_000,
} as const
