import { clausesOf } from '../../claims/order-claims.ts'
import { saidDirection } from '../../figures/direction.ts'
import { parseDates } from '../../figures/figures.ts'
import { NOT } from '../../figures/wording.ts'
import { CHECK_LIMITS } from '../../limits.ts'
import type { NamedText } from '../../mentions.ts'
import { columnsNamed } from '../../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../../rows/result-index.ts'
import { type Around, IS_CHANGE, type WorkedFigure } from '../worked-figure.ts'
import type { Series } from './series.ts'
import { changeBehind, nounsBehind, type Superlative } from './superlatives.ts'

/** Matches words that restrict a superlative to some rows. The workings do not show which rows these are. */
const OF_SOME =
  /(?<!\p{L})(?:of the (?:rest|others?|remaining)|others?|else|except|besides|excluding|without|ohne|außer|full|complete|one of|among)(?!\p{L})/iu

/** Matches a restriction to the things in the sentence, such as "of them" in "The largest of them". */
export const OF_THEM = /(?<!\p{L})(?:of (?:them|these|those|the (?:two|three|four))|davon|darunter)(?!\p{L})/iu

/** Matches words that make a superlative describe several things, such as "Among the three" in "Among the three largest is A". */
const AMONG =
  /(?<!\p{L})(?:(?:among|one of|unter)\s(?:the\s|den\s)?(?:\p{L}+\s){0,1}|(?:of the|of these|of those|der|von den)\s(?:\p{L}+|\d+)\s)$/iu

/** Matches words that make a superlative rank by another column, such as "with the" in "of the shops with the highest turnover A has 3". */
const OF_ANOTHER = /(?<!\p{L})(?:with|mit|by|nach|whose|of the|den|der)\s(?:the\s|den\s|dem\s)?$/iu

/**
 * Matches the names of columns that hold maxima, such as `max_delay`. `OF_LEAST` matches the names of columns that hold minima, such as
 * `first_visit`.
 */
const OF_MOST = /^(?:max|most|peak|top|last)_|(?:^|_)(?:maximum|highest|longest|latest|newest|last)(?:_|$)/i
const OF_LEAST = /^(?:min|least|first)_|(?:^|_)(?:minimum|lowest|shortest|earliest|oldest|first)(?:_|$)/i
const IN_LENGTH = /(?:^|_)(?:km|cm|mm|length|distance)(?:_|$)/i
const IN_TIME = /(?:^|_)(?:ns|us|ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|duration|age)(?:_|$)/i

