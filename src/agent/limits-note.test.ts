import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { limitsNote } from './limits-note.ts'

const LIMITS = { maxRows: 10_000, maxBytes: 10_000_000 }

describe('limitsNote', () => {
  it('says nothing where no limit was reached', () => {
    expect(limitsNote([queryReport({}), queryReport({ error: 'No.', truncated: true })], LIMITS)).toBe('')
  })

  it('tells a cut at the rows from one at the bytes', () => {
    const note = (rows: number) => limitsNote([queryReport({ truncated: true, row_count: rows })], LIMITS)
    expect(note(10_000)).toBe('**Limit reached:** The result of Q1 was cut after 10,000 rows; there are more.')
    expect(note(9_871)).toBe('**Limit reached:** The result of Q1 was cut after 9,871 rows, at 10 MB; there are more.')
  })

  it('lists several', () => {
    const narrowed = queryReport({ narrowed: 'The query took longer than the 30 s that it may take.' })
    const note = limitsNote([narrowed, queryReport({ id: 'Q2', truncated: true, row_count: 10_000 })], LIMITS)
    expect(note.split('\n')).toEqual([
      '**Limits reached**',
      '- Q1 was narrowed: The query took longer than the 30 s that it may take.',
      '- The result of Q2 was cut after 10,000 rows; there are more.',
    ])
  })
})
