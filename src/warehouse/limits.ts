/** The limits of the schema catalog, with their reasons. Times are in milliseconds unless the name says otherwise. */
export const CATALOG_LIMITS = {
  /** The time limit of one query for names and types. 2,000 tables take 70 ms, so a server that needs longer than this is in trouble. */
  fetchTimeoutMs: 10_000,
  /** One query fetches at most this many tables. The URL contains the names of the tables, and proxies cut a URL at 8 KB or more. */
  tablesPerFetch: 200,
  /**
   * The modification time is in whole seconds, so it does not show a second change in the same second. So a table that had just changed is fetched
   * once more after this time.
   */
  settledAfterSeconds: 2,
  /** Names and types are fetched again after this time, since the metadata do not show a change of grants. */
  structureSeconds: 3_600,

  /**
   * A catalog with more tables counts as large. Then each turn reads a digest and the changed parts, and only tables that questions need get
   * statistics.
   */
  largeTables: 500,
  /** A large catalog is split into parts by table name, so that after a change only one part is read. */
  parts: 64,
  /** The number of parts per query. With 10,000 tables, 8 parts are 1,250 rows, which take 10 ms. */
  partsPerRead: 8,
  /** The row counts of a large catalog are refreshed in the background after this time. */
  rowsSeconds: 600,

  /** A turn waits this long for missing statistics. Names and types alone are enough for an answer. */
  firstMomentMs: 2_000,
  /** Statistics are refreshed after this time. Time ranges age first, and an hour keeps their end correct to the day. */
  statisticsSeconds: 3_600,
  /** The pause after a failed or incomplete gathering of statistics. */
  statisticsRetrySeconds: 600,
  /** Statistics are refreshed early if a table has grown or shrunk by this factor. */
  growthFactor: 2,
  /** The least pause before such an early refresh, because a table that is being loaded doubles many times. */
  growthPauseSeconds: 30,

  /** One gathering of the statistics of all tables takes at most this much time, and reads at most this many bytes. */
  gatherMs: 60_000,
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** A scan within the limits below takes about 20 ms. A scan that takes a hundred times as long is abandoned. */
  tableTimeoutMs: 3_000,
  /** The number of scanned rows: 16 granules of 8,192 rows. If at least one percent of all rows have a value, these rows show it. */
  scanRows: 131_072,
  scanWindows: 16,
  /** If rows are wide, fewer rows are scanned, up to this many bytes. */
  scanBytes: 64_000_000,
  /** A column is not scanned if its average value has more bytes than this, since nobody groups by long text. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /** A JSON column with more paths uses data as keys, such as users or days. So further paths are ignored. */
  jsonPaths: 100,
  pathCharacters: 200,

  /** Per gathering, the values of at most this many tables are compared with other tables, in at most this many comparisons. */
  comparedTables: 500,
  comparisons: 400,
  /**
   * A comparison of two columns takes this many distinct values, which are enough for a share in percent. A look-up by the key of a large table takes
   * fewer values, since each value may cost a granule.
   */
  comparedValues: 1_024,
  comparedByKey: 64,
  /** In tables with more rows, only columns of the sorting key are compared. */
  comparedRows: 2_000_000,

  /** A column with more distinct values has high cardinality, and prompts show none of its values. */
  sampledDistinct: 50,
  /** The number of sample values. `topK(20)` has 60 counters. Sampled columns have at most 50 distinct values, so the counts are exact. */
  samplesShown: 20,
  sampleCharacters: 100,
  /**
   * The first half of a scanned part must already show this share of the part's values. Otherwise the rest of the table probably has further values.
   */
  saturation: 0.75,

  /** The lifetime of values in the shared store, in seconds. Before use, each value is compared with the live list. */
  cacheSeconds: 86_400,
  /** Values in the shared store that are longer than this are compressed. */
  compressBytes: 32_768,
  /**
   * If another process is fetching, this process waits for the result for `lockWaitMs`, and looks for it every `lockPollMs`. After that this process
   * fetches too.
   */
  lockWaitMs: 3_000,
  lockPollMs: 100,
} as const

