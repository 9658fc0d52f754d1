/**
 * Size limits of all inputs. A larger input is refused with a sentence, or visibly cut, before any pattern reads it. Units are characters unless the
 * name says otherwise. Each platform has a table of its own limits. These limits here hold whatever a platform, model or server sends.
 */
export const SIZES = {
  /** The longest message of a platform, including the markup. It is twice as long as the longest question. */
  message: 16_000,
  /** Chosen: the longest question in a message or command, about four pages. */
  question: 8_000,
  /** The text that a person adds to a press, such as the reason why an answer was not helpful. */
  reason: 1_000,
  /** The id of a button, which a platform returns with a press. Clew's own ids have at most 90 characters; Discord allows 100. */
  customId: 100,
  /** The body of a Slack request, in bytes. The body of the longest message has about 100,000 bytes. */
  bodyBytes: 1_000_000,
  /** Chosen: one answer of a model with its tool calls. A step's limit of 16,384 tokens is about this much text. */
  modelAnswer: 64_000,
  /** The HTTP response of a model, in bytes. Each token takes 200 to 700 bytes of the stream, and hidden reasoning tokens may count too. */
  modelResponseBytes: 32_000_000,
  /** SQL, in UTF-8 bytes. Queries for questions are short, and parsing takes more than linear time. */
  sqlBytes: 16 * 1024,
  /** The arguments of one tool call as JSON. They contain SQL, with the escapes of JSON. */
  toolArguments: 20_000,
  /** An error message of an engine or model endpoint. The message may quote a query and its values. */
  engineMessage: 10_000,
  /** One cell of a result. This is two pages of text, or an array of some thousand numbers. */
  cell: 10_000,
  /** A decompressed record of Redis, in bytes: three times the default of CLEW_QUERY_MAX_BYTES, at three bytes per character. */
  recordBytes: 90_000_000,
} as const
