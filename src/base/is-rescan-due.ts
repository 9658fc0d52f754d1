import { BASE_LIMITS } from './limits.ts'

/**
 * Whether to scan a text again that grows in small pieces. Each scan reads the whole text. Scans at every piece would take quadratic time; these
 * scans take linear time.
 * @param looked the length of the text at the latest scan
 */
export function isRescanDue(length: number, looked: number): boolean {
  return length <= BASE_LIMITS.growing.shortCharacters || length - looked >= length / BASE_LIMITS.growing.parts
}
