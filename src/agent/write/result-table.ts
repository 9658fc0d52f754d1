import type { Cell } from '../../warehouse/warehouse.ts'
import type { QueryReport } from '../run/result.ts'
import { cellText } from './results-prompt.ts'

/** A number with more digits than this is probably computed, because stored numbers have fewer digits. */
const WRITTEN_DIGITS = 9
/** A computed number is shown with this many significant digits, and at least two decimals. */
const SHOWN_DIGITS = 6

/** Writes a cell for people. Rounds fractions with many digits, which are computed. Integers and Decimal values stay exact. */
export function shownCell(cell: Cell): string {
  return cellText(withShortNumbers(cell))
}

function withShortNumbers(cell: Cell): Cell {
  if (typeof cell === 'number') return shortNumber(cell)
  if (typeof cell !== 'object' || cell === null) return cell
  return JSON.parse(JSON.stringify(cell, (_, value: unknown) => (typeof value === 'number' ? shortNumber(value) : value))) as Cell
}

function shortNumber(value: number): number {
  const digits = String(value)
    .replace(/e.*|\D/g, '')
    .replace(/^0+/, '')
  if (Number.isInteger(value) || digits.length <= WRITTEN_DIGITS) return value
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1)
  return Number(value.toPrecision(Math.min(15, Math.max(SHOWN_DIGITS, whole + 2))))
}

/** Writes a Markdown table of the first `most` rows. Long cells are cut. */
export function resultTable({ columns, rows }: Pick<QueryReport, 'columns' | 'rows'>, most: number): string {
  return [
    tableRow(columns.map(column => cellText(column.name))),
    tableRow(columns.map(() => '---')),
    ...rows.slice(0, most).map(cells => tableRow(cells.map(shownCell))),
  ].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
