import { cellText } from './results-prompt.ts'
import type { QueryReport } from './run-result.ts'

const SHOWN_ROWS = 10

/** The answer when the queries ran and no model could put their results into words: the results themselves, as tables. */
export function answerWithoutWords(queries: readonly QueryReport[]): string {
  const results = queries.filter(query => query.error === null).map(resultMarkdown)
  return [
    'The queries ran, but the language model could not put their results into words. Here they are as they came.',
    ...results,
  ].join('\n\n')
}

function resultMarkdown(query: QueryReport): string {
  const heading = `**${query.id}: ${query.question.replace(/\s+/g, ' ').trim()}**`
  if (query.rows.length === 0) return `${heading}\nNo rows.`
  const rows = query.rows.slice(0, SHOWN_ROWS).map(cells => tableRow(cells.map(cellText)))
  const table = [
    tableRow(query.columns.map(column => cellText(column.name))),
    tableRow(query.columns.map(() => '---')),
    ...rows,
  ].join('\n')
  const hidden = query.rows.length - rows.length
  const more =
    hidden > 0 || query.truncated ? `\n\n${hidden > 0 ? `${hidden} more rows` : 'There are more rows'} are not shown.` : ''
  return `${heading}\n\n${table}${more}`
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}
