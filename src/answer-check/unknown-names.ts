import type { TextRange } from './figures/figure.ts'
import { MONTHS, WEEKDAYS } from './figures/number-words.ts'
import { germanExcess, SAYS } from './figures/wording.ts'
import { CHECK_LIMITS } from './limits.ts'
import { nearNames } from './near-names.ts'
import type { ResultIndex } from './rows/result-index.ts'

/**
 * Matches text that looks like a code. Each alternative begins at the start of a word. A pattern that begins inside words would take quadratic time.
 */
const CODE_LIKE =
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:[-_:/.@][\p{L}\p{N}]+)+|[\p{L}\p{N}]{3,}(?:…|\.{3})[\p{L}\p{N}]{2,}|(?=\p{L}*\d)[\p{L}\p{N}]{3,}(?:…|\.{3}))|[1-9A-HJ-NP-Za-km-z]{32,44}/gu
const QUOTED = /`([^`]+)`/g
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{N}]*)*/gu
const LEADING_WORD = /^(?:In|On|At|For|From|The|And|But|With|Of|To|By|Auf|Bei|Für|Von|Die|Der|Das|Und|Mit|Nur|Only|Next|Both) /
const HARMLESS =
  /^(?:[kKMGTP]?i?[bB](?:it|yte)?s?\/s|\p{L}+(?:-\p{L}+)+|\p{L}+\/\p{L}+|\p{L}\.\p{L}\.?|[pP]\d{2}(?:\.\d+)?|v?\d+(?:st|nd|rd|th)|UTC[+-]\d.*|\d+-\p{L}+(?:-\p{L}+)*|(?:19|20)\d\d-\p{L}+)$/u

/** Reports names and identifiers that occur neither in the rows nor in the question nor in the SQL. */
export function* unknownNames(
  text: string,
  taken: readonly TextRange[],
  known: string,
  results: readonly ResultIndex[],
  language = '',
): Generator<void, { text: string; reason: string }[]> {
  const problems: { text: string; reason: string }[] = []
  const free = (start: number, end: number) => !taken.some(span => start < span.end && end > span.start)
  const add = (name: string, reason: string) => {
    if (!problems.some(problem => problem.text === name)) problems.push({ text: name, reason })
  }
  const isKnown = (name: string) => known.includes(name.toLowerCase())
  for (const match of text.matchAll(QUOTED)) {
    const name = match[1] ?? ''
    // A quoted name may contain a figure: `asmr #18`. Such a figure does not stand for the whole name.
    const isTaken = taken.some(
      span =>
        ('axis' in span || (span.start <= match.index + 1 && span.end >= match.index + 1 + name.length)) &&
        span.start < match.index + match[0].length &&
        span.end > match.index,
    )
    if (!isTaken && !isKnown(name) && !/^[\d\s.,%:+-]+$/.test(name)) add(name, `${name} is in no row of the cited queries`)
  }
  for (const match of text.matchAll(CODE_LIKE)) {
    const name = match[0]
    if (!/\d/.test(name) && !/[:_…]/.test(name) && !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(name)) continue
    if (!/\p{L}/u.test(name) && !/^\d{1,3}(?:\.\d+){3}$/.test(name) && !/^\d+\.\d+\.\d+$/.test(name)) continue
    if (HARMLESS.test(name) || isKnown(name) || isCompound(name, isKnown) || !free(match.index, match.index + name.length))
      continue
    add(name, `${name} is in no row of the cited queries`)
  }
  for (const match of text.matchAll(CAPITALISED)) {
    const name = match[0].replace(LEADING_WORD, '')
    if (!free(match.index, match.index + name.length) || isKnown(name)) continue
    const alike = nameWithWordOf(name.toLowerCase(), results)
    if (alike !== undefined) add(name, `${name} is in no row of the cited queries; did you mean ${alike}?`)
  }
  for (const name of strangersIn(text, taken, isKnown, results, language)) add(name, `${name} is in no row of the cited queries`)
  for (const { start, end, key } of yield* nearNames(text, results)) {
    const name = text.slice(start, end)
    // Words within a known name count as a name too.
    const isName = taken.some(span => 'axis' in span && span.start <= start && span.end >= end)
    if (isName || isKnown(name) || results.some(({ entities }) => entities.has(name.toLowerCase()))) continue
    add(name, `${name} is in no row of the cited queries; did you mean ${key}?`)
  }
  return problems
}