/** Returns `min` or `max` if the working is a call of that function. */
export function usedExtreme({ expression }: WorkedFigure): string | undefined {
  return /^(?:Q\d+\.)?(min|max)\(/i.exec(expression.trim())?.[1]?.toLowerCase()
}

/** Whether the superlative is an adverb: in "is repeated most" the verb tells which column is ranked. */
function isAdverb({ text: word, start, end }: Superlative, text: string, between: string, column?: NumberColumn): boolean {
  const verb = /(?<!\p{L})(\p{L}+)\s$/u.exec(text.slice(0, start))?.[1]?.toLowerCase() ?? ''
  if (column?.words.some(own => own.length > 2 && verb.startsWith(own))) return false
  return (
    !/^,?\s(?:by|um)\s$/u.test(between) &&
    /^(?:most|least)$/i.test(word) &&
    !/(?<!\p{L})the\s$/iu.test(text.slice(0, start)) &&
    /^\W*(?:$|[,;:.(]|\s(?:in|on|at|by|with|from)(?!\p{L}))/u.test(text.slice(end))
  )
}

/** Explains how a superlative contradicts the figure's series. Undefined if there is no contradiction, or if the words restrict the rows. */
export function contradictedSuperlative(
  claim: Superlative,
  each: WorkedFigure,
  series: Series,
  { parsed: { text, mentions }, results, context }: Around,
  isCertain: boolean,
): string | undefined {
  const result = results.find(({ id }) => id === each.parts[0]?.query)
  if (result === undefined) return undefined
  const { figure } = each
  const column = result.numbers.find(({ name }) => name === series.column)
  const written = usedExtreme(each)
  const between = text.slice(Math.min(claim.end, figure.end), Math.max(claim.start, figure.start))
  const words = `${between} ${/^[^,;.(\d]{0,30}/u.exec(text.slice(claim.end))?.[0] ?? ''}`
  const own = clausesOf(text).find(({ start, end }) => claim.start >= start && claim.end <= end)
  if (AMONG.test(text.slice(0, claim.start))) return undefined
  if ((written === undefined && OF_SOME.test(words.replace(OF_THEM, ''))) || NOT.test(text.slice(own?.start ?? 0, claim.start)))
    return undefined
  if (
    written === undefined &&
    (claim.isLoose || (claim.kind !== 'time' && isOfOther(claim, series, text, result)) || isAdverb(claim, text, between, column))
  )
    return undefined
  const isOfOwn = columnsNamed(result.numbers, nounsBehind(claim, text)).every(({ name }) => name === series.column)
  if (written === undefined && !isOfOwn && OF_ANOTHER.test(text.slice(0, claim.start)) && figure.start > claim.end)
    return undefined
  const isSpan =
    (figure.unit?.dimension === 'time' || IN_TIME.test(series.column ?? '')) && !/(?:^|_)per_/i.test(series.column ?? '')
  const isLength =
    /^(?:long|short|läng|kürz)/i.test(claim.text) && (figure.unit?.dimension === 'length' || IN_LENGTH.test(series.column ?? ''))
  if (claim.kind === 'time' && !isSpan && !isLength) return undefined
  if (column?.key && written === undefined) return undefined
  const says = (isHighest: boolean) =>
    `${figure.text} is the ${isHighest ? 'highest' : 'lowest'} of ${series.column ?? 'all'}, not the ${claim.text}`
  const isFall =
    saidDirection(text.slice(claim.start, claim.end + 24)) < 0 ||
    LOSS.test(text.slice(own?.start ?? 0, own?.end)) ||
    LOSS.test(text.slice(0, claim.start)) ||
    (figure.sign !== -1 && series.own.every(at => (series.values[at] ?? 0) < 0)) ||
    LOSS.test(between)
  // A day before 1970 is a negative number of seconds, but no negative amount.
  const values = claim.kind === 'moment' ? Array.from(series.values) : magnitudes(series, isFall)
  if (values === undefined) return undefined
  const mine = series.own.map(at => values[at] ?? Number.NaN)
  const restOf = (rows?: ReadonlySet<number>) =>
    values.filter((value, at) => !series.own.includes(at) && !Number.isNaN(value) && (rows?.has(at) ?? true))
  const rest = restOf()
  const isAt = (isTop: boolean, others = rest, more = 0) => {
    const beyond = (value: number) => others.filter(other => (isTop ? other > value : other < value)).length
    const level = (value: number) => others.filter(other => other === value).length
    // "The second-lowest value" ranks the different values, and several rows may have the same value.
    const ranked = (value: number) => new Set(others.filter(other => (isTop ? other > value : other < value))).size
    return mine.every(
      value =>
        ranked(value) === claim.rank - 1 ||
        (beyond(value) <= claim.rank - 1 + more && beyond(value) + level(value) >= claim.rank - 1),
    )
  }
  // In a column of maxima, any value may be called the highest. In a column of minima, any value may be called the lowest.
  const holds = OF_MOST.test(series.column ?? '') ? true : OF_LEAST.test(series.column ?? '') ? false : undefined
  if (mine.some(Number.isNaN)) return undefined
  const isLevel = rest.every(value => mine.includes(value))
  if (holds !== undefined && written === undefined)
    return holds === claim.isHighest || (!isLevel && isAt(claim.isHighest)) ? undefined : says(holds)
  if (isLevel || holds === claim.isHighest) return undefined
  const isWritten = written !== undefined && claim.rank === 1 && (mine[0] ?? 0) === series.values[series.own[0] ?? 0]
  if (isWritten) return !claim.isEither && (written === 'max') !== claim.isHighest ? says(!claim.isHighest) : undefined
  if (isAt(claim.isHighest) || (claim.isEither && isAt(!claim.isHighest))) return undefined
  if (!claim.isEither && isAt(!claim.isHighest)) return says(!claim.isHighest)
  const clause = text.slice(own?.start ?? 0, own?.end)
  if (
    !isCertain ||
    result.rowCount > CHECK_LIMITS.rows.groupedRows ||
    each.figure.date !== undefined ||
    /(?<!\p{L})(?:per|pro|je)\s/iu.test(clause)
  )
    return undefined
  if (OF_NUMBER.test(clause) || OF_PART.test(text) || LATER_RANK.test(text.slice(0, claim.start))) return undefined
  if (!IS_CHANGE.test(series.column ?? '') && OF_OTHER.test(text.slice(own?.start ?? 0, claim.end + 60))) return undefined
  const isPart = figure.unit?.dimension === 'part' || column?.unit?.dimension === 'part'
  if (!isPart && /(?<!\p{L})(?:share|rate|ratio|relative|anteil\p{L}*|quote)(?!\p{L})/iu.test(text)) return undefined
  // "The lowest were A and B" ranks both at once.
  const places = SEVERAL.test(clause) ? Math.max(0, mentions.filter(({ rows }) => rows.has(result.id)).length - 1) : 0
  const named = groupsAround({ text, mentions }, context, result, series.own)
  const isAmong = /(?<!\p{L})(?:among|unter den)(?!\p{L})/iu.test(text)
  if (isAmong && named.length === 0) return undefined
  // "The smallest increase" ranks the increases only.
  const isOfSign = (value: number) => changeBehind(claim, text) === 0 || mine.every(own => Math.sign(own) === Math.sign(value))
  const groups = [...(isAmong ? [] : [undefined]), ...named]
  if (groups.some(rows => isAt(claim.isHighest, restOf(rows).filter(isOfSign), places))) return undefined
  return `${figure.text} is not the ${claim.text} of ${series.column ?? 'all'}`
}

/** Whether a row is at the claimed end of a column, or of a group of rows that the sentence or its context names. */
export function isAtEnd(
  { isHighest, isEither, rank }: Superlative,
  { values, own }: Series,
  sentence: NamedText,
  context: NamedText,
  result: ResultIndex,
): boolean {
  const mine = values[own[0] ?? 0] ?? Number.NaN
  const isAt = (isTop: boolean, rows?: ReadonlySet<number>) => {
    const beyond = Array.from(values).filter((value, at) => (rows?.has(at) ?? true) && (isTop ? value > mine : value < mine))
    return beyond.length === rank - 1 || new Set(beyond).size === rank - 1
  }
  return [undefined, ...groupsAround(sentence, context, result, own)].some(
    rows => isAt(isHighest, rows) || (isEither === true && isAt(!isHighest, rows)),
  )
}

/** Matches words that make several rows the highest or lowest at once. */
const SEVERAL =
  /(?<!\p{L})(?:are|were|have|had|both|two|three|four|five|sind|waren|haben|hatten|beide[nr]?|zwei|drei|vier|fünf)(?!\p{L})/iu

/** Matches a superlative among a number of things: "the smallest of the nine". */
const OF_NUMBER =
  /(?<!\p{L})(?:of (?:the|these|those|all)|von|der|unter den)\s(?:other\s)?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)(?!\p{L})/iu

/** Matches a rank beyond the fourth, such as "sixth-". */
const LATER_RANK =
  /(?<!\p{L})(?:(?:fif|six|seven|eigh|nin|ten|eleven|twelf)th|(?:fünf|sechs|sieb|ach|neun|zehn)te[nrs]?|next)[- ]?$/iu
/** Matches words of another measure, or of fewer rows, behind a superlative: "the largest drop", "the largest group", "the smallest by revenue". */
const OF_OTHER =
  /(?<!\p{L})(?:margins?|spreads?|drops?|loss|losses|falls?|rises?|gains?|shortfall|differences?|gaps?|groups?|tenth|half|before|until then|so far|with (?:more|less|at least|fewer)|by (?!far)\p{L}+|next)(?!\p{L})/iu

/** Matches words that leave out rows somewhere in the sentence. */
const OF_PART = /(?<!\p{L})(?:outside|otherwise|relative to|unter den|running|active|aktive\p{L}*|außerhalb|sonst)(?!\p{L})/iu

/**
 * Returns the groups of rows around some rows that the sentence or its context names: the rows of a category, a month or a year.
 * "The busiest week" of an answer about a year is the busiest of that year.
 */
function groupsAround(
  sentence: NamedText,
  context: NamedText,
  result: ResultIndex,
  own: readonly number[],
): ReadonlySet<number>[] {
  const isAround = (rows: readonly number[]) => rows.length > own.length && own.every(row => rows.includes(row))
  const named = [...sentence.mentions, ...context.mentions].flatMap(({ rows, bounds }) => [
    rows.get(result.id) ?? [],
    bounds?.get(result.id) ?? [],
  ])
  const text = `${sentence.text}\n${context.text}`
  const years = (text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []).map(year => ({ year: Number(year) }))
  const dated = [...years, ...parseDates(text).filter(({ day }) => day === undefined)]
    .slice(0, CHECK_LIMITS.working.superlatives)
    .flatMap(date => result.times.map(column => column.rowsShowing(date, '', undefined)))
  return [...named, ...dated]
    .filter(isAround)
    .slice(0, CHECK_LIMITS.working.superlatives)
    .map(rows => new Set(rows))
}

const LOSS =
  /(?<!\p{L})(?:los[etsing]*|verl[ioe]r\p{L}*|verlust\p{L}*|minus|fewer|weniger|drops?|falls?|fell|declines?|rückg\p{L}+|sank\p{L}*)(?!\p{L})/iu

/**
 * Returns the values to rank. For a fall, these are the sizes of the falls, because "the largest fall" is the lowest value.
 * In a column without changes, negative values are ranked like any others. Undefined if the words and the signs do not fit.
 */
function magnitudes({ values, own, column }: Series, isFall: boolean): number[] | undefined {
  const all = Array.from(values)
  const isChange = column === undefined || IS_CHANGE.test(column)
  if (own.every(at => (all[at] ?? 0) < 0)) {
    if (isFall) return all.map(value => (value < 0 ? -value : Number.NaN))
    return isChange ? undefined : all
  }
  return isFall && column !== undefined && isChange && all.some(value => value < 0) ? undefined : all
}

/** Whether the noun behind the superlative names another column: "A has the fewest beds, with 12 {= stays[1]}". */
function isOfOther(claim: Superlative, { column }: Series, text: string, { numbers }: ResultIndex): boolean {
  if (column === undefined) return false
  const named = columnsNamed(numbers, nounsBehind(claim, text))
  return named.length < numbers.length && !named.some(({ name }) => name === column)
}
