import { memoizePerText } from '../../base/memoize.ts'
import type { Figure } from '../figures/figure.ts'
import { inUnitOf } from '../figures/figure-wording.ts'
import { parseFigures } from '../figures/figures.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { mentionOf } from '../mentions.ts'
import { type Grounds, type Parsed, parseText } from '../parse-text.ts'

/** Returns the unit in brackets at the end of a table column's header. */
function unitOf(header: string): string {
  const text = header.trimEnd()
  if (!text.endsWith(')')) return ''
  const start = text.indexOf('(', text.lastIndexOf(')', text.length - 2) + 1)
  return start < 0 ? '' : text.slice(start + 1, -1)
}

export function parseCell(cell: string, header: string, grounds: Grounds, isFirst = false): Parsed {
  const unit = unitOf(header)
  const parsed = parseText(cell, grounds, true)
  if (parsed.mentions.length > 0 || !/^[\d]+$/.test(cell)) return withHeaderUnit(parsed, unit, header)
  // If the table column's header is the name of a key column, a bare number in the cell selects a row.
  const keyed = parseText(`${header} ${cell}`, grounds, true)
  const key =
    keyed.mentions.find(mention => mention.start > header.length) ??
    (isFirst ? mentionOf(cell, 0, cell.length, grounds.results) : undefined)
  return key
    ? { ...parsed, text: cell, mentions: [{ ...key, start: 0, end: cell.length }], figures: [] }
    : withHeaderUnit(parsed, unit, header)
}

/** Parses a header's unit such as `km`, once for all rows of a table. */
const unitOfHeader = memoizePerText(unit => parseFigures(`1 ${unit}`, [], '')[0], CHECK_LIMITS.rows.cachedUnits)

function withHeaderUnit(parsed: Parsed, unit: string, header: string): Parsed {
  // "Wingspan (m)" is in metres. Behind a figure, "m" would mean millions.
  if (unit === 'm') return parsed
  const written = unitOfHeader(unit)
  const said = written?.unit ?? (/%\s*$/.test(header) ? { dimension: 'part' as const, factor: 0.01 } : undefined)
  const ofHeader = { readings: written?.readings ?? [], ...(said && { unit: said }) }
  const isBare = ({ date, unit: own }: Figure) => date === undefined && own === undefined
  return {
    ...parsed,
    figures: parsed.figures.map(figure => (isBare(figure) && inUnitOf(ofHeader, figure).at(-1)) || figure),
  }
}
