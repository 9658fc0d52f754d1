import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { failureAnswer, partialFailureNote } from './failure-answer.ts'

const failed = queryReport({
  error: 'The query took longer than 30 s.',
  attempts: 2,
  failed_attempts: [
    { sql: 'SELECT nme\nFROM t', kind: 'unknown_name', message: 'Unknown column nme; did you mean name?' },
    { sql: 'SELECT name FROM t', kind: 'timeout', message: 'The query took longer than 30 s.' },
  ],
})

describe('failureAnswer', () => {
  it('lists every attempt with its error, the near name and the next step', () => {
    const answer = failureAnswer([failed])
    expect(answer).toContain('1. `SELECT nme FROM t`: Unknown column nme; did you mean name?')
    expect(answer).toContain('2. `SELECT name FROM t`: The query took longer than 30 s.')
    expect(answer).toContain('Ask for a shorter period')
  })
})

describe('partialFailureNote', () => {
  it('names what failed and says nothing where nothing did', () => {
    expect(partialFailureNote([queryReport({}), failed])).toContain('failed after 2 attempts. The query took longer than 30 s.')
    expect(partialFailureNote([queryReport({})])).toBe('')
  })
})
