/** Every number of the schema catalog, with its reason. Times in milliseconds unless named otherwise. */
export const CATALOG_LIMITS = {
  /** One query for names and types. A catalog of 2,000 tables answers in 70 ms; a server that needs more than this is in trouble. */
  fetchTimeoutMs: 10_000,
  /** Tables per query: their names travel in the URL, which proxies cut at 8 KB or more. */
  tablesPerFetch: 200,
  /** A change in the same second as the fetch leaves the modification time (whole seconds) as it was: fetch once more after it. */
  settledAfterSeconds: 2,
  /** Names and types are fetched anew after this even if nothing seems to have changed: grants do not show in the table's metadata. */
  structureSeconds: 3_600,

  /** A catalog of more tables than this is large: each turn reads a digest of it and what has changed, and statistics are gathered of tables that are needed. */
  largeTables: 500,
  /** Parts into which a large catalog is divided by its tables' names: a change costs the reading of one part. */
  parts: 64,
  /** Parts of the list read at once: of 10,000 tables 1,250 rows, which take 10 ms to read. */
  partsPerRead: 8,
  /** The numbers of rows of a large catalog are read anew, beside, after this. */
  rowsSeconds: 600,

  /** How long a turn waits for statistics that are not there yet: a person waits for the answer, and names and types are enough for one. */
  firstMomentMs: 2_000,
  /** Ranges of time are what ages first; an hour keeps "until when" true to the day. */
  statisticsSeconds: 3_600,
  /** After a failed or unfinished gathering. */
  statisticsRetrySeconds: 600,
  /** Statistics are gathered anew, before their time, once a table has grown or shrunk by this factor ... */
  growthFactor: 2,
  /** ... but not more often than this: a table that is being loaded doubles many times. */
  growthPauseSeconds: 30,

  /** One gathering in all: the time it may take, and what it may read. */
  gatherMs: 60_000,
  gatherBytes: 2_000_000_000,
  gatherConcurrency: 2,
  /** One table: a scan within the numbers below takes some 20 ms; one that takes a hundred times that is given up. */
  tableTimeoutMs: 3_000,
  /** 16 granules of 8,192 rows: enough to see every value that a percent of the rows has. */
  scanRows: 131_072,
  scanWindows: 16,
  /** Wide rows: fewer of them. */
  scanBytes: 64_000_000,
  /** A column whose values are longer than this on average is text to read, not to group by: it is not scanned. */
  columnBytes: 1_024,
  columnsPerTable: 150,
  /** A JSON column with more paths than this has data for names, such as users or days. */
  jsonPaths: 100,
  pathCharacters: 200,

  /** How many tables of one gathering have their values compared with those of others, and how many comparisons are made in all. */
  comparedTables: 500,
  comparisons: 400,
  /** Different values that are looked for: a share to the percent. By the key of a large table fewer: each may cost a granule there. */
  comparedValues: 1_024,
  comparedByKey: 64,
  /** A table with more rows is looked into by its sorting key only. */
  comparedRows: 2_000_000,

  /** With more different values than this a column is not low in cardinality, and none is shown. */
  sampledDistinct: 50,
  /** topK counts exactly while it has three times as many places as it returns: 60 > 50. */
  samplesShown: 20,
  sampleCharacters: 100,
  /** In a part of a table the values must be as good as complete after half of it; else the rest of the table has more of them. */
  saturation: 0.75,

  /** Cached values live so long in the shared store; each is checked against the live list of tables before use. */
  cacheSeconds: 86_400,
  /** Above this a cached value is compressed. */
  compressBytes: 32_768,
  /** Another process that fetches is waited for so long, looking this often, before the fetch is made here too. */
  lockWaitMs: 3_000,
  lockPollMs: 100,
} as const
