import { answerWords } from '../../words/answer.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { RunResult } from '../run/result.ts'

/** Counts the lines that a Markdown text takes on the screen, without blank lines and table rules. */
export function linesOf(markdown: string): number {
  const lines = markdown.split('\n').filter(line => /[^\s|:-]/.test(line))
  return lines.reduce(
    (sum, line) => sum + (line.trimStart().startsWith('|') ? 1 : Math.ceil(line.length / AGENT_LIMITS.notes.lineCharacters)),
    0,
  )
}

/** Returns the first texts that together fit into this many lines, so that the small print stays shorter than its answer. */
export function fitting(texts: readonly string[], lines: number): readonly string[] {
  let room = lines
  const end = texts.findIndex(text => {
    room -= linesOf(text)
    return room < 0
  })
  return end < 0 ? texts : texts.slice(0, end)
}

/**
 * Explains the successful queries in Markdown. Stops before the explanations become longer than the answer. If there is only one
 * query, it is not explained.
 */
export function queryExplanations({
  answer,
  note,
  queries,
  language,
}: Pick<RunResult, 'answer' | 'note' | 'queries' | 'language'>): readonly string[] {
  const words = answerWords(language)
  const ran = queries.filter(query => query.error === null)
  if (ran.length < 2) return []
  const sources = ran.map(({ id, explanation, question, row_count: rows, truncated, total_rows: total }) => {
    const text = (explanation || question).replace(/\s+/g, ' ').trim()
    return `[${id}] ${text} (${words.rows(total ?? rows, truncated && total === undefined)})`
  })
  return fitting(sources, linesOf(answer) - 2 * linesOf(note) - 1)
}
