import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const lines = queryReport({
  columns: [
    { name: 'line', type: 'String' },
    { name: 'mode', type: 'String' },
    { name: 'opened_on', type: 'Date' },
    { name: 'closed_on', type: 'Nullable(Date)' },
    { name: 'trips_not_cancelled', type: 'UInt64' },
    { name: 'lost', type: 'UInt64' },
    { name: 'doctors_with_contract', type: 'UInt64' },
    { name: 'contracts', type: 'UInt64' },
    { name: 'hours_before_start', type: 'Float64' },
    { name: 'open_amount', type: 'Decimal(10, 2)' },
    { name: 'currency', type: 'String' },
  ],
  rows: [
    ['Harbour', 'tram', '2019-03-01', null, '90', '5', '10', '20', 20, '310.50', 'CHF'],
    ['Castle', 'bus', '2011-05-02', '2026-03-25', '70', '8', '15', '18', 12, '120.00', 'EUR'],
    ['Airport', 'bus', '2014-07-03', null, '40', '9', '16', '30', 7, '90.00', 'EUR'],
  ],
})

function kindOf(unit: string): string {
  return new CitationChecker([lines], { question: 'How are the lines doing?' }).check(unit).kind
}

describe('words beside a figure', () => {
  it.each([
    ['Harbour had 90 trips {=E1} that were not cancelled [Q1].', 'Harbour had 90 trips {=E1} that were cancelled [Q1].'],
    ['{count(D = null): word} of the lines are open [Q1].', '{count(D = null): word} of the lines are closed [Q1].'],
    ['Castle was opened on 2011-05-02 {=C2} [Q1].', 'Castle was closed on 2011-05-02 {=C2} [Q1].'],
    ['Harbour has 2 contracts per doctor {=H1/G1} [Q1].', 'Harbour has 9 hours per contract {=E1/G1} [Q1].'],
    ['The longest was 20 hours {=max(I)} at Harbour [Q1].', 'The longest was 20 days {=max(I)} at Harbour [Q1].'],
    ['Harbour has 310.50 CHF {=J1} open [Q1].', 'In CHF, Harbour has 310.50 EUR {=J1} open [Q1].'],
    [
      'Castle has been there the longest, since 2011-05-02 {=C2} [Q1].',
      'Airport has been there the longest, since 2014-07-03 {=C3} [Q1].',
    ],
    ["Buses have {100 * sum(F, B = 'bus') / sum(F): 0} % [Q1].", "Buses have {100 * sum(F, B = 'tram') / sum(F): 0} % [Q1]."],
    [
      "Bus has 17 {=sum(F, B = 'bus')} and tram 5 {=sum(F, B = 'tram')} [Q1].",
      "Tram has 17 {=sum(F, B = 'bus')} and bus 5 {=sum(F, B = 'tram')} [Q1].",
    ],
    ["Harbour lost {sum(F, A = 'Harbour')} trips [Q1].", 'Harbour lost {sum(F)} trips [Q1].'],
  ])('agree with its column, condition and rows: %s', (right, wrong) => {
    expect([kindOf(right), kindOf(wrong)]).toEqual(['supported', 'unsupported'])
  })
})
