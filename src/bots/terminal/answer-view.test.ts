import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { runResult } from '../../../test/support/run-result.ts'
import { answerView, sqlView, tableView } from './answer-view.ts'
import { terminalStyle, type View } from './style.ts'

const view: View = { style: terminalStyle(false), width: 60, wraps: false }
const numbers = Array.from({ length: 60 }, (_, index) => [String(index)])
const counted = { columns: [{ name: 'n', type: 'UInt64' }], rows: numbers }

describe('answerView', () => {
  it('explains the sources in fewer lines than the answer has', () => {
    const queries = [queryReport({ rows: [['a']] }), queryReport({ id: 'Q2', explanation: '', rows: numbers, truncated: true })]
    const answer = 'Sixty [Q1].\n\n- One\n- Two'
    const sources = ['[Q1] Counts devices per metro. (1 row)', '[Q2] How many devices are there per metro? (60+ rows)']
    expect(answerView(runResult({ answer, queries }), view).split('\n').slice(-3)).toEqual(['', ...sources])
    expect(answerView(runResult({ queries }), view)).toBe('Sixty [Q1].')
  })

  it('shows the rows behind an investigation', () => {
    const queries = [
      queryReport({ id: 'E1', explanation: 'rows of vendors', ...counted, rows: [['0']] }),
      queryReport({ id: 'E2', explanation: 'rows of cves', ...counted }),
    ]
    const lines = answerView(runResult({ intent: 'lineage', queries }), view).split('\n')
    expect(lines.slice(2, 10)).toEqual([
      '[E1] rows of vendors',
      '┌───┐',
      '│ n │',
      '├───┤',
      '│ 0 │',
      '└───┘',
      '',
      '[E2] rows of cves',
    ])
    expect(lines.at(-1)).toBe('55 more rows')
  })

  it('is only the answer if nothing was queried', () => {
    expect(answerView(runResult({ answer: 'Hello.' }), view)).toBe('Hello.')
  })
})

describe('sqlView', () => {
  it('shows the SQL with its assumptions, or says that there is none', () => {
    expect(sqlView(queryReport({ assumptions: ['UTC'] }), view, 'en')).toBe(
      'Q1 How many devices are there per metro?\n  Assumed: UTC\nSELECT 1',
    )
    expect(sqlView(queryReport({ sql: null }), view, 'en')).toContain('No SQL was written.')
  })
})

describe('tableView', () => {
  it.each([
    ['how many rows are hidden', { ...counted }, 50, '10 more rows'],
    ['that one is', { ...counted }, 59, '1 more row'],
    ['that the result was cut', { ...counted, truncated: true }, 50, '10 more rows, and more that were cut'],
    ['how many were cut, too', { ...counted, truncated: true, total_rows: 5_000 }, 50, '4,950 more rows'],
    [
      'that rows were cut where all others are shown',
      { ...counted, truncated: true },
      60,
      'There are more rows, which were cut.',
    ],
  ])('says %s', (_, given, mostRows, note) => {
    expect(tableView(queryReport(given), mostRows, view, 'en').split('\n').at(-1)).toBe(note)
  })

  it('has no note if all rows are shown', () => {
    expect(tableView(queryReport(counted), 60, view, 'en').split('\n').at(-1)).toMatch(/^└─+┘$/)
  })

  it('shows fewer rows if each takes a block of lines', () => {
    const columns = Array.from({ length: 62 }, (_, index) => ({ name: `column_${index}`, type: 'String' }))
    const rows = Array.from({ length: 20 }, () => columns.map(() => 'x'))
    const lines = tableView(queryReport({ columns, rows }), 50, view, 'en').split('\n')
    expect(lines).toHaveLength(3 * 63 + 1)
    expect([lines[1], lines.at(-1)]).toEqual(['column_0   x', '17 more rows'])
  })

  it('right-aligns numbers, and distinguishes NULL from an empty text', () => {
    const columns = [
      { name: 'metro', type: 'String' },
      { name: 'sum', type: 'Nullable(Decimal(18, 2))' },
    ]
    const rows = [
      ['', '12.50'],
      ['ams', null],
    ]
    expect(tableView(queryReport({ columns, rows }), 9, view, 'en')).toContain('│       │ 12.50 │\n│ ams   │  NULL │')
  })

  it('shows values unchanged, without characters that could move the cursor or break lines', () => {
    const drawn = tableView(
      queryReport({ columns: [{ name: 'a\nb\u001b[2J', type: 'String' }], rows: [['x|y\t\u009b1A\r\nz']] }),
      9,
      view,
      'en',
    )
    expect(drawn.split('\n')).toHaveLength(5)
    expect(drawn).toContain('│ x|y 1A z │')
    expect(drawn).toContain('│ a b[2J')
  })

  it('groups the digits of amounts like a chart, but not of years, ids and codes', () => {
    const columns = [
      { name: 'order_id', type: 'UInt64' },
      { name: 'year', type: 'UInt16' },
      { name: 'kundennummer', type: 'UInt32' },
      { name: 'orders', type: 'UInt64' },
      { name: 'revenue_eur', type: 'Nullable(Decimal(18, 2))' },
      { name: 'note', type: 'String' },
    ]
    const rows = [[10234, 2026, 44871, '18446744073709551615', '-3014.50', '3014']]
    const cells = (language: 'en' | 'de', given = {}) =>
      tableView(queryReport({ columns, rows, ...given }), 9, { ...view, width: 200 }, language)
        .split('\n')[3]
        ?.split('│')
        .map(cell => cell.trim())
        .slice(1, -1)
    expect(cells('en')).toEqual(['10234', '2026', '44871', '18,446,744,073,709,551,615', '-3,014.50', '3014'])
    expect(cells('de')).toEqual(['10234', '2026', '44871', '18.446.744.073.709.551.615', '-3.014,50', '3014'])
    const chart = { kind: 'bar', label: 'orders', values: ['order_id'], series: null } as const
    expect(cells('de', { chart })?.slice(0, 4)).toEqual(['10.234', '2026', '44871', '18446744073709551615'])
  })

  it('says in German which rows are not shown', () => {
    expect(
      tableView(queryReport({ ...counted, truncated: true }), 50, view, 'de')
        .split('\n')
        .at(-1),
    ).toBe('10 weitere Zeilen, und mehr, die abgeschnitten sind')
    expect(tableView(queryReport({}), 9, view, 'de')).toBe('Q1 hat keine Zeilen geliefert.')
  })

  it('says that a query failed or returned nothing', () => {
    expect(tableView(queryReport({ error: 'no \u001b[2Jroom' }), 9, view, 'en')).toBe('Q1 failed: no [2Jroom')
    expect(tableView(queryReport({}), 9, view, 'en')).toBe('Q1 returned no rows.')
  })
})
