/**
 * The most that each door lets in. Beyond it something is refused with a sentence, or cut and said so, before any pattern reads it: nothing behind a door meets more. In
 * characters where the name says nothing else. The numbers of platforms are in their own tables; those here hold whatever a platform, a model or a server sends.
 */
export const SIZES = {
  /** A message as a platform sends it, with its markup: twice a question. */
  message: 16_000,
  /** Chosen: what a person asks, in one message or command: four pages. */
  question: 8_000,
  /** The words that a person writes with a press: why an answer was not helpful. */
  reason: 1_000,
  /** The id under which a platform hands a press back. Clew's own have 90 at most; Discord takes 100. */
  customId: 100,
  /** The body of a request of Slack's, in bytes. Those with a whole message in them have some 100,000. */
  bodyBytes: 1_000_000,
  /** Chosen: all that a model writes in one answer, calls of tools included. 16,384 tokens, the most that a step may take, are as much text. */
  modelAnswer: 64_000,
  /** The response around it, in bytes. Each token comes with some 200 to 700 bytes, and hidden thoughts may be among them. */
  modelResponseBytes: 32_000_000,
  /** SQL in bytes of UTF-8: a question about data is short, and parsing costs more than linear time. */
  sqlBytes: 16 * 1024,
  /** The arguments of one call of a tool, as JSON: SQL with what JSON puts around its lines. */
  toolArguments: 20_000,
  /** The words of an engine, or of a model's endpoint, for an error. They may repeat a query, and a value of a row. */
  engineMessage: 10_000,
  /** A cell of a result. As much text as two pages have; an array of some thousand numbers. */
  cell: 10_000,
  /** A compressed record of Redis once it is unpacked, in bytes: three times what one query may return, where CLEW_QUERY_MAX_BYTES is not raised, at three bytes a character. */
  recordBytes: 90_000_000,
} as const
