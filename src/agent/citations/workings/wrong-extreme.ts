import { columnsNamed } from '../column-words.ts'
import { saidDirection } from '../direction.ts'
import type { Span } from '../figures.ts'
import { clausesOf } from '../order-claims.ts'
import type { ResultIndex } from '../result-index.ts'
import { AT_AN_END, CHANGES } from '../wording.ts'
import { type Series, seriesOf } from './series.ts'
import { type Around, cellAt, IS_CHANGE, NOT, type WorkedFigure } from './worked-figure.ts'
import { changeOf } from './wrong-direction.ts'

/** "The highest of them", "apart from": the highest of some rows only, which the words tell and the rows do not. */
const OF_SOME =
  /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four|rest|others?|remaining))|davon|darunter|others?|else|except|besides|excluding|without|ohne|außer|full|complete|one of|among)(?!\p{L})/iu

/** What is left out may be told in another clause. */
const LEFT_OUT =
  /(?<!\p{L})(?:of (?:them|these|those)|davon|darunter|apart from|except|besides|excluding|leaving|außer|abgesehen)(?!\p{L})/iu

/** "Most often", "most recent": ranked by another word than the amount. */
const BY_ADJECTIVE =
  /^(?:most|least)\s(?:\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly)|common|often|of|popular|active|severe)(?!\p{L})/iu

/** "Of the shops with the highest turnover A has 3": another column's. */
const OF_ANOTHER = /(?<!\p{L})(?:with|mit|by|nach|whose|of the|den|der)\s(?:the\s|den\s|dem\s)?$/iu

/** Columns of ends: `max_delay`, `first_visit`. */
const OF_MOST = /^(?:max|most|peak|top|last)_|(?:^|_)(?:maximum|highest|longest|latest|newest|last)(?:_|$)/i
const OF_LEAST = /^(?:min|least|first)_|(?:^|_)(?:minimum|lowest|shortest|earliest|oldest|first)(?:_|$)/i
const OF_PART = /^(?:p|q)\d+(?:_|$)/i
const IN_TIME = /(?:^|_)(?:ns|us|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|duration|age)(?:_|$)/i

const RANKS: readonly RegExp[] = [
  /(?!)/,
  /(?!)/,
  /(?:second|zweit|next|nächst|runner-up)[- ]?\p{L}*[- ]?$/iu,
  /(?:third|dritt)[- ]?\p{L}*[- ]?$/iu,
  /(?:fourth|viert)[- ]?\p{L}*[- ]?$/iu,
]

/** A word that says that something is at one end of a column. */
interface Extreme extends Span {
  readonly text: string
  /** What it can be said of: a day or a clock, a span of time, anything. */
  readonly kind: 'moment' | 'time' | 'amount'
  readonly isHighest: boolean
  /** 2 for "the second highest". */
  readonly rank: number
  /** It may rank by another word, so that only a working that says the same tells. */
  readonly isLoose: boolean
}

/** "The highest" of what is the lowest of a column, of a ratio worked out for each row, of what is summed up for each name. */
export function wrongExtreme(
  worked: readonly WorkedFigure[],
  around: Around,
): { figure: WorkedFigure; reason: string } | undefined {
  const { text } = around.parsed
  if (LEFT_OUT.test(text)) return undefined
  const claims = extremesIn(text)
  for (const [index, claim] of claims.entries()) {
    for (const each of figuresOf(claim, claims[index - 1], claims[index + 1], worked, around)) {
      const series = seriesOf(each, around.results, around.queries) ?? apposedCell(claim, each, around)
      if (series === undefined) continue
      const said = changeBehind(claim, text)
      const change = said === 0 ? 0 : (changeOf(each, around) ?? 0)
      if (said * change < 0)
        return { figure: each, reason: `${each.figure.text} is a ${change > 0 ? 'rise' : 'fall'} in the rows` }
      const reason = contradicted(claim, each, series, around)
      if (reason !== undefined) return { figure: each, reason }
      break
    }
  }
  return undefined
}

function extremesIn(text: string): Extreme[] {
  return [...text.matchAll(AT_AN_END)].flatMap(match => {
    const start = match.index
    const isNoun = /(?<!\p{L})the\s$/iu.test(text.slice(0, start)) && /^\S+\sof(?!\p{L})/u.test(text.slice(start))
    const isByAdjective = BY_ADJECTIVE.test(text.slice(start)) && !isNoun
    // "The most planned admissions" may be the most of those, where the working says so.
    const isParticiple = /^\S+\s\p{L}+ed\s\p{L}+s(?!\p{L})/u.test(text.slice(start))
    if (isByAdjective && !isParticiple) return []
    const { high, long, late, early, short } = match.groups ?? {}
    const rank = RANKS.findIndex(pattern => pattern.test(text.slice(Math.max(0, start - 24), start)))
    const kind =
      late !== undefined || early !== undefined ? 'moment' : long !== undefined || short !== undefined ? 'time' : 'amount'
    const isHighest = (high ?? long ?? late) !== undefined
    return [
      { start, end: start + match[0].length, text: match[0], kind, isHighest, rank: rank < 0 ? 1 : rank, isLoose: isByAdjective },
    ]
  })
}

