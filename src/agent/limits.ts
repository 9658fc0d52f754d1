/** The limits of answering a question. `LINEAGE_LIMITS` below has the limits of an investigation. Lengths are in characters. */
export const AGENT_LIMITS = {
  /** If summaries fail, a conversation grows to at most this multiple of `historyTurns`. */
  turnsFactor: 2,
  askBack: {
    /** The maximum number of choices. Every platform has buttons for this many, and people read no more. */
    choices: 10,
    /** The maximum length of a choice. A longer one is cut. */
    choiceCharacters: 150,
  },
  understand: {
    /** The maximum number of data questions of one message. */
    dataQuestions: 6,
    /** The maximum length of a table's name. No real name is longer. */
    nameCharacters: 200,
    /**
     * If a data question has at most this many words that the message lacks, it asks for no more than the message does. Some such
     * words are usual, for example "as a share of all" or "in order of date".
     */
    newWords: 20,
    /** A message with more words than this is not small talk. Common words such as "the" are not counted. */
    smallTalkWords: 8,
    /** The conversation remembers at most this many names of each column of an answer. It also remembers how many more names there are. */
    entities: 200,
    /** A name with fewer letters than this is found only in its own capitals, because the word "it" is not the name IT. */
    anyCaseCharacters: 3,
    /** A question with fewer words than this does not look simple. */
    simpleLeastWords: 3,
    /** A question with more words than this does not look simple. */
    simpleMostWords: 30,
  },
  schema: {
    /** The maximum length of a table's comment, when Clew asks which data source is meant. */
    sourceCommentCharacters: 100,
    /** The maximum number of tables that are described in full. Statistics are read for these tables. */
    wholeTables: 8,
    /** The tables of this many latest turns stay in focus. */
    turnsBack: 3,
    /** The maximum number of tables between which joins are inferred. */
    joinedTables: 10,
    /** The maximum number of columns of a table described in full. `namedColumns` more are listed by name only. */
    wholeColumns: 40,
    /** At most this many columns of a table that is described in brief. */
    briefColumns: 14,
    namedColumns: 60,
    /** The maximum number of values of an Enum, for a table that is described in brief. */
    enumValues: 6,
    /** A table lists at most this many of its near-duplicates. */
    copies: 4,
    /**
     * A prompt may show only the tables of its query. If they would take more than this share of the whole schema, the prompt shows the whole schema
     * instead, because the provider has cached it.
     */
    namedShare: 0.7,
    /** The description of a table takes at least this many tokens. */
    leastTableTokens: 10,
  },
  query: {
    /** After a query's first draft, this many more drafts follow if the guard refuses each of them. */
    buildRetries: 2,
    /** A query is rewritten at most this often if the engine refuses it, before or during its run. */
    executionRetries: 4,
    /**
     * Words such as "a few" or "some examples" may ask for at most this many rows. A higher LIMIT needs a number in the question.
     */
    fewRows: 50,
    /** The time limit of counting the rows of a result that was cut. */
    totalMs: 2_000,
    /**
     * After the rows have arrived, the answer waits this long for the search for the end of the data. The search usually ends before the rows arrive.
     */
    edgesWaitMs: 100,
    /** The time limit of each statement that looks for the end of the data. These statements run beside the query. */
    edgesMs: 1_000,
    /** The search for the end of the data reads at most this many lines of EXPLAIN output. */
    edgeTreeLines: 20_000,
    /** The first and the last value are looked up for at most this many time columns. */
    edgeColumns: 4,
    /**
     * Up to this share of a period may be missing at its start or end without a remark. One hour is the limit, except on the
     * first day of the period, because the first row of a day may come late.
     */
    missingShare: 0.1,
    /**
     * The same share for a period without an explicit start or end: so much of its first or last unit, such as a month, may be
     * missing.
     */
    missingUnitShare: 0.05,
    /**
     * The rows of a table are not evenly spaced in time. A gap is taken for the start or end of the data only if it is longer
     * than this many average distances between rows.
     */
    usualDistances: 3,
    /** The same limit for a column that is not part of a key. */
    usualDistancesOfOthers: 10,
    /** A message about a costly query says how to narrow at most this many tables. */
    narrowedTables: 4,
    /** The message suggests at most this many columns per table. */
    narrowedColumns: 4,
    /** A query that reads this share of a table is treated as reading all of it. */
    wholeTableShare: 0.9,
    /** At most this many rows of a finished query are shown while others run. */
    firstRows: 5,
    /** The maximum length of a review's suggestion for the next query. */
    suggestionCharacters: 800,
    /**
     * The time limit of a look-up of parameter values. A value that is not found in time is treated as unknown, and the model
     * writes the SQL.
     */
    lookUpMs: 1_000,
  },
  run: {
    /** The model's temperature. With 0, the same question gives the same plan and SQL. */
    temperature: 0,
    /**
     * The results of all runs may take this share of the heap. A judgment: results are measured as text, but they take twice as
     * much in memory, and a run copies them for its checks.
     */
    heapShare: 0.25,
    /** A run may always have this many bytes of results. This is far more than an answer needs. */
    leastResultBytes: 1_000_000,
    /** Formatters of this many time zones are cached, because making one takes a millisecond. */
    cachedZones: 50,
  },
  chart: {
    /** A bar chart has this many values. With fewer it says no more than the table, with more nobody can read it. */
    bars: { least: 3, most: 20 },
    points: { least: 3, most: 1_500 },
    slices: { least: 2, most: 6 },
    /** Above this share, one slice is nearly the whole pie, and nobody sees the smaller slices. So no pie is drawn. */
    sliceShare: 0.97,
    /** A chart has at most this many series. Slack's own charts have the same limit. */
    series: 6,
    /** If one series is more than this many times as high as another, the lower one looks flat. So they do not share a chart. */
    seriesRatio: 50,
    /** A gap between uneven times may be this many median distances long. A longer gap would mislead. */
    unevenMedians: 2.5,
    /** An axis has at most this many points per value. With more points, most of the line would be gaps. */
    pointsPerValue: 3,
    /** The maximum length of a label. */
    labelCharacters: 60,
    /** The maximum length of the name of a series. */
    nameCharacters: 40,
    /** At most this many characters of a cell are read for a label, because a cell may have megabytes. */
    readCharacters: 1_000,
  },
  /** Limits of the remarks below an answer. */
  notes: {
    /** If a line contains at least this share of a remark's words, the line says the same as the remark. */
    saidShare: 0.8,
    /**
     * The same share if the words may come from both a line and the question. It is lower, because a remark that joins the two
     * needs words of its own ("October is meant as October 2026").
     */
    saidTogetherShare: 2 / 3,
    /** The time limit of reading the age of the data while the answer is written. The remark about the age is not worth a longer wait. */
    dataAgeMs: 1_000,
    /** The ages of at most this many tables are read. A join of more tables has no single age. */
    dataAgeTables: 4,
    /** A time in the data may lie this far in the future. The clocks of the writers may be ahead. */
    clockAheadMs: 5 * 60_000,
    /** The maximum number of assumptions, for one query and for one answer. */
    assumptions: 5,
    /** A remark quotes at most this many characters of a value that the data do not contain. */
    valueCharacters: 100,
    remarkCharacters: 300,
    /** A line of a chat or a terminal holds about this many characters. */
    lineCharacters: 90,
  },
  write: {
    /** A model sees this many rows of a result. The prompts say so. */
    shownRows: 50,
    /** A model sees this many characters of a cell. */
    shownCharacters: 100,
    /** The maximum length of a model's text about a query. */
    remarkCharacters: 1_000,
    /** The maximum length of the text of all rows of one result. Six wide results must fit a window of 32,000 tokens. */
    resultCharacters: 12_000,
    /** If no model could write the answer, the results are shown as tables with this many rows each. */
    rowsWithoutWords: 10,
    /** The maximum number of rewrites per answer. Further unsupported sentences are marked at once, so that a bad answer ends in time. */
    rewrites: 5,
    /**
     * The maximum number of sentences, bullets and table rows per answer. Nobody reads more. Checking one of them takes up to a millisecond.
     */
    sentences: 1_000,
    /**
     * The sources of at most this many figures per answer are kept. A source usually has two hundred characters, and at most a few thousand.
     */
    figures: 200,
    /** The maximum length of a name in a message about a failure. */
    nameCharacters: 200,
    /** The maximum number of similar names in a message about a failure. */
    nearNames: 4,
    /**
     * The maximum number of passes that make links safe. One pass may uncover an address in a link's label, and the next pass makes it safe. Real text
     * nests no deeper.
     */
    linkPasses: 6,
    /** A text up to this length is not parsed if it has no signs of a link. */
    plainCharacters: 500,
    /** A full stop ends a sentence for certain once this much text follows it, because no word or citation is longer. */
    undecidedCharacters: 1_000,
    /** At most this much text before a full stop is searched for abbreviations and ordinals, because none of them is longer. */
    tailCharacters: 60,
  },
} as const

