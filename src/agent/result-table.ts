import type { Cell } from '../clickhouse/warehouse.ts'
import { cellText } from './results-prompt.ts'
import type { QueryReport } from './run-result.ts'

/** A number of more digits was worked out; what a row holds as it was put there has fewer. */
const WRITTEN_DIGITS = 9
/** A number that was worked out is shown with this many digits, and at least two behind the point. */
const SHOWN_DIGITS = 6

/** A cell of a table that people look at: numbers that were worked out are rounded, whole numbers and decimals are exact. CSV and JSON round nothing. */
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

/** The first rows of a result, at most so many, as a Markdown table under its columns' names; each cell is cut as for a model. */
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
