/** The numbers that bound a check of an answer. Beyond them, a claim counts as unchecked or a name as not meant. Lengths are in characters. */
export const CHECK_LIMITS = {
  /** No sensible sentence is longer. */
  sentenceCharacters: 4_000,
  /** Workings of one sentence: one for each figure. */
  workings: 60,
  /** Numbers of one sentence: enough for 60 figures that are each a day and a time, or for 60 cells with a border and a figure each. */
  numbers: 120,
  /** Figures of one sentence. A sentence with more is too much to check. */
  figures: 60,
  /** Rounds of derivation, because figures may be derived from derived figures: "a ratio of 1.84" between two averages. */
  rounds: 3,
  /** Figures of earlier sentences that a later one may build on. */
  statedBefore: 12,
  /** At most this many values are tried for the figures of one sentence. */
  tries: 20_000,
  /** Formatters of time zones that are cached, because making a formatter takes a millisecond. */
  cachedZones: 50,
  /** Misspelt names. */
  near: {
    /** Names of a result. Beyond them, misspelt ones are not searched for. */
    names: 2_000,
    /** In results with more names, misspelt codes are not searched for. */
    codes: 500,
    /** Words of a sentence that are compared. */
    words: 800,
    /** A whole name, marks included, is compared from this length ... */
    shortestCharacters: 5,
    /** ... up to this length. */
    longestCharacters: 80,
    /** The same for names that no result has. */
    unknownNames: 2_000,
  },
  /** A larger whole number is no count of listed names. */
  listedNames: 12,
  /** Matches of one column, where any row may match. */
  matches: 400,
  /** Values tried as the origin of a derived figure. */
  derive: {
    /** Values of a series whose changes are tried. */
    seriesValues: 60,
    /** Rows whose cells are combined. */
    rows: 12,
    /** Rows of a group that are added up. */
    groupRows: 400,
    /** The highest chance that a wrong figure would pass too. Above it, an unannounced derivation explains nothing. */
    chance: 0.15,
    /** At most this many pairs are tried for one figure. */
    pairs: 1_000,
    /** Cells of a group that are tried as parts. */
    parts: 50,
    /** Names that are tried as wholes. */
    wholes: 12,
  },
  /** Figures and periods in words. */
  wording: {
    /** Words farther away announce nothing. */
    announcedCharacters: 240,
    /** At most this many rows are read for their days. */
    dayRows: 2_000,
    /** A day without a year is at most this far back. */
    weeksAgo: 60,
    /** The longest "last N" in days, weeks or months. */
    periodsBack: 400,
    /** Words to cache. The same ones return in every sentence. */
    cachedWords: 1_000,
  },
  /** Results as they are indexed for a check. */
  rows: {
    /** Rows of a series whose keys are read. */
    seriesRows: 500,
    /** A longer cell is no name. */
    nameCharacters: 120,
    /** A longer cell is not split into names. */
    compoundCharacters: 1_000,
    /** Parts of compound names in one result. */
    nameParts: 20_000,
    /** Names per step of the split. */
    namesPerStep: 500,
    /** The largest relative distance at which a cell may be the intended one. */
    nearestShare: 0.5,
    /** Elements of a nested value that are read as columns of their own. */
    nestedColumns: 12,
    /** Rows indexed per step. A step takes less than a millisecond. */
    rowsPerStep: 100,
    /** Rows of a result. Larger ones are not grouped, since it costs too much for the few sentences that need it. */
    groupedRows: 2_000,
    /** Groups of rows that one sentence may mention. */
    groups: 24,
    /** Units of columns to cache. */
    cachedUnits: 100,
    /** Years that a column of times may span. */
    years: 200,
    /** Formatters of time zones that are cached. */
    cachedZones: 50,
  },
  /** No wording that is looked for in front of a figure or key is longer. */
  wordingCharacters: 80,
  /** Workings (`{= …}`) and the claims about them. */
  working: {
    /** Rows of one part, such as a tie or a list of cells, that must each be named. */
    namedRows: 6,
    /** At most this many rows or names are evaluated. */
    values: 200,
    /** At most this many rows are read in total. */
    readRows: 20_000,
    /** Misspelt names are searched for at most this many rows. */
    misspeltRows: 3,
    /** A working's figure stands at most this many characters before it: "3.2 million active users {= …}". */
    reachCharacters: 60,
    /** Numbers, cells and functions in one working. */
    parts: 32,
    /** Rows per step. A row takes some microseconds. */
    rowsPerStep: 250,
    /** A longer working is not read. */
    characters: 600,
    /** Cells that the workings of one sentence may read: three hundred columns of a large result, or about a second. */
    cells: 3_000_000,
  },
} as const
