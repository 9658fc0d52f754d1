/** The numbers of reading Markdown. Lengths are in characters. */
export const MARKDOWN_LIMITS = {
  /**
   * The Markdown that is laid out: ten messages of four thousand characters, the platforms' maximum. Anything longer goes
   * into a file, so laying it out wastes time.
   */
  laidOutCharacters: 41_000,
} as const
