import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { decidingAssumptionsNote } from './deciding-assumptions.ts'

describe('decidingAssumptionsNote', () => {
  it('is empty where nothing decides', () => {
    expect(decidingAssumptionsNote([queryReport({ assumptions: ['Days are in UTC.'] })])).toBe('')
  })

  it('says one in a line and several in a list, each once', () => {
    const first = queryReport({ deciding_assumptions: ['"Active" means seen\nin the last hour.'] })
    const second = queryReport({
      id: 'Q2',
      deciding_assumptions: ['Suspended links count.', '"Active" means seen in the last hour.'],
    })
    expect(decidingAssumptionsNote([first])).toBe('**Assumed:** "Active" means seen in the last hour.')
    expect(decidingAssumptionsNote([first, second])).toBe(
      '**Assumed**\n- "Active" means seen in the last hour.\n- Suspended links count.',
    )
  })

  it('leaves out what a failed query assumed', () => {
    expect(decidingAssumptionsNote([queryReport({ error: 'timeout', deciding_assumptions: ['x'] })])).toBe('')
  })
})