/** The limits of the schema in a prompt. Sizes are in characters, and four characters are about one token. */
export const SCHEMA_PROMPT_LIMITS = {
  /**
   * The limit for the tables that are shown with all facts. It is about 15,000 tokens, which are cheap in a cached prompt and fit into a context
   * window of 32,000 tokens.
   */
  wholeCharacters: 60_000,
  /** The limit for further tables, which are shown with names and types only. So the model knows that these tables exist. */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  samples: 12,
  paths: 60,
  /** A prompt shows only this many values of a column with keys or hashes. Two are enough to show the form. */
  opaqueSamples: 2,
  ttlCharacters: 200,
  /** In a schema with more tables, no joins are searched for. */
  joinedTables: 400,
  /** The length of the shortest rendered table, which has a name, an engine and one column. */
  leastTableCharacters: 30,
  /** Longer names of tables and columns are cut. */
  nameCharacters: 300,
} as const

/** The limits of answers about the catalog, of the search for similar names, and of messages. */
export const CATALOG_ANSWER_LIMITS = {
  /** At most this many tables are listed. Nobody reads a longer list. */
  listedTables: 100,
  /** For a catalog with more tables, this many tables that are nearest to the question are listed. */
  nearestTables: 30,
  /** At most this many databases of a large catalog are listed. */
  listedDatabases: 20,
  /** At most this many columns of one table are listed. */
  listedColumns: 200,
  /** At most this many values of one column are listed. */
  shownValues: 5,
  /** The description of a cost names at most this many tables. */
  costlyTables: 3,
  /** In a finding about a filter, longer names are cut. */
  filterNameCharacters: 200,
  /** If two names differ by more than this share of their length, the difference is no typing error. */
  nearShare: 0.35,
  /** Longer names are compared only by their beginnings, since a comparison takes time in proportion to the product of both lengths. */
  comparedCharacters: 64,
  /**
   * The time limit that the server gets, in whole seconds. It is longer than the caller's limit, in case the caller's cancellation does not reach the
   * server.
   */
  readWithinMs: 2_000,
  /** The number of bytes of rows per slice. This is a few milliseconds of work. */
  rowSliceBytes: 128 * 1024,
} as const

/** The limits of the search for joins between tables. */
export const JOIN_LIMITS = {
  /** A column has at most this many candidates for a join. More would be guesses. */
  perColumn: 3,
  /** If a column's name occurs in more tables than this, the column refers to none of these tables. */
  nameTables: 8,
  /** If counts are not exact, a column counts as unique if the number of distinct values is at least this share of the number of rows. */
  uniqueShare: 0.97,
  /** A join is sure if the other table has this share of the values. */
  sureShare: 0.9,
  /** Two columns are compared by at least this many values. Fewer values may match by chance. */
  values: 2,
  /** A shared identifier needs at least this many distinct values. */
  identifiers: 50,
} as const

/** The limits of the search for tables. The weights of the search are in the files in `retrieval`. */
export const RETRIEVAL_LIMITS = {
  /** A prompt shows at most this many families of a large catalog. */
  families: 48,
  /** Only this many of the best results come with the names of their near-duplicates. */
  withCopies: 3,
  /** If the question asks for certain years or versions, at most this many tables of one family are shown. */
  ofFamily: 3,
  /** If a word of the question is the name of several tables, at most this many of them are shown. */
  ofName: 3,
  /** Typing errors are looked for only in words of at least this length. Shorter words resemble too many others. */
  nearWordCharacters: 4,
  /** Only this many words of a question are used. This is enough to find the subject, and a question may be as long as a message. */
  questionWords: 60,
  /** The shortest part of a compound word. */
  compoundPartCharacters: 4,
  /** A family is dropped if its score is below this share of the best score. */
  scoreShare: 0.06,
  /** The joins of this many best families are followed. */
  followedFamilies: 12,
  /** The number of tables per message to the thread that builds the index. Preparing one message takes about a millisecond. */
  tablesPerMessage: 200,
  /** A column that comes first in more families than this is no key. */
  owners: 400,
  /** At most this many joins per family are kept. */
  links: 16,
  /**
   * If a column has at most this many known values, the search covers these values. A column with more values holds names, which say little about the
   * table's subject.
   */
  values: 12,
  /** The index takes at most this many characters of each kind of text from a table. */
  textCharacters: 2_000,
} as const
