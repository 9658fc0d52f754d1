import { memoizePerText } from '../../base/memoize.ts'
import type { Figure } from '../figures/figure.ts'
import { parseFigures } from '../figures/figures.ts'
import type { Unit } from '../figures/units.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { type Mention, mentionOf } from '../mentions.ts'
import { type Grounds, type Parsed, parseText } from '../parse-text.ts'
import type { ResultIndex } from './result-index.ts'

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
    keyByHeader(cell, header, grounds.results) ??
    (isFirst ? mentionOf(cell, 0, cell.length, grounds.results) : undefined)
  return key
    ? { ...parsed, text: cell, mentions: [{ ...key, start: 0, end: cell.length }], figures: [] }
    : withHeaderUnit(parsed, unit, header)
}

function keyByHeader(cell: string, header: string, results: readonly ResultIndex[]): Mention | undefined {
  const said = header.toLowerCase().match(/\p{L}+/gu) ?? []
  const rows = new Map<string, number[]>()
  for (const result of results) {
    const column = result.numbers.find(
      candidate =>
        candidate.key &&
        candidate.words.some(word => said.some(other => other === word || other === `${word}s` || `${other}s` === word)),
    )
    const row = column?.values.indexOf(Number(cell)) ?? -1
    if (row >= 0) rows.set(result.id, [row])
  }
  return rows.size > 0 ? { start: 0, end: cell.length, key: cell, axis: 'key', rows } : undefined
}

/** Parses a header's unit such as `km`, once for all rows of a table. */
const unitOfHeader = memoizePerText(unit => parseFigures(`1 ${unit}`, [], '')[0], CHECK_LIMITS.rows.cachedUnits)

function withHeaderUnit(parsed: Parsed, unit: string, header: string): Parsed {
  // "Wingspan (m)" is in metres. Behind a figure, "m" would mean millions.
  if (unit === 'm') return parsed
  const written = unitOfHeader(unit)
  const multiplier = written?.readings[0]?.multiplier ?? 1
  const said = written?.unit ?? (/%\s*$/.test(header) ? { dimension: 'part' as const, factor: 0.01 } : undefined)
  if (said === undefined && multiplier === 1) return parsed
  return { ...parsed, figures: parsed.figures.map(figure => inHeaderUnit(figure, said, multiplier)) }
}

/** Gives a bare number the unit and multiplier of its header: "Stake (million SOL)". */
function inHeaderUnit(figure: Figure, unit: Unit | undefined, multiplier: number): Figure {
  if (figure.date !== undefined || figure.unit !== undefined) return figure
  if (multiplier === 1 || figure.readings[0]?.multiplier !== 1) return unit ? { ...figure, unit } : figure
  const readings = figure.readings.map(reading => ({
    ...reading,
    value: reading.value * multiplier,
    step: reading.step * multiplier,
    looseStep: reading.looseStep * multiplier,
    multiplier,
  }))
  return { ...figure, readings, ...(unit && { unit }) }
}
