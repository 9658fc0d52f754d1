/** The limits of the schema catalog, with their reasons. Times are in milliseconds unless a name ends in `Seconds`. */
export const CATALOG_LIMITS = {
  /** The time limit of one query for names and types. 2,000 tables take 70 ms. A server that takes longer than the limit is in trouble. */
  fetchTimeoutMs: 10_000,
  /** The maximum number of tables in one query. The URL contains their names, and some proxies allow only 8 KB. */
  tablesPerFetch: 200,
  /**
   * Modification times are whole seconds. So a second change within the same second does not show. A table that has just changed is therefore
   * fetched again after this time.
   */
  settledAfterSeconds: 2,
  /**
   * Names and types are fetched again after this time, even if nothing seems changed, because modification times do not show
   * changes of grants.
   */
  structureSeconds: 3_600,

  /**
   * A catalog with more tables is called large. Each turn then reads only a digest and the changed parts. Statistics are gathered
   * only for tables that questions need.
   */
  largeTables: 500,
  /** A large catalog is split by table name into this many parts. After a change, only the part with the changed table is read. */
  parts: 64,
  /** The number of parts that one query reads. In a catalog of 10,000 tables, 8 parts have 1,250 rows, which takes 10 ms. */
  partsPerRead: 8,
  /** In a large catalog, a background task refreshes the row counts at this interval. */
  rowsSeconds: 600,

  /** If statistics are missing, a turn waits for them up to this time. Names and types alone are enough for an answer. */
  firstMomentMs: 2_000,
  /**
   * Statistics are gathered again when they are older than this. Time ranges change fastest, but an hour later they are still right to the day.
   */
  statisticsSeconds: 3_600,
  /** The pause before the next attempt if gathering has failed or was incomplete. */
  statisticsRetrySeconds: 600,
  /** If a table has grown or shrunk by this factor, its statistics are gathered again early. */
  growthFactor: 2,
  /** The minimum pause before such an early gathering. A table that is being loaded doubles its size many times. */
  growthPauseSeconds: 30,

  /** The time limit for gathering the statistics of all tables. */
  gatherMs: 60_000,
  /** The maximum number of bytes that one gathering reads. */
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** The time limit of one scan. A scan within the limits below usually takes about 20 ms. */
  tableTimeoutMs: 3_000,
  /** The number of rows that a scan reads: 16 granules of 8,192 rows. They show any value that at least one percent of the rows have. */
  scanRows: 131_072,
  scanWindows: 16,
  /** The maximum number of bytes that a scan reads. In a table with wide rows, these are fewer rows than `scanRows`. */
  scanBytes: 64_000_000,
  /** A column with more bytes per value on average is not scanned. It holds long text, and nobody groups by long text. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /** The maximum number of paths in a JSON column. A column with more paths uses data as keys, such as user ids or days. */
  jsonPaths: 100,
  pathCharacters: 200,

  /** One gathering compares the values of columns in at most this many tables. */
  comparedTables: 500,
  /** One gathering makes at most this many comparisons of columns. */
  comparisons: 400,
  /** A comparison of two columns uses this many distinct values. They are enough for a share in percent. */
  comparedValues: 1_024,
  /**
   * If each value must be looked up by the key of a large table, a comparison uses only this many values. Each look-up may read a whole granule.
   */
  comparedByKey: 64,
  /** If a table has more rows than this, only the columns of its sorting key are compared. */
  comparedRows: 2_000_000,

  /** A column with more distinct values than this has high cardinality. Prompts show none of its values. */
  sampledDistinct: 50,
  /** The number of sample values. `topK(20)` uses 60 counters, and sampled columns have at most 50 distinct values, so its counts are exact. */
  samplesShown: 20,
  sampleCharacters: 100,
  /**
   * If the first half of the scanned rows has fewer than this share of a column's scanned values, the other rows of the table
   * probably have further values. Then the column gets no samples.
   */
  saturation: 0.75,

  /** A value in the shared store expires after this many seconds. Before it is used, it is compared with the live list of tables. */
  cacheSeconds: 86_400,
  /** A value above this size is compressed in the shared store. */
  compressBytes: 32_768,
  /** If another process is already fetching, this process waits for the result up to this time. Then it fetches the tables itself. */
  lockWaitMs: 3_000,
  /** A process that waits for another's result looks for it at this interval. */
  lockPollMs: 100,
} as const

