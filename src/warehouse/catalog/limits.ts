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
