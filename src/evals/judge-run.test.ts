import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { runResult } from '../../test/support/run-result.ts'
import type { QueryReport } from '../agent/run/result.ts'
import { judgeRun, type RunOutcome } from './judge-run.ts'

const CASE = { id: 'a', question: 'How many?', gold_sql: ['SELECT 3'], ordered: false, tags: [], history: [] }
const GOLD = [{ columns: [{ name: 'n' }], rows: [[3]] }]

const counted = (given: Partial<QueryReport>) => queryReport({ columns: [{ name: 'n', type: 'UInt64' }], ...given })
const answered = (given: Parameters<typeof runResult>[0]): RunOutcome => ({ kind: 'answered', result: runResult(given) })
const failed = (kind: string) =>
  queryReport({
    error: 'it failed',
    columns: [],
    rows: [],
    failed_attempts: [{ sql: 'SELECT', kind, message: 'it failed', near: [] }],
  })

describe('a case with gold SQL', () => {
  it("is right if a query has the gold rows, or an alternative's", () => {
    const queries = [counted({ id: 'Q1', rows: [[7]] }), counted({ id: 'Q2', rows: [[3]] })]
    expect(judgeRun(CASE, answered({ queries }), GOLD)).toMatchObject({ reason: null, query: 'Q2' })
    const others = [
      { columns: [{ name: 'n' }], rows: [[1]] },
      { columns: [{ name: 'n' }], rows: [[7]] },
    ]
    expect(judgeRun(CASE, answered({ queries }), others)).toMatchObject({ reason: null, query: 'Q1' })
  })

  it.each([
    ['wrong_rows', answered({ queries: [counted({ rows: [[7]] })] })],
    ['empty', answered({ queries: [counted({ rows: [] })] })],
    ['error', answered({ queries: [failed('model')] })],
    ['timeout', answered({ queries: [failed('timeout')] })],
    ['refused', answered({ queries: [failed('guard')] })],
    ['refused', answered({ intent: 'out_of_scope' })],
    ['wrong_routing', answered({ intent: 'conversational' })],
    ['wrong_routing', answered({ interrupt: { kind: 'need_clarification', question: 'Which?', choices: [] } })],
    ['timeout', { kind: 'failed', error: 'too long', isTimeout: true } as const],
    ['error', { kind: 'failed', error: 'no answer', isTimeout: false } as const],
  ])('is missed for %s', (reason, outcome) => {
    expect(judgeRun(CASE, outcome, GOLD)).toMatchObject({ reason })
  })
})

describe('a case of behaviour', () => {
  const expecting = (
    expected: Partial<{ intent: string | string[]; mentions: (string | string[])[]; never_mentions: string[] }>,
  ) => ({
    ...CASE,
    gold_sql: undefined,
    expect: { intent: 'data_analysis', mentions: [], never_mentions: [], ...expected },
  })
  const reasonOf = (expected: Parameters<typeof expecting>[0], answer: string) =>
    judgeRun(expecting(expected), answered({ answer }), []).reason

  it('is right with the right intent and words', () => {
    expect(reasonOf({ mentions: ['1,234', ['Oslo', 'the capital']] }, 'In **Oslo** there are 1234 [Q1].')).toBe(null)
  })

  it('accepts a request for clarification', () => {
    const asked = answered({ interrupt: { kind: 'need_clarification', question: 'Which?', choices: [] } })
    expect(judgeRun(expecting({ intent: 'clarification' }), asked, []).reason).toBe(null)
    expect(judgeRun(expecting({}), asked, []).reason).toBe('wrong_routing')
  })

  it.each([
    [{ intent: 'catalog' }, 'Yes.', 'wrong_routing'],
    [{ mentions: ['Bergen'] }, 'Only Oslo.', 'wrong_words'],
    [{ mentions: ['24'] }, 'There are 246, 1.24 and 24.5.', 'wrong_words'],
    [{ never_mentions: ['no loss'] }, 'There is **no** loss.', 'wrong_words'],
  ])('%j fails with %j', (expected, answer, reason) => {
    expect(reasonOf(expected, answer)).toBe(reason)
  })

  it('must also have the right rows if the case has gold SQL', () => {
    const both = { ...expecting({ mentions: ['three'] }), gold_sql: ['SELECT 3'] }
    const run = (rows: number[][], answer: string) =>
      judgeRun(both, answered({ queries: [counted({ rows })], answer }), GOLD).reason
    expect([run([[3]], 'It is three.'), run([[3]], 'It is four.'), run([[4]], 'It is three.')]).toEqual([
      null,
      'wrong_words',
      'wrong_rows',
    ])
  })
})
