import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Cell } from '../../warehouse/warehouse.ts'
import { csvContent, csvLines } from './csv-text.ts'

const csvText = (table: Parameters<typeof csvLines>[0]) => [...csvLines(table)].join('')

const oneCell = (type: string, cell: Cell) =>
  csvText({ columns: [{ name: 'c', type }], rows: [[cell]] }).slice('\ufeffc\r\n'.length, -2)

describe('csvText', () => {
  it('writes RFC 4180 that Excel reads as UTF-8', () => {
    const columns = [
      { name: 'metro, code', type: 'String' },
      { name: 'name', type: 'Nullable(String)' },
    ]
    const rows = [
      ['fra', 'Frankfurt "am Main"'],
      ['zrh', 'Zürich\nSchweiz'],
      ['', null],
    ]
    expect(csvText({ columns, rows })).toBe(
      '\ufeff"metro, code",name\r\nfra,"Frankfurt ""am Main"""\r\nzrh,"Zürich\nSchweiz"\r\n,\r\n',
    )
  })

  it.each<[string, Cell, string]>([
    ['UInt64', '18446744073709551615', '18446744073709551615'],
    ['Decimal(38, 10)', '-0.1000000000', '-0.1000000000'],
    ['Nullable(Int32)', -7, '-7'],
    ['LowCardinality(Nullable(Int8))', -1, '-1'],
    ['Float64', -1.5e-7, '-1.5e-7'],
    ['Float64', 'nan', 'nan'],
    ['Float64', '-inf', "'-inf"],
    ['Bool', true, 'true'],
    ['Variant(Int64, String)', -7, '-7'],
    ['Array(Int8)', [-1, 2], '"[-1,2]"'],
    ['Map(String, UInt8)', { a: 1 }, '"{""a"":1}"'],
    ["DateTime('UTC')", '2026-01-30 08:00:00', '2026-01-30 08:00:00'],
  ])('writes a %s exactly: %j', (type, cell, expected) => {
    expect(oneCell(type, cell)).toBe(expected)
  })

  it.each([
    ['=cmd()', "'=cmd()"],
    ['+49 69 1', "'+49 69 1"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1+1', "'\t=1+1"],
    ['\r=1+1', '"\'\r\'=1+1"'],
    ['\u200b\u202e=1+1', "'\u200b\u202e=1+1"],
    ['\uff1d1+1', "'\uff1d1+1"],
    [' =1+1', `' =1+1`],
    ['a;=1+1;b', "a;'=1+1;b"],
    ['a; @b', "a;' @b"],
    ['a\n=1+1\n-2', '"a\n\'=1+1\n\'-2"'],
    ['a=b; c-d', 'a=b; c-d'],
    ["it's", "it's"],
  ])('fault 51: runs no text as a formula: %j', (cell, expected) => {
    expect(oneCell('String', cell)).toBe(expected)
  })

  it('is the same in bytes, at any length', async () => {
    const columns = ['a', 'b'].map(name => ({ name, type: 'String' }))
    const rows = Array.from({ length: 10_000 }, (_, row) => [`größer ${row}`, 'x'])
    const content = await csvContent({ columns, rows })
    expect(content.equals(Buffer.from(csvText({ columns, rows })))).toBe(true)
  })

  it('escapes column names too', () => {
    expect(csvText({ columns: [{ name: '=HYPERLINK("http://evil.example")', type: 'UInt8' }], rows: [] })).toBe(
      '\ufeff"\'=HYPERLINK(""http://evil.example"")"\r\n',
    )
  })

  it('returns any text cell by cell, and no cell starts a formula', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@"\',;\r\n\t a1é\u200b'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), rows => {
        const columns = ['a', 'b'].map(name => ({ name, type: 'String' }))
        const read = parseCsv(csvText({ columns, rows }).slice(1)).slice(1)
        const plain = (table: readonly (readonly string[])[]) => table.map(cells => cells.map(cell => cell.replaceAll("'", '')))
        expect(plain(read)).toEqual(plain(rows))
        const pieces = read.flat().flatMap(cell => [cell, ...cell.split(/[;\r\n]/)])
        expect(pieces.filter(piece => /^[\s\u200b]*[=+\-@]/.test(piece))).toEqual([])
        expect(read.flat().filter(cell => /^[\t\r\n]/.test(cell))).toEqual([])
      }),
    )
  })
})

function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}
