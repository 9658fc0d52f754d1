/** The limits of reading Markdown. Lengths are in characters. */
export const MARKDOWN_LIMITS = {
  /**
   * Only this much Markdown is laid out: ten messages of four thousand characters, the platforms' maximum. Longer text goes into a file and
   * needs no layout.
   */
  laidOutCharacters: 41_000,
} as const
