import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { fitting, linesOf, queryExplanations } from './small-print.ts'

it('linesOf counts visible lines, without table rules', () => {
  expect(linesOf('')).toBe(0)
  expect(linesOf('One.\n\n- Two.')).toBe(2)
  expect(linesOf('| a | b |\n|---|---|\n| 1 | 2 |')).toBe(2)
  expect(linesOf('x'.repeat(91))).toBe(2)
})

it('fitting keeps the first texts that fit', () => {
  expect(fitting(['a', 'b', 'c'], 2)).toEqual(['a', 'b'])
  expect(fitting(['a', 'x'.repeat(91), 'c'], 2)).toEqual(['a'])
  expect(fitting(['a'], -1)).toEqual([])
})

describe('queryExplanations', () => {
  const queries = [
    queryReport({ rows: [['1']], explanation: 'Counts\ndevices.' }),
    queryReport({ id: 'Q2', error: 'No.' }),
    queryReport({
      id: 'Q3',
      rows: [['1'], ['2']],
      row_count: 10_000,
      truncated: true,
      explanation: '',
      question: 'Lists links.',
    }),
  ]

  it('explains each successful query, in fewer lines than the answer has', () => {
    const lines = ['[Q1] Counts devices. (1 row)', '[Q3] Lists links. (10,000+ rows)']
    expect(queryExplanations({ answer: 'One.\n\nTwo.\n\nThree.', note: '', queries, language: 'en' })).toEqual(lines)
    expect(queryExplanations({ answer: 'One.\n\nTwo.', note: '', queries, language: 'en' })).toEqual(lines.slice(0, 1))
    expect(queryExplanations({ answer: 'One.', note: '', queries, language: 'en' })).toEqual([])
  })

  it('tells the number of all rows where it was counted', () => {
    const [first] = queries
    const counted = queryReport({ id: 'Q4', row_count: 10_000, truncated: true, total_rows: 42_841, explanation: 'Lists.' })
    const answer = 'One.\n\nTwo.\n\nThree.'
    const lines = queryExplanations({ answer, note: '', queries: first ? [first, counted] : [], language: 'de' })
    expect(lines).toContain('[Q4] Lists. (42.841 Zeilen)')
  })

  it('leaves room for other additions', () => {
    expect(queryExplanations({ answer: 'One.\n\nTwo.\n\nThree.\n\nNote.', note: 'Note.', queries, language: 'en' })).toHaveLength(
      1,
    )
  })

  it('is empty for a single query, which the answer itself describes', () => {
    expect(
      queryExplanations({ answer: 'One.\n\nTwo.\n\nThree.', note: '', queries: queries.slice(0, 2), language: 'en' }),
    ).toEqual([])
  })

  it('speaks German', () => {
    expect(queryExplanations({ answer: 'Eins.\nZwei.\nDrei.', note: '', queries, language: 'de' })[1]).toBe(
      '[Q3] Lists links. (10.000+ Zeilen)',
    )
  })
})
