import { CHECK_LIMITS } from './limits.ts'

/**
 * Returns the end of the text in front of a place, with as many characters as a wording may need. If each figure took all of the
 * text, the check would take quadratic time.
 */
export function textBefore(text: string, place: number): string {
  return text.slice(Math.max(0, place - CHECK_LIMITS.wordingCharacters), place)
}
