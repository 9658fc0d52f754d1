import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { runsOf } from '../../../test/support/whole.ts'
import { drawTable, fitsGrid } from './draw-table.ts'
import { terminalText } from './text.ts'

const NONE: ReadonlySet<number> = new Set()

/** Returns the text of each drawn column, without white space. */
function contents(drawn: string, columns: number): string[] {
  const lines = drawn.split('\n').filter(line => line.startsWith('│'))
  return Array.from({ length: columns }, (_, index) => withoutSpace(lines.map(line => line.split('│')[index + 1] ?? '').join('')))
}

function withoutSpace(text: string): string {
  return text.replace(/\s/g, '')
}

/**
 * Whether the characters of `part` occur in `whole` in this order. In a record, a value may continue on the next line, with other names in between.
 */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const character of part) {
    at = whole.indexOf(character, at) + 1
    if (at === 0) return false
  }
  return true
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
  it('draws a narrow table unchanged, with numbers on the right', () => {
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

  it('wraps cells if necessary, between words if possible', () => {
    const drawn = drawTable({ header: ['id', 'comment'], rows: [['1', 'the quick brown fox']], numeric: NONE }, 20)
    expect(drawn.split('\n').slice(3, -1)).toEqual(['│ 1  │ the quick   │', '│    │ brown fox   │'])
  })

  it('wraps headers before values, and breaks names between their parts', () => {
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

  it('leaves out empty columns on request', () => {
    const table = { header: ['a', 'error', 'n'], rows: [['x', '', '1'], ['y']], numeric: new Set([2]) }
    expect(drawTable(table, 40)).toContain('error')
    expect(
      drawTable({ ...table, hidesEmpty: true }, 40)
        .split('\n')
        .slice(1, 2),
    ).toEqual(['│ a │ n │'])
    expect(drawTable({ ...table, rows: [], hidesEmpty: true }, 40)).toContain('│ a │ error │ n │')
  })

  it('does not break values that people copy', () => {
    const drawn = drawTable(
      { header: ['comment', 'id'], rows: [['the quick brown fox', 'job_0123456789']], numeric: NONE, whole: new Set([1]) },
      30,
    )
    expect(drawn.split('\n').slice(3, -1)).toEqual(['│ the quick │ job_0123456789 │', '│ brown fox │                │'])
  })

  it('breaks header names at their parts only, and otherwise draws a block per row', () => {
    const header = ['contributor', 'total_contributions', 'firstSeenAt', 'id']
    const rows = [
      ['ann', '12', 'May', '7'],
      ['bob', '9', 'June', '8'],
    ]
    const given = { header, rows, numeric: new Set([1, 3]) }
    expect(drawTable(given, 48).split('\n').slice(1, 4)).toEqual([
      '│ contributor │        total_ │ firstSeen │ id │',
      '│             │ contributions │ At        │    │',
      '├─────────────┼───────────────┼───────────┼────┤',
    ])
    expect(drawTable(given, 40).split('\n')).toEqual([
      '─ 1 ────────────────────',
      'contributor       ann',
      'total_            12',
      'contributions',
      'firstSeenAt       May',
      'id                7',
      '─ 2 ────────────────────',
      'contributor       bob',
      'total_            9',
      'contributions',
      'firstSeenAt       June',
      'id                8',
    ])
  })

  it('shows a very wide row as a block, and only the names without any row', () => {
    const header = Array.from({ length: 62 }, (_, index) => `column_${index}`)
    const drawn = drawTable({ header, rows: [header.map(String)], numeric: NONE }, 100)
    expect(drawn.split('\n')).toHaveLength(63)
    expect(Math.max(...drawn.split('\n').map(line => stringWidth(line)))).toBeLessThanOrEqual(100)
    expect(drawTable({ header, rows: [], numeric: NONE }, 100)).toMatch(/^column_0, column_1, [\s\S]*column_61$/)
  })

  it('loses nothing and keeps lines straight and within the width, whatever the cells hold', () => {
    const seen = new Set<boolean>()
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 100 }), (drawn, width) => {
        const columns = drawn.header.length
        const text = drawTable(drawn, width)
        const widths = text.split('\n').map(line => stringWidth(line))
        expect(Math.max(...widths)).toBeLessThanOrEqual(width)
        const isGrid = fitsGrid(drawn, width)
        seen.add(isGrid)
        if (isGrid) {
          expect(new Set(widths).size).toBe(1)
          const whole = drawn.header.map((header, index) => withoutSpace([header, ...drawn.rows.map(row => row[index])].join('')))
          expect(contents(text, columns)).toEqual(whole)
        } else for (const part of drawn.rows.flat()) expect(isSubsequence(withoutSpace(part), text)).toBe(true)
      }),
      { numRuns: runsOf(300) },
    )
    expect(seen).toEqual(new Set([true, false]))
  })

  it('keeps a cell with line breaks and tabs in its place', () => {
    expect(drawTable({ header: ['a\nb'], rows: [['1\t2\r\n3']], numeric: NONE }, 40).split('\n')).toHaveLength(5)
  })

  it('shows cells beyond the header, and rows that are too short', () => {
    const drawn = drawTable({ header: ['a'], rows: [['1', 'further'], []], numeric: NONE }, 40)
    expect(drawn).toContain('further')
    expect(new Set(drawn.split('\n').map(line => line.length)).size).toBe(1)
  })
})
