/** The limits of answering a question. `LINEAGE_LIMITS` below has the limits of an investigation. Lengths are in characters. */
export const AGENT_LIMITS = {
  /** If summaries fail, a conversation keeps at most this many times `historyTurns`. */
  turnsFactor: 2,
  askBack: {
    /** The maximum number of choices. Every platform can show this many buttons, and people do not read more. */
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
     * A data question may have this many words that the message lacks, and still be the same question. Some added words are
     * usual, such as "as a share of all" or "in order of date".
     */
    newWords: 20,
    /** A message with more words than this is not small talk. Common words such as "the" are not counted. */
    smallTalkWords: 8,
    /** The conversation remembers at most this many names per column of an answer, and how many more there were. */
    entities: 200,
    /**
     * A name with fewer letters than this is found only in its own capitals. Otherwise the word "it" would be taken for the name
     * IT.
     */
    anyCaseCharacters: 3,
    /** A question with fewer words than this does not look simple. */
    simpleLeastWords: 3,
    /** A question with more words than this does not look simple. */
    simpleMostWords: 30,
  },
  planning: {
    /**
     * The time that a question waits for the schema of one of several sources. After that, the source counts as away. An
     * embedded engine takes some seconds to start. An estimate.
     */
    sourceWaitMs: 10_000,
    /** The maximum number of sources that a plan may ask. More schemas would not fit into a prompt. */
    sources: 5,
    /** The maximum length of a source's description in a prompt. */
    descriptionCharacters: 500,
    /** The maximum number of rows of a query whose rows are combined with those of other sources. */
    scanRows: 100_000,
    /** The maximum number of keys of one source by which a query of another is limited. */
    keys: 5_000,
    /** The maximum number of these keys that the shown SQL has. */
    shownKeys: 3,
    /** The maximum length of the sentence that tells a model how its query breaks the plan. A table may have many columns. */
    mistakeCharacters: 1_000,
    /** From this share of lost rows on, an answer over joined rows is less certain. */
    lostShare: 0.05,
  },
  schema: {
    /** The maximum length of a table's comment in the question which data source is meant. */
    sourceCommentCharacters: 100,
    /** The maximum number of tables that are described in full. Only for these tables are statistics read. */
    wholeTables: 8,
    /** The tables of the last turns stay in focus, for this many turns. */
    turnsBack: 3,
    /** Joins are inferred between at most this many tables. */
    joinedTables: 10,
    /** The maximum number of columns that a table described in full shows. Up to `namedColumns` more are listed by name only. */
    wholeColumns: 40,
    /** The maximum number of columns that a table described in brief shows. */
    briefColumns: 14,
    namedColumns: 60,
    /** The maximum number of values of an Enum column in a table that is described in brief. */
    enumValues: 6,
    /** A table's description names at most this many tables that are nearly the same. */
    copies: 4,
    /**
     * A prompt may show only the tables that the plan names. If they take more than this share of the whole schema's text, the
     * prompt shows the whole schema instead, because the provider has cached it.
     */
    namedShare: 0.7,
    /** No description of a table is shorter than this. With fewer tokens left, no further table fits. */
    leastTableTokens: 10,
  },
  query: {
    /** A query that the guard refuses is drafted again at most this often. */
    buildRetries: 2,
    /** The maximum number of rewrites of a query that the engine refuses, before or during its run. */
    executionRetries: 4,
    /**
     * Words such as "a few" or "some examples" may ask for up to this many rows. A higher LIMIT is kept only if the question
     * contains a number.
     */
    fewRows: 50,
    /** The time limit for counting the rows of the whole result, if the result was cut. */
    totalMs: 2_000,
    /**
     * After the rows have arrived, the answer waits at most this long for the search for the end of the data. The search usually
     * ends earlier than the query.
     */
    edgesWaitMs: 100,
    /**
     * The time limit of each statement that looks for the end of the data. These statements run at the same time as the query.
     */
    edgesMs: 1_000,
    /** The first and last value of a column are read again for a question that comes this much later. */
    edgesKeptMs: 30_000,
    /** The search for the end of the data reads at most this many lines of EXPLAIN output. */
    edgeTreeLines: 20_000,
    /** The first and the last value are looked up in at most this many time columns. */
    edgeColumns: 4,
    /**
     * If at most this share of a period is missing at its start or end, and at most one hour, no remark is made. At the start,
     * more than an hour may be missing if the data begin on the period's first day, because the first row of a day may come late.
     */
    missingShare: 0.1,
    /**
     * The same for a period without an explicit start or end, such as "by month": this share of its first or last unit may be
     * missing.
     */
    missingUnitShare: 0.05,
    /**
     * The rows of a table are not evenly spaced in time. A gap means the start or end of the data only if it is longer than this
     * many average distances between rows.
     */
    usualDistances: 3,
    /** The same for a column that is not part of a key. */
    usualDistancesOfOthers: 10,
    /** A message about a costly query says for at most this many tables how to read less of them. */
    narrowedTables: 4,
    /** For each of these tables, the message suggests at most this many columns. */
    narrowedColumns: 4,
    /** A query that reads this share of a table is treated as reading all of it. */
    wholeTableShare: 0.9,
    /** At most this many rows of a finished query are shown while other queries run. */
    firstRows: 5,
    /** The maximum length of a review's suggestion for the next query. */
    suggestionCharacters: 800,
    /**
     * The time limit for looking up parameter values. If a value is not found in time, it is treated as unknown, and the model
     * writes the SQL.
     */
    lookUpMs: 1_000,
  },
  draft: {
    /** A draft of a pipeline that does not work is written again at most this often. */
    repairs: 5,
    /** A draft remembers at most this many of the requests that led to it. */
    requests: 20,
    /** The rows that a pipeline would make are counted only if it reads at most this many rows. */
    countedRows: 50_000_000,
    /** The maximum length of an error in the list of what was tried. */
    errorCharacters: 400,
  },
  subscribe: {
    /** Nothing recurs more often than this, in minutes. */
    leastMinutes: 5,
    /** A condition may have to hold for at most this long before it is told: a week. */
    mostMinutes: 7 * 24 * 60,
    /** The next due time is looked for in this many days: 29 February may be eight years away. */
    searchedDays: 8 * 366,
    /** A result of more rows is not compared with that of the run before. */
    watchedRows: 200,
    /** At most this many differences from the run before are told to the writer, the first ones of each query. */
    changes: 50,
    /** Runs start up to this long after they are due, each subscription by a time of its own. */
    jitterMs: 120_000,
    /** The jitter is at most this part of the time between two runs. */
    jitterShare: 0.2,
    /** The person sees this many of the next due times. */
    shownTimes: 3,
    /** One person may have at most this many subscriptions that have not ended. An estimate, not measured. */
    mostOfOne: 50,
  },
  run: {
    /** The model's temperature. With 0, the same question gives the same plan and SQL. */
    temperature: 0,
    /**
     * The results of all runs may take this share of the heap. An estimate: results are measured as text, but take twice as much
     * memory, and a run copies them for its checks.
     */
    heapShare: 0.25,
    /**
     * A run may always have this many bytes of results, even if other runs use all memory. It is far more than an answer needs.
     */
    leastResultBytes: 1_000_000,
    /** The number of time zones whose formatters are cached. Creating a formatter takes a millisecond. */
    cachedZones: 50,
  },
  chart: {
    /** The number of values in a bar chart. With fewer, the chart says no more than the table. With more, nobody can read it. */
    bars: { least: 3, most: 20 },
    points: { least: 3, most: 1_500 },
    slices: { least: 2, most: 6 },
    /** If one slice exceeds this share, nobody sees the other slices. So no pie is drawn. */
    sliceShare: 0.97,
    /** A chart has at most this many series. Slack's own charts have the same limit. */
    series: 6,
    /**
     * If one series is more than this many times as high as another, the lower one looks flat. So such series do not share a
     * chart.
     */
    seriesRatio: 50,
    /** Between uneven times, a gap may be this many times the median distance. A line across a longer gap would mislead. */
    unevenMedians: 2.5,
    /** The maximum number of points on an axis per value. With more, most of the line would be gaps. */
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
    /** A line says the same as a remark if it contains at least this share of the remark's words. */
    saidShare: 0.8,
    /**
     * The same share if the words may come from a line and the question together. It is lower, because a remark that joins the
     * two has words of its own ("October is meant as October 2026").
     */
    saidTogetherShare: 2 / 3,
    /**
     * The time limit for reading the age of the data while the answer is written. The remark about it is not important enough for
     * a longer wait.
     */
    dataAgeMs: 1_000,
    /** The ages of at most this many tables are read. A join of more tables has no meaningful single age. */
    dataAgeTables: 4,
    /** A time in the data may be this far in the future, because the clocks of the programs that write the data may be ahead. */
    clockAheadMs: 5 * 60_000,
    /** The maximum number of assumptions, for one query and for one answer. */
    assumptions: 5,
    /** A remark quotes at most this many characters of a value that the data do not contain. */
    valueCharacters: 100,
    remarkCharacters: 300,
    /** About this many characters fit on a line of a chat or terminal. */
    lineCharacters: 90,
  },
  /** Limits of reads without a model. */
  direct: {
    /** A list shows at most this many tables of a source. A caller can search for the others. */
    listedTables: 500,
    /** The maximum length of a table's comment in a list. */
    commentCharacters: 200,
  },
  write: {
    /** The model sees this many rows of a result that was combined with others. */
    inputRows: 5,
    /** The number of rows of a result that a model sees. The prompts name this number. */
    shownRows: 50,
    /** The number of characters of a cell that a model sees. */
    shownCharacters: 100,
    /** The maximum length of a model's text about a query. */
    remarkCharacters: 1_000,
    /**
     * The maximum length of the text of all rows of one result. Six wide results must fit into a context window of 32,000 tokens.
     */
    resultCharacters: 12_000,
    /** If no model could write the answer, the results are shown as tables with this many rows each. */
    rowsWithoutWords: 10,
    /**
     * The maximum number of rewrites per answer. Further unsupported sentences are marked without a rewrite, so that a bad answer
     * does not take too long.
     */
    rewrites: 5,
    /**
     * The time that a model has to proofread a complete answer. The asker sees the text meanwhile, but not its buttons. A strong
     * model takes a few seconds, and one that thinks up to half a minute. An estimate, not measured.
     */
    proofreadMs: 30_000,
    /**
     * The maximum number of sentences, bullets and table rows per answer. Nobody reads more, and checking one takes up to a
     * millisecond.
     */
    sentences: 1_000,
    /**
     * The sources of at most this many figures per answer are stored. A source usually has two hundred characters, and at most a
     * few thousand.
     */
    figures: 200,
    /** The maximum length of a name in a message about a failure. */
    nameCharacters: 200,
    /** The maximum number of similar names in a message about a failure. */
    nearNames: 4,
    /**
     * The maximum number of passes that make links safe. A pass may turn a link into text and so uncover an address in its label,
     * which the next pass makes safe. Real text is not nested deeper.
     */
    linkPasses: 6,
    /** A text up to this length is not parsed if it contains no sign of a link. */
    plainCharacters: 500,
    /** If this much text follows a full stop, the full stop surely ends the sentence, because no word or citation is longer. */
    undecidedCharacters: 1_000,
    /** Only this much text before a full stop is searched for abbreviations and ordinals, because none of them is longer. */
    tailCharacters: 60,
  },
} as const

