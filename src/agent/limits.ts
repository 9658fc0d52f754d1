/** The limits of answering a question. `LINEAGE_LIMITS` below has the limits of an investigation. Lengths are in characters. */
export const AGENT_LIMITS = {
  /** If summaries fail, a conversation grows to at most this multiple of `historyTurns`. */
  turnsFactor: 2,
  /** Limits of a question that Clew asks the person. */
  askBack: {
    /** The maximum number of choices. Every platform has buttons for this many, and people read no more. */
    choices: 10,
    /** The maximum length of a choice. A longer one is cut. */
    choiceCharacters: 150,
  },
  /** Limits of understanding a question. */
  understand: {
    /** The maximum number of data questions of one message. */
    dataQuestions: 6,
    /** The maximum length of a table's name. No real name is longer. */
    nameCharacters: 200,
    /**
     * If a plan adds at most this many words, it asks for no more than the message does. The rules of SQL demand some words anyway ("as a share of
     * all", "in order of date").
     */
    newWords: 20,
    /** A message with more telling words than this is no small talk. */
    smallTalkWords: 8,
    /** The conversation remembers at most this many names of each column of an answer. It says how many more there are. */
    entities: 200,
    /** A name with fewer characters must have its case in the answer: "it" is not IT. */
    anyCaseCharacters: 3,
    /** A question with fewer words than this, or with more than the next number, does not look simple. */
    simpleLeastWords: 3,
    simpleMostWords: 30,
  },
  /** Limits of the schema in a prompt. */
  schema: {
    /** The maximum length of a comment in the question for a data source. */
    sourceCommentCharacters: 100,
    /** The maximum number of tables that are described in full. Statistics are read for these tables. */
    wholeTables: 8,
    /** Tables of this many earlier turns stay in focus. */
    turnsBack: 3,
    /** Joins are inferred between at most this many tables. */
    joinedTables: 10,
    /**
     * The maximum number of columns of a table described in full. The next limit is for a table described in brief. Further columns are listed by
     * name only.
     */
    wholeColumns: 40,
    briefColumns: 14,
    namedColumns: 60,
    /** The maximum number of values of an Enum, for a table that is described in brief. */
    enumValues: 6,
    /** A table lists at most this many of its near-duplicates. */
    copies: 4,
    /** If the tables of a query take more than this share of the whole schema, the prompt shows the whole schema, which a provider has cached. */
    namedShare: 0.7,
    /** The description of a table takes at least this many tokens. */
    leastTableTokens: 10,
  },
  /** Limits of writing and running a query. */
  query: {
    /** After its first draft, a query has this many further drafts if the guard refuses it. */
    buildRetries: 2,
    /** A query is rewritten at most this often if the engine refuses it, before or during its run. */
    executionRetries: 4,
    /** Words without a number ("a few", "some examples") may ask for at most this many rows. A higher LIMIT needs a number in the question. */
    fewRows: 50,
    /** The time limit of counting the rows of a result that was cut. */
    totalMs: 2_000,
    /** Once the rows are there, the answer waits this long to learn where the data end. Usually this is known before the rows. */
    edgesWaitMs: 100,
    /** The time limit of each statement that looks for the end of the data. These statements run beside the query. */
    edgesMs: 1_000,
    /** At most this many lines of EXPLAIN output are read to find the end of the data. */
    edgeTreeLines: 20_000,
    /** The ends of at most this many columns of time are looked up. */
    edgeColumns: 4,
    /** A period still counts as whole if at most this share of the period, and at most one hour, is missing. */
    missingShare: 0.1,
    /** If a period has no written start or end, this share of its first or last unit may be missing there. */
    missingUnitShare: 0.05,
    /**
     * Rows come at uneven distances. A gap of at most this many average distances does not mean that the data end.
     * A column that is no key needs a longer gap.
     */
    usualDistances: 3,
    usualDistancesOfOthers: 10,
    /**
     * A message about a costly query says how to narrow at most this many tables. The next limit is the number of columns that it suggests for each
     * table.
     */
    narrowedTables: 4,
    narrowedColumns: 4,
    /** A query that reads this share of a table counts as reading all of it. */
    wholeTableShare: 0.9,
    /** At most this many rows of a finished query are shown while others run. */
    firstRows: 5,
    /** The maximum length of a review's suggestion for the next query. */
    suggestionCharacters: 800,
    /** The time limit of a look-up of parameter values. After that, a value counts as unknown, and the question is answered the ordinary way. */
    lookUpMs: 1_000,
  },
  /** Limits of a run and its model. */
  run: {
    /** The model's temperature. With 0, the same question gives the same plan and SQL. */
    temperature: 0,
    /**
     * Chosen: results may take this share of the heap. As values in memory, they take about twice their bytes, and a run copies them for its checks.
     */
    heapShare: 0.25,
    /** The results of a run may always take this much, which is far more than an answer needs. */
    leastResultBytes: 1_000_000,
    /** Formatters of this many time zones are cached, because making one takes a millisecond. */
    cachedZones: 50,
  },
  /** Limits of an answer's chart. */
  chart: {
    /** Chosen: with fewer values, a chart says no more than the table. With more values, nobody can read it. */
    bars: { least: 3, most: 20 },
    points: { least: 3, most: 1_500 },
    slices: { least: 2, most: 6 },
    /** Chosen: if one slice has a larger share, it is the whole answer, and nobody sees the other slices. */
    sliceShare: 0.97,
    /** Chosen: a chart has at most this many series. Slack's own charts have the same limit. */
    series: 6,
    /** Chosen: beside a series that is this many times as high, another series looks flat. */
    seriesRatio: 50,
    /** A gap between uneven times may be this many median distances long. A longer gap would mislead. */
    unevenMedians: 2.5,
    /** An axis has at most this many points per existing value. With more, most of the line is gaps. */
    pointsPerValue: 3,
    /** The maximum length of a label, and of the name of a series. */
    labelCharacters: 60,
    nameCharacters: 40,
    /** At most this much of a cell is read for a label, because a cell may have megabytes. */
    readCharacters: 1_000,
  },
  /** Limits of the remarks below an answer. */
  notes: {
    /** If a line contains at least this share of a remark's words, the line says the same as the remark. */
    saidShare: 0.8,
    /**
     * A smaller share suffices if the words come from the question and a line together. The remark's other words only join these ("October is meant
     * as October 2026").
     */
    saidTogetherShare: 2 / 3,
    /**
     * The time limit of reading the age of the data. The age is read while the answer is written, and the remark about it is not worth a longer wait.
     */
    dataAgeMs: 1_000,
    /** The maximum number of tables whose age is read. A join of more tables has no single age. */
    dataAgeTables: 4,
    /** A time may lie this far in the future, because the clocks of those who write the data may be ahead. */
    clockAheadMs: 5 * 60_000,
    /** The maximum number of assumptions, for one query and for one answer. */
    assumptions: 5,
    /** The maximum length of a missing value, as a remark shows it. */
    valueCharacters: 100,
    /** The maximum length of a remark. */
    remarkCharacters: 300,
    /** A line of a chat or a terminal holds about this many characters. */
    lineCharacters: 90,
  },
  /** Limits of writing the answer. */
  write: {
    /** A model sees this many rows of a result. The prompts say so. */
    shownRows: 50,
    /** A model sees this many characters of a cell. */
    shownCharacters: 100,
    /** The maximum length of a model's text about a query. */
    remarkCharacters: 1_000,
    /** The maximum length of the text of all rows of one result. Six wide results must fit a window of 32,000 tokens. */
    resultCharacters: 12_000,
    /** An answer that no model put into words shows this many rows. */
    rowsWithoutWords: 10,
    /** The maximum number of rewrites per answer. Further unsupported sentences are marked at once, so that a bad answer ends in time. */
    rewrites: 5,
    /** The maximum number of sentences, bullets and table rows per answer. Nobody reads more. The check of each takes up to a millisecond. */
    sentences: 1_000,
    /** The maximum number of figures per answer whose sources are kept. A source takes at most some thousand characters, and usually two hundred. */
    figures: 200,
    /** The maximum length of a name in a message about a failure. */
    nameCharacters: 200,
    /** The maximum number of similar names in a message about a failure. */
    nearNames: 4,
    /**
     * The maximum number of passes that make links safe. A pass may uncover an address in the label of a link, which the next pass makes safe. Nobody
     * nests links deeper for people to read.
     */
    linkPasses: 6,
    /** A text up to this length is not parsed if it has no signs of a link. */
    plainCharacters: 500,
    /** Once this much text follows a full stop, it is certain whether the full stop ends a sentence, because no word or citation is that long. */
    undecidedCharacters: 1_000,
    /** At most this much text before a full stop is searched for abbreviations and ordinals. None is longer. */
    tailCharacters: 60,
  },
} as const

