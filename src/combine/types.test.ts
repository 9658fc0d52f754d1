import { describe, expect, it } from '@jest/globals'
import type { ColumnType } from './plan.ts'
import { commonScale, readContract } from './types.ts'

function read(type: ColumnType, actual: string) {
  return readContract([{ name: 'x', type }], [{ name: 'x', type: actual }])[0]
}

describe('readContract', () => {
  it.each<[ColumnType, string, ColumnType]>([
    ['integer', 'Nullable(UInt64)', 'integer'],
    ['integer', 'LowCardinality(Nullable(Int8))', 'integer'],
    ['integer', 'Float64', 'float'],
    ['decimal', 'Int32', 'integer'],
    ['float', 'Decimal(18, 4)', 'decimal'],
    ['integer', 'Bool', 'integer'],
    ['boolean', 'UInt8', 'boolean'],
    ['date', "Nullable(DateTime64(3, 'Europe/Berlin'))", 'datetime'],
    ['datetime', 'Date32', 'date'],
    ['text', "Enum8('a' = 1, 'b)' = 2)", 'text'],
    ['text', 'UUID', 'text'],
    ['text', 'Int64', 'text'],
    ['text', 'UInt256', 'text'],
  ])('reads %s from %s as %s', (contract, actual, type) => {
    expect(read(contract, actual)?.type).toBe(type)
  })

  it.each<[ColumnType, string]>([
    ['integer', 'String'],
    ['integer', 'UInt128'],
    ['boolean', 'Int64'],
    ['date', 'String'],
    ['text', 'Array(String)'],
    ['text', 'JSON'],
    ['datetime', 'DateTime64(9)'],
    ['datetime', "DateTime('Europe/Berlin\\')')"],
  ])('refuses %s from %s, and says to what to cast it', (contract, actual) => {
    expect(() => read(contract, actual)).toThrow(/^The column "x" has the type .*; cast it to /)
  })

  it('keeps a contract also if the result has more columns in another order', () => {
    const actual = [
      { name: 'y', type: 'JSON' },
      { name: 'x', type: 'String' },
    ]
    expect(readContract([{ name: 'x', type: 'text' }], actual)).toMatchObject([{ name: 'x', type: 'text' }])
  })

  it('names a column that is missing, and those that are there', () => {
    expect(() => readContract([{ name: 'x', type: 'text' }], [{ name: 'y', type: 'String' }])).toThrow(
      'no column "x"; it has "y"',
    )
  })

  it('reads the zone of a time, and the digits of a decimal', () => {
    expect(read('datetime', "DateTime('America/New_York')")?.timeZone).toBe('America/New_York')
    expect(read('datetime', "DateTime64(6, 'UTC')")?.timeZone).toBe('UTC')
    expect(read('decimal', 'Decimal(38, 10)')).toMatchObject({ digits: 28, scale: 10 })
    expect(read('decimal', 'Decimal64(4)')).toMatchObject({ digits: 14, scale: 4 })
  })
})

describe('commonScale', () => {
  const columns = (...types: string[]) =>
    readContract(
      types.map((_, index) => ({ name: `c${index}`, type: 'decimal' })),
      types.map((type, index) => ({ name: `c${index}`, type })),
    )

  it('is the largest scale', () => {
    expect(commonScale(columns('Decimal(18, 2)', 'Decimal(38, 6)', 'Int64'))).toBe(6)
    expect(commonScale(columns('Int64'))).toBe(0)
  })

  it.each([
    ['Decimal(76, 10)', 'Decimal(38, 30)'],
    ['Int64', 'Decimal(50, 40)'],
  ])('refuses %s beside %s, which no decimal can hold together', (one, other) => {
    expect(() => commonScale(columns(one, other))).toThrow('The column "c0" needs more digits')
  })
})
