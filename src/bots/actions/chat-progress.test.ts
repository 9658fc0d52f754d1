import { describe, expect, it } from '@jest/globals'
import type { RunEvent } from '../../agent/run/event.ts'
import { ChatProgress } from './chat-progress.ts'

const finished = (id: string, table?: string): RunEvent => ({
  kind: 'query_finished',
  id,
  question: `${id}?`,
  ok: true,
  rowCount: 1,
  elapsedMs: 1,
  ...(table === undefined ? {} : { table }),
})
const grown = (markdown: string): RunEvent => ({ kind: 'answer_grown', markdown })

function shownAfter(...events: readonly RunEvent[]) {
  const progress = new ChatProgress()
  for (const event of events) progress.observe(event)
  return progress.progress()
}

describe('ChatProgress', () => {
  it('shows the plan, then the first rows, then the growing answer', () => {
    const progress = new ChatProgress()
    expect(progress.observe({ kind: 'data_question_planned', id: 'Q1', question: 'Links?' })).toBe(true)
    expect(progress.progress()).toEqual({ lines: ['Thinking …', 'Q1 Links? (writing SQL)'] })
    expect(progress.observe(finished('Q2', '| b |\n| --- |\n| 2 |'))).toBe(true)
    progress.observe(finished('Q1', '| a |\n| --- |\n| 1 |'))
    expect(progress.progress().table).toBe('| b |\n| --- |\n| 2 |')
    expect(progress.observe(grown('There are links [Q1]. '))).toBe(true)
    expect(progress.observe(grown('There are links [Q1]. Many.'))).toBe(true)
    expect(progress.observe({ kind: 'question_understood', question: 'Links?', language: 'en' })).toBe(false)
    expect(progress.progress().answer).toBe('There are links [Q1]. Many.')
  })

  it('reads only the shown parts of a growing answer and its rows', () => {
    const read: string[] = []
    const noted = (text: string) => {
      read.push(text)
      return text
    }
    const progress = new ChatProgress()
    for (const id of ['Q1', 'Q2'])
      progress.observe({
        kind: 'query_finished',
        id,
        question: id,
        ok: true,
        rowCount: 1,
        elapsedMs: 1,
        get table() {
          return noted(`rows of ${id}`)
        },
      })
    for (let sentence = 1; sentence <= 50; sentence++)
      progress.observe({
        kind: 'answer_grown',
        get markdown() {
          return noted(`${sentence}`)
        },
      })
    expect(read).toEqual([])
    expect(progress.progress()).toMatchObject({ table: 'rows of Q1', answer: '50' })
    expect(read).toEqual(['rows of Q1', '50'])
  })

  it('hides the rows of a query that left the plan, or that found none when repeated', () => {
    const rows = finished('Q1', '| a |\n| --- |\n| 1 |')
    expect(shownAfter(rows, { kind: 'data_question_dropped', id: 'Q1' })).not.toHaveProperty('table')
    expect(shownAfter(rows, finished('Q1'))).not.toHaveProperty('table')
  })

  it('starts over when the answer does', () => {
    expect(shownAfter(grown('One [Q1]. Two.'), grown('Another [Q1].')).answer).toBe('Another [Q1].')
  })

  it('shows a table once it has a row', () => {
    const head = 'Here:\n\n| a | b |\n|---|---|\n'
    expect(shownAfter(grown(head))).toMatchObject({ answer: 'Here:\n' })
    expect(shownAfter(grown(`${head}| 1 | 2 |\n`))).toMatchObject({ answer: `${head}| 1 | 2 |\n` })
    expect(shownAfter(grown('| a |'))).not.toHaveProperty('answer')
  })
})
