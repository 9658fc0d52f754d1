import { type Attachment, attachments } from './attachment.ts'
import { isCounted } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { isKnown } from './known-figures.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import { cellsShowing, type Match } from './support.ts'
import { type Problem, unsupported } from './unsupported-figure.ts'

/**
 * Returns the cells that show the figure. The list is empty if the figure counts rows, or was known before the answer. A figure
 * that can only be derived from the rows is a problem: a formula must derive it.
 */
export function checkFigure(figure: Figure, parsed: Parsed, grounds: Grounds): Match[] | Problem {
  const { text, mentions, written, sizes = new Set() } = parsed
  const { results, zones } = grounds
  const proven = provenBy(figure, written, grounds)
  if (proven !== undefined) return [...proven]
  const scopes = attachments(figure, mentions, text, results)
  const shown = scopes
    .map(scope => scope.map(part => cellsShowing(figure, results, part, zones)))
    .find(found => found.every(matches => matches.length > 0))
  if (shown !== undefined) return shown.flat()
  const place = { figure, text, mentions, sizes, before: text.slice(0, figure.start), behind: text.slice(figure.end) }
  if (isRowsOfName(figure, scopes) || isCounted(place, grounds) || isKnown(place, grounds)) return []
  return unsupported(figure, scopes, results)
}

/** Whether the figure is the number of rows that hold its name: "Eight go to Hamburg, three to Rotterdam". */
function isRowsOfName({ readings, unit, sign }: Figure, scopes: readonly Attachment[]): boolean {
  const value = readings[0]?.value ?? Number.NaN
  if (unit !== undefined || sign !== 0 || value < 2) return false
  return scopes.some(scope => scope.every(part => [...part.values()].some(rows => rows.length === value)))
}
