import { type Attachment, attachments } from './attachment.ts'
import { isAllRows, isCountOfListed, isCountOfSaid, isFirstRows, isShownRows } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { isKnown } from './known-figures.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import { cellsShowing, type Match } from './support.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'

/** A figure of a sentence, with all facts that the check of the figure needs. */
interface FigureReading extends Parsed {
  readonly figure: Figure
  readonly scopes: readonly Attachment[]
  readonly before: string
  readonly behind: string
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
  const [before, behind] = [text.slice(0, figure.start), text.slice(figure.end)]
  return { ...parsed, figure, scopes: attachments(figure, mentions, text, results), before, behind }
}

function cellsShown({ figure, scopes }: FigureReading, { results, zones }: Grounds): Match[] | undefined {
  return scopes
    .map(scope => scope.map(part => cellsShowing(figure, results, part, zones)))
    .find(found => found.every(matches => matches.length > 0))
    ?.flat()
}

/** Whether the figure is a number of rows or names, and the wording allows such a number. */
function isCounted(reading: FigureReading, { results, isWorked, proven: { size: proven } }: Grounds): boolean {
  const { figure } = reading
  if (isAllRows(figure, results, isWorked) || isRowsOfName(reading) || isFirstRows(reading, results)) return true
  if (isShownRows(figure, reading.text, reading.sizes ?? new Set())) return true
  const value = figure.readings[0]?.value ?? Number.NaN
  return (figure.word === 'count' && proven > 0 && isCountOfSaid(value, reading, proven)) || isCountOfListed(figure, reading)
}

/** Whether the figure is the number of rows that hold its name: "Eight go to Hamburg, three to Rotterdam". */
function isRowsOfName({ figure, scopes }: FigureReading): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.unit !== undefined || figure.sign !== 0 || value < 2) return false
  return scopes.some(scope => scope.every(part => [...part.values()].some(rows => rows.length === value)))
}
