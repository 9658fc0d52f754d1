import { describe, expect, it } from '@jest/globals'
import { overBudget } from './budget.ts'
import { describeBytes, describeCost, describeCount } from './describe-cost.ts'
import type { CostEstimate } from './estimate.ts'

const reads = (rows: number, bytes: number, more: Partial<CostEstimate> = {}): CostEstimate => ({
  tables: [{ table: 'shop.orders', rows, bytes, columns: [] }],
  ...{ rows, bytes, joinedRows: 0, unknown: [] },
  ...more,
})
const BUDGET = { maxRows: 5_000_000_000, maxBytes: 50_000_000_000 }

describe('overBudget', () => {
  it.each([
    [reads(4_100_000_000, 1_200_000_000_000), 'would read about 1.2 TB (4.1 billion rows) of `orders`; allowed are 50 GB'],
    [reads(6_000_000_000, 6_000_000_000), 'would read about 6 GB (6 billion rows) of `orders`; allowed are 5 billion rows'],
    [
      reads(1, 1, { joinedRows: 1e12 }),
      'would make about 1 trillion rows by joining tables without a condition; allowed are 5 billion rows',
    ],
    [reads(5_000_000_000, 50_000_000_000), null],
  ])('says which limit is exceeded: %#', (estimate, excess) => {
    expect(overBudget(estimate, BUDGET)).toBe(excess)
  })

  it('treats 0 as no limit', () => {
    expect(overBudget(reads(1e15, 1e18, { joinedRows: 1e18 }), { maxRows: 0, maxBytes: 0 })).toBeNull()
  })
})

describe('describing a cost', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_500, '1.5 kB'],
    [49_600_000_000, '50 GB'],
    [1_234_000_000_000, '1.2 TB'],
    [4e21, '4,000 EB'],
  ])('writes %d bytes as %s', (bytes, text) => {
    expect(describeBytes(bytes)).toBe(text)
  })

  it('writes small counts in digits and large ones rounded', () => {
    expect([describeCount(90), describeCount(99_999), describeCount(4_100_000_000)]).toEqual(['90', '99,999', '4.1 billion'])
  })

  it('names at most three tables, as text that cannot break out of its code marks', () => {
    const table = (name: string) => ({ table: `shop.${name}`, rows: 1, bytes: 1, columns: [] })
    const tables = ['a`b', 'c', 'd', 'e'].map(table)
    expect(describeCost(reads(4, 4, { tables }))).toBe("about 4 bytes (4 rows) of `a'b`, `c`, `d` and 1 more")
  })
})
