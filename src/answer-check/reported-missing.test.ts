import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import { CitationChecker } from './citation-checker.ts'

const HOURS = queryReport({
  question: 'a data question',
  sql: 'SELECT hour, visits, errors FROM t',
  columns: [
    { name: 'hour', type: 'UInt8' },
    { name: 'visits', type: 'UInt64' },
    { name: 'errors', type: 'UInt64' },
  ],
  rows: [
    [7, '120', '3'],
    [8, '393', '9'],
    [17, '300', '0'],
  ],
})

function kindOf(unit: string): string {
  return new CitationChecker([HOURS], { question: 'How are things?', timeZone: 'Europe/Berlin' }).check(unit).kind
}

describe('times and keys without a row', () => {
  it.each([
    'The hour from 23:00 has no row [Q1].',
    'There are no rows for 1:00, 3:00 and 4:00, so no session started then [Q1].',
    'In 21 {= 24 - count()} Stunden kam niemand: ab 1:00, ab 3:00 und ab 4:00 Uhr [Q1].',
  ])('may be called missing: %s', unit => {
    expect(kindOf(unit)).toBe('supported')
  })

  it.each([
    'Most visits come at 13:00, none in the evening [Q1].',
    'At 12:00 there were 393 visits, nobody knows why [Q1].',
    'The site is busiest at 13:00, no doubt [Q1].',
    'The peak at 14:00 has no equal [Q1].',
    'No hour is busier than the hour from 23:00 [Q1].',
    'Um 13:00 ist am meisten los, wie an keinem anderen Tag [Q1].',
    'Der Höhepunkt liegt um 13:00 und kein anderer Wert kommt heran [Q1].',
    'The hours 12, 13 and 16 have 393 visits, no more [Q1].',
    'There are 15 errors, none of them serious [Q1].',
    'There were no more than 13 errors in all [Q1].',
    'Nothing beats hour 14 [Q1].',
  ])('fail if the negation concerns something else: %s', unit => {
    expect(kindOf(unit)).toBe('unsupported')
  })
})
