import { type Attachment, attachments } from './attachment.ts'
import { isCountOfListed, isCountOfSaid, isFirstRows } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { PERIOD_JOINT } from './figures/wording.ts'
import { isKnown } from './known-figures.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import { ofWord } from './rows/column-words.ts'
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
  return {
    ...parsed,
    figure,
    scopes: attachments(figure, mentions, text, results),
    before: text.slice(0, figure.start),
    behind: text.slice(figure.end),
  }
}

/** Returns the cells that show the figure. If the noun behind it names a column, these are only the cells of that column. */
function cellsShown({ figure, scopes, behind }: FigureReading, { results, zones }: Grounds): Match[] | undefined {
  const noun = /^\s(\p{L}{3,})/u.exec(behind)?.[1]?.toLowerCase() ?? ''
  const isNamed = ({ query, column }: Match) => {
    const named = ofWord(noun, results.find(({ id }) => id === query)?.numbers ?? [])
    return named === undefined || named.name === column
  }
  return scopes
    .map(scope => scope.map(part => cellsShowing(figure, results, part, zones).filter(isNamed)))
    .find(found => found.every(matches => matches.length > 0))
    ?.flat()
}

/** Whether the figure is a number of rows, and the wording allows such a number. */
function isCounted(reading: FigureReading, { results, proven: { size: proven } }: Grounds): boolean {
  const { figure, figures } = reading
  // In "7 to 36 hours" the 7 has the unit of the 36, so it is a duration and not a number of rows.
  const next = figures.find(other => other.start >= figure.end)
  if (next?.unit !== undefined && figure.word === undefined && PERIOD_JOINT.test(reading.text.slice(figure.end, next.start)))
    return false
  if (isRowsOfName(reading) || isFirstRows(reading, results)) return true
  const value = figure.readings[0]?.value ?? Number.NaN
  // The model is told how many rows there were before a result was cut.
  if (results.some(({ rowCount, total }) => total > rowCount && total === value)) return true
  if (figure.word === 'count' && proven > 0 && isCountOfSaid(value, reading, proven)) return true
  return isCountOfListed(figure, reading)
}

/** Whether the figure is the number of rows that hold its name: "Eight go to Hamburg, three to Rotterdam". */
function isRowsOfName({ figure, scopes }: FigureReading): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  if (figure.unit !== undefined || figure.sign !== 0 || value < 2) return false
  return scopes.some(scope => scope.every(part => [...part.values()].some(rows => rows.length === value)))
}
