/** All numbers of the schema catalog and their reasons. Times are in milliseconds unless the name says otherwise. */
export const CATALOG_LIMITS = {
  /** One query for names and types. 2,000 tables take 70 ms, so a server that needs longer is in trouble. */
  fetchTimeoutMs: 10_000,
  /** Tables per query. Their names are in the URL, which proxies cut at 8 KB or more. */
  tablesPerFetch: 200,
  /** The modification time has whole seconds, so it misses a second change in the same second. Fetch once more after this. */
  settledAfterSeconds: 2,
  /** Refetch names and types after this, since a change of grants does not show in the metadata. */
  structureSeconds: 3_600,

  /** A catalog with more tables is large: each turn reads a digest and the changes, and only needed tables get statistics. */
  largeTables: 500,
  /** A large catalog is split into parts by table name, so a change costs reading one part. */
  parts: 64,
  /** Parts per query. With 10,000 tables this is 1,250 rows, or 10 ms. */
  partsPerRead: 8,
  /** Row counts of a large catalog are refreshed in the background after this. */
  rowsSeconds: 600,

  /** How long a turn waits for missing statistics. Names and types alone suffice for an answer. */
  firstMomentMs: 2_000,
  /** Time ranges age first. An hour keeps their end correct to the day. */
  statisticsSeconds: 3_600,
  /** The wait after a failed or unfinished gathering. */
  statisticsRetrySeconds: 600,
  /** Statistics are refreshed early once a table has grown or shrunk by this factor ... */
  growthFactor: 2,
  /** ... but no more often than this, since a table that loads doubles many times. */
  growthPauseSeconds: 30,

  /** The time and the bytes of one whole gathering. */
  gatherMs: 60_000,
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** A scan within the limits below takes about 20 ms. One that takes a hundred times that is abandoned. */
  tableTimeoutMs: 3_000,
  /** 16 granules of 8,192 rows. This shows every value that at least one percent of the rows have. */
  scanRows: 131_072,
  scanWindows: 16,
  /** Wide rows are scanned in smaller numbers. */
  scanBytes: 64_000_000,
  /** Longer values are text that nobody groups by, so the column is not scanned. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /** A JSON column with more paths uses data as keys, such as users or days. */
  jsonPaths: 100,
  pathCharacters: 200,

  /** How many tables per gathering have values compared with other tables, and the most comparisons in all. */
  comparedTables: 500,
  comparisons: 400,
  /** Distinct values per comparison, enough for a share in percent. A look-up by a large table's key uses fewer, since each may cost a granule. */
  comparedValues: 1_024,
  comparedByKey: 64,
  /** Tables with more rows are compared by their sorting key only. */
  comparedRows: 2_000_000,

  /** A column with more distinct values has high cardinality. It shows no values. */
  sampledDistinct: 50,
  /** topK counts exactly if it has three times as many places as it returns: 60 > 50. */
  samplesShown: 20,
  sampleCharacters: 100,
  /** Half of a scanned part must already show this share of its values. Otherwise the rest of the table has more. */
  saturation: 0.75,

  /** Lifetime of cached values in the shared store. Each is checked against the live list before use. */
  cacheSeconds: 86_400,
  /** Longer cached values are compressed. */
  compressBytes: 32_768,
  /** How long to wait for another process that fetches, and how often to look. After that this process fetches too. */
  lockWaitMs: 3_000,
  lockPollMs: 100,
} as const

/** The schema's share of a prompt, in characters. Four are about one token. */
export const SCHEMA_PROMPT_LIMITS = {
  /** For tables with all facts: 15,000 tokens. They cost little in a cached prompt, and fit a window of 32,000. */
  wholeCharacters: 60_000,
  /** For further tables with names and types only, so that the model knows that they exist. */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  samples: 12,
  paths: 60,
  /** For values such as keys and hashes: enough to show their form. */
  opaqueSamples: 2,
  ttlCharacters: 200,
  /** Beyond this many tables, joins are not searched for. */
  joinedTables: 400,
  /** No table takes less: a name, an engine, a column. */
  leastTableCharacters: 30,
  /** The longest name that is shown. */
  nameCharacters: 300,
} as const

/** The numbers of answers about the catalog, of near names, and of what messages name. */
export const CATALOG_ANSWER_LIMITS = {
  /** Nobody reads a longer list. */
  listedTables: 100,
  /** For a catalog larger than any list. */
  nearestTables: 30,
  /** Databases of a large catalog. */
  listedDatabases: 20,
  /** Columns of one table. */
  listedColumns: 200,
  /** Values of one column. */
  shownValues: 5,
  /** Tables that the cost of a query names. */
  costlyTables: 3,
  /** A name in a finding about a filter. */
  filterNameCharacters: 200,
  /** A greater distance, as a share of the name's length, means another name instead of a slip. */
  nearShare: 0.35,
  /** Longer names are compared by their beginnings, since the distance costs the product of both lengths. */
  comparedCharacters: 64,
  /**
   * The server's own limit, in whole seconds. It is longer than the caller's, for the case that the end does not reach the
   * server.
   */
  readWithinMs: 2_000,
  /** Bytes of rows per slice: a few milliseconds of work. */
  rowSliceBytes: 128 * 1024,
} as const

/** The numbers of inferring joins. */
export const JOIN_LIMITS = {
  /** More candidates per column would be guesses. */
  perColumn: 3,
  /** A name in more tables than this identifies none of them. */
  nameTables: 8,
  /** With so many distinct values for its rows, a column counts as unique beyond exact counts. */
  uniqueShare: 0.97,
  /** A join is sure if this share of the values is found. */
  sureShare: 0.9,
  /** Fewer values may match by chance. */
  values: 2,
  /** A shared identifier needs at least this many distinct values. */
  identifiers: 50,
} as const

/** The numbers that cut the search for tables. Its weights stand beside the search. */
export const RETRIEVAL_LIMITS = {
  /** No prompt shows more of a large catalog. */
  families: 48,
  /** Only the best tables come with the names of their near-duplicates. */
  withCopies: 3,
  /** For a family whose years or versions the question asks for. */
  ofFamily: 3,
  /** For a table name that is also a word of the question. */
  ofName: 3,
  /** Shorter words resemble too many others. */
  nearWordCharacters: 4,
  /** A question may be as long as a message, but this many words tell its subject. */
  questionWords: 60,
  /** The least part of a compound word. */
  compoundPartCharacters: 4,
  /** Families below this share of the best score are dropped. */
  scoreShare: 0.06,
  /** Families whose joins are followed. */
  followedFamilies: 12,
  /** Tables per message to the thread: about a millisecond's work. */
  tablesPerMessage: 200,
  /** A column that begins more families than this is no key. */
  owners: 400,
  /** Tables that one table is joined with. */
  links: 16,
  /** Values per column. Longer lists are names, which say little about the table's subject. */
  values: 12,
  /** A table's text in the index. */
  textCharacters: 2_000,
} as const
