import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { drawTable } from './draw-table.ts'
import { terminalText } from './terminal-text.ts'

const NONE: ReadonlySet<number> = new Set()
const NARROWEST = 6

/** What the drawn lines hold in each column, put together again, without any white space. */
function contents(drawn: string, columns: number): string[] {
  const lines = drawn.split('\n').filter(line => line.startsWith('│'))
  return Array.from({ length: columns }, (_, index) => withoutSpace(lines.map(line => line.split('│')[index + 1] ?? '').join('')))
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '')
}

const cell = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .array(fc.constantFrom('表', '格', '👩‍👩‍👧', '🇩🇪', 'e\u0301', 'ab cd', ' ', 'https://a.b/c?d', '١٢'), { maxLength: 30 })
      .map(all => all.join('')),
  )
  .map(text => terminalText(text).replaceAll('│', ''))
const table = fc.integer({ min: 1, max: 5 }).chain(columns =>
  fc.record({
    header: fc.array(cell, { minLength: columns, maxLength: columns }),
    rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 5 }),
    numeric: fc.uniqueArray(fc.integer({ min: 0, max: columns - 1 })).map(list => new Set(list)),
  }),
)

describe('drawTable', () => {
  it('draws what is narrow as it is, numbers to the right', () => {
    const drawn = drawTable(
      {
        header: ['metro', 'links'],
        rows: [
          ['ams', '7'],
          ['tyo', '12'],
        ],
        numeric: new Set([1]),
      },
      80,
    )
    expect(drawn).toBe(
      [
        '┌───────┬───────┐',
        '│ metro │ links │',
        '├───────┼───────┤',
        '│ ams   │     7 │',
        '│ tyo   │    12 │',
        '└───────┴───────┘',
      ].join('\n'),
    )
  })

  it('goes on in further lines where it must, between words where it can', () => {
    const drawn = drawTable({ header: ['id', 'comment'], rows: [['1', 'the quick brown fox']], numeric: NONE }, 20)
    expect(drawn.split('\n').slice(3, -1)).toEqual(['│ 1  │ the quick   │', '│    │ brown fox   │'])
  })

  it('lets headers go on in further lines before values do, and breaks names between their parts', () => {
    const header = ['job', 'operation:with_country', 'id']
    const drawn = drawTable({ header, rows: [['orders', 'two words', 'job_1']], numeric: NONE }, 35)
    expect(drawn.split('\n').slice(1, -1)).toEqual([
      '│ job    │ operation:     │ id    │',
      '│        │ with_country   │       │',
      '├────────┼────────────────┼───────┤',
      '│ orders │ two words      │ job_1 │',
    ])
    const narrow = drawTable({ header: ['task'], rows: [['operation:with_country']], numeric: NONE }, 16)
    expect(narrow.split('\n').slice(3, -1)).toEqual(['│ operation:   │', '│ with_country │'])
  })

  it('leaves out empty columns where that is wanted', () => {
    const table = { header: ['a', 'error', 'n'], rows: [['x', '', '1'], ['y']], numeric: new Set([2]) }
    expect(drawTable(table, 40)).toContain('error')
    expect(
      drawTable({ ...table, hidesEmpty: true }, 40)
        .split('\n')
        .slice(1, 2),
    ).toEqual(['│ a │ n │'])
    expect(drawTable({ ...table, rows: [], hidesEmpty: true }, 40)).toContain('│ a │ error │ n │')
  })

  it('keeps together what is copied', () => {
    const drawn = drawTable(
      { header: ['comment', 'id'], rows: [['the quick brown fox', 'job_0123456789']], numeric: NONE, whole: new Set([1]) },
      30,
    )
    expect(drawn.split('\n').slice(3, -1)).toEqual(['│ the quick │ job_0123456789 │', '│ brown fox │                │'])
  })

  it('loses nothing, and keeps its lines straight and within the width, whatever the cells hold', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 100 }), (drawn, width) => {
        const columns = drawn.header.length
        const text = drawTable(drawn, width)
        const widths = new Set(text.split('\n').map(line => stringWidth(line)))
        expect(widths.size).toBe(1)
        expect([...widths][0]).toBeLessThanOrEqual(Math.max(width, columns * (NARROWEST + 3) + 1))
        const whole = drawn.header.map((header, index) => withoutSpace([header, ...drawn.rows.map(row => row[index])].join('')))
        expect(contents(text, columns)).toEqual(whole)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps a cell with line ends and tabs in its place', () => {
    expect(drawTable({ header: ['a\nb'], rows: [['1\t2\r\n3']], numeric: NONE }, 40).split('\n')).toHaveLength(5)
  })

  it('shows cells beyond the header, and rows that are too short', () => {
    const drawn = drawTable({ header: ['a'], rows: [['1', 'further'], []], numeric: NONE }, 40)
    expect(drawn).toContain('further')
    expect(new Set(drawn.split('\n').map(line => line.length)).size).toBe(1)
  })
})
