/** The limits of data sources. Times are in milliseconds. */
export const SOURCE_LIMITS = {
  /** The maximum length of a source's description, because prompts show it. An estimate, not measured. */
  descriptionCharacters: 500,
} as const
