/** A text up to this length is scanned again with each new piece. */
const SHORT_CHARACTERS = 1_000
/** A longer text is scanned again when it has grown by one part in 64. */
const PARTS = 64

/**
 * Whether to scan a text again that grows in small pieces. Each scan reads the whole text. Scans at every piece would take quadratic time; these
 * scans take linear time.
 * @param looked the length of the text at the latest scan
 */
export function isRescanDue(length: number, looked: number): boolean {
  return length <= SHORT_CHARACTERS || length - looked >= length / PARTS
}
