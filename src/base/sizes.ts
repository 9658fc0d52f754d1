/**
 * Limits of all inputs. Larger ones are refused with a sentence, or visibly cut, before any pattern reads them. Units are characters unless the name
 * says otherwise. Platforms' own limits are in their tables; these hold whatever a platform, model or server sends.
 */
export const SIZES = {
  /** A message from a platform with its markup: twice a question. */
  message: 16_000,
  /** Chosen: a question in a message or command, about four pages. */
  question: 8_000,
  /** A person's text with a press: why an answer was not helpful. */
  reason: 1_000,
  /** The id that a platform returns with a press. Clew's own have at most 90; Discord allows 100. */
  customId: 100,
  /** A Slack request's body in bytes. With a whole message it has about 100,000. */
  bodyBytes: 1_000_000,
  /** Chosen: one answer of a model with its tool calls. A step's limit of 16,384 tokens is about this much text. */
  modelAnswer: 64_000,
  /** A model's response in bytes. Each token takes 200 to 700 bytes, perhaps including hidden thoughts. */
  modelResponseBytes: 32_000_000,
  /** SQL in UTF-8 bytes. Questions need little, and parsing takes more than linear time. */
  sqlBytes: 16 * 1024,
  /** Arguments of one tool call as JSON: SQL with JSON's escapes. */
  toolArguments: 20_000,
  /** An error message of an engine or model endpoint. It may repeat a query and values. */
  engineMessage: 10_000,
  /** A result's cell: two pages of text. An array of some thousand numbers is as long. */
  cell: 10_000,
  /** An unpacked Redis record in bytes: three times the default CLEW_QUERY_MAX_BYTES, at three bytes per character. */
  recordBytes: 90_000_000,
} as const