/** The limits of an investigation. Lengths are in characters. */
export const LINEAGE_LIMITS = {
  /** The number of rows of a query, if the model asks for no number. The next limit is the most that the model may ask for. */
  defaultRows: 100,
  mostRows: 1_000,
  queryTimeoutMs: 10_000,
  /** The maximum number of rounds of tool calls. Then the model must answer. */
  rounds: 10,
  /** The maximum number of tool calls per round. Further calls fail. */
  callsPerRound: 8,
  promptTables: 400,
  /** The maximum length of SQL, or of a template, that the model sees. */
  sqlCharacters: 8_000,
  /** The maximum number of lines about the origins of columns, and the maximum length of a line. */
  columnLines: 30,
  columnLineCharacters: 300,
  resultCharacters: 8_000,
  /** The maximum length of all tool results of an investigation, about 30,000 tokens. */
  allCharacters: 120_000,
  /** The findings of a thread are remembered for this time. */
  threadSeconds: 7 * 24 * 3600,
  /** The maximum length of earlier findings that the next investigation receives. */
  rememberedCharacters: 6_000,
  /** An answer shows at most this many lines about the origins of a target's columns. */
  reportLines: 8,
  /** The maximum number of tables in the picture of a graph: those nearest to the fault and the targets. Nobody can read more. */
  pictureTables: 120,
  /** After this share of the time, the model must answer. */
  queryTimeShare: 0.7,
  /** A message lists at most this many jobs. */
  listedJobs: 10,
  /** An overview suggests at most this many questions. */
  suggestedQuestions: 3,
  /** The time limit of a replay. In a conversation, nobody waits longer. */
  replayMs: 30 * 60_000,
} as const
