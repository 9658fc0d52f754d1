import { type AnswerWords, answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'
import { resultTable } from './result-table.ts'

/** Shows the results as tables. Used if no model could put them into words. */
export function answerWithoutWords(queries: readonly QueryReport[], language: Language): string {
  const words = answerWords(language)
  const results = queries.filter(query => query.error === null).map(query => resultMarkdown(query, words))
  return [words.withoutWords, ...results].join('\n\n')
}

function resultMarkdown(query: QueryReport, words: AnswerWords): string {
  const heading = `**${query.id}: ${query.question.replace(/\s+/g, ' ').trim()}**`
  if (query.rows.length === 0) return `${heading}\n${words.noRows}`
  const hidden = Math.max(0, (query.total_rows ?? query.rows.length) - AGENT_LIMITS.write.rowsWithoutWords)
  const isCounted = !query.truncated || query.total_rows !== undefined
  const more = isCounted && hidden === 0 ? [] : [words.moreRows(isCounted ? hidden : null)]
  return [heading, resultTable(query, AGENT_LIMITS.write.rowsWithoutWords), ...more].join('\n\n')
}
