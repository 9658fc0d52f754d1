import { cellText } from './results-prompt.ts'
import type { QueryReport } from './run-result.ts'

/** The first rows of a result, at most so many, as a Markdown table under its columns' names; each cell is cut as for a model. */
export function resultTable({ columns, rows }: Pick<QueryReport, 'columns' | 'rows'>, most: number): string {
  return [
    tableRow(columns.map(column => cellText(column.name))),
    tableRow(columns.map(() => '---')),
    ...rows.slice(0, most).map(cells => tableRow(cells.map(cellText))),
  ].join('\n')
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
