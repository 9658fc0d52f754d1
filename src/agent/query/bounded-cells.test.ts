import { describe, expect, it } from '@jest/globals'
import { atOnce } from '../../base/at-once.ts'
import { SIZES } from '../../base/sizes.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { boundedCells } from './bounded-cells.ts'

const bounded = (cell: Cell) => atOnce(boundedCells({ columns: [], rows: [[1, cell]] }))[0]?.[1]

describe('boundedCells', () => {
  it.each([null, 1, 'x'.repeat(SIZES.cell), ['a', ['b']], { a: { b: 'c' } }, Array.from({ length: 4_000 }, (_, at) => at)])(
    'leaves cells that fit',
    cell => {
      expect(bounded(cell)).toBe(cell)
    },
  )

  it('cuts longer cells, and says so', () => {
    expect(bounded('x'.repeat(1_000_000))).toMatch(/^x{9000,}… \(cut: 1000000 characters\)$/)
    expect(bounded('😀'.repeat(10_000))).toMatch(/^(?:😀)+… \(cut: 20000 characters\)$/u)
    expect(String(bounded('x'.repeat(1_000_000)))).toHaveLength(SIZES.cell)
  })

  it.each([
    ['a list', Array.from({ length: 20_000 }, (_, at) => at)],
    ['a list of texts', ['x'.repeat(6_000), 'y'.repeat(6_000)]],
    ['an object', { key: { inner: 'x'.repeat(20_000) } }],
    ['a list of lists', Array.from({ length: 11_000 }, () => [])],
  ])('cuts the JSON of %s', (_, cell) => {
    expect(bounded(cell)).toMatch(/^[[{][\s\S]*… \(cut: \d+ characters\)$/)
  })
})

it('an amount of two places has both, and no other number is changed', () => {
  const columns = ['Nullable(Decimal(38, 2))', 'Decimal(9, 3)', 'Float64', 'String'].map((type, at) => ({ name: `c${at}`, type }))
  const rows = [
    ['935.6', '1.5', 0.5, '1.5'],
    ['-12', '1', 1, '12'],
    [null, '0', 0, ''],
    ['0.05', '0', 0, ''],
  ]
  const cents = atOnce(boundedCells({ columns, rows })).map(row => row[0])
  expect(cents).toEqual(['935.60', '-12.00', null, '0.05'])
  expect(atOnce(boundedCells({ columns, rows })).map(row => row.slice(1))).toEqual(rows.map(row => row.slice(1)))
})
