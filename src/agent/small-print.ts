import { answerWords } from '../words/answer-words.ts'
import type { RunResult } from './run-result.ts'

/** About how many characters a line of a chat or a terminal holds. */
const LINE_CHARACTERS = 90

/** How many lines a Markdown text takes where it is read; blank ones, and those that only draw a table, do not count. */
export function linesOf(markdown: string): number {
  const lines = markdown.split('\n').filter(line => /[^\s|:-]/.test(line))
  return lines.reduce((sum, line) => sum + (line.trimStart().startsWith('|') ? 1 : Math.ceil(line.length / LINE_CHARACTERS)), 0)
}

/** The first of the texts that take no more than so many lines together: small print is shorter than what it stands below. */
export function fitting(texts: readonly string[], lines: number): readonly string[] {
  let room = lines
  const end = texts.findIndex(text => {
    room -= linesOf(text)
    return room < 0
  })
  return end < 0 ? texts : texts.slice(0, end)
}

/** Tells as Markdown what each query that ran computes, as far as the lines fit below the answer. A single query needs none: the answer tells it. */
export function sourcesOf({
  answer,
  note,
  queries,
  language,
}: Pick<RunResult, 'answer' | 'note' | 'queries' | 'language'>): readonly string[] {
  const words = answerWords(language)
  const ran = queries.filter(query => query.error === null)
  if (ran.length < 2) return []
  const sources = ran.map(({ id, explanation, question, row_count: rows, truncated }) => {
    const text = (explanation || question).replace(/\s+/g, ' ').trim()
    return `[${id}] ${text} (${words.rows(rows, truncated)})`
  })
  return fitting(sources, linesOf(answer) - 2 * linesOf(note) - 1)
}
