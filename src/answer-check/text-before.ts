import { CHECK_LIMITS } from './limits.ts'

/** The text in front of a place, as far as a wording that ends there can reach. To look through all of it for each figure takes quadratic time. */
export function textBefore(text: string, place: number): string {
  return text.slice(Math.max(0, place - CHECK_LIMITS.wordingCharacters), place)
}
