import { describe, expect, it } from '@jest/globals'
import { resultTable, shownCell } from './result-table.ts'

describe('shownCell', () => {
  it.each([
    ['a computed figure', 0.1 + 0.2, '0.3'],
    ['a computed figure with a large integer part', 1234567.891234567, '1234567.89'],
    ['a small figure, which does not become 0', 0.004 / 3, '0.00133333'],
    ['a negative figure', -18.383333333333333, '-18.3833'],
    ['figures within a value', [0.1 + 0.2, { share: 1 / 3 }], '[0.3,{"share":0.333333}]'],
  ])('rounds %s', (_, cell, shown) => {
    expect(shownCell(cell)).toBe(shown)
  })

  it.each([
    ['a whole number', 123456789012345, '123456789012345'],
    ['a whole number of more digits, which comes as text', '18446744073709551615', '18446744073709551615'],
    ['a decimal, which comes as text', '0.12345678901234567890', '0.12345678901234567890'],
    ['a place on earth', 52.520008, '52.520008'],
    ['a tiny number', 4e-9, '4e-9'],
    ['nothing', null, 'NULL'],
  ])('leaves %s unchanged', (_, cell, shown) => {
    expect(shownCell(cell)).toBe(shown)
  })
})

describe('resultTable', () => {
  it('shows rounded cells', () => {
    const columns = [{ name: 'share', type: 'Float64' }]
    expect(resultTable({ columns, rows: [[2 / 3], [1]] }, 1)).toBe('| share |\n| --- |\n| 0.666667 |')
  })
})
