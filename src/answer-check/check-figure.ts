import { type Attachment, attachments, scopeOf, segmentOf } from './attachment.ts'
import { isCount, isCountOfListed, isCountOfSaid, isFirstRows } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { PERIOD_JOINT } from './figures/wording.ts'
import { isKnown } from './known-figures.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import { wordsBeside } from './rows/column-words.ts'
import type { ResultIndex } from './rows/result-index.ts'
import { cellsShowing, type Match, type Scope } from './support.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'

/** A figure of a sentence, with all facts that the check of the figure needs. */
interface FigureReading extends Parsed {
  readonly figure: Figure
  readonly scopes: readonly Attachment[]
  readonly words: readonly string[]
  readonly before: string
  readonly behind: string
  readonly mentionScopes: readonly Scope[]
  /** No name precedes the figure in its clause. */
  readonly leads: boolean
}

/**
 * Returns the cells that show the figure. The list is empty if the figure counts rows, or was known before the answer. A figure
 * that can only be derived from the rows is a problem: a formula must derive it.
 */
export function checkFigure(figure: Figure, parsed: Parsed, grounds: Grounds): Match[] | Problem {
  const proven = provenBy(figure, parsed.written, grounds)
  if (proven !== undefined) return [...proven]
  const reading = readingOf(figure, parsed, grounds)
  const shown = cellsShown(reading, grounds)
  if (shown) return shown
  if (isCounted(reading, grounds) || isKnown(reading, grounds)) return []
  return unsupported(figure, reading.scopes, grounds.results)
}

function readingOf(figure: Figure, parsed: Parsed, { results }: Grounds): FigureReading {
  const { text, mentions } = parsed
  const before = text.slice(0, figure.start)
  const spoken = mentions.length === 0 ? (parsed.earlier ?? []) : mentions
  const segment = segmentOf(figure, text)
  return {
    ...parsed,
    figure,
    scopes: attachments(figure, mentions, text, results),
    words: wordsBeside(text, figure.start, figure.end),
    before,
    behind: text.slice(figure.end),
    mentionScopes: spoken.map(mention => scopeOf([mention], results)),
    leads: !mentions.some(mention => mention.axis !== 'range' && mention.end <= figure.start && mention.start >= segment.start),
  }
}

function cellsShown({ figure, scopes, words }: FigureReading, { results, zones }: Grounds): Match[] | undefined {
  return scopes
    .map(scope => scope.map(part => cellsShowing(figure, results, part, words, zones)))
    .find(found => found.every(matches => matches.length > 0))
    ?.flat()
}

/** Whether the figure is a number of rows, and the wording allows such a number. */
function isCounted(reading: FigureReading, { results, proven: { size: proven }, isWorked }: Grounds): boolean {
  const { figure, figures, before } = reading
  const counted =
    reading.leads ||
    /^\s*(?:other|more|further|andere|weitere|of|rows?)(?!\p{L})/iu.test(reading.behind) ||
    /(?:of the|of these|of all|der|aller)\s$/i.test(before)
  // In "7 to 36 hours" the 7 has the unit of the 36, so it is a duration and not a number of rows.
  const next = figures.find(other => other.start >= figure.end)
  if (next?.unit !== undefined && figure.word === undefined && PERIOD_JOINT.test(reading.text.slice(figure.end, next.start)))
    return false
  if (isRowsOfName(reading) || isFirstRows(reading, results)) return true
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.word === 'count' && proven > 0 && isCountOfSaid(value, reading, proven)) return true
  if (isCountOfListed(figure, reading)) return true
  const isMeasured = figure.unit === undefined && namesMeasure(reading, results)
  return counted && !(isWorked && figure.word === 'count') && !isMeasured && isCount(figure, results, reading.mentionScopes)
}

/** Whether the noun behind the figure is a measured column. Then the figure does not count rows: "5 requests". */
function namesMeasure({ words }: FigureReading, results: readonly ResultIndex[]): boolean {
  const [said] = words
  if (said === undefined) return false
  return results.some(({ numbers }) =>
    numbers.some(column => !column.key && column.words.length === 1 && column.words[0] === said),
  )
}

/** Whether the figure is the number of rows that hold its name: "Eight go to Hamburg, three to Rotterdam". */
function isRowsOfName({ figure, scopes }: FigureReading): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.unit !== undefined || figure.sign !== 0 || value < 2) return false
  return scopes.some(scope => scope.every(part => [...part.values()].some(rows => rows.length === value)))
}
