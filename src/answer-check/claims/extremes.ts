import { NOT } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { columnsNamed } from '../rows/column-words.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { textBefore } from '../text-before.ts'
import type { Problem } from '../unsupported-figure.ts'
import { type Around, IS_CHANGE, type WorkedFigure } from '../workings/worked-figure.ts'
import { clauseAt, clausesOf } from './clauses.ts'
import { wrongOfName } from './named-extremes.ts'
import { groupsAround, isAtEnd, magnitudes, valuesOf } from './ranks.ts'
import { type Series, seriesOf } from './series.ts'
import { changeAt, nounsBehind, type Superlative, superlativesIn } from './superlatives.ts'
import { changeOf } from './wrong-direction.ts'

/** Words that restrict a superlative to fewer rows, anywhere in its sentence: "the largest except Oslo". */
const RESTRICTED =
  /(?<!\p{L})(?:(?:of|among) (?:them|these|those)|davon|darunter|apart from|except|besides|excluding|leaving|außer|abgesehen)(?!\p{L})/iu
/** Words that restrict a superlative to fewer rows, if they stand between it and its figure: "the largest of the rest, 12". */
const OF_SOME =
  /(?<!\p{L})(?:of the (?:rest|others?|remaining|(?:two|three|four))|others?|else|without|ohne|full|complete|one of|among)(?!\p{L})/iu
/** Words for things in the sentence: "the largest of them". */
const OF_THEM = /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four))|davon|darunter)(?!\p{L})/iu
/** Words behind a superlative that restrict its rows: "the oldest with a lift". */
const OF_KIND = /^\s(?:\p{L}+\s)?(?:with|without|in|of|for|mit|ohne|im|der|für)(?!\p{L})/iu
/** Words before a superlative that is not a claim about its figure: "among the three largest", "above the lowest". */
const NOT_OWN =
  /(?<!\p{L})(?:(?:among|one of|unter)\s(?:the\s|den\s)?(?:\p{L}+\s)?|(?:of the|of these|of those|der|von den)\s(?:\p{L}+|\d+)\s|(?:times|twice|double|triple|half|above|below|than|behind|ahead of|over|under|after|als|über|unter|vor|hinter)\s(?:the|its|der|die|das|dem|den)\s)$/iu
/** Nouns that compare two rows, such as "step" in "the largest step". No column holds such values. */
const STEP =
  /^\s(?:\p{L}+\s)?(?:steps?|jumps?|swings?|moves?|shifts?|gaps?|unterschied\p{L}*|differences?|verschiebung|schritte?s?|sprünge?|sprung|abstand)(?!\p{L})/iu
/** Words before the ends of a span: "between the highest and the lowest price". */
const OF_SPAN = /(?<!\p{L})(?:between|zwischen)\s(?:\p{L}+\s){0,4}$/iu
/** Words before the ends of a range: "The ten longest range from 63 min to …". */
const IN_RANGE =
  /(?<!\p{L})(?:rang|var|spread|span|reach|l[iay]|lieg|lag|reich)\p{L}*\s(?:\p{L}+\s){0,2}(?:from|between|von|zwischen)\s[$€]?$/iu
/** Words for another measure or fewer rows. With such a word, "highest" is refused only for the column's lowest value. */
const OPEN =
  /(?<!\p{L})(?:per|pro|je|next|of (?:the|all) \p{Ll}{4,20} \p{Ll}{3,20}s|(?:of (?:the|these|those|all) (?:other )?|(?:von|der|unter den) )(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)|outside|otherwise|(?:whole|full|complete)\s(?:hour|day|week|month|year)s?|relative to|unter den|running|active|aktive\p{L}*|außerhalb|sonst)(?!\p{L})/iu
const OF_OTHER =
  /(?<!\p{L})(?:margins?|spreads?|drops?|loss|losses|falls?|rises?|gains?|shortfall|differences?|gaps?|groups?|tenth|half|before|until then|so far|with (?:more|less|at least|fewer)|by (?!far)\p{L}+)(?!\p{L})/iu
const OF_RATE = /(?<!\p{L})(?:share|rate|ratio|relative|anteil\p{L}*|quote)(?!\p{L})/iu
/** Words that make several rows the highest or lowest at once. */
const SEVERAL =
  /(?<!\p{L})(?:are|were|have|had|both|two|three|four|five|sind|waren|haben|hatten|beide[nr]?|zwei|drei|vier|fünf)(?!\p{L})/iu
const LOSS =
  /(?<!\p{L})(?:los[etsing]*|verl[ioe]r\p{L}*|verlust\p{L}*|minus|fewer|weniger|drops?|falls?|fell|declines?|rückg\p{L}+|sank\p{L}*)(?!\p{L})/iu
/** Names of columns that hold maxima or minima, such as `max_price`. Any of their values may be called the highest or lowest. */
const OF_MOST = /^(?:max|most|peak|top|last)_|(?:^|_)(?:maximum|highest|longest|latest|newest|last)(?:_|$)/i
const OF_LEAST = /^(?:min|least|first)_|(?:^|_)(?:minimum|lowest|shortest|earliest|oldest|first)(?:_|$)/i
const IN_TIME = /(?:^|_)(?:ns|us|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|duration|age)(?:_|$)/i
const APPOSED =
  /^\W*(?:(?:the latter|this|it|which)\s(?:being|is|was)\s)?(?:the|its|their|das|der|die|den|dem|by far|also)\s(?:\p{L}+[- ]){0,2}$|^\W*$/iu

