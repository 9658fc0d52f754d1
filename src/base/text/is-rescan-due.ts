import { BASE_LIMITS } from '../limits.ts'

/**
 * Whether a text that grows in small pieces is due for another scan. Each scan reads the whole text. So a scan at every piece would take quadratic
 * time. With this rule, the scans take linear time.
 * @param looked the length of the text at the latest scan
 */
export function isRescanDue(length: number, looked: number): boolean {
  return length <= BASE_LIMITS.growing.shortCharacters || length - looked >= length / BASE_LIMITS.growing.parts
}
