/** The numbers that bound how a question is answered. `LINEAGE_LIMITS` below has those of an investigation. Lengths are in characters. */
export const AGENT_LIMITS = {
  /** A conversation may grow to this multiple of `historyTurns` while summaries fail. */
  turnsFactor: 2,
  /** A question asked back. */
  askBack: {
    /** Every platform has buttons for this many, and people read no more. */
    choices: 10,
    /** A longer choice is cut. */
    choiceCharacters: 150,
  },
  /** Reading a question. */
  understand: {
    /** Data questions of one message. */
    dataQuestions: 6,
    /** Longer than any real name. */
    nameCharacters: 200,
    /**
     * Up to this many new words count as no addition. SQL rules demand some of them anyway ("as a share of all", "in order of
     * date").
     */
    newWords: 20,
    /** Names of an answer that the conversation remembers. */
    entities: 50,
    /** A question with fewer words, or more than the next, is not tried ahead. */
    simpleLeastWords: 3,
    simpleMostWords: 30,
  },
  /** The schema in a prompt. */
  schema: {
    /** A comment in a choice of data sources. */
    sourceCommentCharacters: 100,
    /** Tables shown in full detail, for which statistics are read. */
    wholeTables: 8,
    /** Tables of this many earlier turns still count. */
    turnsBack: 3,
    /** Joins are inferred between this many tables. */
    joinedTables: 10,
    /** Columns of a table in full, of a table in brief, and further columns by name only. */
    wholeColumns: 40,
    briefColumns: 14,
    namedColumns: 60,
    /** Values of an Enum in a table in brief. */
    enumValues: 6,
    /** Near-duplicates that a table names. */
    copies: 4,
    /** The least that a table needs. */
    leastTableTokens: 10,
  },
  /** Writing and running a query. */
  query: {
    /** Drafts refused by the guard, after the first one. */
    buildRetries: 2,
    /** Rewrites of queries that the engine refused before or during the run. */
    executionRetries: 4,
    /** How long the look at where the data end is waited for once the rows are there; as a rule it is there before them. */
    edgesWaitMs: 100,
    /** Each statement; they run beside the query. */
    edgesMs: 1_000,
    /** Lines of EXPLAIN output that are read for the end of the data. */
    edgeTreeLines: 20_000,
    /** Columns of time that are looked at. */
    edgeColumns: 4,
    /** No more than this part of a period may be missing for it to count as whole, nor more than an hour. */
    missingShare: 0.1,
    /** The same of the first and last unit of a series that has no period of its own. */
    missingUnitShare: 0.05,
    /**
     * Rows come at uneven distances: so many of them in a row are no sign that the data end. In a column that is no key,
     * times may be of anything.
     */
    usualDistances: 3,
    usualDistancesOfOthers: 10,
    /** A costly query is told how to narrow this many tables, by this many columns of each. */
    narrowedTables: 4,
    narrowedColumns: 4,
    /** This share of a table counts as all of it. */
    wholeTableShare: 0.9,
    /** Rows of a finished query, shown while others are under way. */
    firstRows: 5,
    /** A review's suggestion to the query's writer. */
    suggestionCharacters: 800,
    /** After this time a value counts as unknown, and the question is answered the ordinary way. */
    lookUpMs: 1_000,
  },
  /** A run and its model. */
  run: {
    /** The same question should give the same plan and SQL. */
    temperature: 0,
    /**
     * Chosen: this part of the heap may hold results. Read into values, they take about twice their bytes, and a run keeps
     * copies for its checks.
     */
    heapShare: 0.25,
    /** A result may always take this much, which is far more than an answer needs. */
    leastResultBytes: 1_000_000,
    /** Caches formatters of recent time zones, because each takes a millisecond to create. */
    cachedZones: 50,
  },
  /** An answer's chart. */
  chart: {
    /** Chosen: with fewer, a chart says no more than the table; with more, nobody can read it. */
    bars: { least: 3, most: 20 },
    points: { least: 3, most: 1_500 },
    slices: { least: 2, most: 6 },
    /** Chosen: a larger share is the whole answer, and the other slices are invisible. */
    sliceShare: 0.97,
    /** Chosen: also the limit of Slack's own charts. */
    series: 6,
    /** Chosen: next to a series this many times as high, another one looks flat. */
    seriesRatio: 50,
    /** Unevenly spaced times may have gaps of up to this many medians. Longer gaps would mislead. */
    unevenMedians: 2.5,
    /** An axis may have this many points per existing value. Beyond that, most of the line is gaps. */
    pointsPerValue: 3,
    /** A label, and the name of a series. */
    labelCharacters: 60,
    nameCharacters: 40,
    /** Limits the text before hidden characters are removed, because a cell may have megabytes. */
    readCharacters: 1_000,
  },
  /** Remarks below an answer. */
  notes: {
    /** A remark counts as said if one line contains this share of its words. */
    saidShare: 0.8,
    /** The same of a question and its answer together: what is left over only joins them ("October is meant as October 2026"). */
    saidTogetherShare: 2 / 3,
    /** This runs while the answer is written, and nobody waits longer for a remark. */
    dataAgeMs: 1_000,
    /** A join of more tables has no single age. */
    dataAgeTables: 4,
    /** The clocks of data writers may be ahead. */
    clockAheadMs: 5 * 60_000,
    /** The limit for one query, and for one answer. */
    assumptions: 5,
    /** A value that no row has. */
    valueCharacters: 100,
    /** One remark. */
    remarkCharacters: 300,
    /** Roughly the characters in a line of a chat or a terminal. */
    lineCharacters: 90,
  },
  /** Writing the answer. */
  write: {
    /** Rows of one result that a model sees. The prompts tell it so. */
    shownRows: 50,
    /** Characters of one cell that a model sees. */
    shownCharacters: 100,
    /** For a model's text about a query. */
    remarkCharacters: 1_000,
    /** For all rows of one result: six wide results must fit a window of 32,000 tokens. */
    resultCharacters: 12_000,
    /** Rows of an answer that no model put into words. */
    rowsWithoutWords: 10,
    /** Rewrites per answer. Further wrong sentences are marked at once, so that a bad answer ends in time. */
    rewrites: 5,
    /** Sentences, bullets and table rows per answer, more than anybody reads. Each takes up to a millisecond to check. */
    sentences: 1_000,
    /** A name in the sentence about a failure. */
    nameCharacters: 200,
    /** Near names in that sentence. */
    nearNames: 4,
    /** A pass may uncover an address in a link's label, which the next pass handles. Nobody writes deeper nesting for readers. */
    linkPasses: 6,
    /** A text up to this length without marks of links needs no parsing. */
    plainCharacters: 500,
    /** Longer text after a stop is decided, because no word or citation is that long. */
    undecidedCharacters: 1_000,
    /** Longer than any abbreviation or ordinal. */
    tailCharacters: 60,
  },
} as const

