import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { confidenceLine, confidenceOf } from './confidence.ts'

const sound = queryReport({ rows: [['7']] })
const verified = { checked: 2, unsupported: [] }

describe('confidenceOf', () => {
  it('is HIGH, without a reason, when nothing speaks against the answer', () => {
    expect(confidenceOf({ queries: [sound], citations: verified })).toEqual({ confidence: 'HIGH', confidence_reason: null })
  })

  it('says nothing of an answer that rests on no query', () => {
    expect(confidenceOf({ queries: [], citations: null })).toEqual({ confidence: null, confidence_reason: null })
  })

  it.each([
    ['a failed query', [sound, queryReport({ id: 'Q2', error: 'timeout' })], verified, 'Q2 failed.'],
    [
      'a result that stayed suspicious',
      [queryReport({ review: { verdict: 'suspicious', reason: 'No link is called "ams".' } })],
      verified,
      'the empty result of Q1 looks wrong (No link is called "ams").',
    ],
    ['an unverified statement', [sound], { checked: 2, unsupported: ['It rose.'] }, 'one statement could not be verified.'],
    ['several', [sound], { checked: 9, unsupported: ['a', 'b'] }, '2 statements could not be verified.'],
  ])('is LOW for %s', (_, queries, citations, reason) => {
    expect(confidenceOf({ queries, citations })).toEqual({ confidence: 'LOW', confidence_reason: reason })
  })

  it.each([
    [
      'a result that was cut',
      { truncated: true, row_count: 10_000, rows: [['1']] },
      'the result of Q1 was cut after 10,000 rows.',
    ],
    ['a narrowed query', { narrowed: 'It would have read 4 TB.', rows: [['1']] }, 'Q1 was narrowed (It would have read 4 TB).'],
    ['an expected lack of rows', { review: { verdict: 'expected', reason: 'None left.' } }, 'Q1 found nothing.'],
    ['a lack of rows that nobody judged', {}, 'Q1 found nothing, and whether that can be could not be judged.'],
    [
      'a zero that nobody judged',
      { columns: [{ name: 'n', type: 'UInt64' }], rows: [['0']] },
      'Q1 found nothing, and whether that can be could not be judged.',
    ],
    ['a deciding assumption', { deciding_assumptions: ['Month means 30 days.'], rows: [['1']] }, 'Q1 rests on an assumption.'],
    [
      'a query that may count rows several times',
      { doubt: 'may add up rows of shop.orders several times each', rows: [['1']] },
      'Q1 may add up rows of shop.orders several times each.',
    ],
    [
      'a query that was not checked',
      { unchecked: 'the check took too long', rows: [['1']] },
      'Q1 ran unchecked (the check took too long).',
    ],
  ] as const)('is MEDIUM for %s', (_, given, reason) => {
    const queries = [
      queryReport({
        ...given,
        rows: [...('rows' in given ? given.rows : [])],
        deciding_assumptions: [...('deciding_assumptions' in given ? given.deciding_assumptions : [])],
      }),
    ]
    expect(confidenceOf({ queries, citations: verified })).toEqual({ confidence: 'MEDIUM', confidence_reason: reason })
  })

  it('tells a reason of several queries once', () => {
    const queries = [
      queryReport({ id: 'Q1', rows: [['1']], unchecked: 'the check took too long' }),
      queryReport({ id: 'Q2', rows: [['1']], unchecked: 'The server is away.' }),
      queryReport({ id: 'Q3', rows: [['1']], unchecked: 'the check took too long' }),
    ]
    expect(confidenceOf({ queries, citations: verified }).confidence_reason).toBe(
      'Q1, Q3 ran unchecked (the check took too long); Q2 ran unchecked (The server is away).',
    )
  })

  it.each([
    ['no sentence was compared', { checked: 0, unsupported: [] }],
    ['nothing put the rows into words', null],
  ])('is MEDIUM where %s', (_, citations) => {
    expect(confidenceOf({ queries: [sound], citations })).toEqual({
      confidence: 'MEDIUM',
      confidence_reason: 'nothing in the answer was checked against the rows.',
    })
  })

  it('is MEDIUM for a value that occurs nowhere, though the zero is judged expected', () => {
    const missing = (value: string) => ({ value, near: [], all: [], elsewhere: [] })
    const finding = { column: 'd.t.c', condition: '', matching: '0', rows: '3', range: null }
    const zero = queryReport({
      columns: [{ name: 'n', type: 'UInt64' }],
      rows: [['0']],
      review: { verdict: 'expected', reason: 'None.' },
      look_up: [{ ...finding, missing: [missing('fra-dz9'), missing(''), missing('osl')] }],
    })
    expect(confidenceOf({ queries: [zero], citations: verified })).toEqual({
      confidence: 'MEDIUM',
      confidence_reason: 'Q1 looks for `fra-dz9`, which does not occur in `d.t.c`, and 1 more such value.',
    })
    const blank = { ...zero, look_up: [{ ...finding, missing: [missing('')] }] }
    expect(confidenceOf({ queries: [blank], citations: verified }).confidence).toBe('HIGH')
  })

  it('is HIGH for a zero that is judged expected: it is a figure, not a lack of rows', () => {
    const zero = queryReport({ rows: [['0']], review: { verdict: 'expected', reason: 'No link is down.' } })
    expect(confidenceOf({ queries: [zero], citations: verified }).confidence).toBe('HIGH')
  })

  it('names all that is found at the lowest level, and nothing of a higher one', () => {
    const queries = [
      queryReport({ truncated: true, rows: [['1']] }),
      queryReport({ id: 'Q2', error: 'x' }),
      queryReport({ id: 'Q3', error: 'y' }),
    ]
    expect(confidenceOf({ queries, citations: verified })).toEqual({
      confidence: 'LOW',
      confidence_reason: 'Q2 failed; Q3 failed.',
    })
  })

  it('does not count what a failed query would have returned', () => {
    const failed = queryReport({ error: 'x', truncated: true, deciding_assumptions: ['a'] })
    expect(confidenceOf({ queries: [failed], citations: null }).confidence_reason).toBe('Q1 failed.')
  })
})

describe('confidenceLine', () => {
  const partly = [sound, queryReport({ id: 'Q2', error: 'timeout' })]

  it('gives the level with its reason', () => {
    expect(confidenceLine({ queries: partly, confidence: 'LOW', confidence_reason: 'Q2 failed.' })).toBe(
      '**Confidence LOW:** Q2 failed.',
    )
  })

  it('is empty when nothing speaks against the answer, and when there is none', () => {
    expect(confidenceLine({ queries: [sound], confidence: 'HIGH', confidence_reason: null })).toBe('')
    expect(confidenceLine({ queries: partly.slice(1), confidence: 'LOW', confidence_reason: 'Q2 failed.' })).toBe('')
  })
})