/** The limits of an investigation. Lengths are in characters. */
export const LINEAGE_LIMITS = {
  /** The number of rows of a query if the model does not ask for a number. */
  defaultRows: 100,
  /** The highest number of rows that the model may ask for. */
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** The maximum number of rounds of tool calls. After the last round, the model must answer. */
  rounds: 10,
  /** The maximum number of tool calls per round. Calls above this number fail. */
  callsPerRound: 8,
  promptTables: 400,
  /** The maximum length of a SQL text or a template that the model sees. */
  sqlCharacters: 8_000,
  /** The maximum number of lines about the origins of columns. */
  columnLines: 30,
  /** The maximum length of such a line. */
  columnLineCharacters: 300,
  resultCharacters: 8_000,
  /** The maximum length of all tool results of an investigation, about 30,000 tokens. */
  allCharacters: 120_000,
  /** The findings of a thread are remembered for this time. */
  threadSeconds: 7 * 24 * 3600,
  /** The maximum length of the earlier findings that the next investigation of a thread receives. */
  rememberedCharacters: 6_000,
  /** An answer shows at most this many lines about the origins of a target's columns. */
  reportLines: 8,
  /**
   * The maximum number of tables in the picture of a graph. The tables nearest to the fault and to the targets are kept. Nobody can read more.
   */
  pictureTables: 120,
  /** After this share of the time limit, the model must answer. */
  queryTimeShare: 0.7,
  listedJobs: 10,
  suggestedQuestions: 3,
  /** The time limit of a replay. In a conversation, nobody waits longer. */
  replayMs: 30 * 60_000,
} as const
