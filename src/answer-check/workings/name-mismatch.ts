import { groupsOf } from '../attachment.ts'
import type { Figure, TextRange } from '../figures/figure.ts'
import { FUNCTION_WORDS, NAMELESS, PERIOD_BETWEEN, PERIOD_JOINT, PERIOD_START, SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention } from '../mentions.ts'
import { levenshteinUpToTwo } from '../near-names.ts'
import type { Grounds, Parsed } from '../parse-text.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { NamedRows, WorkedPart } from './worked-part.ts'

/** Matches words that exclude the name behind them, such as "outside" or "except". */
const APART =
  /(?<!\p{L})(?:outside|except|excluding|without|besides|apart from|other than|leaving (?:out|aside)|not|außer|ohne|nicht|sauf|hors|sans|excepto|sin|salvo|tranne|senza)(?:\s(?:for|the|rows?|of|in|die|den|dem|der|le|la|les|el|los|las|il|von))*\s[`*„“"]*$/iu

/** The sentence that contains a working. */
export interface Sentence {
  readonly parsed: Parsed
  readonly grounds: Grounds
  readonly earlier: readonly Mention[]
  /** The parts of the other workings in the sentence. */
  readonly others: readonly OwnedPart[]
}

export type OwnedPart = WorkedPart & { readonly figure: Figure | undefined }

/**
 * Returns the name that the sentence wrongly gives to the figure of a cell. Undefined if no name is wrong.
 * The nearest name must be a name of the cell's row. Any other name of the same kind must belong to another working.
 * If the row's own name stands beside the figure, nothing is wrong.
 */
export function otherName(figure: Figure, cell: WorkedPart | undefined, sentence: Sentence): string | undefined {
  if (cell === undefined) return undefined
  const { parsed, grounds, earlier, others } = sentence
  const result = grounds.results.find(({ id }) => id === cell.query)
  const known = parsed.mentions
    .filter(mention => mention.rows.has(cell.query) && mention.axis !== 'range' && !isLeftOut(mention, parsed))
    .map(mention => ({ ...mention, axis: axisIn(mention, result) }))
  // In "in week 23" the figure itself is the name.
  if (known.some(mention => mention.start === figure.start)) return undefined
  for (const axis of new Set(known.map(mention => mention.axis))) {
    const own = known.filter(mention => mention.axis === axis)
    if (result === undefined || isNameless(result, axis, cell, parsed.text)) continue
    const isSaidHere = own.some(mention => sharesRow(mention, cell))
    // In "A leads with 366, but per head it is B: 2.7 against 2.3 for A" the 2.3 belongs to the A beside it.
    if (isSaidHere && own.some(mention => sharesRow(mention, cell) && isBeside(mention, figure, cell, sentence))) continue
    const isSaidBefore = earlier.some(mention => mention.axis === axis && sharesRow(mention, cell))
    const stranger = own.find(mention => {
      if (isLevel(mention, cell, result)) return false
      if (APART.test(parsed.text.slice(0, mention.start)) || isOfRange(mention, own, cell, parsed.text)) return false
      if (isSaidHere && isEndOfAmounts(figure, parsed) && isListed(mention, own, cell, parsed.text)) return false
      const isOfMore = !cell.isCell || isEndOfAmounts(figure, parsed)
      if (mention.axis === 'time' && isOfMore && PERIOD_START.test(parsed.text.slice(0, mention.start))) return false
      const owners = others.filter(
        part =>
          part.query === cell.query &&
          part.rows.length < Math.max(result.rowCount, 2) &&
          sharesRow(mention, part) &&
          !(own.length === 1 && showsHour(part, mention, result)),
      )
      if (owners.some(owner => nearestList(own, owner, sentence).includes(mention))) return false
      if (isSaidHere)
        return owners.length === 0 && isBeside(mention, figure, cell, sentence) && isInClause(mention, figure, parsed.text)
      return isBeside(mention, figure, cell, sentence) || (owners.length === 0 && !isSaidBefore)
    })
    if (stranger !== undefined) return parsed.text.slice(stranger.start, stranger.end)
  }
  return undefined
}

/** Whether the working shows the hour that is also the name: "The busiest hour is 07:00 {= hour[2]}". */
function showsHour({ column }: OwnedPart, { axis }: Mention, { numbers }: ResultIndex): boolean {
  const isHour = ({ name, key, words }: NumberColumn) =>
    key && words.at(-1) === 'hour' && name.toLowerCase() === column?.toLowerCase()
  return axis === 'time' && numbers.some(isHour)
}

/**
 * Whether a name is part of a range that includes the cell's row: the 11:00 of "Between 10:00 and 11:00" for the row of 10:00, or "from Monday to
 * Thursday" for a row of Tuesday.
 */
function isOfRange(mention: Mention, names: readonly Mention[], cell: WorkedPart, text: string): boolean {
  const at = names.indexOf(mention)
  const isJoined = (one?: Mention, other?: Mention) => one && other && PERIOD_JOINT.test(text.slice(one.end, other.start))
  const first = isJoined(names[at - 1], mention) ? names[at - 1] : mention
  const last = first === mention ? names[at + 1] : mention
  if (first === undefined || last === undefined || !isJoined(first, last)) return false
  const [from, to] = [first, last].map(({ rows }) => rows.get(cell.query) ?? [])
  const isStep = sharesRow(first, cell) && to?.length === 1 && cell.rows.some(row => Math.abs(row - (to[0] ?? 0)) === 1)
  const [least, most] = [Math.min(...(from ?? []), ...(to ?? [])), Math.max(...(from ?? []), ...(to ?? []))]
  const isSpan = PERIOD_BETWEEN.test(text.slice(first.end, last.start)) && cell.rows.every(row => row >= least && row <= most)
  return isStep || isSpan
}

/** Whether the figure is an end of a range: "between 5 and 9", "from 5 to 9". */
function isEndOfAmounts(figure: Figure, { text, written }: Parsed): boolean {
  const [before, behind] = [written.findLast(({ end }) => end <= figure.start), written.find(({ start }) => start >= figure.end)]
  return (
    (behind !== undefined &&
      RANGE_BEFORE.test(text.slice(0, figure.start)) &&
      PERIOD_JOINT.test(text.slice(figure.end, behind.start))) ||
    (before !== undefined &&
      RANGE_BEFORE.test(text.slice(0, before.start)) &&
      PERIOD_JOINT.test(text.slice(before.end, figure.start)))
  )
}

const RANGE_BEFORE = /(?<!\p{L})(?:between|from|zwischen|von)\s[$€]?$/iu

/** Whether the name stands in the same list as a name of the cell's row. */
function isListed(mention: Mention, names: readonly Mention[], cell: WorkedPart, text: string): boolean {
  return groupsOf(names, text).some(group => group.includes(mention) && group.some(other => sharesRow(other, cell)))
}

/** Whether the named row and the working's rows have the same value, as in "as many as B". */
export function isLevel({ rows }: Mention, { query, column, rows: own }: WorkedPart, { numbers }: ResultIndex): boolean {
  const values = numbers.find(({ name }) => name.toLowerCase() === column?.toLowerCase())?.values
  const [row, ...others] = rows.get(query) ?? []
  return values !== undefined && row !== undefined && others.length === 0 && own.every(at => values[at] === values[row])
}

const JOINED = /(?<!\p{L})(?:and|or|und|oder)(?!\p{L})/iu

/** Whether words such as "outside" exclude a name. In "outside February and March" they exclude the whole list. */
export function isLeftOut(mention: Mention, { text, mentions }: Parsed): boolean {
  const list = groupsOf(
    mentions.filter(({ axis }) => axis === mention.axis),
    text,
  ).find(group => group.includes(mention))
  const first = list?.[0]
  const isJoined = first !== undefined && JOINED.test(text.slice(first.end, list?.at(-1)?.start))
  return APART.test(text.slice(0, (isJoined ? first : mention).start))
}

/** Returns the list that contains the name of a working's row. If several names fit, the one nearest to the figure counts. */
function nearestList(names: readonly Mention[], owner: OwnedPart, sentence: Sentence): readonly Mention[] {
  const { figure } = owner
  if (figure === undefined) return []
  const distance = (name: Mention) => {
    const gap = gapBetween(name, figure)
    const breaks = /[,;]/.test(sentence.parsed.text.slice(gap.start, gap.end)) ? 25 : 0
    return gap.end - gap.start + breaks
  }
  const best = names
    .filter(name => sharesRow(name, owner) && isBeside(name, figure, owner, sentence))
    .reduce<Mention | undefined>((best, name) => (best && distance(best) <= distance(name) ? best : name), undefined)
  return groupsOf(names, sentence.parsed.text).find(group => best !== undefined && group.includes(best)) ?? []
}

/** Whether a name and a figure have no figure of another row between them. */
function isBeside(name: Mention, figure: Figure, cell: WorkedPart, { parsed, others }: Sentence): boolean {
  const { start, end } = gapBetween(name, figure)
  return !parsed.written.some(
    other =>
      other !== figure &&
      other.start >= start &&
      other.end <= end &&
      !others.some(part => part.figure === other && part.query === cell.query && part.rows.join() === cell.rows.join()),
  )
}

/** Returns the column that holds the name in this result. Different results may hold the name in different columns. */
function axisIn({ key, axis }: Mention, result: ResultIndex | undefined): string {
  const [column] = (result?.entities.get(key) ?? result?.parts.get(key))?.columns ?? []
  return column ?? axis
}

/** Whether a name precedes a figure, with at most one comma between the two. */
function isInClause(mention: Mention, figure: Figure, text: string): boolean {
  return mention.end <= figure.start && !/[;:.]\s|,\s.*,\s/u.test(text.slice(mention.end, figure.start))
}

function gapBetween(name: Mention, figure: Figure): TextRange {
  return name.end <= figure.start ? { start: name.end, end: figure.start } : { start: figure.end, end: name.start }
}

/** Returns a listed name that is not among the working's rows: "three {= count(loss > 1)} of them: A, B and C". */
export function strangerInList(part: WorkedPart, { parsed, grounds, others }: Sentence): string | undefined {
  // In "Barmenia and Helvetia each paid for three {= count(insurer = 'Barmenia')}" the working of one name stands for both.
  if (SAYS.each.test(parsed.text) && part.about.length > 0) return undefined
  const rowCount = grounds.results.find(({ id }) => id === part.query)?.rowCount
  if (part.rows.length < 2 || part.rows.length === rowCount) return undefined
  const known = parsed.mentions.filter(
    mention => mention.rows.has(part.query) && mention.axis !== 'range' && mention.axis !== 'key',
  )
  for (const axis of new Set(known.map(mention => mention.axis))) {
    const groups = groupsOf(
      known.filter(mention => mention.axis === axis),
      parsed.text,
    )
    for (const group of groups.filter(members => members.length > 1 && members.some(mention => sharesRow(mention, part)))) {
      const isOwned = (mention: Mention) =>
        others.some(other => other.query === part.query && other.column === part.column && sharesRow(mention, other))
      const stranger = group.find(mention => !sharesRow(mention, part) && !isOwned(mention))
      if (stranger !== undefined) return parsed.text.slice(stranger.start, stranger.end)
    }
  }
  return undefined
}

function sharesRow(mention: Mention, part: WorkedPart): boolean {
  const rows = mention.rows.get(part.query) ?? []
  return rows.length < part.rows.length ? rows.some(row => part.rows.includes(row)) : part.rows.some(row => rows.includes(row))
}

/**
 * Whether the working's row has no name in this column. A sentence cannot name such a row. If the column is the first text column, a word such as
 * "without" must describe the row.
 */
function isNameless(result: ResultIndex, axis: string, { rows }: WorkedPart, text: string): boolean {
  const lacksName = result.textColumns.includes(axis) && rows.some(row => !result.hasText(axis, row))
  return lacksName && (axis !== result.textColumns[0] || NAMELESS.test(text))
}

/**
 * Returns the name in a working's condition if the text gives another name in its place. The other name must be of the same column, and no other
 * working may have it in a condition.
 */
export function strayName(text: string, about: readonly NamedRows[], { others }: Sentence): string | undefined {
  if (about.length === 0 || about.some(({ name }) => containsName(text, name))) return undefined
  const accounted = new Set(others.flatMap(part => part.about.map(({ name }) => name)))
  const isStrange = about.some(given => given.others.some(other => containsName(text, other) && !accounted.has(other)))
  return isStrange ? [...new Set(about.map(({ name }) => name))].join(', ') : undefined
}

/** Whether a text contains a name as a whole word. */
export function containsName(written: string, given: string): boolean {
  const [text, name] = [written.toLowerCase(), given.toLowerCase()]
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}

/** Returns a word that nearly equals the name in a condition or in the cell's row. Undefined if the text contains the name itself. */
export function misspeltName(
  cell: WorkedPart | undefined,
  about: readonly NamedRows[],
  { parsed, grounds }: Sentence,
): string | undefined {
  const result = grounds.results.find(({ id }) => id === cell?.query)
  const rows = cell === undefined || cell.rows.length > CHECK_LIMITS.working.misspeltRows ? [] : cell.rows
  const names = [...rows.flatMap(row => result?.rowNames(row) ?? []), ...about.map(({ name }) => name)].filter(
    name => (name.length >= 4 || /^\p{Lu}.{2}$|^\p{Ll}\p{Lu}\p{Lu}$/u.test(name)) && !containsName(parsed.text, name),
  )
  const isOther = (word: string) => grounds.results.some(({ entities }) => entities.has(word)) || grounds.known.includes(word)
  const isInName = (at: number) => parsed.mentions.some(({ start, end, rows }) => rows.size > 0 && at >= start && at < end)
  return [...parsed.text.matchAll(/[^\s,;:()|*`"“”„«»]+/gu)]
    .filter(({ index }) => !isInName(index))
    .map(([word]) => word.replace(/(?<!['’]s|[.!?])(?:['’]s|[.!?])+$/u, ''))
    .find(
      word => names.some(name => isNearly(word, name)) && !isOther(word.toLowerCase()) && !FUNCTION_WORDS.has(word.toLowerCase()),
    )
}

/** Whether a word and a name differ in one letter or digit. Both must begin with a capital letter, or both must not. */
function isNearly(word: string, name: string): boolean {
  if (word.length !== name.length || /^\p{Lu}/u.test(word) !== /^\p{Lu}/u.test(name)) return false
  return levenshteinUpToTwo(word.toLowerCase(), name.toLowerCase()) === 1
}
