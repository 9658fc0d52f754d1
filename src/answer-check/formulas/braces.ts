import { CHECK_LIMITS } from '../limits.ts'

/** A place with braces in an answer: a formula `{sum(x)}`, a working `{= x[2]}`, or an opening brace that nothing closes. */
export interface Braces {
  readonly start: number
  readonly end: number
  /** The text between the braces. Undefined if the brace is not closed. */
  readonly inner: string | undefined
}

/** Matches a pair of braces. A brace within quotes closes nothing. An apostrophe inside a word is no quote. */
const QUOTING = /^\{((?:[^{}\n'"]|(?<=[\p{L}\p{N}])['"]|(?<![\p{L}\p{N}])(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))*)\}/u
const PLAIN = /^\{([^{}\n]*)\}/

/**
 * Returns the places with braces, in order. Between back-ticks, braces usually belong to quoted code, so only workings such as
 * `{= x[2]}` are returned there.
 */
export function findBraces(text: string): Braces[] {
  const found: Braces[] = []
  let isCode = false
  for (const { 0: sign, index: start } of text.matchAll(/[`{}]/g)) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    const ahead = text.slice(start, start + CHECK_LIMITS.formulas.characters)
    const [whole = sign, inner] = QUOTING.exec(ahead) ?? PLAIN.exec(ahead) ?? []
    if (sign === '`') isCode = !isCode && text.includes('`', start + 1)
    else if (!isCode || inner?.startsWith('=')) found.push({ start, end: start + whole.length, inner })
  }
  return found
}

/** Removes formulas and workings from a text. Reports need this for a sentence that nobody sees. */
export function withoutBraces(text: string): string {
  let copied = 0
  const parts = findBraces(text).map(({ start, end, inner }) => {
    const before = text.slice(copied, start)
    copied = end
    return inner?.startsWith('=') ? before.trimEnd() : `${before}…`
  })
  return parts.join('') + text.slice(copied)
}
