import { expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const orders = queryReport({
  columns: [
    { name: 'order_id', type: 'String' },
    { name: 'country', type: 'Nullable(String)' },
    { name: 'paid_at', type: 'Nullable(Date)' },
    { name: 'amount', type: 'Nullable(Float64)' },
  ],
  rows: [
    ['A-1', 'Germany', '2026-01-05', 20],
    ['A-2', null, null, 5.5],
    ['A-3', 'France', '2026-01-07', null],
  ],
})
const kindOf = (unit: string) => new CitationChecker([orders], { question: 'Why has A-2 no country?' }).check(unit).kind

it.each([
  ['A-2 has `country` NULL [Q1].', 'A-1 has `country` NULL [Q1].'],
  ['A-2 has a `paid_at` of NULL [Q1].', 'A-3 has a `paid_at` of NULL [Q1].'],
  ['The `amount` of A-3 is NULL [Q1].', 'The `amount` of A-2 is NULL [Q1].'],
  ['The `country` is NULL in one row [Q1].', 'The `order_id` is NULL in one row [Q1].'],
  ['A-1 is in Germany, and its `country` is NOT NULL [Q1].', 'A-1 is in Germany, where `country` is NULL for A-1 [Q1].'],
])('a NULL that is there passes, and one that is not is refused: %s', (right, wrong) => {
  expect(kindOf(right)).toBe('supported')
  expect(kindOf(wrong)).toBe('unsupported')
})

it('says nothing of a column that no cited result has', () => {
  expect(kindOf('A-2 finds nothing, and the join fills in NULL [Q1].')).toBe('supported')
})
