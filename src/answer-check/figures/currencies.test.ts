import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const payments = queryReport({
  columns: [
    { name: 'country', type: 'String' },
    { name: 'currency', type: 'String' },
    { name: 'amount_eur', type: 'Decimal(10, 2)' },
  ],
  rows: [
    ['Norway', 'NOK', '1210.00'],
    ['Spain', 'EUR', '950.00'],
  ],
})
const check = (unit: string) => new CitationChecker([payments], { question: 'Who paid how much?' }).check(unit)

describe('a currency beside a figure', () => {
  it.each([
    "Norway paid 1,210 EUR {= amount_eur['Norway']}, 260 EUR {= amount_eur[1] - amount_eur[2]} more than Spain [Q1].",
    "Norway paid €1,210 {= amount_eur['Norway']} [Q1].",
    "Norway pays in NOK: it paid 1,210 EUR {= amount_eur['Norway']} [Q1].",
  ])("is no row's name if the column has that currency: %s", unit => {
    expect(check(unit)).toMatchObject({ kind: 'supported', problems: [] })
  })

  it.each(['1,210 NOK', '$1,210', 'USD 1,210'])("is compared with the column's name: %s", amount => {
    expect(check(`Norway paid ${amount} {= amount_eur['Norway']} [Q1].`).problems.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('is in EUR, as its column says'),
    )
  })
})
