import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { queryReport } from '../../test/support/query-report.ts'
import { CitationChecker } from './citation-checker.ts'

interface Measured {
  readonly name: string
  readonly requests: number
  readonly latency: number
  readonly errors: number
}

const NAMES = ['auth-eu1', 'billing-eu2', 'search-us4', 'media-us5', 'carts-ap7', 'stock-ap8']
/** Values that lie so far apart that neither rounding nor the test's alterations turn one into another. */
const distinct = (min: number, max: number) =>
  fc
    .uniqueArray(fc.integer({ min, max }), { minLength: 4, maxLength: 4 })
    .filter(values =>
      values.every(one => values.every(other => one === other || Math.abs(one - other) > 0.15 * Math.max(one, other))),
    )
const rowsOf = fc
  .record({ requests: distinct(20_000, 9_000_000), latency: distinct(1_000, 90_000), errors: distinct(100, 9_000) })
  .map(({ requests, latency, errors }) =>
    requests.map(
      (count, at): Measured => ({
        name: NAMES[at] ?? '',
        requests: count,
        latency: (latency[at] ?? 0) / 100,
        errors: (errors[at] ?? 0) / 100,
      }),
    ),
  )

const english = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const german = (value: number, digits = 0) =>
  value.toLocaleString('de', { minimumFractionDigits: digits, maximumFractionDigits: digits })
/** Ways to write an answer: sentences, a list and a table, in two languages, from one query and from two. */
const STYLES: readonly ((rows: readonly Measured[]) => string)[] = [
  rows =>
    rows.map(row => `${row.name} served ${english(row.requests)} requests at ${english(row.latency, 2)} ms [Q1].`).join('\n'),
  rows => rows.map(row => `- \`${row.name}\`: ${english(row.errors, 2)} % errors [Q2]`).join('\n'),
  rows =>
    rows
      .map(
        row =>
          `${row.name} beantwortete ${german(row.requests)} Anfragen, ${german(row.errors, 2)} % davon mit Fehlern [Q1, Q2].`,
      )
      .join('\n'),
  rows =>
    `| Service | Requests | Latency (ms) |\n|---|---|---|\n${rows.map(row => `| ${row.name} | ${english(row.requests)} | ${english(row.latency, 2)} |`).join('\n')}\n\n[Q1]`,
  rows => `Errors: ${rows.map(row => `${english(row.errors, 2)} % on ${row.name}`).join(', ')} [Q2].`,
]
const cases = fc.record({ rows: rowsOf, style: fc.constantFrom(...STYLES), at: fc.nat(3), by: fc.integer({ min: 10, max: 50 }) })

function passes(answer: string, rows: readonly Measured[]): boolean {
  const results = [
    {
      id: 'Q1',
      columns: { service: 'String', requests: 'UInt64', latency_ms: 'Float64' },
      rows: rows.map(row => [row.name, String(row.requests), row.latency]),
    },
    { id: 'Q2', columns: { service: 'String', error_percent: 'Float64' }, rows: rows.map(row => [row.name, row.errors]) },
  ].map(({ id, columns, rows: cells }) =>
    queryReport({
      id,
      columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
      rows: cells,
      row_count: cells.length,
    }),
  )
  const checker = new CitationChecker(results, { question: 'How are our services doing?' })
  const verdicts = answer.split('\n').map(line => checker.check(line).kind)
  return ![...verdicts, checker.end().kind].includes('unsupported')
}

function changed(
  rows: readonly Measured[],
  at: number,
  change: (row: Measured, next: Measured) => Partial<Measured>,
): Measured[] {
  return rows.map((row, index) => (index === at ? { ...row, ...change(row, rows[(at + 1) % rows.length] ?? row) } : row))
}

describe('answers over two results, in two languages', () => {
  it('pass unchanged', () => {
    fc.assert(fc.property(cases, ({ rows, style }) => passes(style(rows), rows)))
  })

  it('fail when every figure of a row is off by some percent', () => {
    fc.assert(
      fc.property(cases, ({ rows, style, at, by }) => {
        const more = (value: number, digits: number) => Math.round(value * (1 + by / 1000) * 10 ** digits) / 10 ** digits
        const wrong = changed(rows, at, row => ({
          requests: more(row.requests, 0),
          latency: more(row.latency, 2),
          errors: more(row.errors, 2),
        }))
        return !passes(style(wrong), rows)
      }),
    )
  })

  it('fail when one name is exchanged for another', () => {
    fc.assert(
      fc.property(cases, ({ rows, style, at }) => !passes(style(changed(rows, at, (_, next) => ({ name: next.name }))), rows)),
    )
  })

  it('fail when the values of two rows are swapped', () => {
    fc.assert(
      fc.property(cases, ({ rows, style, at }) => {
        const other = (at + 1) % rows.length
        const swapped = rows.map((row, index) => {
          const from = index === at ? rows[other] : index === other ? rows[at] : row
          return { ...(from ?? row), name: row.name }
        })
        return !passes(style(swapped), rows)
      }),
    )
  })

  it('do not pass with a row count in place of a measured value', () => {
    expect(NAMES.length).toBeGreaterThan(4)
    fc.assert(fc.property(rowsOf, rows => !passes(`There were ${rows.length} requests [Q1].`, rows)))
  })
})
