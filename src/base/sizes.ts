/**
 * Size limits of all inputs. A larger input is refused with a sentence, or visibly cut, before any pattern reads it. Units are
 * characters unless the name says otherwise. Platforms have limits of their own, but these limits also apply.
 */
export const SIZES = {
  /**
   * The maximum length of a message as the platform sends it. It is twice the limit of a question, because the message contains
   * markup.
   */
  message: 16_000,
  /** The maximum length of a question in a message or command: about four pages. An estimate, not measured. */
  question: 8_000,
  /** The maximum length of a text that a person adds to a press, such as why an answer was not helpful. */
  reason: 1_000,
  /**
   * The maximum length of a button's id, which a platform returns with a press. Clew's ids have at most 90 characters, and
   * Discord allows 100.
   */
  customId: 100,
  /** The maximum size of a Slack request's body, in bytes. A request with the longest message has about 100,000. */
  bodyBytes: 1_000_000,
  /**
   * The maximum length of a model's answer with its tool calls. A step's limit of 16,384 tokens is about this much text. An
   * estimate, not measured.
   */
  modelAnswer: 64_000,
  /**
   * The maximum size of a model's HTTP response, in bytes. Each token takes 200 to 700 bytes of the stream. The stream may also
   * contain hidden reasoning tokens.
   */
  modelResponseBytes: 32_000_000,
  /**
   * The maximum number of lines in a model's HTTP response. Each token takes two to four lines of the stream, and a step has at
   * most 16,384 tokens.
   */
  modelResponseLines: 200_000,
  /** The maximum length of one event in a model's HTTP response. The longest one contains a whole answer as JSON. */
  modelEvent: 500_000,
  /**
   * The maximum size of a query's SQL, in UTF-8 bytes. Queries for questions are short, and parsing takes more than linear time.
   */
  sqlBytes: 16 * 1024,
  /** The maximum length of a name or a number in SQL. Names of files, and so of tables on a server, have at most 255 bytes. */
  sqlName: 255,
  /** The maximum length of a tool call's arguments as JSON. They contain SQL, which JSON's escapes make longer. */
  toolArguments: 20_000,
  /**
   * The maximum length of an error message from an engine or a model's endpoint. The message may quote a query and its values.
   */
  engineMessage: 10_000,
  /** The maximum length of one cell of a result: two pages of text, or an array of some thousand numbers. */
  cell: 10_000,
  /**
   * The maximum size of a decompressed record in Redis, in bytes: three times the default of CLEW_QUERY_MAX_BYTES, at three bytes
   * per character.
   */
  recordBytes: 90_000_000,
} as const