/** "Is repeated most": by what, only the verb says. */
function isAdverb({ text: word, start, end }: Extreme, text: string, between: string): boolean {
  return (
    !/^,?\s(?:by|um)\s$/u.test(between) &&
    /^(?:most|least)$/i.test(word) &&
    !/(?<!\p{L})the\s$/iu.test(text.slice(0, start)) &&
    /^\W*(?:$|[,;:.(]|\s(?:in|on|at|by|with|from)(?!\p{L}))/u.test(text.slice(end))
  )
}

const APPOSED =
  /^\W*(?:(?:the latter|this|it|which)\s(?:being|is|was)\s)?(?:the|its|their|das|der|die|den|dem|by far|also)\s(?:\p{L}+[- ]){0,2}$|^\W*$/iu

/** The figures that a superlative may be about, the likeliest first: those of its clause, of the one before ("12 in May, the lowest"), of the next ("the smallest, with 12"). */
function figuresOf(
  claim: Extreme,
  before: Extreme | undefined,
  behind: Extreme | undefined,
  worked: readonly WorkedFigure[],
  around: Around,
): readonly WorkedFigure[] {
  const { parsed, results } = around
  const { text } = parsed
  const clauses = clausesOf(text)
  const at = clauses.findIndex(({ start, end }) => claim.start >= start && claim.end <= end)
  const clause = clauses[at]
  if (clause === undefined) return []
  const within = (from: number, to: number) =>
    worked.filter(
      each =>
        each.figure.start >= Math.max(from, before?.end ?? 0) &&
        each.figure.end <= Math.min(to, behind?.start ?? to) &&
        isMoment(each, results) === (claim.kind === 'moment'),
    )
  // "The largest increase" is of what changed.
  const change = changeBehind(claim, text)
  const own = within(clause.start, clause.end)
  // "3 % above the lowest, B": of what stands behind it.
  if (
    /(?<!\p{L})(?:above|below|than|behind|ahead of|over|under|after|als|über|unter|vor|hinter)\s(?:the|its|der|die|das|dem|den)\s$/iu.test(
      text.slice(0, claim.start),
    )
  )
    return []
  const isAhead = ({ figure }: WorkedFigure) => figure.start >= claim.end
  const isClose = ({ figure }: WorkedFigure) =>
    isAhead({ figure } as WorkedFigure) && !text.slice(claim.end, figure.start).includes(',')
  const previous = clauses[at - 1]
  const isApposed = previous && /,\s$/u.test(text.slice(0, clause.start)) && APPOSED.test(text.slice(clause.start, claim.start))
  const found = [
    ...own.filter(isClose),
    ...own.filter(each => !isAhead(each)).reverse(),
    ...(isApposed ? within(previous.start, previous.end).reverse() : []),
    ...own.filter(each => isAhead(each) && !isClose(each)),
  ]
  const changed = change === 0 ? [] : found.filter(each => changeOf(each, around) !== undefined)
  if (found.length > 0) return changed.length > 0 ? changed : found
  for (const following of clauses.slice(at + 1, at + 6)) {
    const isList = /(?:\s(?:and|und)|,|:|\(|—)\s?$/u.test(text.slice(0, following.start))
    if (!isList) return []
    const [next] = within(following.start, following.end)
    const isJoined = /(?:and|und)\s$/u.test(text.slice(0, following.start))
    if (next !== undefined) return isJoined && next.parts.flatMap(part => (part.isCell ? part.rows : [])).length < 2 ? [] : [next]
  }
  return []
}

/** "The largest increase", "the smallest fall": 1 or -1; 0 where the words behind a superlative tell of no change. */
function changeBehind({ end }: Extreme, text: string): number {
  const [said] = (/^(?:\s\p{L}+){0,2}/u.exec(text.slice(end))?.[0] ?? '').matchAll(CHANGES)
  return said === undefined ? 0 : said.groups?.['up'] !== undefined ? 1 : -1
}

/** Days, and numbers of months, say when, and not how much. */
export function isMoment({ parts }: WorkedFigure, results: readonly ResultIndex[]): boolean {
  return parts.some(
    part =>
      (part.isTime && part.isCell) ||
      results.some(({ id, numbers }) => id === part.query && numbers.some(({ name, key }) => key && name === part.column)),
  )
}

/** "12 {= x['May'] - x['June']} below May, the highest month": a superlative of the name in front of it. */
function apposedCell(
  claim: Extreme,
  { parts, figure }: WorkedFigure,
  { parsed: { text, mentions }, results }: Around,
): Series | undefined {
  const name = mentions.findLast(mention => mention.end <= claim.start && mention.start >= figure.end)
  if (name === undefined || !/^,\s(?:the|der|die|das|den|dem)\s$/iu.test(text.slice(name.end, claim.start))) return undefined
  for (const part of parts) {
    const at = cellAt([part], results)
    if (at !== undefined && name.rows.get(part.query)?.includes(at.row))
      return { values: at.column.values, own: [at.row], column: at.column.name }
  }
  return undefined
}

function contradicted(
  claim: Extreme,
  each: WorkedFigure,
  series: Series,
  { parsed: { text }, results }: Around,
): string | undefined {
  const result = results.find(({ id }) => id === each.parts[0]?.query)
  if (result === undefined) return undefined
  const { figure, expression } = each
  const column = result.numbers.find(({ name }) => name === series.column)
  const written = /^(?:Q\d+\.)?(min|max)\(/i.exec(expression.trim())?.[1]?.toLowerCase()
  const between = text.slice(Math.min(claim.end, figure.end), Math.max(claim.start, figure.start))
  const words = `${between} ${/^[^,;.(\d]{0,30}/u.exec(text.slice(claim.end))?.[0] ?? ''}`
  const own = clausesOf(text).find(({ start, end }) => claim.start >= start && claim.end <= end)
  if (OF_SOME.test(words) || NOT.test(text.slice(own?.start ?? 0, claim.start))) return undefined
  if (written === undefined && (claim.isLoose || isOfOther(claim, series, text, result) || isAdverb(claim, text, between)))
    return undefined
  const isOfOwn = columnsNamed(result.numbers, nounsBehind(claim, text)).every(({ name }) => name === series.column)
  if (written === undefined && !isOfOwn && OF_ANOTHER.test(text.slice(0, claim.start)) && figure.start > claim.end)
    return undefined
  const isSpan =
    (figure.unit?.dimension === 'time' || IN_TIME.test(series.column ?? '')) && !/(?:^|_)per_/i.test(series.column ?? '')
  if (claim.kind === 'time' && !isSpan) return undefined
  if (column?.key && written === undefined) return undefined
  const says = (isHighest: boolean) =>
    `${figure.text} is the ${isHighest ? 'highest' : 'lowest'} of ${series.column ?? 'all'}, not the ${claim.text}`
  const values = magnitudes(
    series,
    saidDirection(text.slice(claim.start, claim.end + 24)) < 0 ||
      LOSS.test(text.slice(own?.start ?? 0, own?.end)) ||
      LOSS.test(between),
  )
  if (values === undefined) return undefined
  const mine = series.own.map(at => values[at] ?? Number.NaN)
  const rest = values.filter((value, at) => !series.own.includes(at) && !Number.isNaN(value))
  const isAt = (isTop: boolean) => {
    const beyond = (value: number) => rest.filter(other => (isTop ? other > value : other < value)).length
    const level = (value: number) => rest.filter(other => other === value).length
    return mine.every(value => beyond(value) <= claim.rank - 1 && beyond(value) + level(value) >= claim.rank - 1)
  }
  // Of a column of maxima each is a highest.
  const holds = OF_MOST.test(series.column ?? '') ? true : OF_LEAST.test(series.column ?? '') ? false : undefined
  if (OF_PART.test(series.column ?? '') || mine.some(Number.isNaN)) return undefined
  if (holds !== undefined && written === undefined)
    return holds === claim.isHighest || (rest.length > 0 && isAt(claim.isHighest)) ? undefined : says(holds)
  if (rest.length === 0 || rest.every(value => mine.includes(value))) return undefined
  const isWritten = written !== undefined && claim.rank === 1 && (mine[0] ?? 0) === series.values[series.own[0] ?? 0]
  const isContrary = isWritten ? (written === 'max') !== claim.isHighest : !isAt(claim.isHighest) && isAt(!claim.isHighest)
  return isContrary ? says(!claim.isHighest) : undefined
}

const LOSS =
  /(?<!\p{L})(?:los[etsing]*|verl[ioe]r\p{L}*|verlust\p{L}*|minus|fewer|weniger|drops?|falls?|fell|declines?|rückg\p{L}+|sank\p{L}*)(?!\p{L})/iu

/** Of changes those of one sign, without it: "the largest fall" is the lowest. Elsewhere a value below 0 is an amount like any other. */
function magnitudes({ values, own, column }: Series, isFall: boolean): number[] | undefined {
  const all = Array.from(values)
  const isChange = column === undefined || IS_CHANGE.test(column)
  if (own.every(at => (all[at] ?? 0) < 0)) {
    if (isFall) return all.map(value => (value < 0 ? -value : Number.NaN))
    return isChange ? undefined : all
  }
  return isFall && column !== undefined && isChange && all.some(value => value < 0) ? undefined : all
}

/** "A has the fewest beds, with 12 {= stays[1]}": the noun behind the superlative is another column's. */
function isOfOther(claim: Extreme, { column }: Series, text: string, { numbers }: ResultIndex): boolean {
  if (column === undefined) return false
  const named = columnsNamed(numbers, nounsBehind(claim, text))
  return named.length < numbers.length && !named.some(({ name }) => name === column)
}

function nounsBehind({ end }: Extreme, text: string): string[] {
  return /^(?:\s\p{L}+){1,2}/u.exec(text.slice(end))?.[0].trim().toLowerCase().split(' ') ?? []
}
