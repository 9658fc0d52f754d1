import { nameWords } from './key-name.ts'
import type { NumberColumn } from './result-index.ts'

/** Returns the columns that most of the words name, or all columns if the words name none. */
export function columnsNamed(columns: readonly NumberColumn[], words: readonly string[]): readonly NumberColumn[] {
  if (words.length === 0 || columns.length < 2) return columns
  const scores = columns.map(column => score(column.words, words))
  const best = Math.max(...scores)
  if (best === 0) return columns
  const named = columns.filter((_, index) => scores[index] === best)
  return named.length === columns.length ? columns : named
}

/**
 * Returns how well a column's words match. An exact word counts twice as much as a related one. So for "ratings", a column
 * `ratings` is preferred to a column `rating`.
 */
function score(names: readonly string[], words: readonly string[]): number {
  let sum = 0
  for (const name of names.filter(own => !/^(?:in|of|on|at|by|to)$/.test(own)))
    sum += words.includes(name) ? 2 : words.some(said => stem(said) === stem(name)) ? 1 : 0
  return sum
}

function stem(word: string): string {
  return word.replace(/(?<=...)(?:ies|e?s|ing|ed|e)$/, '')
}

/** Whether a word of the text is part of a column's name: "Linie" or "lines" for `line`. */
export function saysColumn(said: string, column: string): boolean {
  return column
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some(word => word.length >= 3 && said.toLowerCase().startsWith(word.slice(0, Math.max(3, word.length - 1))))
}

/** Writes "95th percentile" as `p95`, the way column names do. */
export function withShortPercentiles(words: string): string {
  return words.replace(/(?<![\p{L}\d.])(\d{1,2})(?:st|nd|rd|th|\.)?[- ](?:percentile|perzentil)(?!\p{L})/giu, 'p$1')
}

/** Words for a function over rows. */
const AGGREGATES = ['avg|average|mean|durchschnitt\\p{L}*|schnitt|mittel', 'median|p50|q50', 'max|maximum'].map(
  words => new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])`, 'iu'),
)

/** Whether words tell an average, a median or a maximum, and a column's name tells another of them. */
export function tellsOtherAggregate(said: string, column: string): boolean {
  const own = AGGREGATES.filter(pattern => pattern.test(nameWords(column).join('_')))
  const told = AGGREGATES.filter(pattern => pattern.test(said))
  return told.length > 0 && own.length > 0 && !told.some(pattern => own.includes(pattern))
}

/** Matches words of column names that are units. */
const UNIT = /^(?:eur|usd|gbp|chf|pct|percent|ms|s|min|h|kg|t|km|l|kwh|mwh|bps|gb|mb|tb)$/

/** Returns the only other column that a word names. Undefined if the word is also part of the own column's name. */
export function ofWord(said: string, numbers: readonly NumberColumn[], own?: NumberColumn): NumberColumn | undefined {
  if (own?.words.some(word => isSame(said, word))) return undefined
  const [other, ...more] = numbers.filter(({ words }) => {
    const nouns = words.filter(word => !UNIT.test(word))
    return nouns.length === 1 && isSame(said, nouns[0] ?? '')
  })
  return more.length > 0 ? undefined : other
}

/** Whether two words differ at most in an ending of the plural. */
export function isSame(one: string, other: string): boolean {
  return one === other || one.replace(/e?s$/, '') === other.replace(/e?s$/, '')
}