/** The limits of the schema in a prompt. Sizes are in characters. Four characters are about one token. */
export const SCHEMA_PROMPT_LIMITS = {
  /**
   * The limit of the text for tables that are shown with all facts, about 15,000 tokens. In a cached prompt they are cheap, and they fit into a
   * context window of 32,000 tokens.
   */
  wholeCharacters: 60_000,
  /**
   * Tables that do not fit into `wholeCharacters` appear only with names and types, so that the model knows about them. This is
   * the limit of their text.
   */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  samples: 12,
  paths: 60,
  /** For a column of keys or hashes, a prompt shows only this many values. Two are enough to show their form. */
  opaqueSamples: 2,
  ttlCharacters: 200,
  /** Joins are searched only among this many tables of a schema. */
  joinedTables: 400,
  /** The length of the shortest possible table in a prompt: a name, an engine and one column. */
  leastTableCharacters: 30,
  /** A name of a table or column is cut to this length. */
  nameCharacters: 300,
} as const

/** The limits of answers about the catalog, of the search for similar names, and of error messages. */
export const CATALOG_ANSWER_LIMITS = {
  /** The maximum number of tables in a list of all tables. Nobody reads a longer list. */
  listedTables: 100,
  /** The list for a larger catalog shows this many tables: those that fit the question best. */
  nearestTables: 30,
  /** The list for a large catalog shows at most this many databases. */
  listedDatabases: 20,
  listedColumns: 200,
  shownValues: 5,
  /** The description of a query's cost shows at most this many tables. */
  costlyTables: 3,
  /** A finding about a filter cuts names that are longer than this. */
  filterNameCharacters: 200,
  /** Two names are similar if they differ in at most this share of their letters. A larger difference is not a typing error. */
  nearShare: 0.35,
  /**
   * Only this many characters of a name are compared, because the time of a comparison grows with the product of both lengths.
   */
  comparedCharacters: 64,
  /**
   * The time limit of a read on the server, rounded to whole seconds. It is longer than the caller's own limit. It matters only if the caller's
   * cancellation does not reach the server.
   */
  readWithinMs: 2_000,
  /** Rows are parsed in slices of this many bytes, so that other work gets its turn. A slice takes a few milliseconds. */
  rowSliceBytes: 128 * 1024,
} as const

export const JOIN_LIMITS = {
  /** The maximum number of possible joins for one column. Further ones would be guesses. */
  perColumn: 3,
  /** If more tables than this have a key of a column's name, the column refers to none of them. */
  nameTables: 8,
  /** If counts are inexact, a column is called unique when it has at least this number of distinct values per row. */
  uniqueShare: 0.97,
  /** A join is sure if the joined table has at least this share of the column's values. */
  sureShare: 0.9,
  /** If only the names suggest a join, at least this many values must have been compared. Fewer values may match by chance. */
  values: 2,
  /** An identifier that two tables share must have at least this many distinct values. */
  identifiers: 50,
} as const

/** The limits of the search for tables that fit a question. The files in `retrieval` contain the weights. */
export const RETRIEVAL_LIMITS = {
  /** A prompt for a large catalog shows tables of at most this many families. A family is a table with its copies. */
  families: 48,
  /** Only this many of the best results also list the names of their copies. */
  withCopies: 3,
  /** If the question asks for certain years or versions, the prompt shows at most this many tables of one family (a table with its copies). */
  ofFamily: 3,
  /** If a word of the question is the name of several tables, the prompt shows at most this many of them. */
  ofName: 3,
  /** Typing errors are corrected only in words of at least this many letters. Shorter words resemble too many others. */
  nearWordCharacters: 4,
  /** The search uses only the first words of a question, up to this number. They are enough to find the subject. */
  questionWords: 60,
  /** A compound word is split only into parts of at least this many letters. */
  compoundPartCharacters: 4,
  /** A family (a table with its copies) is dropped if its score is below this share of the best score. */
  scoreShare: 0.06,
  /** The search follows the joins of this many families (tables with their copies), best first. */
  followedFamilies: 12,
  /** The thread that builds the index gets this many tables per message. Preparing a message takes about a millisecond. */
  tablesPerMessage: 200,
  /**
   * If the tables of more families (tables with their copies) than this begin with a column of the same name, that column is not
   * used as a key.
   */
  owners: 400,
  links: 16,
  /**
   * The search uses the values of columns with at most this many known values. A column with more values usually contains names, and names say
   * little about the table's subject.
   */
  values: 12,
  /** The index uses at most this many characters of each kind of text, such as a table's comments. */
  textCharacters: 2_000,
} as const