/** Words before the amount that a change begins or ends with. */
const OF_STEP = /(?<!\p{L})(?:from|to|von|auf|→)\s[$€]?$/u

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
    if (STEP.test(text.slice(claim.end)) || OF_SPAN.test(text.slice(0, claim.start))) continue
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
    if (IN_RANGE.test(text.slice(0, each.figure.start))) break
    const whole = yield* seriesOf(each, around.results, around.bench)
    if (whole === undefined) continue
    const series = OF_THEM.test(text) ? amongRead(whole, each, around.worked) : whole
    if (RESTRICTED.test(text) && series === whole && usedExtreme(each) === undefined) break
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

/** Returns whether a superlative is true of a figure or says nothing about it, or else whether the figure is at the other end. */
function verdictOn(
  claim: Superlative,
  each: WorkedFigure,
  series: Series,
  { parsed: { text, mentions }, results, context }: Around,
): 'holds' | 'contrary' | 'other' {
  const result = results.find(({ id }) => id === each.parts[0]?.query)
  if (result === undefined) return 'holds'
  const { figure } = each
  const { column: name = '', own } = series
  const column = result.numbers.find(other => other.name === name)
  const written = usedExtreme(each)
  const { start, end } = clauseAt(claim, text)
  const clause = text.slice(start, end)
  const lead = text.slice(0, claim.start)
  const between = text.slice(Math.min(claim.end, figure.end), Math.max(claim.start, figure.start))
  const tail = /^[^,;.(\d]{0,30}/u.exec(text.slice(claim.end))?.[0] ?? ''
  if (NOT_OWN.test(lead) || NOT.test(text.slice(start, claim.start))) return 'holds'
  const isOfOther = column !== undefined && !columnsNamed(result.numbers, nounsBehind(claim, text)).includes(column)
  const isUnclear = (claim.kind !== 'time' && isOfOther) || OF_SOME.test(`${between} ${tail}`.replace(OF_THEM, ''))
  const isSpan = (figure.unit?.dimension === 'time' || IN_TIME.test(name)) && !/(?:^|_)per_/i.test(name)
  if ((written === undefined && isUnclear) || (claim.kind === 'time' && !isSpan)) return 'holds'
  const isLost = figure.sign !== -1 && own.every(at => (series.values[at] ?? 0) < 0)
  const isFall = isLost || LOSS.test(`${clause} ${lead} ${between}`)
  // A day before 1970 is a negative number of seconds, but no negative amount.
  const values = claim.kind === 'moment' ? Array.from(series.values) : magnitudes(series, isFall)
  if (values === undefined) return 'holds'
  const [first = Number.NaN] = own.map(at => values[at] ?? Number.NaN)
  const isWritten = written !== undefined && first === series.values[own[0] ?? 0]
  const isTold = isWritten && (claim.isEither || (written === 'max') === claim.isHighest)
  const holds = OF_MOST.test(name) ? true : OF_LEAST.test(name) ? false : undefined
  const [isThere, isOpposite] = [isAtEnd(claim, values, own), isAtEnd({ ...claim, isHighest: !claim.isHighest }, values, own)]
  if (isTold || holds === claim.isHighest || (isThere && !(isOpposite && holds !== undefined))) return 'holds'
  if (isWritten || isOpposite || holds !== undefined) return 'contrary'
  const isOpen =
    result.rowCount > CHECK_LIMITS.rows.groupedRows ||
    (figure.date !== undefined && (claim.kind !== 'moment' || OF_KIND.test(tail))) ||
    OPEN.test(text) ||
    (!IS_CHANGE.test(name) && OF_OTHER.test(text.slice(start, claim.end + 60))) ||
    (column?.unit?.dimension !== 'part' && OF_RATE.test(text))
  if (isOpen) return 'holds'
  // "The lowest were A and B" ranks both at once, and "the smallest increase" ranks the increases only.
  const places = SEVERAL.test(clause) ? Math.max(0, mentions.filter(({ rows }) => rows.has(result.id)).length - 1) : 0
  const isAlike = (value: number) => changeAt(claim, text) === 0 || Math.sign(first) === Math.sign(value)
  const alike = values.map(value => (isAlike(value) ? value : Number.NaN))
  // "The longest, since 23 August" is not the longest of those since that day.
  const others = mentions.filter(mention => mention.start !== figure.start)
  const groups = groupsAround({ text, mentions: others }, context, result, own)
  const isAmong = /(?<!\p{L})among(?!\p{L})/iu.test(text)
  if (isAmong && groups.length === 0) return 'holds'
  const ranked = [...(isAmong ? [] : [alike]), ...groups.map(rows => valuesOf(rows, alike))]
  return ranked.some(some => isAtEnd(claim, some, own, places)) ? 'holds' : 'other'
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
    (APPOSED.test(text.slice(clause.start, claim.start)) || /^(?:with|at|mit|bei)\s/iu.test(text.slice(previous.start)))
  const found = [
    ...own.filter(isClose),
    ...own.filter(each => !isAhead(each)).reverse(),
    ...(isApposed ? within(previous.start, previous.end).reverse() : []),
    ...own.filter(each => isAhead(each) && !isClose(each)),
  ]
  const meant = found.length > 0 ? found : within(clause.end, clauses[at + 5]?.end).slice(0, 1)
  if (changeAt(claim, text) === 0) return meant
  // In "from 7.3 to 7, the largest fall" neither of the figures is the size of the fall.
  const sizes = meant.filter(({ figure }) => !OF_STEP.test(textBefore(text, figure.start)))
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
