import { type Attachment, attachments, scopeOf, segmentOf } from './attachment.ts'
import { isCount, isCountOfSaid, isFirstRows, isRest } from './counts.ts'
import { type Derivation, remembered } from './derive/derivation.ts'
import { isAnnounced, isSumOfScope, isTelling } from './derive/derive.ts'
import { directionOf } from './figures/direction.ts'
import type { Figure } from './figures/figure.ts'
import { withNeighbourUnits, wordingOf } from './figures/figure-wording.ts'
import {
  AGO,
  AGO_BEFORE,
  DIFFERENCE_BEFORE,
  DIFFERENCE_BEHIND,
  LOSS_BEFORE,
  PERIOD_JOINT,
  REST_BEFORE,
  SAYS,
} from './figures/wording.ts'
import { isKnown } from './known-figures.ts'
import { CHECK_LIMITS } from './limits.ts'
import type { Mention } from './mentions.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import { wordsBeside } from './rows/column-words.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { cellsShowing, type Match, type Scope } from './support.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'

const WHOLE = /\s(?<=\d\S*\s)(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?$/u

/** Matches the words that make the figure behind them a total, such as "all staff (" in "Of all staff (180)". */
const OF_ALL = /(?<!\p{L})(?:all|total|alle[nr]?|aller|insgesamt)\s(?:\p{L}+\s){0,2}\([$€£]?$/iu

/** Matches the text before a whole, such as "3 of the " before the 7 in "3 of the 7". */
const PART_BEFORE = /(?:\d|\d\s?[%\p{L}]+)\s(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?[$€]?$/u
const TOTAL_BEHIND =
  /^\S*\s(?:(?:\p{L}+\s)?in (?:all|total)|altogether|overall|together|insgesamt|zusammen|au total|en total)(?!\p{L})/iu
const TOGETHER_BEFORE =
  /(?<!\p{L})(?:together|in total|a total of|zusammen|insgesamt|ensemble|au total|en total|juntos|combined)\s(?:(?:about|around|roughly|rund|etwa|is|are|was|were|sind|waren)\s)*[$€£]?$/iu
type IsMeant = (figure: Figure, given: Derivation) => boolean

/** A figure of a sentence, with all facts that the check of the figure needs. */
interface FigureReading extends Parsed {
  readonly figure: Figure
  /** The figure as written, and with the unit or multiplier of a neighbouring figure. */
  readonly variants: readonly Figure[]
  readonly scopes: readonly Attachment[]
  /** The scopes that the figure may be derived from. For a total, these also include all rows. */
  readonly derived: readonly Attachment[]
  /** No name in the sentence is bound to the figure. */
  readonly free: boolean
  readonly tight: boolean
  readonly words: readonly string[]
  readonly before: string
  readonly behind: string
  readonly mentionScopes: readonly Scope[]
  /** No name precedes the figure in its clause. */
  readonly leads: boolean
}

/**
 * Returns the cells that show the figure. The list is empty if the figure is derived from the rows.
 * If nothing supports the figure, returns the problem.
 */
export function checkFigure(figure: Figure, parsed: Parsed, grounds: Grounds): Match[] | Problem {
  const proven = provenBy(figure, parsed.written, grounds)
  if (proven !== undefined) return [...proven]
  const reading = readingOf(figure, parsed, grounds)
  const shown = cellsShown(reading, grounds)
  if (shown) return shown
  if (
    isExplained(reading, grounds, isAnnounced) ||
    isCounted(reading, grounds) ||
    isKnown(reading, grounds) ||
    isExplained(reading, grounds, isTelling)
  )
    return []
  return exactlyShown(reading, grounds) ?? unsupported(figure, reading.scopes, grounds.results)
}

/** Matches a number with so many digits that it hardly equals another cell of the row by chance. */
const UNMISTAKABLE = /^\d*\.\d{2,}$|^\d{2,}\.\d+$|^\d{4,}$/

/** Accepts a figure with many digits if a row of the name beside it contains this number. The words beside the figure may suggest another column. */
function exactlyShown({ figure, scopes, tight }: FigureReading, grounds: Grounds): Match[] | undefined {
  const isExact = figure.about === undefined && figure.readings.every(reading => UNMISTAKABLE.test(reading.digits))
  if (!tight || !isExact || figure.date !== undefined) return undefined
  for (const scope of scopes) {
    const found = scope.map(part => cellsShowing(figure, grounds.results, part, [], grounds.zones))
    if (found.length > 0 && found.every(matches => matches.length > 0)) return found.flat()
  }
  return undefined
}

function readingOf(figure: Figure, parsed: Parsed, { results }: Grounds): FigureReading {
  const { text, mentions, figures } = parsed
  const before = text.slice(0, figure.start)
  const { ways, tight: bound } = attachments(figure, figures, mentions, text, results)
  const isTotal = TOTAL_BEHIND.test(text.slice(figure.end)) || TOGETHER_BEFORE.test(before)
  const tight = bound && !isTotal
  const isLoss = figure.sign === 0 && LOSS_BEFORE.test(before)
  const variants = withNeighbourUnits(figure, figures, text).flatMap((variant): Figure[] =>
    isLoss ? [variant, { ...variant, sign: -1 }] : [variant],
  )
  const spoken = mentions.length === 0 ? (parsed.earlier ?? []) : mentions
  const segment = segmentOf(figure, text)
  return {
    ...parsed,
    figure,
    variants,
    scopes: ways.length > 0 ? ways : [[new Map()]],
    derived: ways.length > 0 && isTotal ? [...ways, [new Map()]] : ways.length > 0 ? ways : [[new Map()]],
    free: ways.length === 0,
    tight,
    words: wordsBeside(text, figure.start, figure.end),
    before,
    behind: text.slice(figure.end),
    mentionScopes: spoken.map(mention => scopeOf([mention], results)),
    leads: !mentions.some(mention => mention.axis !== 'range' && mention.end <= figure.start && mention.start >= segment.start),
  }
}

function cellsShown({ variants, scopes, words, before, behind }: FigureReading, grounds: Grounds): Match[] | undefined {
  const isDifference = DIFFERENCE_BEHIND.test(behind) || DIFFERENCE_BEFORE.test(before)
  for (const variant of variants) {
    for (const scope of scopes) {
      const found = scope.map(part => cellsShowing(variant, grounds.results, part, words, grounds.zones, isDifference))
      if (found.every(matches => matches.length > 0)) return found.flat()
    }
  }
  return undefined
}

/** Whether the figure follows from the rows by a derivation that `isMeant` accepts. */
function isExplained(reading: FigureReading, { results, budget, memo }: Grounds, isMeant: IsMeant): boolean {
  const { figure, text, mentions, tight, before, behind } = reading
  const isAll = OF_ALL.test(before)
  const wording = wordingOf(figure, text, tight)
  const isAgo = AGO.test(behind) || (figure.unit?.dimension === 'time' && AGO_BEFORE.test(before))
  if (isAgo) return false
  const sides = [
    mentions.filter(mention => mention.start >= figure.end),
    mentions.filter(mention => mention.end <= figure.start),
  ].map((side, at) =>
    remembered({ memo }, `side ${at} ${side.length}`, () => unionOf(side.slice(0, CHECK_LIMITS.derive.rows), results)),
  )
  // A figure that is bound to a name may only be derived from other figures of that name.
  const ownFrom = mentions.findLast(mention => mention.end <= figure.start)?.end ?? figure.start
  const ownTo = mentions.find(mention => mention.start >= figure.end)?.start ?? text.length
  const derivation: Omit<Derivation, 'scope'> = {
    results,
    wording: figure.word === 'ratio' ? text : wording,
    tight: tight && !isAll,
    isWhole: WHOLE.test(before),
    words: reading.words,
    groups: [...sides, ...reading.groups],
    ...(isEndOfRange(reading) && { ranged: reading.groups }),
    mentions: reading.mentionScopes,
    stated: reading.tight ? reading.stated.filter(other => other.at > ownFrom && other.at < ownTo) : reading.stated,
    budget,
    memo,
    totals: isAll || reading.leads || SAYS.sum.test(wording) || reading.free || PART_BEFORE.test(before),
    direction: directionOf(figure, reading),
  }
  return reading.variants.some(variant =>
    reading.derived.some(scope => {
      if (scope.length > 1 && !SAYS.sum.test(wording) && scope.every(part => isMeant(variant, { ...derivation, scope: part })))
        return true
      const whole = { ...derivation, scope: union(scope) }
      return scope.length > 1 && !SAYS.sum.test(wording) ? isSumOfScope(variant, whole) : isMeant(variant, whole)
    }),
  )
}

/** Whether the figure is an end or the width of a range: "21 to 39", "less than 2,300 apart". */
function isEndOfRange({ figure, figures, text, behind }: FigureReading): boolean {
  const next = figures.find(other => other.start >= figure.end)
  const previous = figures.findLast(other => other.end <= figure.start)
  return (
    (next !== undefined && PERIOD_JOINT.test(text.slice(figure.end, next.start))) ||
    (previous !== undefined && PERIOD_JOINT.test(text.slice(previous.end, figure.start))) ||
    /^\S*\s(?:apart|auseinander)(?!\p{L})/u.test(behind)
  )
}

/** Whether the figure is a number of rows, and the wording allows such a number. */
function isCounted(reading: FigureReading, { results, proven: { size: proven }, isWorked }: Grounds): boolean {
  const { figure, figures, mentions, before } = reading
  const counted =
    reading.leads ||
    (!reading.tight && /^\s*(?:other|more|further|andere|weitere|of|rows?)(?!\p{L})/iu.test(reading.behind)) ||
    /(?:of the|of these|of all|der|aller)\s$/i.test(before)
  // In "7 to 36 hours" the 7 has the unit of the 36, so it is a duration and not a number of rows.
  const next = figures.find(other => other.start >= figure.end)
  if (next?.unit !== undefined && figure.word === undefined && PERIOD_JOINT.test(reading.text.slice(figure.end, next.start)))
    return false
  if (isRowsOfName(reading) || isAllRows(reading, results) || isFirstRows(reading, results)) return true
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.word === 'count' && proven > 0 && isCountOfSaid(value, reading, proven)) return true
  if (
    counted &&
    !(isWorked && figure.word === 'count') &&
    !namesMeasure(reading, results) &&
    isCount(figure, { results, mentions: reading.mentionScopes, figures, groups: reading.groups })
  )
    return true
  const isOther =
    /(?:^|\s)(?:the|all|die|alle|les|los|las)\s$/iu.test(before) &&
    /^\s(?:other|remaining|others|anderen|übrigen|restlichen|autres|otros|otras)(?!\p{L})/iu.test(reading.behind)
  if (!REST_BEFORE.test(before) && !isOther) return false
  const spoken = mentions.filter(mention => mention.end <= figure.start)
  const named = (spoken.length > 0 ? spoken : (reading.earlier ?? [])).map(mention => mention.rows)
  return isRest(figure, results, named)
}

/** Whether the noun behind the figure is a measured column. Then the figure does not count rows: "5 requests". */
function namesMeasure({ words }: FigureReading, results: readonly ResultIndex[]): boolean {
  const [said] = words
  if (said === undefined) return false
  return results.some(({ numbers }) =>
    numbers.some(column => !column.key && column.words.length === 1 && column.words[0] === said),
  )
}

/** Whether the figure is the number of all rows: "Three of the five", "the nine routes". */
function isAllRows({ figure, before }: FigureReading, results: readonly ResultIndex[]): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  // "Nine of the 24 hours" is right even if not every hour has a row.
  if (/^24\s(?:hours|Stunden)$/i.test(figure.text) && results.some(hasHours)) return true
  if (figure.unit !== undefined || figure.sign !== 0 || value < 2) return false
  const isDefinite = /(?:^|[\s(])(?:the|these|those|all|die|der|den|diese[rn]?|alle[rn]?|les|ces|los|las|estos|estas)\s$/iu.test(
    before,
  )
  return isDefinite && results.some(result => result.rowCount === value)
}

function hasHours({ numbers }: ResultIndex): boolean {
  return numbers.some(({ key, words }) => key && words.at(-1) === 'hour')
}

/** Whether the figure is the number of rows that hold its name: "Eight go to Hamburg, three to Rotterdam". */
function isRowsOfName({ figure, variants, scopes }: FigureReading): boolean {
  const value = variants[0]?.readings[0]?.value ?? Number.NaN
  if (figure.unit !== undefined || figure.sign !== 0 || value < 2) return false
  return scopes.some(scope => scope.every(part => [...part.values()].some(rows => rows.length === value)))
}

function union(attachment: Attachment): Scope {
  const [first, ...rest] = attachment
  if (first === undefined || rest.length === 0) return first ?? new Map()
  return new Map([...first.keys()].map(id => [id, [...new Set(attachment.flatMap(scope => scope.get(id) ?? []))]]))
}

/** Returns the rows that hold any of the names. Empty if they are too many to check in time. */
function unionOf(mentions: readonly Mention[], results: readonly ResultIndex[]): Scope {
  return new Map(
    results.map(result => {
      const rows = mentions.flatMap(mention => [mention.rows.get(result.id) ?? []])
      const count = rows.reduce((sum, own) => sum + own.length, 0)
      return [result.id, count > CHECK_LIMITS.derive.groupRows ? [] : [...new Set(rows.flat())]] as const
    }),
  )
}
