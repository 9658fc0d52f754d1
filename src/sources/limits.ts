/** The limits of data sources. Times are in milliseconds. */
export const SOURCE_LIMITS = {
  /** The maximum length of a source's description, because prompts show it. An estimate, not measured. */
  descriptionCharacters: 500,
  /** If not all sources fit into a prompt, it shows at most this many. */
  shown: 5,
  /**
   * Typing errors are corrected in words of at least this many letters. Measured on the seen questions of `test/cases/routing`:
   * with four letters 57 of 60 find their source first, with five 59.
   */
  nearWordCharacters: 5,
  /**
   * The indexes of this many sets of sources are kept, which people with the same rights share. One of 1,000 sources takes about
   * 3 MB.
   */
  indexes: 20,
} as const
