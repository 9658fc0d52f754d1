import type { TextRange } from '../figures/figure.ts'
import { NOT } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { columnsNamed } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { textBefore } from '../text-before.ts'
import type { Problem } from '../unsupported-figure.ts'
import { type Around, IS_CHANGE, type WorkedFigure } from '../workings/worked-figure.ts'
import { clauseAt, clausesOf } from './clauses.ts'
import { wrongOfName } from './named-extremes.ts'
import { groupsAround, isAtEnd, magnitudes, valuesOf } from './ranks.ts'
import { type Series, seriesOf } from './series.ts'
import { BESIDE } from './superlative-words.ts'
import { changeAt, nounsBehind, type Superlative, superlativesIn } from './superlatives.ts'
import { changeOf } from './wrong-direction.ts'

/** Names of columns that hold maxima or minima, such as `max_price`. Any of their values may be called the highest or lowest. */
const OF_MOST = /^(?:max|most|peak|top|last)_|(?:^|_)(?:maximum|highest|longest|latest|newest|last)(?:_|$)/i
const OF_LEAST = /^(?:min|least|first)_|(?:^|_)(?:minimum|lowest|shortest|earliest|oldest|first)(?:_|$)/i
const IN_TIME = /(?:^|_)(?:ns|us|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|duration|age)(?:_|$)/i

interface WrongFigure extends Problem {
  readonly isContrary: boolean
}

/**
 * Reports a superlative that is not true of its figure, or of the row that its clause names. The figure may be a cell, a ratio for a row, or a
 * sum for a name.
 */