/** The numbers of an investigation, in the same units. */
export const LINEAGE_LIMITS = {
  /** Rows per query: the default and the maximum. */
  defaultRows: 100,
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** Rounds of tool calls before the model must answer. */
  rounds: 10,
  /** Calls per round. Further calls fail. */
  callsPerRound: 8,
  promptTables: 400,
  /** For SQL and templates shown to the model. */
  sqlCharacters: 8_000,
  /** Lines about column origins, and characters per line. */
  columnLines: 30,
  columnLineCharacters: 300,
  resultCharacters: 8_000,
  /** For all tool results of an investigation, about 30,000 tokens. */
  allCharacters: 120_000,
  /** Findings of a thread are remembered this long. */
  threadSeconds: 7 * 24 * 3600,
  /** The limit for earlier findings passed to the next investigation. */
  rememberedCharacters: 6_000,
  /** Lines about the origins of one column in an answer. */
  reportLines: 8,
  /** A larger graph is unreadable, so it shows the tables nearest to the fault and the targets. */
  pictureTables: 120,
  /** After this share of the time the model must answer. */
  queryTimeShare: 0.7,
  /** Jobs that a message lists. */
  listedJobs: 10,
  /** Questions that an overview suggests. */
  suggestedQuestions: 3,
  /** Nobody waits longer for a job in a conversation. */
  replayMs: 30 * 60_000,
} as const