/** The limits of an investigation. Lengths are in characters. */
export const LINEAGE_LIMITS = {
  /** The maximum number of rows of a query, if the model does not ask for another maximum. */
  defaultRows: 100,
  /** The model is allowed to ask for at most this many rows. */
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** The maximum number of rounds of tool calls. After the last round, the model must answer without tools. */
  rounds: 10,
  /** The maximum number of tool calls per round. Further calls fail. */
  callsPerRound: 8,
  promptTables: 400,
  /** The maximum length of an SQL text or a template that the model sees. */
  sqlCharacters: 8_000,
  /** The maximum number of lines about the origins of columns. */
  columnLines: 30,
  /** The maximum length of a line about the origins of columns. */
  columnLineCharacters: 300,
  resultCharacters: 8_000,
  /** The maximum length of all tool results of an investigation, about 30,000 tokens. */
  allCharacters: 120_000,
  /** How long the findings of a thread are remembered. */
  threadSeconds: 7 * 24 * 3600,
  /** The maximum length of the earlier findings that the next investigation of a thread receives. */
  rememberedCharacters: 6_000,
  /** An answer shows at most this many lines about the origins of a target's columns. */
  reportLines: 8,
  /**
   * The maximum number of tables in the picture of a graph, because nobody can read more. The tables nearest to the fault and to
   * the targets are kept.
   */
  pictureTables: 120,
  /** After this share of the time limit, the model must answer without tools. */
  queryTimeShare: 0.7,
  listedJobs: 10,
  suggestedQuestions: 3,
  /** The time limit of a replay. In a conversation, nobody would wait longer. */
  replayMs: 30 * 60_000,
} as const