/** Matches words that are joined as in a compound name: "sin-syd", "Antwerp–Basel". */
const COMPOUND = /(?<![\p{L}\p{N}–—→:-])(?:\p{L}[\p{L}\p{N}]*)(?:[-–—→:](?:\p{L}[\p{L}\p{N}]*))+(?![\p{L}\p{N}])/gu
/** Finds names of the rows' own shape that no row has, and capitalised words inside English sentences that stand nowhere else. */
function strangersIn(
  text: string,
  taken: readonly TextRange[],
  isKnown: (name: string) => boolean,
  results: readonly ResultIndex[],
  language: string,
): string[] {
  const isName = (start: number, end: number) => taken.some(span => 'axis' in span && span.start <= start && span.end >= end)
  const found: string[] = []
  for (const match of [...text.matchAll(COMPOUND)].slice(0, CHECK_LIMITS.near.strangers)) {
    const [name] = match
    const joiner = /[-–—→:]/u.exec(name)?.[0] ?? ''
    if (isName(match.index, match.index + name.length) || isKnown(name)) continue
    // German joins a name with a noun: "gpu-Hosts".
    if (new Set(name.split(joiner).map(part => /^\p{Lu}/u.test(part))).size > 1) continue
    const parts = new Set(name.toLowerCase().split(joiner))
    const isAlike = results.some(
      ({ entities }) =>
        !entities.has(name.toLowerCase()) &&
        entities.size <= CHECK_LIMITS.near.unknownNames &&
        [...entities.keys()].some(
          key => key.includes(joiner) && !key.includes(' ') && key.split(joiner).some(part => parts.has(part)),
        ),
    )
    if (isAlike) found.push(name)
  }
  // German writes all nouns with a capital. Without a figure, a name may be one that the rows lack: "X does not appear".
  if (germanExcess(text) >= 0 || germanExcess(`${language} ${text}`) > -2) return found
  if (taken.every(span => 'axis' in span) || SAYS.none.test(text)) return found
  for (const match of text.matchAll(/(?<=[\p{L}\d,)%] )\p{Lu}\p{Ll}{3,30}(?:[ -]\p{Lu}\p{Ll}{1,30}){0,4}(?![\p{L}\p{N}-])/gu)) {
    const [name] = match
    const isTaken = taken.some(span => match.index < span.end && match.index + name.length > span.start)
    const words = name.toLowerCase().split(/[ -]/)
    const isPart = (word: string) =>
      [word, word.replace(/s$/, '')].some(one => isKnown(one) || MONTHS.has(one) || WEEKDAYS.has(one)) || isInName(word, results)
    // In "Turkey (TR)" the code is the name.
    if (/^\s\(/u.test(text.slice(match.index + name.length))) continue
    if (!isTaken && !words.some(isPart)) found.push(name)
  }
  return found
}

/** Whether any name in the rows contains the word. */
function isInName(word: string, results: readonly ResultIndex[]): boolean {
  return results.some(
    ({ entities }) =>
      entities.size > CHECK_LIMITS.near.unknownNames ||
      entities.has(word) ||
      [...entities.keys()].some(key => key.includes(word)),
  )
}

/** Whether an ordinary word is joined to a known code: "5G-Zellen" for `cells_5g`. */
function isCompound(name: string, isKnown: (name: string) => boolean): boolean {
  const parts = name.split('-')
  return parts.length > 1 && parts.every(part => (/\d/.test(part) ? isKnown(part) : /^\p{Lu}?\p{Ll}{3,}$/u.test(part)))
}

/** Returns a value of as many words as the name, if they share one of them at the same place. */
function nameWithWordOf(name: string, results: readonly ResultIndex[]): string | undefined {
  const words = name.split(' ')
  if (words.length < 2) return undefined
  const isAlike = (key: string) => {
    const other = key.split(' ')
    return key !== name && other.length === words.length && words.some((word, at) => word.length > 2 && other[at] === word)
  }
  return results
    .filter(({ entities }) => entities.size <= CHECK_LIMITS.near.unknownNames)
    .flatMap(({ entities }) => [...entities.keys()].find(isAlike) ?? [])[0]
}
