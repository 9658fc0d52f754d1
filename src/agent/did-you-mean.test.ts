import { expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { didYouMeanNote } from './did-you-mean.ts'

const finding = (value: string, near: readonly string[]) => ({
  column: 'network.devices.code',
  condition: '',
  matching: '0',
  rows: '12',
  range: null,
  missing: [{ value, near, all: [], elsewhere: [] }],
})

it('near values are said below an answer that names none of them', () => {
  const empty = queryReport({ rows: [], look_up: [finding('fra-dz9', ['fra-dz01', 'fra-dz02'])] })
  expect(didYouMeanNote('There is none [Q1].', [empty])).toBe(
    '`fra-dz9` does not occur in `network.devices.code`. Did you mean `fra-dz01` or `fra-dz02`?',
  )
  expect(didYouMeanNote('There is no fra-dz9, but a fra-dz02 [Q1].', [empty])).toBe('')
})

it('a near value is named by a whole word only', () => {
  const empty = queryReport({ rows: [], look_up: [finding('DZ1', ['DZ10'])] })
  const note = '`DZ1` does not occur in `network.devices.code`. Did you mean `DZ10`?'
  for (const answer of ['There is DZ100.', 'There is fra-DZ10.', 'There is DZ10-b.', 'There is aDZ10.'])
    expect(didYouMeanNote(answer, [empty])).toBe(note)
  for (const answer of ['There is DZ10.', '(`DZ10`)', 'DZ10, DZ11', 'DZ10 - and'])
    expect(didYouMeanNote(answer, [empty])).toBe('')
})

it('a value of a query with rows counts while the query still asks for it', () => {
  const rows = { columns: [{ name: 'n', type: 'UInt8' }], rows: [[1]], look_up: [finding('fra-dz9', ['fra-dz01'])] }
  expect(didYouMeanNote('One.', [queryReport({ ...rows, sql: "SELECT 1 WHERE c IN ('fra-dz9', 'b')" })])).toContain('`fra-dz01`')
  expect(didYouMeanNote('One.', [queryReport({ ...rows, sql: "SELECT 1 WHERE c = 'fra-dz01'" })])).toBe('')
})

it('nothing is said where nothing is near, or where there are rows', () => {
  const found = queryReport({ columns: [{ name: 'n', type: 'UInt8' }], rows: [[1]], look_up: [finding('a', ['b'])] })
  expect(didYouMeanNote('None.', [queryReport({ rows: [], look_up: [finding('q', [])] }), found])).toBe('')
})

it('values cannot leave their quotes', () => {
  const empty = queryReport({ rows: [], look_up: [finding('`\n# a', ['b` **c**'])] })
  expect(didYouMeanNote('None.', [empty])).toBe("`' # a` does not occur in `network.devices.code`. Did you mean `b' **c**`?")
})
