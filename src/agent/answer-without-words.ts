import { resultTable } from './result-table.ts'
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
  const table = resultTable(query, SHOWN_ROWS)
  const hidden = Math.max(0, query.rows.length - SHOWN_ROWS)
  const more =
    hidden > 0 || query.truncated ? `\n\n${hidden > 0 ? `${hidden} more rows` : 'There are more rows'} are not shown.` : ''
  return `${heading}\n\n${table}${more}`
}
