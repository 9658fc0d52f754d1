/**
 * The limits of processes, texts and files. `SIZES` has the limits of all inputs, and `LOOP_LIMITS` has the limits of the event
 * loop.
 */
export const BASE_LIMITS = {
  /** The time limit for closing one resource. A resource with a grace period sets a longer limit. An estimate, not measured. */
  closeMs: 5_000,
  /**
   * After everything is closed, the process may live this long. For example, a connection may still have bytes to send. An
   * estimate, not measured.
   */
  lingerMs: 5_000,
  /**
   * A second signal within this time is ignored. Under npm, one Ctrl-C arrives twice within about ten milliseconds: from the
   * terminal and from npm. An estimate, not measured.
   */
  sameSignalMs: 1_000,
  /** While a full disk takes no log lines, at most this many bytes of them wait for room. An estimate, not measured. */
  waitingLogBytes: 1_048_576,
  /**
   * A piece of work may keep the process busy this long without a pause. A run waits for about fifty turns of the event loop.
   * Measured beside six people's wide results: fifty turns take 120 ms with 3 ms, 58 ms with 1 ms, and the work takes no longer.
   */
  sliceMs: 1,
  /** After this time, the use of the event loop counts half (see `LoopTurns`). An estimate, not measured. */
  usedHalfLifeMs: 10_000,
  /** A part that cannot be reached is left alone for this time. Then one call tries it again. An estimate, not measured. */
  breakerOpenMs: 30_000,
  /** While that trial is under way, other calls are told to come back after this time. */
  breakerTrialMs: 2_000,
  /** So many time zones are kept ready. An estimate, not measured. */
  cachedZones: 10,
  /** If work takes longer than this, the person at the terminal is told to wait. */
  toldMs: 1_000,
  markdown: {
    /**
     * The maximum work for parsing the markup within the blocks of a text. The work for a block is its length times the number of
     * places where markup may begin. An estimate: at this limit, parsing takes at most 0.2 s.
     */
    work: 20_000_000,
    /**
     * The parser reads the content of a list or quotation again at each level of nesting. It may read this many characters in
     * total. An estimate, not measured.
     */
    nestedCharacters: 2_000_000,
    /**
     * The maximum depth of nesting. An estimate: nobody needs more. Thousands of levels can end the process, because V8 aborts if
     * it compiles a pattern when the stack is nearly full.
     */
    depth: 100,
  },
  yaml: {
    /** The maximum number of aliases in a document. Aliases can expand a document without limit. */
    aliases: 100,
    /** The parser stops after this many mistakes in a document. */
    faults: 100,
    /**
     * The maximum number of nested brackets, or of `-`, `?` and `:` in one line, each of which opens a level. Several thousand
     * levels can crash the process: they nearly fill the stack, and V8 aborts if it then compiles a regular expression.
     */
    levels: 50,
  },
  /** A text that arrives piece by piece is scanned several times. These numbers decide when (see `isRescanDue`). */
  growing: {
    /** A text up to this length is scanned again after each new piece. */
    shortCharacters: 1_000,
    /** A longer text is scanned again when it has grown by one 64th since the last scan. */
    parts: 64,
  },
} as const
