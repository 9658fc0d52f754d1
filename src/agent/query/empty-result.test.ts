import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { isEmptyResult, isPartlyEmpty } from './empty-result.ts'

const one = (...cells: readonly (readonly [string, Cell])[]) =>
  isEmptyResult(
    queryReport({ columns: cells.map(([type], index) => ({ name: `c${index}`, type })), rows: [cells.map(([, cell]) => cell)] }),
  )

describe('an empty result', () => {
  it('has no rows', () => {
    expect(isEmptyResult(queryReport({ rows: [] }))).toBe(true)
  })

  it.each<[string, Cell]>([
    ['UInt64', '0'],
    ['UInt8', 0],
    ['Int64', '-0'],
    ['Decimal(18, 2)', '0.00'],
    ['Nullable(Decimal(18, 2))', null],
    ['Float64', 'nan'],
    ['Float64', '-nan'],
    ['Float64', -0],
    ['Nullable(Float64)', null],
    ['String', ''],
    ['Bool', false],
    ['Date', '1970-01-01'],
    ["DateTime64(3, 'Europe/Berlin')", '1970-01-01 01:00:00.000'],
    ["DateTime('America/New_York')", '1969-12-31 19:00:00'],
    ['UUID', '00000000-0000-0000-0000-000000000000'],
    ['IPv4', '0.0.0.0'],
    ['Array(String)', []],
    ['Array(Float64)', ['nan', 'nan']],
    ['Map(String, UInt64)', {}],
    ['Tuple(UInt64, UInt64)', ['0', '0']],
  ])('may be one row of %s %j', (type, cell) => {
    expect(one([type, cell])).toBe(true)
  })

  it.each<[string, Cell]>([
    ['UInt64', '10'],
    ['UInt64', '100'],
    ['Float64', 0.004],
    ['Decimal(9, 2)', '0.01'],
    ['Float64', 'inf'],
    ['String', '0'],
    ['String', 'nan'],
    ['String', ' '],
    ['Bool', true],
    ['Date', '2026-01-01'],
    ['Array(UInt8)', [0, 1]],
    ['Tuple(String, UInt64)', ['a', '0']],
  ])('does not include %s %j', (type, cell) => {
    expect(one([type, cell])).toBe(false)
  })

  it('has no values in any column, and no second row', () => {
    expect(one(['UInt64', '0'], ['Nullable(Float64)', null])).toBe(true)
    expect(one(['UInt64', '0'], ['String', 'Berlin'])).toBe(false)
    expect(isEmptyResult(queryReport({ columns: [{ name: 'n', type: 'UInt8' }], rows: [[0], [0]] }))).toBe(false)
  })

  it('does not include the result of a failed query', () => {
    expect(isEmptyResult(queryReport({ rows: [], error: 'Code: 60' }))).toBe(false)
  })
})

describe('a partly empty result', () => {
  const columns = [
    { name: 'shop', type: 'String' },
    { name: 'n', type: 'UInt64' },
  ]
  const partly = (sql: string, rows: readonly (readonly Cell[])[]) =>
    isPartlyEmpty(queryReport({ sql, columns, rows: [...rows] }))

  it('has a column without values, or lacks some of the texts in its filter', () => {
    expect(partly("SELECT … = 'a'", [['x', '0']])).toBe(true)
    expect(
      partly("SELECT … = 'a'", [
        ['x', null],
        ['y', '0'],
      ]),
    ).toBe(true)
    expect(partly("SELECT … IN ('a', 'b')", [['a', '1']])).toBe(true)
    expect(partly("SELECT … IN ('it\\'s', 'b')", [['b', '1']])).toBe(true)
  })

  it('does not include a result with a figure, and with all texts or none of them', () => {
    expect(
      partly("SELECT … = 'a'", [
        ['x', '0'],
        ['y', '1'],
      ]),
    ).toBe(false)
    expect(
      partly("SELECT … IN ('a', 'b')", [
        ['a', '1'],
        ['b', '2'],
      ]),
    ).toBe(false)
    expect(partly("SELECT … = 'a' AND … = 'b'", [['x', '1']])).toBe(false)
    expect(partly("SELECT … = 'a'", [['a', '1']])).toBe(false)
    expect(partly("SELECT … = 'a'", [])).toBe(false)
  })

  it('needs a text in the filter', () => {
    expect(partly("SELECT … = ''", [['x', '0']])).toBe(false)
    expect(partly('SELECT … > 5', [['x', '0']])).toBe(false)
  })
})
