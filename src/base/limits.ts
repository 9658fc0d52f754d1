/** The limits of processes, texts and files. `SIZES` has the limits of all inputs, and `LOOP_LIMITS` has the limits of the event loop. */
export const BASE_LIMITS = {
  /** Chosen: the time limit for closing one resource. Resources with a grace period set a longer limit. */
  closeMs: 5_000,
  /**
   * Chosen: after everything is closed, the process may live this long. For example, a connection may still have bytes to send.
   */
  lingerMs: 5_000,
  /**
   * Chosen: a second signal within this time counts as the first. Under npm, one Ctrl-C arrives twice within about ten milliseconds: from the
   * terminal and from npm.
   */
  sameSignalMs: 1_000,
  /** Chosen: one piece of work may block the process this long. Platforms want some answers within 3 s. */
  sliceMs: 10,
  /** If work takes longer than this, a person at a terminal is told. */
  toldMs: 1_000,
  markdown: {
    /**
     * Chosen: the maximum work for the marks of a text. The work is the number of marks times the length of the run of text that contains them. At
     * this limit, parsing takes at most 0.2 s.
     */
    work: 20_000_000,
    /** Chosen: at each level of a list or quotation, the parser reads the content again. At most this many characters are read again. */
    nestedCharacters: 2_000_000,
    /**
     * Chosen: nobody needs deeper nesting. Thousands of levels can end the process: V8 aborts if it compiles a pattern when the stack is nearly full.
     */
    depth: 100,
  },
  yaml: {
    /** The maximum number of aliases in a document. Aliases can expand a document without limit. */
    aliases: 100,
    /** Reading stops after this many mistakes. */
    faults: 100,
    /**
     * The maximum number of levels of brackets, or of `-`, `?` and `:` in one line. Some thousand levels end the process: V8 aborts if it compiles a
     * pattern when the stack is nearly full.
     */
    levels: 50,
  },
  /** When a growing text is scanned again (see `isRescanDue`). */
  growing: {
    /** A text up to this length is scanned again with each new piece. */
    shortCharacters: 1_000,
    /** A longer text is scanned again when it has grown by one part in 64. */
    parts: 64,
  },
} as const
