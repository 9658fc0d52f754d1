import type { TextRange } from './figures/figure.ts'
import { MONTHS, WEEKDAYS } from './figures/number-words.ts'
import { germanExcess } from './figures/text-language.ts'
import { SAYS } from './figures/wording.ts'
import { CHECK_LIMITS } from './limits.ts'
import { nearNames } from './near-names.ts'
import type { ResultIndex } from './rows/result-index.ts'

/**
 * Matches text that looks like a code. Each alternative begins at the start of a word. A pattern that begins inside words would take quadratic time.
 */
const CODE_LIKE =
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:[-_:/.@][\p{L}\p{N}]+)+|[\p{L}\p{N}]{3,}(?:…|\.{3})[\p{L}\p{N}]{2,}|(?=\p{L}*\d)[\p{L}\p{N}]{3,}(?:…|\.{3}))|[1-9A-HJ-NP-Za-km-z]{32,44}/gu
const QUOTED = /`([^`]+)`/g
/** Matches capitalised words, without a word that begins the sentence. */
const CAPITALISED =
  /(?<![\p{L}\p{N}])(?!(?:In|On|At|For|From|The|And|But|With|Of|To|By|Auf|Bei|Für|Von|Die|Der|Das|Und|Mit|Nur|Only|Next|Both) )\p{Lu}[\p{L}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{N}]*)*/gu
/** Matches capitalised words inside a sentence, where English has a capital for names alone. */
const INSIDE = /(?<=[\p{L}\d,)%] )\p{Lu}\p{Ll}{3,30}(?:[ -]\p{Lu}\p{Ll}{1,30}){0,4}(?![\p{L}\p{N}-])/gu
/** Matches words that are joined as in a compound name: "sin-syd", "Antwerp–Basel". */
const COMPOUND = /(?<![\p{L}\p{N}–—→:-])(?:\p{L}[\p{L}\p{N}]*)(?:[-–—→:](?:\p{L}[\p{L}\p{N}]*))+(?![\p{L}\p{N}])/gu
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
  const found = new Map<string, string>()
  const add = (name: string, alike = '') => {
    if (!found.has(name)) found.set(name, alike)
  }
  const isKnown = (name: string) => known.includes(name.toLowerCase())
  const names = taken.filter(span => 'axis' in span)
  const isName = ({ start, end }: TextRange) => names.some(span => span.start <= start && span.end >= end)
  const isTaken = ({ start, end }: TextRange) => taken.some(span => start < span.end && end > span.start)
  const unknown = (pattern: RegExp, isOther: (span: TextRange) => boolean) =>
    [...text.matchAll(pattern)].flatMap(match => {
      const name = match[1] ?? match[0]
      const start = match.index + match[0].indexOf(name)
      return isKnown(name) || isOther({ start, end: start + name.length }) ? [] : [{ name, end: start + name.length }]
    })
  // A quoted name may contain a figure: `asmr #18`. Such a figure does not stand for the whole name.
  const isNamed = ({ start, end }: TextRange) => names.some(span => start < span.end && end > span.start)
  for (const { name } of unknown(QUOTED, isNamed)) if (!/^[\d\s.,%:+-]+$/.test(name)) add(name)
  for (const { name } of unknown(CODE_LIKE, isTaken))
    if (/[\d:_…]/.test(name) && /\p{L}|\..*\./u.test(name) && !HARMLESS.test(name) && !isCompound(name, isKnown)) add(name)
  for (const { name } of unknown(CAPITALISED, isTaken)) {
    const alike = nameWithWordOf(name.toLowerCase(), results)
    if (alike !== undefined) add(name, alike)
  }
  for (const { name } of unknown(COMPOUND, isName).slice(0, CHECK_LIMITS.near.strangers)) if (isOfShape(name, results)) add(name)
  // German writes all nouns with a capital. Without a figure, a name may be one that the rows lack: "X does not appear".
  const isEnglish = germanExcess(text) < 0 && germanExcess(`${language} ${text}`) <= -2
  const isPart = (word: string) =>
    [word, word.replace(/s$/, '')].some(one => isKnown(one) || MONTHS.has(one) || WEEKDAYS.has(one)) || isInName(word, results)
  if (isEnglish && names.length < taken.length && !SAYS.none.test(text))
    // In "Turkey (TR)" the code is the name.
    for (const { name, end } of unknown(INSIDE, isTaken))
      if (!/^\s\(/u.test(text.slice(end)) && !name.toLowerCase().split(/[ -]/).some(isPart)) add(name)
  for (const { key, ...span } of yield* nearNames(text, results)) {
    const name = text.slice(span.start, span.end)
    if (!isName(span) && !isKnown(name)) add(name, key)
  }
  return [...found].map(([name, alike]) => {
    const hint = alike === '' ? '' : `; did you mean ${alike}?`
    return { text: name, reason: `${name} is in no row of the cited queries${hint}` }
  })
}

/** Whether a name is joined like the names of the rows, and shares a part with one of them. */
function isOfShape(name: string, results: readonly ResultIndex[]): boolean {
  const joiner = /[-–—→:]/u.exec(name)?.[0] ?? ''
  // German joins a name with a noun: "gpu-Hosts".
  if (new Set(name.split(joiner).map(part => /^\p{Lu}/u.test(part))).size > 1) return false
  const parts = new Set(name.toLowerCase().split(joiner))
  const isAlike = (key: string) => key.includes(joiner) && !key.includes(' ') && key.split(joiner).some(part => parts.has(part))
  return results.some(
    ({ entities }) =>
      !entities.has(name.toLowerCase()) && entities.size <= CHECK_LIMITS.near.unknownNames && [...entities.keys()].some(isAlike),
  )
}

/** Whether any name in the rows contains the word. */
function isInName(word: string, results: readonly ResultIndex[]): boolean {
  return results.some(
    ({ entities }) => entities.size > CHECK_LIMITS.near.unknownNames || [...entities.keys()].some(key => key.includes(word)),
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
