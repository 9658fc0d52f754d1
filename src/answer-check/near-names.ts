import { alignmentDistance } from '../warehouse/near-names.ts'
import type { TextRange } from './figures/figure.ts'
import { germanExcess } from './figures/text-language.ts'
import { FUNCTION_WORDS } from './figures/wording.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { ResultIndex } from './rows/result-index.ts'

const WORD = /[^\s,;()|*`"“”„«»]+/gu
/** Matches marks behind a word that do not belong to a name. */
const TAIL = /(?<!['’]s|[.!?:'’])(?:['’]s|[.!?:'’])+$/u

/** Matches a quotation mark at the start of a word. */
const OPENING = /^['‘’]+(?=.)/u
const COMMON_CODES =
  /^(?:USD|EUR|GBP|CHF|JPY|UTC|CET|EST|PST|GMT|SOL|API|CPU|GPU|RAM|RTT|SLA|SQL|TOP|ALL|NOT|KPI|MRR|ARR|SSD|DNS|TCP|UDP|IP)$/

/** A part of a text that nearly equals a name of the rows. */
export interface NearName extends TextRange {
  readonly key: string
}

/** A word of the text, or a run of words, without the marks around them. */
interface Word extends TextRange {
  readonly said: string
}

/**
 * Finds names that are written with one or two changed letters. Upper and lower case count as equal. A plain word counts only
 * with a capital letter, because an ordinary word may be like a name by chance.
 */
export function* nearNames(text: string, results: readonly ResultIndex[]): Generator<void, NearName[]> {
  const words = wordsOf(text)
  const runsBySize = new Map<number, readonly Word[]>()
  // German capitalizes nouns, so "Sturm" is its own word and not a misspelt "storm".
  const isGerman = germanExcess(text) >= 0
  const found: NearName[] = []
  for (const { entities } of results) {
    for (const [at, [key, { isCapital }]] of [...entities].slice(0, CHECK_LIMITS.near.names).entries()) {
      if (at % CHECK_LIMITS.perStep === CHECK_LIMITS.perStep - 1) yield
      const parts = wordsOf(key).map(({ said }) => said)
      const name = parts.join(' ')
      if (name.length < 3 || name.length > CHECK_LIMITS.near.longestCharacters || !/\p{L}/u.test(name)) continue
      const runs = runsBySize.get(parts.length) ?? runsOf(words, parts.length)
      runsBySize.set(parts.length, runs)
      for (const { start, end, said } of runs) {
        if (!isNear(said, name)) continue
        const written = text.slice(start, end)
        const isOfLanguage = said.split(' ').some((word, index) => word !== parts[index] && FUNCTION_WORDS.has(word))
        const isCommon = name.length < 5 || /^\p{Ll}/u.test(written) || (isGerman && start > 0 && !isCapital)
        const isShort = said.length === name.length && /^\p{Lu}+$/u.test(written) && !COMMON_CODES.test(written)
        if (!isOfLanguage && (parts.length > 1 || isCode(name) || isShort || !isCommon)) found.push({ start, end, key })
      }
    }
    yield
  }
  return found
}

/** Whether a text is a name with one letter changed, or with two if it is long. A plural or another number is another thing. */
function isNear(said: string, name: string): boolean {
  if (said === name || Math.abs(said.length - name.length) > 2) return false
  // Two changes at both ends are rare, and comparing all letters takes long.
  if (said[0] !== name[0] && said.at(-1) !== name.at(-1)) return false
  if (said.startsWith(name) || name.startsWith(said)) return false
  const isOfCode = isCode(name) && !name.includes(' ')
  if (isOfCode && (!isCode(said) || said.length !== name.length)) return false
  if (!isOfCode && digitsIn(said) !== digitsIn(name)) return false
  // "E-mails" is the plural of `e-mail`.
  if (said.replaceAll('s ', ' ') === name.replaceAll('s ', ' ')) return false
  return alignmentDistance(said, name) <= (name.length >= 8 ? 2 : 1)
}

/** Returns all runs of so many words. */
function runsOf(words: readonly Word[], size: number): Word[] {
  return words.slice(0, Math.max(0, words.length - size + 1)).map(({ start }, at) => {
    const run = words.slice(at, at + size)
    return { start, end: run.at(-1)?.end ?? start, said: run.map(({ said }) => said).join(' ') }
  })
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].slice(0, CHECK_LIMITS.near.words).map(match => {
    const said = match[0].replace(TAIL, '').replace(OPENING, '')
    const start = match.index + (OPENING.exec(match[0])?.[0].length ?? 0)
    return { start, end: start + said.length, said: said.toLowerCase() }
  })
}

/** Whether a name is a code: it has a mark or a digit in it. */
function isCode(text: string): boolean {
  return /\p{L}/u.test(text) && /[\p{L}\p{N}][-–_/.:@&][\p{L}\p{N}]|^[/@][\p{L}\p{N}]|\p{L}\p{N}|\p{N}\p{L}/u.test(text)
}

function digitsIn(text: string): string {
  return text.replace(/\D/g, '')
}
