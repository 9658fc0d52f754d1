import { BASE_LIMITS } from '../limits.ts'

/**
 * Whether a text that grows in small pieces is due for another scan. Each scan reads the whole text, so scanning at every piece
 * would take quadratic time. With this rule, all scans together take linear time.
 * @param looked the length of the text at the last scan
 */
export function isRescanDue(length: number, looked: number): boolean {
  return length <= BASE_LIMITS.growing.shortCharacters || length - looked >= length / BASE_LIMITS.growing.parts
}
