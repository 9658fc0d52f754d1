import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const CITIES = queryReport({
  columns: [
    { name: 'city', type: 'String' },
    { name: 'bikes', type: 'UInt64' },
  ],
  rows: [
    ['Oslo', '40'],
    ['Bern', '55'],
    ['Riga', '12'],
    ['Kiel', '77'],
  ],
})

describe('a list of figures beside a list of names', () => {
  it.each([
    ['Oslo, Bern and Riga have 40 {= bikes[1]}, 55 {= bikes[2]} and 12 {= bikes[3]} bikes [Q1].', 'supported'],
    ['Oslo, Bern and Riga have 40 {= bikes[1]}, 12 {= bikes[3]} and 55 {= bikes[2]} bikes [Q1].', 'unsupported'],
    ['With 55 {= bikes[2]} and 40 {= bikes[1]} bikes Bern and Oslo lie between the others [Q1].', 'supported'],
    ['With 40 {= bikes[1]} and 55 {= bikes[2]} bikes Bern and Oslo lie between the others [Q1].', 'unsupported'],
    ['Bern and Oslo have between 40 {= bikes[1]} and 55 {= bikes[2]} bikes [Q1].', 'supported'],
  ])('matches it one by one: %s', (unit, kind) => {
    const checker = new CitationChecker([CITIES], { question: 'How many bikes?', timeZone: 'Europe/Berlin' })
    expect(checker.check(unit).kind).toBe(kind)
  })
})