export function* wrongExtreme(around: Around): Generator<void, Problem | undefined> {
  const { text } = around.parsed
  const claims = superlativesIn(text).slice(0, CHECK_LIMITS.working.superlatives)
  for (const [index, claim] of claims.entries()) {
    if (BESIDE.ofStep.test(text.slice(claim.end)) || BESIDE.ofSpan.test(text.slice(0, claim.start))) continue
    const found = yield* wrongFigure(claim, figuresOf(claim, claims[index - 1], claims[index + 1], around), around)
    const wrong = found?.isContrary ? found : (wrongOfName(claim, around) ?? found)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Compares a superlative with the figures that it may describe. It is right if it is true of one of them. */
function* wrongFigure(
  claim: Superlative,
  figures: readonly WorkedFigure[],
  around: Around,
): Generator<void, WrongFigure | undefined> {
  const { text } = around.parsed
  let first: WrongFigure | undefined
  for (const each of figures) {
    if (BESIDE.inRange.test(text.slice(0, each.figure.start))) break
    const whole = yield* seriesOf(each, around.results, around.bench)
    if (whole === undefined) continue
    const series = BESIDE.ofThem.test(text) ? amongRead(whole, each, around.worked) : whole
    if (BESIDE.restricted.test(text) && series === whole && usedExtreme(each) === undefined) break
    const isContrary = changeAt(claim, text) * (changeOf(each, around) ?? 0) < 0
    const verdict = isContrary ? 'contrary' : verdictOn(claim, each, series, around)
    if (verdict === 'holds') return undefined
    const problem = {
      text: each.figure.text,
      reason: `${each.figure.text} is not the ${claim.text} of ${series.column ?? 'all'}`,
    }
    if (isContrary || (first === undefined && verdict === 'contrary')) return { ...problem, isContrary: true }
    first ??= { ...problem, isContrary: false }
  }
  return first
}

/** A superlative, a figure that it may describe, and the words around both. */
interface Described {
  readonly claim: Superlative
  readonly each: WorkedFigure
  readonly series: Series
  readonly result: ResultIndex
  /** The column of the series. Undefined for a ratio or a sum. */
  readonly column: NumberColumn | undefined
  readonly clause: TextRange
  /** The words between the superlative and the figure, and those behind the superlative. */
  readonly between: string
  readonly tail: string
}

/** Returns whether a superlative is true of a figure or says nothing about it, or else whether the figure is at the other end. */
function verdictOn(claim: Superlative, each: WorkedFigure, series: Series, around: Around): 'holds' | 'contrary' | 'other' {
  const { text } = around.parsed
  const result = around.results.find(({ id }) => id === each.parts[0]?.query)
  if (result === undefined) return 'holds'
  const { figure } = each
  const described = {
    ...{ claim, each, series, result },
    column: result.numbers.find(({ name }) => name === series.column),
    clause: clauseAt(claim, text),
    between: text.slice(Math.min(claim.end, figure.end), Math.max(claim.start, figure.start)),
    tail: /^[^,;.(\d]{0,30}/u.exec(text.slice(claim.end))?.[0] ?? '',
  }
  if (!isAboutFigure(described, text)) return 'holds'
  const values = rankedValues(described, text)
  if (values === undefined) return 'holds'
  const atEnd = verdictAtEnds(described, values)
  if (atEnd !== undefined) return atEnd
  return mayMeanOthers(described, text) || isFirstOfSome(described, values, around) ? 'holds' : 'other'
}

/** Whether the words refer the superlative to the figure and its column. */
function isAboutFigure({ claim, each, series, result, column, clause, between, tail }: Described, text: string): boolean {
  if (BESIDE.notOwn.test(text.slice(0, claim.start)) || NOT.test(text.slice(clause.start, claim.start))) return false
  const { column: name = '' } = series
  const isSpan = (each.figure.unit?.dimension === 'time' || IN_TIME.test(name)) && !/(?:^|_)per_/i.test(name)
  if (claim.kind === 'time' && !isSpan) return false
  if (usedExtreme(each) !== undefined) return true
  const isOfOther = column !== undefined && !columnsNamed(result.numbers, nounsBehind(claim, text)).includes(column)
  return !(claim.kind !== 'time' && isOfOther) && !BESIDE.ofSome.test(`${between} ${tail}`.replace(BESIDE.ofThem, ''))
}

/** Returns the values of the series as the words rank them: a loss by its size. Undefined if no order is known. */
function rankedValues({ claim, each, series, clause, between }: Described, text: string): number[] | undefined {
  // A day before 1970 is a negative number of seconds, but no negative amount.
  if (claim.kind === 'moment') return Array.from(series.values)
  const isLost = each.figure.sign !== -1 && series.own.every(at => (series.values[at] ?? 0) < 0)
  const words = `${text.slice(clause.start, clause.end)} ${text.slice(0, claim.start)} ${between}`
  return magnitudes(series, isLost || BESIDE.loss.test(words))
}

/** Returns the verdict if the figure is at an end of its series, is written as an end, or is in a column of ends. */
function verdictAtEnds({ claim, each, series }: Described, values: readonly number[]): 'holds' | 'contrary' | undefined {
  const { column: name = '', own } = series
  const written = usedExtreme(each)
  const isWritten = written !== undefined && own.slice(0, 1).some(at => values[at] === series.values[at])
  const isTold = isWritten && (claim.isEither || (written === 'max') === claim.isHighest)
  const isOfHighest = OF_MOST.test(name) ? true : OF_LEAST.test(name) ? false : undefined
  const [isThere, isOpposite] = [isAtEnd(claim, values, own), isAtEnd({ ...claim, isHighest: !claim.isHighest }, values, own)]
  if (isTold || isOfHighest === claim.isHighest || (isThere && !(isOpposite && isOfHighest !== undefined))) return 'holds'
  return isWritten || isOpposite || isOfHighest !== undefined ? 'contrary' : undefined
}

/** Whether the words may mean another measure or fewer rows. */
function mayMeanOthers({ claim, each, series, result, column, clause, tail }: Described, text: string): boolean {
  return (
    result.rowCount > CHECK_LIMITS.rows.groupedRows ||
    (each.figure.date !== undefined && (claim.kind !== 'moment' || BESIDE.ofKind.test(tail))) ||
    BESIDE.open.test(text) ||
    (!IS_CHANGE.test(series.column ?? '') && BESIDE.ofOther.test(text.slice(clause.start, claim.end + 60))) ||
    (column?.unit?.dimension !== 'part' && BESIDE.ofRate.test(text))
  )
}

/** Whether the figure is the highest or lowest of the rows of a group that the sentence or its context names. */
function isFirstOfSome(
  { claim, each, series: { own }, result, clause }: Described,
  values: readonly number[],
  { parsed: { text, mentions }, context }: Around,
): boolean {
  const [first = Number.NaN] = own.map(at => values[at] ?? Number.NaN)
  // "The lowest were A and B" ranks both at once, and "the smallest increase" ranks the increases only.
  const isSeveral = BESIDE.several.test(text.slice(clause.start, clause.end))
  const places = isSeveral ? Math.max(0, mentions.filter(({ rows }) => rows.has(result.id)).length - 1) : 0
  const isAlike = (value: number) => changeAt(claim, text) === 0 || Math.sign(first) === Math.sign(value)
  const alike = values.map(value => (isAlike(value) ? value : Number.NaN))
  // "The longest, since 23 August" is not the longest of those since that day.
  const others = mentions.filter(mention => mention.start !== each.figure.start)
  const groups = groupsAround({ text, mentions: others }, context, result, own)
  const isAmong = /(?<!\p{L})among(?!\p{L})/iu.test(text)
  if (isAmong && groups.length === 0) return true
  const ranked = [...(isAmong ? [] : [alike]), ...groups.map(rows => valuesOf(rows, alike))]
  return ranked.some(some => isAtEnd(claim, some, own, places))
}

/** Returns `min` or `max` if the working is a call of that function. */
export function usedExtreme({ parts: [part], shape }: WorkedFigure): string | undefined {
  return shape.isLone && part?.isCell ? part.aggregate : undefined
}

/** Reduces a series to the rows that the sentence's workings read from the same column. */
function amongRead(series: Series, { parts: [part] }: WorkedFigure, worked: readonly WorkedFigure[]): Series {
  const read = worked.flatMap(({ parts }) => parts).filter(other => other.isCell && other.column === part?.column)
  const rows = new Set(read.flatMap(other => other.rows))
  return rows.size > series.own.length ? { ...series, values: valuesOf(rows, series.values) } : series
}

/**
 * Returns the figures that a superlative may describe, the most likely one first. The figures stand in the same clause, in the
 * clause before, or in the next clause ("the smallest, with 12").
 */
function figuresOf(
  claim: Superlative,
  before: Superlative | undefined,
  behind: Superlative | undefined,
  around: Around,
): readonly WorkedFigure[] {
  const { text } = around.parsed
  const clauses = clausesOf(text)
  const at = clauses.findIndex(({ end }) => claim.end <= end)
  const clause = clauses[at] ?? claim
  const within = (from: number, to = text.length) =>
    around.worked.filter(
      each =>
        each.figure.start >= Math.max(from, before?.end ?? 0) &&
        each.figure.end <= Math.min(to, behind?.start ?? to) &&
        isMoment(each, around.results) === (claim.kind === 'moment'),
    )
  const own = within(clause.start, clause.end)
  const isAhead = ({ figure }: WorkedFigure) => figure.start >= claim.end
  const isClose = (each: WorkedFigure) => isAhead(each) && !text.slice(claim.end, each.figure.start).includes(',')
  const previous = clauses[at - 1]
  const isApposed =
    previous &&
    /,\s$/u.test(text.slice(0, clause.start)) &&
    (BESIDE.apposed.test(text.slice(clause.start, claim.start)) || /^(?:with|at|mit|bei)\s/iu.test(text.slice(previous.start)))
  const found = [
    ...own.filter(isClose),
    ...own.filter(each => !isAhead(each)).reverse(),
    ...(isApposed ? within(previous.start, previous.end).reverse() : []),
    ...own.filter(each => isAhead(each) && !isClose(each)),
  ]
  const meant = found.length > 0 ? found : within(clause.end, clauses[at + 5]?.end).slice(0, 1)
  if (changeAt(claim, text) === 0) return meant
  // In "from 7.3 to 7, the largest fall" neither of the figures is the size of the fall.
  const sizes = meant.filter(({ figure }) => !BESIDE.endOfChange.test(textBefore(text, figure.start)))
  const changes = sizes.filter(each => changeOf(each, around) !== undefined)
  return changes.length > 0 ? changes : sizes
}

/** Whether a figure is a point in time, such as a day or the number of a month. */
export function isMoment({ parts }: WorkedFigure, results: readonly ResultIndex[]): boolean {
  return parts.some(
    part =>
      (part.isTime && part.isCell) ||
      results.some(({ id, numbers }) => id === part.query && numbers.some(({ name, key }) => key && name === part.column)),
  )
}
