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

  it('is bounded, and the first of each query is among those that stay', () => {
    const many = queryReport({ deciding_assumptions: Array.from({ length: 9 }, (_, index) => `${index} ${'x'.repeat(900)}`) })
    const one = queryReport({ id: 'Q2', deciding_assumptions: ['Suspended\n\n# links count.'] })
    const [, ...lines] = decidingAssumptionsNote([many, one]).split('\n')
    expect(lines.map(line => line.slice(0, 20))).toEqual([
      `- 0 ${'x'.repeat(16)}`,
      '- Suspended # links ',
      ...[1, 2, 3].map(index => `- ${index} ${'x'.repeat(16)}`),
    ])
    expect(Math.max(...lines.map(line => line.length))).toBe(302)
  })

  it('leaves out what a failed query assumed', () => {
    expect(decidingAssumptionsNote([queryReport({ error: 'timeout', deciding_assumptions: ['x'] })])).toBe('')
  })
})
