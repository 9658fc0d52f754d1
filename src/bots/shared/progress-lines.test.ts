import { describe, expect, it } from '@jest/globals'
import type { RunEvent } from '../../agent/run/event.ts'
import { ProgressLines } from './progress-lines.ts'

function progressAfter(...events: readonly RunEvent[]): ProgressLines {
  const progress = new ProgressLines()
  for (const event of events) progress.observe(event)
  return progress
}

const started = (step: string, query?: string, attempt = 1): RunEvent => ({
  kind: 'step_started',
  step,
  attempt,
  ...(query === undefined ? {} : { query }),
})
const planned = (id: string, question = `${id}?`): RunEvent => ({ kind: 'data_question_planned', id, question })
const finished = (id: string, ok: boolean, rowCount = 1): RunEvent => ({
  kind: 'query_finished',
  id,
  question: `${id}?`,
  ok,
  rowCount,
  elapsedMs: 12.4,
})

describe('ProgressLines', () => {
  it('starts before anything is known', () => {
    expect(new ProgressLines().lines()).toEqual(['Thinking …'])
  })

  it('shows the current step, and the state of each query', () => {
    const events = [started('classify'), started('decompose'), planned('Q1'), planned('Q2'), started('generate', 'Q1')]
    expect(progressAfter(...events).lines()).toEqual(['Writing SQL …', 'Q1 Q1? (writing SQL)', 'Q2 Q2? (writing SQL)'])
    expect(progressAfter(...events, started('execute', 'Q1'), finished('Q2', true, 3)).lines()).toEqual([
      'Running queries …',
      'Q1 Q1? (running)',
      'Q2 Q2? (3 rows in 12 ms)',
    ])
    expect(
      progressAfter(...events, started('generate', 'Q1', 2), finished('Q2', false))
        .lines()
        .slice(1),
    ).toEqual(['Q1 Q1? (writing SQL, attempt 2)', 'Q2 Q2? (failed)'])
    expect(progressAfter(started('execute', 'Q1'), finished('Q1', true)).lines()).toEqual([
      'Running queries …',
      'Q1 Q1? (1 row in 12 ms)',
    ])
  })

  it('orders the queries by number', () => {
    expect(
      progressAfter(planned('Q10'), planned('Q2'))
        .lines()
        .slice(1)
        .map(line => line.split(' ')[0]),
    ).toEqual(['Q2', 'Q10'])
  })

  it('shows in place of the status that the model is busy, until it goes on', () => {
    const progress = progressAfter(started('classify'), planned('Q1'))
    expect(progress.observe({ kind: 'model_busy', isBusy: true })).toBe(true)
    expect(progress.lines()).toEqual(['The model cannot answer now; I try again …', 'Q1 Q1? (writing SQL)'])
    expect(progress.observe({ kind: 'model_busy', isBusy: true })).toBe(false)
    progress.observe(started('decompose'))
    expect(progress.observe({ kind: 'model_busy', isBusy: false })).toBe(true)
    expect(progress.lines()).toEqual(['Planning what to look up …', 'Q1 Q1? (writing SQL)'])
  })

  it('tells whether anything has changed, to avoid needless edits', () => {
    const progress = new ProgressLines()
    expect(progress.observe(started('classify'))).toBe(true)
    expect(progress.observe(started('classify'))).toBe(false)
    expect(progress.observe(started('summarize'))).toBe(false)
    expect(progress.observe({ kind: 'answer_grown', markdown: 'One.' })).toBe(true)
    expect(progress.observe({ kind: 'answer_grown', markdown: 'One. Two.' })).toBe(false)
  })

  it('keeps a long question on one short line without splitting a character', () => {
    const [, line = ''] = progressAfter(planned('Q1', `a\nb ${'🧶'.repeat(200)}`)).lines()
    expect(line).toMatch(/^Q1 a b 🧶+… \(writing SQL\)$/u)
    expect(line).not.toMatch(/\p{Cs}/u)
    expect(line.length).toBeLessThan(300)
  })

  it('drops a query that is no longer planned', () => {
    const progress = progressAfter(planned('Q1'), planned('Q2'))
    expect(progress.observe({ kind: 'data_question_dropped', id: 'Q2' })).toBe(true)
    expect(progress.lines()).toEqual(['Thinking …', 'Q1 Q1? (writing SQL)'])
  })

  it("uses the question's language once it is understood, and the platform's before", () => {
    expect(new ProgressLines('de').lines()).toEqual(['Ich überlege …'])
    const events = [started('classify'), planned('Q1', 'Wie viele?'), finished('Q1', true, 3014)]
    const progress = progressAfter(...events, started('execute'))
    expect(progress.observe({ kind: 'question_understood', question: 'Wie viele?', language: 'de' })).toBe(true)
    expect(progress.lines()).toEqual(['Die Abfragen laufen …', 'Q1 Q1? (3.014 Zeilen in 12 ms)'])
  })
})
