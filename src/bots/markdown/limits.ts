/** The limits of reading Markdown. Lengths are in characters. */
export const MARKDOWN_LIMITS = {
  /**
   * At most this much Markdown is laid out: ten messages of four thousand characters, the platforms' maximum. A longer text goes
   * into a file, without layout.
   */
  laidOutCharacters: 41_000,
} as const
