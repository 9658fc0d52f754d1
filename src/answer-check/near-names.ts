import type { TextRange } from './figures/figure.ts'
import { FUNCTION_WORDS, germanExcess } from './figures/wording.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { ResultIndex } from './rows/result-index.ts'

const WORD = /[^\s,;()|*`"“”„«»]+/gu
/** Matches marks behind a word that do not belong to a name. */
const TAIL = /(?<!['’]s|[.!?:'’])(?:['’]s|[.!?:'’])+$/u

/** Matches a quotation mark at the start of a word. */
const OPENING = /^['‘’]+(?=.)/u

interface NearName {
  readonly written: string
  readonly key: string
}

/** A word of the text, without the marks around it. */
interface Word extends TextRange {
  readonly said: string
  readonly isCapital: boolean
}

/**
 * Finds names that are written with one or two changed letters. Upper and lower case count as equal. In a name of several words,
 * at least one word must be exact, or the whole name may have one change. A name of one word needs a digit or a mark.
 * @param taken the places of known names and figures
 */
export function* misspelt(
  text: string,
  taken: readonly TextRange[],
  isKnown: (name: string) => boolean,
  results: readonly ResultIndex[],
): Generator<void, NearName[]> {
  const words = wordsOf(text)
  const isName = (start: number, end: number) => {
    const written = text.slice(start, end).toLowerCase()
    return (
      isKnown(written) ||
      results.some(result => result.entities.has(written)) ||
      // Words within a known name count as a name too.
      taken.some(span => 'axis' in span && span.start <= start && span.end >= end)
    )
  }
  const found: (TextRange & { key: string })[] = []
  for (const result of results) {
    // With ten thousand names, each of these takes some milliseconds.
    for (const near of [nearPhrases(words, result), nearCodes(words, result)]) found.push(...near)
    yield
    found.push(...nearWholes(text, result))
    yield
  }
  return found
    .filter(({ start, end }) => !isName(start, end))
    .map(({ start, end, key }) => ({ written: text.slice(start, end), key }))
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].slice(0, CHECK_LIMITS.near.words).map(match => {
    const said = match[0].replace(TAIL, '').replace(OPENING, '')
    const start = match.index + (OPENING.exec(match[0])?.[0].length ?? 0)
    return { start, end: start + said.length, said: said.toLowerCase(), isCapital: /^\p{Lu}/u.test(said) }
  })
}

function nearPhrases(words: readonly Word[], result: ResultIndex): (TextRange & { key: string })[] {
  const places = new Map<string, number[]>()
  words.forEach(({ said }, at) => {
    places.set(said, [...(places.get(said) ?? []).slice(0, 20), at])
  })
  const found: (TextRange & { key: string })[] = []
  for (const key of [...result.entities.keys()].slice(0, CHECK_LIMITS.near.names)) {
    const parts = key.split(' ')
    if (parts.length < 2 || parts.length > 8 || key.length < 8) continue
    // One word of the name must be equal. The place of this word in the text tells where the name may start.
    const starts = new Set(parts.flatMap((part, index) => (places.get(part) ?? []).map(at => at - index)))
    for (const at of starts) {
      const window = words.slice(Math.max(0, at), at + parts.length)
      const [first, last] = [window[0], window.at(-1)]
      if (at < 0 || window.length < parts.length || first === undefined || last === undefined) continue
      const said = window.map(word => word.said).join(' ')
      // "No recorded" is not a misspelt "not recorded", because the changed word is an ordinary one.
      const isOfLanguage =
        window.every(word => !word.isCapital) &&
        window.some((word, index) => word.said !== parts[index] && FUNCTION_WORDS.has(word.said))
      const isNear = said !== key && !isOfLanguage && digitsIn(said) === digitsIn(key) && levenshteinUpToTwo(said, key) <= 2
      const isPlural = window.every((word, index) => sameStem(word.said, parts[index] ?? ''))
      if (isNear && !isPlural && !isInflected(said, key)) found.push({ start: first.start, end: last.end, key })
    }
  }
  return found
}

/** Finds whole names with one changed letter. The names may contain marks: "A (cbntrol)", "Grfner Hang "Alte Reben"". */
function nearWholes(text: string, result: ResultIndex): (TextRange & { key: string })[] {
  const found: (TextRange & { key: string })[] = []
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return found
  // German capitalizes nouns, so "Sturm" is its own word and not a misspelt "storm".
  const isGerman = germanExcess(text) >= 0
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(match => match.index)
  for (const [key, { isCapital }] of [...result.entities].slice(0, CHECK_LIMITS.near.names)) {
    if (
      key.length < CHECK_LIMITS.near.shortestCharacters ||
      key.length > CHECK_LIMITS.near.longestCharacters ||
      !/\p{L}/u.test(key)
    )
      continue
    const isPlain = /^\p{L}+$/u.test(key)
    for (const start of starts) {
      const end = start + key.length
      const changed = end <= text.length ? onlyChange(key, lower, start) : undefined
      if (
        changed === undefined ||
        /[\p{L}\p{N}]/u.test(text[end] ?? ' ') ||
        !/[\p{L}\p{N}]/u.test(text[end - 1] ?? '') !== !/[\p{L}\p{N}]/u.test(key.at(-1) ?? '')
      )
        continue
      // A word in lower case may be an ordinary word, so it does not count as a misspelt name.
      if (/^[\p{L} ]+$/u.test(key) && (!/^\p{Lu}/u.test(text.slice(start)) || (isGerman && start > 0 && !isCapital))) continue
      if (!/\p{L}/u.test(key[changed] ?? '') || !/\p{L}/u.test(lower[start + changed] ?? '')) continue
      // If only the last letter differs, the word is an inflected form.
      if (changed === key.length - 1 && isPlain) continue
      found.push({ start, end, key })
    }
  }
  return found
}

/** Returns the offset of the only letter in which the name and the text differ. Undefined if they are equal, or differ in more letters. */
function onlyChange(name: string, text: string, start: number): number | undefined {
  let changed: number | undefined
  for (let at = 0; at < name.length; at++) {
    if (name[at] === text[start + at]) continue
    if (changed !== undefined) return undefined
    changed = at
  }
  return changed
}

/** Finds misspelt codes. A code is a name of one word with a digit or a mark in it. */
function nearCodes(words: readonly Word[], result: ResultIndex): (TextRange & { key: string })[] {
  if (result.entities.size > CHECK_LIMITS.near.codes) return []
  const codes = [...result.entities.keys()].filter(
    key => key.length >= 3 && !key.includes(' ') && /\p{L}/u.test(key) && isCode(key),
  )
  return words.flatMap(({ start, end, said }) => {
    if (!isCode(said) || !/\p{L}/u.test(said)) return []
    const most = said.length >= 8 ? 2 : 1
    const key = codes.find(code => {
      const bare = code.replace(TAIL, '')
      const isPossible = bare.length === said.length && shapeOf(bare) === shapeOf(said)
      return isPossible && bare !== said && levenshteinUpToTwo(bare, said) <= most
    })
    return key === undefined ? [] : [{ start, end, key }]
  })
}

function isCode(text: string): boolean {
  return /[\p{L}\p{N}][-–_/.:@&][\p{L}\p{N}]|^[/@][\p{L}\p{N}]|\p{L}\p{N}|\p{N}\p{L}/u.test(text)
}

/** Returns the punctuation of a code. Two codes with different punctuation belong to different kinds of things. */
function shapeOf(text: string): string {
  return text.replace(/[\p{L}\p{N}]+/gu, 'x')
}

function digitsIn(text: string): string {
  return text.replace(/\D/g, '')
}

export function isInflected(key: string, name: string): boolean {
  return name.startsWith(key) || key.startsWith(name)
}

/** Whether two words are equal, or one is the other's plural: "E-mails" and `e-mail`. */
function sameStem(one: string, other: string): boolean {
  return one === other || one === `${other}s` || other === `${one}s`
}

/** Returns the edit distance of two short texts, or 3 if it is above 2. */
export function levenshteinUpToTwo(one: string, other: string): number {
  const most = 2
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    let least = at
    for (let to = 1; to <= other.length; to++) {
      const change = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      const cost = Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    row = next
  }
  return row[other.length] ?? 0
}
