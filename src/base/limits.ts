/** The limits of processes, texts and files. `SIZES` has the limits of all inputs, and `LOOP_LIMITS` has the limits of the event loop. */
export const BASE_LIMITS = {
  /** Chosen: the time to close one resource. Resources with a grace period set a longer limit. */
  closeMs: 5_000,
  /** Chosen: after everything is closed, the process may live this long for last activity, such as final bytes of a connection. */
  lingerMs: 5_000,
  /**
   * Chosen: a second signal within this time counts as the first. Under npm, one Ctrl-C arrives twice within about ten milliseconds: from the
   * terminal and from npm.
   */
  sameSignalMs: 1_000,
  /** Chosen: one piece of work may block the process for this long. Platforms want some answers within 3 s. */
  sliceMs: 10,
  /** If work takes longer than this, a person at a terminal gets a notice. */
  toldMs: 1_000,
  /** The limits for parsing Markdown. */
  markdown: {
    /**
     * Chosen: the most work to parse the marks of a text. The work is the number of marks times the length of their run of text. At this limit,
     * parsing takes at most 0.2 s.
     */
    work: 20_000_000,
    /** Chosen: the parser reads the content of lists and quotations again at each level. It reads at most this many characters again. */
    nestedCharacters: 2_000_000,
    /**
     * Chosen: nobody needs deeper nesting in a text. Thousands of levels can end the process: V8 aborts if it compiles a pattern when the stack is
     * nearly full.
     */
    depth: 100,
  },
  /** The limits for reading YAML. */
  yaml: {
    /** A document with more aliases is refused, since aliases can expand it without limit. */
    aliases: 100,
    /** Reading stops after this many mistakes. */
    faults: 100,
    /**
     * The most levels of brackets, or of `-`, `?` and `:` in one line. Some thousand levels end the process: V8 aborts if it compiles a pattern when
     * the stack is nearly full.
     */
    levels: 50,
  },
  /** The rule for scanning a growing text again (see `isRescanDue`). */
  growing: {
    /** A text up to this length is scanned again with each new piece. */
    shortCharacters: 1_000,
    /** A longer text is scanned again when it has grown by one part in 64. */
    parts: 64,
  },
} as const
