import { CHECK_LIMITS } from '../limits.ts'

/** A place with braces in an answer: a formula `{sum(x)}`, a working `{= x[2]}`, or an opening brace that nothing closes. */
export interface Braces {
  readonly start: number
  readonly end: number
  /** The text between the braces. Undefined if the brace is not closed. */
  readonly inner: string | undefined
}

/**
 * Returns the places with braces, in order. Between back-ticks, braces usually belong to quoted code, so only workings such as
 * `{= x[2]}` are returned there.
 */
export function findBraces(text: string): Braces[] {
  if (!/[{}]/.test(text)) return []
  const code = [...text.matchAll(/`[^`]*`/g)].map(match => ({ start: match.index, end: match.index + match[0].length }))
  const found: Braces[] = []
  let next = 0
  for (let at = nextBrace(text, 0); at >= 0; at = nextBrace(text, found.at(-1)?.end ?? 0, at)) {
    while ((code[next]?.end ?? text.length) <= at) next += 1
    const isCode = at > (code[next]?.start ?? text.length)
    const end = text[at] === '{' ? (closingBrace(text, at, true) ?? closingBrace(text, at, false)) : undefined
    if (isCode && (end === undefined || text[at + 1] !== '=')) continue
    found.push({ start: at, end: (end ?? at) + 1, inner: end === undefined ? undefined : text.slice(at + 1, end) })
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

function nextBrace(text: string, from: number, behind = -1): number {
  for (let at = Math.max(from, behind + 1); at < text.length; at++) if (text[at] === '{' || text[at] === '}') return at
  return -1
}

/**
 * Returns the place of the brace that closes the one at `start`. A brace within quotes closes nothing. An apostrophe inside a
 * word is no quote. Undefined if another brace opens first, if the line ends, or if the formula is too long.
 */
function closingBrace(text: string, start: number, isQuoted: boolean): number | undefined {
  const last = Math.min(text.length, start + CHECK_LIMITS.formulas.characters)
  let quote = ''
  for (let at = start + 1; at < last; at++) {
    const sign = text[at] ?? ''
    if (sign === '\n') return undefined
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (sign === '}') return at
    else if (sign === '{') return undefined
    else if (isQuoted && (sign === "'" || sign === '"') && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) quote = sign
  }
  return undefined
}
