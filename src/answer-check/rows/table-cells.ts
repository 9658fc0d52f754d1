import { memoizePerText } from '../../base/memoize.ts'
import type { Figure } from '../figures/figure.ts'
import { inUnitOf } from '../figures/figure-wording.ts'
import { parseFigures } from '../figures/figures.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { mentionOf } from '../mentions.ts'
import { type Grounds, type Parsed, parseText } from '../parse-text.ts'

export function parseCell(cell: string, header: string, grounds: Grounds, isFirst = false): Parsed {
  const parsed = parseText(cell, grounds, true)
  if (parsed.mentions.length > 0 || !/^[\d]+$/.test(cell)) return withHeaderUnit(parsed, header)
  // If the table column's header is the name of a key column, a bare number in the cell selects a row.
  const keyed = parseText(`${header} ${cell}`, grounds, true)
  const key =
    keyed.mentions.find(mention => mention.start > header.length) ??
    (isFirst ? mentionOf(cell, 0, cell.length, grounds.results) : undefined)
  return key
    ? { ...parsed, text: cell, mentions: [{ ...key, start: 0, end: cell.length }], figures: [] }
    : withHeaderUnit(parsed, header)
}

/** Parses a header's unit such as `km`, once for all rows of a table. */
const unitOfHeader = memoizePerText(unit => parseFigures(`1 ${unit}`, [], '')[0], CHECK_LIMITS.cachedWords)

function withHeaderUnit(parsed: Parsed, header: string): Parsed {
  return { ...parsed, figures: parsed.figures.map(figure => inUnitOfHeader(figure, header) ?? figure) }
}

/** Returns the unit in brackets at the end of a table column's header. */
function unitOf(header: string): string {
  const text = header.trimEnd()
  if (!text.endsWith(')')) return ''
  const start = text.indexOf('(', text.lastIndexOf(')', text.length - 2) + 1)
  return start < 0 ? '' : text.slice(start + 1, -1)
}

/** Returns a cell's figure in the unit of its column's header: 8 minutes for the 8 below "Wait (min)". Undefined if there is none. */
export function inUnitOfHeader(figure: Figure, header: string): Figure | undefined {
  const unit = unitOf(header)
  // "Wingspan (m)" is in metres. Behind a figure, "m" would mean millions.
  if (unit === 'm' || figure.date !== undefined || figure.unit !== undefined) return undefined
  const written = unitOfHeader(unit)
  const said = written?.unit ?? (/%\s*$/.test(header) ? { dimension: 'part' as const, factor: 0.01 } : undefined)
  return inUnitOf({ readings: written?.readings ?? [], ...(said && { unit: said }) }, figure).at(-1)
}
