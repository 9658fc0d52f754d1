import { describe, expect, it } from '@jest/globals'
import type { Cell } from '../clickhouse/warehouse.ts'
import { SIZES } from '../sizes.ts'
import { atOnce } from '../slices.ts'
import { boundedCells } from './bounded-cells.ts'

const bounded = (cell: Cell) => atOnce(boundedCells([[1, cell]]))[0]?.[1]

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
