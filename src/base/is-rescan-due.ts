/** Up to this length a text is looked at again with each piece that comes. */
const SHORT_CHARACTERS = 1_000
/** A longer one is looked at again when it has grown by one part in so many. */
const PARTS = 64

/**
 * Whether a text that grows by small pieces is looked at again. Each look reads all of the text: looks at every piece would take time by the square of its
 * length, these take time in proportion to it.
 * @param looked how long the text was at the last look
 */
export function isRescanDue(length: number, looked: number): boolean {
  return length <= SHORT_CHARACTERS || length - looked >= length / PARTS
}
