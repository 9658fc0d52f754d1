import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { answerWithoutWords } from './answer-without-words.ts'

describe('answerWithoutWords', () => {
  it('shows the rows of each successful query with escaped bars, and counts the omitted ones', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`a|${index}`, index])
    const columns = [
      { name: 'name', type: 'String' },
      { name: 'n', type: 'UInt8' },
    ]
    const answer = answerWithoutWords([queryReport({ columns, rows }), queryReport({ id: 'Q2', error: 'failed' })], 'en')
    expect(answer).toContain('| name | n |\n| --- | --- |\n| a\\|0 | 0 |')
    expect(answer).toContain('2 more rows are not shown.')
    expect(answer).not.toContain('Q2')
    const cut = [queryReport({ columns, rows, truncated: true, total_rows: 4_284 })]
    expect(answerWithoutWords(cut, 'de')).toContain('4.274 weitere Zeilen sind nicht gezeigt.')
  })
})
