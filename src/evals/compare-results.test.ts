import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Cell } from '../warehouse/warehouse.ts'
import { type ComparedResult, compareResults } from './compare-results.ts'

const result = (names: readonly string[], ...rows: readonly (readonly Cell[])[]): ComparedResult => ({
  columns: names.map(name => ({ name })),
  rows,
})

const gold = result(['city', 'orders', 'share'], ['Oslo', 3, 0.25], ['Bergen', 9, 0.75])

describe('a result', () => {
  it.each([
    ['the same', gold],
    ['in another order of rows', result(['city', 'orders', 'share'], ['Bergen', 9, 0.75], ['Oslo', 3, 0.25])],
    ['in another order of columns, named otherwise', result(['p', 'n', 'c'], [0.25, 3, 'Oslo'], [0.75, 9, 'Bergen'])],
    ['with numbers as text', result(['city', 'orders', 'share'], ['Oslo', '3', '0.25'], ['Bergen', '9', '0.75'])],
    ['with floats a little off', result(['city', 'orders', 'share'], ['Oslo', 3, 0.250002], ['Bergen', 9, 0.74999])],
  ])('%s is right', (_, own) => {
    expect(compareResults(own, gold, false)).toEqual({ isEqual: true, extraColumns: [] })
  })

  it('with ids that look like endless numbers is right', () => {
    const ids = ['67e48204', 'ae736c15', '1e9999', '041f3c6a']
    const rows = (order: readonly string[]) => result(['id'], ...order.map(id => [id]))
    expect(compareResults(rows(ids), rows(ids.toReversed()), false)).toMatchObject({ isEqual: true })
    expect(compareResults(rows(['67e48204']), rows(['68e48204']), false)).toMatchObject({ isEqual: false })
  })

  it('may have additional columns, which are named', () => {
    const own = result(['city', 'country', 'orders', 'share'], ['Oslo', 'NO', 3, 0.25], ['Bergen', 'NO', 9, 0.75])
    expect(compareResults(own, gold, false)).toEqual({ isEqual: true, extraColumns: ['country'] })
  })

  it.each([
    ['no rows', result(['city', 'orders', 'share']), 'empty'],
    ['too few', result(['city', 'orders', 'share'], ['Oslo', 3, 0.25]), 'missing_rows'],
    ['too many', result(['city', 'orders', 'share'], ['Oslo', 3, 0.25], ['Bergen', 9, 0.75], ['Bodø', 1, 0.1]), 'extra_rows'],
    ['too many and none of them right', result(['n'], [1], [2], [4]), 'wrong_rows'],
    ['no such column', result(['city', 'orders'], ['Oslo', 3], ['Bergen', 9]), 'wrong_column'],
    ['another figure in one column', result(['city', 'orders', 'share'], ['Oslo', 4, 0.25], ['Bergen', 9, 0.75]), 'wrong_column'],
    ['nothing right', result(['city', 'orders', 'share'], ['Rome', 4, 0.2], ['Paris', 8, 0.7]), 'wrong_rows'],
    [
      'the right figures at the wrong names',
      result(['city', 'orders', 'share'], ['Oslo', 9, 0.75], ['Bergen', 3, 0.25]),
      'wrong_rows',
    ],
    [
      'whole numbers that differ by one',
      result(['city', 'orders', 'share'], ['Oslo', 3, 0.25], ['Bergen', 10, 0.75]),
      'wrong_column',
    ],
  ])('with %s is wrong', (_, own, miss) => {
    expect(compareResults(own, gold, false)).toMatchObject({ isEqual: false, miss })
  })

  it('in another order is wrong if the order matters', () => {
    const turned = result(['city', 'orders', 'share'], ['Bergen', 9, 0.75], ['Oslo', 3, 0.25])
    expect(compareResults(turned, gold, true).isEqual).toBe(false)
    expect(compareResults(gold, gold, true).isEqual).toBe(true)
  })

  it('with duplicate rows is wrong if the gold one has them once', () => {
    const once = result(['n'], [1], [1], [2])
    expect(compareResults(result(['n'], [1], [2], [2]), once, false).isEqual).toBe(false)
  })

  it.each<[string, Cell, Cell, boolean]>([
    ['a day and its midnight', '2026-03-01', '2026-03-01 00:00:00', true],
    ['a second with and without its fraction', '2026-03-01 12:00:00.000', '2026-03-01 12:00:00', true],
    ['yes as a flag and as a number', true, 1, true],
    ['nothing and not a number', null, 'nan', true],
    ['nothing and zero', null, 0, false],
    ['empty text and nothing', '', null, false],
    ['integers beyond what a float holds, one apart', '144803450513501499', '144803450513501498', false],
    ['such an integer and the float that comes nearest', '144803450513501499', 1.448034505135015e17, true],
    ['a version and the number it looks like', '1.10', '1.1', true],
    ['a code and the number it would be', '007', '7', false],
    ['a code and a number', '007', 7, false],
    ['a long code and its number', '00144803450513501499', '144803450513501499', false],
    ['such a code and itself', '007', '007', true],
    ['a part of one', '0.50', 0.5, true],
    ['a label for nothing and an empty text', '(none named)', '', true],
    ['a label for something in parentheses and an empty text', '(Norway)', '', false],
    ['text in another case', 'oslo', 'Oslo', false],
    ['lists', [1, 2], [1, 2], true],
  ])('takes %s as they are meant', (_, own, wanted, isEqual) => {
    expect(compareResults(result(['x'], [own]), result(['x'], [wanted]), false).isEqual).toBe(isEqual)
  })

  it('is right for any order of nearly equal floats', () => {
    const [least, middle, most] = [[1], [1.00009], [1.00018]]
    expect(compareResults(result(['x'], most, middle, least), result(['x'], middle, least, most), false).isEqual).toBe(true)
  })

  it('stays right when rows and columns are shuffled, and wrong with a value of another row', () => {
    const cell = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.boolean())
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }))
    fc.assert(
      fc.property(table, fc.func(fc.integer()), (rows, weight) => {
        const width = rows[0]?.length ?? 0
        const turned = [...Array(width).keys()].sort((a, b) => weight(a) - weight(b))
        const names = [...Array(width).keys()].map(String)
        const shuffled = rows.map(row => turned.map(index => row[index] ?? null)).sort((a, b) => weight(a) - weight(b))
        expect(compareResults(result(names, ...shuffled), result(names, ...rows), false).isEqual).toBe(true)
        const changed = rows.map((row, index) => (index === 0 ? [...row.slice(1), 'another value'] : row))
        expect(compareResults(result(names, ...changed), result(names, ...rows), false).isEqual).toBe(false)
      }),
    )
  })
})
