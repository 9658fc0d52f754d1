import type { NumberColumn } from './result-index.ts'

const HINTS: Readonly<Record<string, readonly string[]>> = {
  from: ['before', 'previous', 'prev', 'vorjahr', 'vormonat'],
  to: ['after', 'current', 'now'],
}
/** German words, with the words that column names use for them. */
const GERMAN: Readonly<Record<string, readonly string[]>> = {
  peak: ['max'],
  averages: ['mean', 'avg', 'average'],
  vorjahr: ['previous', 'prev', 'last'],
  vormonat: ['previous', 'prev', 'last'],
  median: ['p50', 'q50'],
  spitze: ['peak', 'max'],
  mittel: ['mean', 'avg', 'average'],
  mittlere: ['mean', 'avg', 'average'],
  durchschnitt: ['mean', 'avg', 'average'],
  average: ['mean', 'avg'],
  maximum: ['max', 'peak'],
  minimum: ['min'],
  kunden: ['customers'],
  nutzer: ['users'],
  umsatz: ['revenue'],
  bestellungen: ['orders'],
  anfragen: ['requests'],
}
const AUXILIARY = /^(?:are|is|were|was|have|has|been|sind|ist|waren|wurden|wurde)$/i
const STOP =
  /^(?:and|with|of|in|from|to|by|at|while|but|or|for|on|over|und|mit|von|in|auf|bei|für|an|between|during|zwischen|während|about|around|the|a|an|is|are|was|were|its|their|only|just|per|pro|je|par|por|each)$/i

/** Returns the columns that the words beside a figure mention, or all columns if the words mention none. */
export function columnsNamed(
  columns: readonly NumberColumn[],
  words: readonly string[],
  keysToo = false,
): readonly NumberColumn[] {
  if (words.length === 0 || columns.length < 2) return columns
  const scores = columns.map(column => (column.key && keysToo ? 0 : score(column.words, words)))
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
  for (const name of names) sum += words.includes(name) ? 2 : words.some(said => sameWord(said, name)) ? 1 : 0
  return sum
}

function sameWord(said: string, word: string): boolean {
  if (GERMAN[said]?.includes(word)) return true
  if (word.length < 3) return false
  const stem = (text: string) => text.replace(/(?:ies|es|s|ing|ed)$/, '')
  return said === word || (stem(said).length >= 3 && stem(said) === stem(word))
}

/** Whether a word of the text is part of a column's name: "Linie" or "lines" for `line`. */
export function saysColumn(said: string, column: string): boolean {
  return column
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some(word => word.length >= 3 && said.toLowerCase().startsWith(word.slice(0, Math.max(3, word.length - 1))))
}

/** Returns the words that describe a figure: the words behind it, up to a preposition or a mark. If there are none, returns the words before it. */
export function wordsBeside(text: string, start: number, end: number): string[] {
  const before = text.slice(Math.max(0, start - 48), start)
  const hint = /(?:^|\s)(from|von|up from|down from|nach|gegenüber)\s[^\s\d]{0,2}$/i.test(before)
    ? HINTS.from
    : /(?:^|\s)(?:to|auf)\s[^\s\d]{0,2}$/i.test(before)
      ? HINTS.to
      : undefined
  if (hint) return [...hint]
  const tail = text.slice(end, end + 32)
  if (/^\s?(?:\S{1,8}\s)?(?:on average|im schnitt|im mittel)/i.test(tail)) return ['average']
  if (
    /(?:^|\s)(?:of|von)\s(?:(?:the|its|their|all)\s)?[$€]?$/i.test(before) &&
    /\s(?<=\d\S*\s)(?:\S+\s)?(?:of|von)\s/i.test(before)
  )
    return []
  const behind = leading(text.slice(end, end + 48))
  if (behind.length > 0) return behind
  const alone = before.endsWith('(') && /^\s*(?:%|\p{L}{1,4})?\)/u.test(text.slice(end))
  const clause = /(?<![^\d,;:.(|])[^\d,;:.(|]*$/.exec(alone ? before.slice(0, -1) : before)?.[0] ?? ''
  const words: string[] = clause.toLowerCase().match(/[\p{L}\d_]+/gu) ?? []
  const last = words
    .slice(Math.max(...['and', 'und', 'less', 'than', 'minus', 'plus', 'vs', 'against'].map(word => words.lastIndexOf(word))) + 1)
    .slice(-4)
  return /\d/.test(clause) ? [] : last.filter(word => !STOP.test(word))
}

function leading(text: string): string[] {
  const words: string[] = []
  for (const token of text.match(/[\p{L}\d_/]+|[^\s\p{L}\d_]/gu) ?? []) {
    if (token === '%' || (words.length === 0 && (AUXILIARY.test(token) || token === 'of'))) continue
    if (!/^\p{L}/u.test(token) || STOP.test(token) || words.length >= 3) break
    words.push(token.toLowerCase())
  }
  return words
}

/** Writes "95th percentile" as `p95`, the way column names do. */
export function withShortPercentiles(words: string): string {
  return words.replace(/(?<![\p{L}\d.])(\d{1,2})(?:st|nd|rd|th|\.)?[- ](?:percentile|perzentil)(?!\p{L})/giu, 'p$1')
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
