import type { TextRange } from './figures/figure.ts'
import { saysColumn } from './rows/column-words.ts'
import { isTellingName, normalName } from './rows/name-index.ts'
import type { ResultIndex } from './rows/result-index.ts'

/** A part of a sentence that refers to rows: by a text column's value, a day or an epoch. */
export interface Mention extends TextRange {
  readonly key: string
  /** The column that holds the name. Names of different columns are of different kinds, such as links and statuses. */
  readonly axis: string
  /** The rows with this name, by query id. A query without this name has no entry. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** The rows of the day at which a period begins or ends. Such a day names no row by itself. */
  readonly bounds?: ReadonlyMap<string, readonly number[]>
}

/** A text with the names in it: the sentence itself, or the lines that it continues (the question, the heading, the lines before). */
export interface NamedText {
  readonly text: string
  readonly mentions: readonly Mention[]
}

const ABBREVIATED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{3,})(?:…|\.{3})([\p{L}\p{N}]{2,})?/gu

/** Finds the results' names in a text. Where several names begin at the same word, takes the longest one. */
export function findNames(text: string, results: readonly ResultIndex[], inCell = false): Mention[] {
  const tokens = [...text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)]
  const mentions: Mention[] = []
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]
    if (first === undefined) continue
    const words = longestFrom(normalName(first[0]), results)
    const longest = tokens[at + 1]?.[0] === '-' ? 2 * words - 1 : words
    for (let last = Math.min(tokens.length, at + longest) - 1; last >= at; last--) {
      const token = tokens[last]
      if (token === undefined) continue
      const start = first.index
      const end = token.index + token[0].length
      const written = normalName(text.slice(start, end))
      const mention = named(written, text, start, end, results, inCell, mentions.at(-1))
      if (mention === undefined) continue
      mentions.push(mention)
      at = last
      break
    }
  }
  for (const match of text.matchAll(ABBREVIATED)) {
    const [whole, head = '', tail = ''] = match
    const fits = (key: string) =>
      key.startsWith(head.toLowerCase()) && key.endsWith(tail.toLowerCase()) && key.length > head.length + tail.length
    const keys = new Set(results.flatMap(result => [...result.entities.keys()].filter(fits)))
    const key = keys.size === 1 ? [...keys][0] : undefined
    const mention = key === undefined ? undefined : mentionOf(key, match.index, match.index + whole.length, results)
    if (mention !== undefined) mentions.push(mention)
  }
  return mentions.sort((one, other) => one.start - other.start)
}

/** Returns the number of words in the longest name that begins with this word or with the stem of this word. */
function longestFrom(word: string, results: readonly ResultIndex[]): number {
  const stems = stemsOf(word)
  let longest = 0
  for (const { beginnings, entities, parts } of results)
    for (const stem of stems) longest = Math.max(longest, beginnings.get(stem) ?? Number(entities.has(stem) || parts.has(stem)))
  return longest
}

/** Returns a word without the endings of a plural or a case. */
function stemsOf(word: string): readonly string[] {
  return [word, ...['s', 'es', 'n', 'en'].filter(ending => word.endsWith(ending)).map(ending => word.slice(0, -ending.length))]
}

function named(
  written: string,
  text: string,
  start: number,
  end: number,
  results: readonly ResultIndex[],
  inCell: boolean,
  before: Mention | undefined,
): Mention | undefined {
  const quoted = /[`"'“*]/.test(text[start - 1] ?? '') || inCell || /^\p{Lu}{2,}$/u.test(text.slice(start, end))
  // German writes "Onshore-Wind" for the value `onshore wind`.
  const keys = [...stemsOf(written), ...(/^[\p{L}-]+$/u.test(written) ? [written.replaceAll('-', ' ')] : [])]
  const key =
    keys.find(candidate => results.some(result => result.entities.has(candidate))) ??
    (results.some(result => isPart(written, result, /[`"'“]/.test(text[start - 1] ?? ''))) ? written : undefined)
  if (key === undefined) return undefined
  // A name of several words has a plural only if it is in lower case: "first connections", but not "Kestrel Bridges".
  const isPlural = /^\p{L}{4,}$/u.test(key) || (/^[\p{Ll} ]{4,}$/u.test(key) && !/\p{Lu}/u.test(text.slice(start, end)))
  if (key !== written && key !== written.replaceAll('-', ' ') && !isPlural) return undefined
  if (!quoted && !isTellingName(key)) return undefined
  const isShortNumber = /^\d+(?:\.\d+)?$/.test(key) && (inCell || key.length < 4)
  if (isShortNumber && !isNumbered(key, text.slice(0, start), before, results) && !isExplained(key, text.slice(end), results))
    return undefined
  // In `metro_capacity`, "metro" is part of another name. In "dal-dz01:mia-dz01", "dz01:mia" is no name, and in 3.1.2, 3.1 is none either.
  const joint = /[\d_]/.test(key) ? /^[-_./:@][\p{L}\p{N}]|[\p{L}\p{N}][-_./:@]$/u : /^_[\p{L}\p{N}]|[\p{L}\p{N}]_$/u
  if (joint.test(text.slice(end, end + 2)) || joint.test(text.slice(Math.max(0, start - 2), start))) return undefined
  return mentionOf(key, start, end, results)
}

/** Whether a number is a name. A number is a name behind the word of its column ("Line 18") or in a list of such numbers ("lines 11, 7 and 18"). */
function isNumbered(key: string, lead: string, before: Mention | undefined, results: readonly ResultIndex[]): boolean {
  const columns = results.flatMap(result => [...(result.entities.get(key)?.columns ?? [])])
  const gap = before && lead.slice(before.end)
  if (gap !== undefined && columns.includes(before?.axis ?? '') && /^(?:,|,?\s(?:and|or|to|und|oder|bis)|[–/-])\s?$/u.test(gap))
    return true
  const said = /(?<!\p{L})(\p{L}{3,}):?\s$/u.exec(lead)?.[1]
  return said !== undefined && columns.some(column => saysColumn(said, column))
}

/** Whether parentheses behind a number hold another name of its row: "48 (Castle - Harbour)". Then the number is a name. */
function isExplained(key: string, behind: string, results: readonly ResultIndex[]): boolean {
  const name = normalName(/^\s\(([^()]{1,200})\)/.exec(behind)?.[1] ?? '')
  return results.some(({ entities }) => {
    const rows = new Set(entities.get(name)?.rows)
    return entities.get(key)?.rows.some(row => rows.has(row)) === true
  })
}

/** Whether a part of a value stands for the whole value: the part is quoted or is no ordinary word. */
function isPart(key: string, { parts }: ResultIndex, quoted: boolean): boolean {
  const part = parts.get(key)
  return part !== undefined && (quoted || !part.plain)
}

/** Returns the mention of a value. Undefined if no text column holds the value. */
export function mentionOf(key: string, start: number, end: number, results: readonly ResultIndex[]): Mention | undefined {
  const rows = new Map<string, readonly number[]>()
  let axis = ''
  for (const result of results) {
    const entity = result.entities.get(key) ?? result.parts.get(key)
    if (entity === undefined) continue
    rows.set(result.id, entity.rows)
    axis ||= entity.columns[0] ?? ''
  }
  return rows.size > 0 ? { start, end, key, axis, rows } : undefined
}

/** Counts the different names of each kind. */
export function namedSizes(mentions: readonly Mention[]): number[] {
  const axes = new Set(mentions.map(({ axis }) => axis))
  return [...axes].map(axis => new Set(mentions.filter(mention => mention.axis === axis).map(({ key }) => key)).size)
}
