/** The limits of reading Markdown. Lengths are in characters. */
export const MARKDOWN_LIMITS = {
  /**
   * Only this much Markdown is laid out: ten messages of four thousand characters, the platforms' maximum. Longer text goes into a file, so
   * its layout would be wasted.
   */
  laidOutCharacters: 41_000,
} as const
