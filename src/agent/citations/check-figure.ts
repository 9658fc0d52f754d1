import { type Attachment, attachments, scopeOf, segmentOf } from './attachment.ts'
import { wordsBeside } from './column-words.ts'
import { isCount, isRest } from './counts.ts'
import type { Derivation } from './derivation.ts'
import { isDerived } from './derive.ts'
import { directionOf } from './direction.ts'
import { withNeighbourUnits, wordingOf } from './figure-wording.ts'
import type { Figure } from './figures.ts'
import { isGiven } from './given-figures.ts'
import type { Mention } from './mentions.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import type { ResultIndex } from './result-index.ts'
import { cellsShowing, type Match, type Scope } from './support.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'
import { AGO, AGO_BEFORE, DIFFERENCE_BEFORE, DIFFERENCE_BEHIND, LOSS_BEFORE, REST_BEFORE, SAYS } from './wording.ts'

const WHOLE = /\d\S*\s(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?$/u

/** "Of all staff (180)". */
const OF_ALL = /(?<!\p{L})(?:all|total|alle[nr]?|aller|insgesamt)\s(?:\p{L}+\s){0,2}\([$€£]?$/iu

/** "3 of the 7": the whole that a part was taken of. */
const PART_BEFORE = /(?:\d|\d\s?[%\p{L}]+)\s(?:out\s)?(?:of|von)\s(?:the\s|all\s|den\s)?[$€]?$/u
const PER = /(?<!\p{L})(?:per|pro)\s$/iu

/** A figure of a sentence with all that tells what it can be checked against. */
interface FigureReading extends Parsed {
  readonly figure: Figure
  /** The figure, and what it says with the unit or multiplier of its neighbour. */
  readonly variants: readonly Figure[]
  readonly scopes: readonly Attachment[]
  /** No name in the sentence claims the figure. */
  readonly free: boolean
  readonly tight: boolean
  readonly words: readonly string[]
  readonly before: string
  readonly behind: string
  readonly mentionScopes: readonly Scope[]
  /** No name stands before the figure in its clause. */
  readonly leads: boolean
}

/** The cells that a figure of a sentence shows, none where it follows from the rows in another way, or what is wrong with it. */
export function checkFigure(figure: Figure, parsed: Parsed, grounds: Grounds): Match[] | Problem {
  const reading = readingOf(figure, parsed, grounds)
  const shown = cellsShown(reading, grounds)
  if (shown) return shown
  if (isExplained(reading, grounds.results) || isCounted(reading, grounds.results) || isKnown(reading, grounds)) return []
  return unsupported(figure, reading.scopes, grounds.results)
}

function readingOf(figure: Figure, parsed: Parsed, { results }: Grounds): FigureReading {
  const { text, mentions, figures } = parsed
  const before = text.slice(0, figure.start)
  const { ways, tight } = attachments(figure, figures, mentions, text, results)
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

/** Whether the figure is derived from the rows in a way that its sentence announces. */
function isExplained(reading: FigureReading, results: readonly ResultIndex[]): boolean {
  const { figure, text, mentions, tight, before, behind } = reading
  const isAll = OF_ALL.test(before)
  const wording = wordingOf(figure, text, tight)
  const isAgo = AGO.test(behind) || (figure.unit?.dimension === 'time' && AGO_BEFORE.test(before))
  if (isAgo) return false
  const groups = [
    mentions.filter(mention => mention.start >= figure.end),
    mentions.filter(mention => mention.end <= figure.start),
  ].map(side => unionOf(side, results))
  const derivation: Omit<Derivation, 'scope'> = {
    results,
    wording: figure.word === 'ratio' ? text : wording,
    tight: tight && !isAll,
    isWhole: WHOLE.test(before),
    words: reading.words,
    groups,
    mentions: reading.mentionScopes,
    totals: isAll || reading.leads || SAYS.sum.test(wording) || reading.free || PART_BEFORE.test(before),
    direction: directionOf(figure, reading),
  }
  return reading.variants.some(variant =>
    reading.scopes.some(scope => {
      const parts = scope.length > 1 && !SAYS.sum.test(wording) ? scope : [union(scope)]
      return parts.every(part => isDerived(variant, { ...derivation, scope: part }))
    }),
  )
}

/** Whether the figure counts rows where its place allows that. */
function isCounted(reading: FigureReading, results: readonly ResultIndex[]): boolean {
  const { figure, figures, mentions, before } = reading
  const counted =
    reading.leads ||
    (!reading.tight && /^\s*(?:other|more|further|andere|weitere|of|rows?)(?!\p{L})/iu.test(reading.behind)) ||
    /(?:of the|of these|of all|der|aller)\s$/i.test(before)
  if (counted && isCount(figure, { results, mentions: reading.mentionScopes, figures })) return true
  if (!REST_BEFORE.test(before)) return false
  const named = mentions.filter(mention => mention.end <= figure.start).map(mention => mention.rows)
  return isRest(figure, results, named)
}

/** Whether the figure was there before the answer: a condition, a base of "per 1,000", a year. */
function isKnown({ figure, text, before }: FigureReading, { given, known, results }: Grounds): boolean {
  if (isGiven(figure, text, given) || (PER.test(before) && /^10*(?:[.,]0+)*$/.test(figure.text))) return true
  return (
    /^(?:19|20)\d\d$/.test(figure.text) && (known.includes(figure.text) || yearsOf(results).has(figure.readings[0]?.value ?? 0))
  )
}

function yearsOf(results: readonly ResultIndex[]): Set<number> {
  return new Set(
    results.flatMap(result =>
      result.times.flatMap(column => [...column.values].slice(0, 1000).map(value => new Date(value).getUTCFullYear())),
    ),
  )
}

function union(attachment: Attachment): Scope {
  const [first, ...rest] = attachment
  if (first === undefined || rest.length === 0) return first ?? new Map()
  return new Map([...first.keys()].map(id => [id, [...new Set(attachment.flatMap(scope => scope.get(id) ?? []))]]))
}

/** The rows of each of some names, together. */
function unionOf(mentions: readonly Mention[], results: readonly ResultIndex[]): Scope {
  return new Map(results.map(result => [result.id, [...new Set(mentions.flatMap(mention => mention.rows.get(result.id) ?? []))]]))
}
