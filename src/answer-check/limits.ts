/**
 * The limits of the check of an answer. A claim above a limit counts as unsupported, and names above a limit are not searched
 * for. Lengths are in characters.
 */
export const CHECK_LIMITS = {
  /** The maximum length of a sentence. No sensible sentence is longer. */
  sentenceCharacters: 4_000,
  /**
   * The maximum number of numbers and table borders in a sentence. It suffices for 60 figures that are each a day and a time, or for 60 table cells.
   */
  numbers: 120,
  /** The maximum number of figures of a sentence, and of its workings. A sentence with more is not checked. */
  figures: 60,
  /** Searches and indexes take this many rows or names at each step. A row takes some microseconds. */
  perStep: 100,
  /** The units of this many words and headers are cached, because the same words occur in many sentences. */
  cachedWords: 1_000,
  /** The highest N that "last N days", "last N weeks" or "last N months" may have. */
  periodsBack: 400,
  /** Limits of the search for misspelt names. */
  near: {
    /** At most this many names of a result are compared with the words of a sentence. */
    names: 2_000,
    /** At most this many words of a sentence are compared with names. */
    words: 800,
    /** A name with more characters is not compared. */
    longestCharacters: 80,
    /** At most this many words of a sentence are checked for being a name that no row has. */
    strangers: 40,
    /** In results with more names, names that are similar to an unknown one are not searched for. */
    unknownNames: 2_000,
  },
  /** The search in one column stops after this many matching cells, because more would prove nothing new. */
  matches: 400,
  /** Limits of indexing a result. */
  rows: {
    /** A longer cell is not a name. */
    nameCharacters: 120,
    /** A longer cell is not split into names. */
    compoundCharacters: 1_000,
    /** The maximum number of parts of compound names in one result. */
    nameParts: 20_000,
    /** A cell at a larger relative distance from a figure is not suggested for it. */
    nearestShare: 0.5,
    /** At most this many elements of a nested value become columns of their own. */
    nestedColumns: 12,
    /** At most this many values of one nested cell are read, and of a whole nested column. Prompts show less of a cell. */
    nestedCell: 500,
    nestedValues: 200_000,
    /** At most this many cells of a result are read as names: thirty columns of 10,000 rows. Prompts show fewer. */
    names: 300_000,
    /** Groups of rows are not looked for in results with more rows. That would cost too much for the few sentences that need it. */
    groupedRows: 2_000,
    /** Formatters of this many time zones are cached, because making one takes a millisecond. */
    cachedZones: 50,
  },
  /** At most this many characters in front of a figure or key are searched for a wording. */
  wordingCharacters: 80,
  /** Limits of formulas (`{sum(x)}`), which the program writes as figures. */
  formulas: {
    /** A brace closes one that stands at most this many characters before it. */
    characters: 1_000,
    /** Limits of a table. With more, it would be no table that people read in a chat. */
    tableRows: 100,
    tableColumns: 12,
    /** The maximum number of tables of an answer. */
    tables: 10,
    /** A longer text is cut in a cell of a table. */
    cellCharacters: 100,
    /** At most this many characters of the rows are searched for the braces of a sentence that are no formulas. */
    searchedCharacters: 5_000_000,
  },
  /** Limits of workings (`{= …}`) and of the check of claims about them. */
  working: {
    /**
     * If a part of a working reads more rows, the sentence need not name them. Fewer rows are a tie or a list of cells, and the
     * sentence must name each.
     */
    namedRows: 6,
    /** At most this many superlatives of a sentence are compared, each with at most this many groups of rows. */
    superlatives: 12,
    /** A working is evaluated for at most this many rows or names. */
    values: 200,
    /** All evaluations of a working together read at most this many rows. */
    readRows: 20_000,
    /** A figure stands at most this many characters before its working: "3.2 million active users {= …}". */
    reachCharacters: 60,
    /** How many numbers, cells and functions a working may have, all together. */
    parts: 32,
    /** A longer working is not evaluated. */
    characters: 600,
    /** The workings of one sentence together read at most this many cells: as many as 300 columns of a large result. This takes about a second. */
    cells: 3_000_000,
  },
  /** Limits of what is kept about the source of a figure. */
  sources: {
    /** At most this many cells are kept of a figure. Its formula tells how many rows it reads. */
    cells: 10,
    /** A formula names at most this many rows. */
    names: 3,
    nameCharacters: 80,
    formulaCharacters: 400,
  },
} as const
