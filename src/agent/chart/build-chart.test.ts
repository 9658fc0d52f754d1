import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { queryReport } from '../../../test/support/query-report.ts'
import { visibleText } from '../../base/text/visible-text.ts'
import { CHART_KINDS, chartSchema } from '../../charts/chart.ts'
import type { ChartRequest } from '../../charts/chart-request.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { buildChart } from './build-chart.ts'

const zones = { server: 'UTC', asker: 'Europe/Berlin' }

/** Returns the chart of a result whose columns are written as `name: type`. The first column labels the chart. */
function chartOf(
  kind: ChartRequest['kind'],
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  more: Partial<ChartRequest> & { readonly truncated?: boolean; readonly sql?: string; readonly question?: string } = {},
) {
  const { truncated = false, sql = 'SELECT 1', question = 'Q1?', ...request } = more
  const typed = columns.map(column => ({ name: column.split(': ')[0] ?? '', type: column.split(': ')[1] ?? '' }))
  const [label, ...values] = typed.map(column => column.name)
  const chart = { kind, label: label ?? '', values, series: null, ...request }
  return buildChart(queryReport({ columns: typed, rows, truncated, sql, question, chart }), zones)
}

const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `2026-11-${from + index}`)
const cities = (count: number) => Array.from({ length: count }, (_, index): Cell[] => [`city ${index}`, 100 - index])

describe('a line', () => {
  it('is drawn over days, with exact numbers as numbers and other cells as gaps', () => {
    const values = ['18446744073709551615', '1.25', 'nan', null, 7]
    const rows = days(10, 14).map((day, index): Cell[] => [day, values[index] ?? null])
    expect(chartOf('line', ['day: Date', 'p95_rtt_ms: Nullable(Decimal(38, 2))'], rows)).toEqual({
      kind: 'line',
      title: 'P95 rtt by day',
      labels: ['Nov 10', 'Nov 11', 'Nov 12', 'Nov 13', 'Nov 14'],
      series: [{ name: 'p95 rtt', values: [18446744073709552000, 1.25, null, null, 7] }],
      unit: 'ms',
    })
  })

  it.each([
    ['of an amount starts at zero', 'users: UInt64', [98, 99, 100], undefined],
    ['of close latencies does not start at zero', 'avg_rtt_ms: Float64', [98, 99, 100], true],
    ['of a rate does not start at zero', 'loss_pct: Float64', [98, 99, 100], true],
    ['of a temperature does not start at zero', 'temperature: Float64', [20, 21, 22], true],
    ['of distant latencies starts at zero', 'avg_rtt_ms: Float64', [10, 50, 100], undefined],
  ])('%s', (_, column, values, startsElsewhere) => {
    const rows = days(10, 12).map((day, index): Cell[] => [day, values[index] ?? null])
    expect(chartOf('line', ['day: Date', column], rows)?.starts_elsewhere).toBe(startsElsewhere)
  })

  it('runs forward in time, with a gap for each missing period', () => {
    const rows = [16, 15, 12, 11].map((day, index): Cell[] => [`2026-11-${day}`, index])
    expect(chartOf('line', ['day: Date', 'users: UInt64'], rows)).toMatchObject({
      labels: ['Nov 11', 'Nov 12', 'Nov 13', 'Nov 14', 'Nov 15', 'Nov 16'],
      series: [{ values: [3, 2, null, null, 1, 0] }],
    })
  })

  it("shows times of day in the asker’s zone, and names it; days and months are the query's", () => {
    const hours = ['2026-11-14 22:00:00', '2026-11-14 23:00:00', '2026-11-15 00:00:00']
    expect(
      chartOf(
        'line',
        ["hour: DateTime('UTC')", 'n: UInt8'],
        hours.map((hour, n) => [hour, n]),
      ),
    ).toMatchObject({
      title: 'N by hour (Europe/Berlin)',
      labels: ['Nov 14 23:00', 'Nov 15 00:00', 'Nov 15 01:00'],
    })
    const months = ['2025-12-01 00:00:00', '2026-01-01 00:00:00', '2026-04-01 00:00:00']
    expect(
      chartOf(
        'line',
        ['month: DateTime', 'n: UInt8'],
        months.map((month, n) => [month, n]),
      ),
    ).toMatchObject({
      title: 'N by month',
      labels: ['Dec 2025', 'Jan 2026', 'Feb 2026', 'Mar 2026', 'Apr 2026'],
    })
    const texts = ['2026-11', '2026-12', '2027-01']
    expect(
      chartOf(
        'line',
        ['month: String', 'n: UInt8'],
        texts.map((month, n) => [month, n]),
      )?.labels,
    ).toEqual(['Nov 2026', 'Dec 2026', 'Jan 2027'])
  })

  it('shows only the day for daily values, and for a time without a period its range', () => {
    const times = ['2026-11-14 10:00:00', '2026-11-15 10:00:00', '2026-11-16 10:00:00']
    expect(
      chartOf(
        'line',
        ['taken_at: DateTime', 'n: UInt8'],
        times.map((time, n) => [time, n]),
      ),
    ).toMatchObject({
      title: 'N over time (Europe/Berlin)',
      labels: ['Nov 14', 'Nov 15', 'Nov 16'],
    })
  })

  it('keeps hours apart across a clock change', () => {
    const hours = ['2026-10-24 23:00:00', '2026-10-25 00:00:00', '2026-10-25 01:00:00', '2026-10-25 02:00:00']
    expect(
      chartOf(
        'line',
        ['hour: DateTime', 'n: UInt8'],
        hours.map((hour, n) => [hour, n]),
      ),
    ).toMatchObject({
      labels: ['01:00', '02:00', '02:00', '03:00'],
      series: [{ values: [0, 1, 2, 3] }],
    })
  })

  it('draws one series for each value of a column', () => {
    const rows = days(10, 12).flatMap((day, index): Cell[][] => [
      [day, 'Bonn', index],
      [day, 'Köln', 10 - index],
    ])
    const columns = ['day: Date', 'city: LowCardinality(String)', 'users: UInt64']
    expect(chartOf('line', columns, rows.slice(0, -1), { values: ['users'], series: 'city' })).toBeNull()
    expect(chartOf('line', columns, [...rows, ['2026-11-13', 'Bonn', 9]], { values: ['users'], series: 'city' })).toMatchObject({
      title: 'Users by day and city',
      series: [
        { name: 'Bonn', values: [0, 1, 2, 9] },
        { name: 'Köln', values: [10, 9, 8, null] },
      ],
    })
    expect(chartOf('line', columns, rows, { values: ['users'] })).toBeNull()
  })

  it('recognises rates of data by both words of their unit', () => {
    const rows = days(10, 12).map((day, index): Cell[] => [day, index])
    const drawn = (column: string) => chartOf('line', ['day: Date', `${column}: Float64`], rows)
    expect(drawn('mean_rate_mbit_s')).toMatchObject({ series: [{ name: 'mean rate' }], unit: 'Mbit/s' })
    expect(drawn('gbit_s')).toMatchObject({ series: [{ name: 'gbit s' }], unit: 'Gbit/s' })
  })

  it('has only columns of one unit and order of magnitude', () => {
    const rows = days(10, 12).map((day, index): Cell[] => [day, index + 1, index + 2, 5_000, index])
    const columns = ['day: Date', 'p50_ms: Float64', 'p95_ms: Float64', 'total_ms: Float64', 'loss_pct: Float64']
    expect(chartOf('line', columns, rows)).toMatchObject({
      title: 'P50 and p95 by day',
      series: [{ name: 'p50' }, { name: 'p95' }],
      unit: 'ms',
    })
  })

  it.each<[string, readonly string[]]>([
    ['two times', ['2026-11-10', '2026-11-11']],
    ['unevenly spaced times', ['2026-11-10 00:00:01', '2026-11-10 00:00:03', '2026-11-10 12:00:02']],
    ['few times in a long period', ['2026-11-10', '2026-11-11', '2026-12-24']],
  ])('is not drawn of %s', (_, times) => {
    expect(
      chartOf(
        'line',
        ['t: DateTime', 'n: UInt8'],
        times.map((time, n) => [time, n]),
      ),
    ).toBeNull()
    expect(
      chartOf(
        'bar',
        ['t: DateTime', 'n: UInt8'],
        times.map((time, n) => [time, n]),
      ),
    ).toBeNull()
  })

  it('is drawn over increasing numbers', () => {
    const rows = Array.from({ length: 24 }, (_, hour): Cell[] => [hour, hour * 2])
    expect(chartOf('line', ['hour_of_day: UInt8', 'sessions: UInt64'], rows)).toMatchObject({
      kind: 'line',
      title: 'Sessions by hour of day',
      labels: expect.arrayContaining(['0', '23']),
    })
  })

  it.each([
    ['days_ago: Int64', [3, 2, 1, 0], ['3', '2', '1', '0']],
    ['days_ago: Int64', [0, 1, 2, 4], ['4', '2', '1', '0']],
    ['stundenZurück: Int64', [0, 1, 2, 3], ['3', '2', '1', '0']],
    ['year: UInt16', [2026, 2025, 2024, 2023], ['2023', '2024', '2025', '2026']],
    ['price: Decimal(9, 2)', ['1.50', '1.00', '0.50', '0.10'], ['0.10', '0.50', '1.00', '1.50']],
  ])('runs forward in time over %s of %j', (column, numbers, labels) => {
    const rows = numbers.map((number): Cell[] => [number, 97 + labels.indexOf(String(number))])
    expect(chartOf('line', [column, 'share_pct: Float64'], rows)).toMatchObject({
      kind: 'line',
      labels,
      series: [{ values: [97, 98, 99, 100] }],
      starts_elsewhere: true,
    })
  })

  it('has several series over numbers too, and is not drawn over numbers in no order', () => {
    const rows = ['Bonn', 'Köln'].flatMap(city => [2, 1, 0].map((day): Cell[] => [day, city, city.length * 10 - day]))
    const columns = ['days_ago: UInt8', 'city: String', 'users: UInt64']
    expect(chartOf('line', columns, rows, { values: ['users'], series: 'city' })).toMatchObject({
      labels: ['2', '1', '0'],
      series: [{ values: [38, 39, 40] }, { values: [38, 39, 40] }],
    })
    const ranked = [2024, 2026, 2025].map((year, index): Cell[] => [year, 9 - index])
    expect(chartOf('line', ['year: UInt16', 'users: UInt64'], ranked)?.kind).toBe('bar')
  })

  it('says so if its rows were cut', () => {
    const rows = days(10, 14).map((day, index): Cell[] => [day, index])
    expect(chartOf('line', ['day: Date', 'n: UInt8'], rows, { truncated: true })?.title).toBe('N by day (first 5 rows)')
  })
})

describe('bars', () => {
  it('compare names, in the order of the rows', () => {
    expect(
      chartOf(
        'bar',
        ['country: String', 'users: UInt64'],
        [
          ['DE', 30],
          ['FR', null],
          [null, 5],
          ['', 4],
        ],
      ),
    ).toEqual({
      kind: 'bar',
      title: 'Users by country',
      labels: ['DE', 'FR', '(none)', '(empty)'],
      series: [{ name: 'users', values: [30, null, 5, 4] }],
      unit: '',
    })
  })

  it('show the first 20 of a longer ranking, and nothing of a longer unranked list', () => {
    expect(chartOf('bar', ['city: String', 'n: UInt8'], cities(20))?.title).toBe('N by city')
    const many = chartOf('bar', ['city: String', 'n: UInt8'], cities(57))
    expect([many?.title, many?.labels.length]).toEqual(['N by city (first 20 of 57)', 20])
    expect(chartOf('bar', ['city: String', 'n: UInt8'], cities(57), { truncated: true })?.title).toBe('N by city (first 20)')
    expect(chartOf('bar', ['city: String', 'n: UInt8'], cities(57).reverse())).toBeNull()
  })

  it('show the first of a limited result', () => {
    const limited = { sql: 'SELECT city, n FROM t ORDER BY n DESC LIMIT 5' }
    expect(chartOf('bar', ['city: String', 'n: UInt8'], cities(5), limited)?.title).toBe('N by city (first 5)')
    expect(
      chartOf('bar', ['city: String', 'n: UInt8'], cities(5), { ...limited, question: 'Which five cities have most?' })?.title,
    ).toBe('N by city')
    expect(chartOf('bar', ['city: String', 'n: UInt8'], cities(4), limited)?.title).toBe('N by city')
    expect(chartOf('pie', ['city: String', 'n: UInt8'], cities(5), limited)?.kind).toBe('bar')
  })

  it('rank days if the days are not in order', () => {
    const rows = [12, 10, 17].map((day, index): Cell[] => [`2026-11-${day}`, 9 - index])
    expect(chartOf('bar', ['day: Date', 'n: UInt8'], rows)).toMatchObject({
      kind: 'bar',
      labels: ['2026-11-12', '2026-11-10', '2026-11-17'],
    })
  })

  it.each<[string, Cell[][]]>([
    ['two names', cities(2)],
    ['a duplicate name', [...cities(3), ['city 1', 4]]],
    ['constant values', cities(5).map(([name = '']) => [name, 7])],
    ['nothing but gaps', cities(5).map(([name = '']) => [name, null])],
    ['names that are not plain values', cities(5).map(([name = '', n = 0]) => [[name], n])],
  ])('are not drawn of %s', (_, rows) => {
    expect(chartOf('bar', ['city: String', 'n: Nullable(UInt8)'], rows)).toBeNull()
  })
})

describe('a pie', () => {
  const share = (rows: Cell[][], column = 'users: UInt64', more = {}) =>
    chartOf('pie', ['status: String', column], rows, more)?.kind ?? null

  it('shows the parts of a whole', () => {
    expect(
      chartOf(
        'pie',
        ['status: Enum8', 'users: UInt64'],
        [
          ['active', '70'],
          ['drained', '30'],
        ],
      ),
    ).toMatchObject({
      kind: 'pie',
      title: 'Users by status',
      labels: ['active', 'drained'],
      series: [{ name: 'users', values: [70, 30] }],
    })
    expect(
      share(
        [
          ['a', 33.3],
          ['b', 33.4],
          ['c', 33.2],
        ],
        'share_pct: Float64',
      ),
    ).toBe('pie')
  })

  it.each<[string, Cell[][], string]>([
    [
      'what does not add up',
      [
        ['a', 10],
        ['b', 20],
        ['c', 30],
      ],
      'avg_users: Float64',
    ],
    [
      'percentages of no whole',
      [
        ['a', 10],
        ['b', 20],
        ['c', 30],
      ],
      'loss_pct: Float64',
    ],
    [
      'negative numbers',
      [
        ['a', -10],
        ['b', 20],
        ['c', 30],
      ],
      'balance: Int64',
    ],
    [
      'parts and their sum',
      [
        ['all', 60],
        ['a', 25],
        ['b', 35],
      ],
      'users: UInt64',
    ],
    ['more than six parts', cities(7), 'users: UInt64'],
    [
      'almost everything in one',
      [
        ['a', 998],
        ['b', 1],
        ['c', 2],
      ],
      'users: UInt64',
    ],
  ])('becomes a bar chart for %s', (_, rows, column) => {
    expect(share(rows, column)).toBe('bar')
  })

  it('is not drawn of a cut result, or of two parts that are no shares', () => {
    expect(
      share(
        [
          ['a', 70],
          ['b', 30],
        ],
        'users: UInt64',
        { truncated: true },
      ),
    ).toBeNull()
    expect(
      share(
        [
          ['a', 70],
          ['b', 30],
        ],
        'avg_age: Float64',
      ),
    ).toBeNull()
  })
})

describe('the requested chart', () => {
  it.each<[string, Partial<ChartRequest>]>([
    ['a label that does not exist', { label: 'town' }],
    ['no numbers', { values: [] }],
    ['numbers that do not exist', { values: ['m'] }],
    ['texts as numbers', { values: ['city'] }],
    ['a label that is its own number', { label: 'n', values: ['n'] }],
  ])('is not drawn from %s', (_, request) => {
    expect(chartOf('bar', ['city: String', 'n: UInt64'], cities(5), request)).toBeNull()
  })

  it('is not drawn for a query that failed or requested none', () => {
    const chart = { kind: 'bar', label: 'city', values: ['n'], series: null } as const
    const columns = [
      { name: 'city', type: 'String' },
      { name: 'n', type: 'UInt8' },
    ]
    const report = queryReport({ columns, rows: cities(5), chart: { ...chart, values: ['n'] } })
    expect(buildChart(report, zones)).not.toBeNull()
    expect(buildChart({ ...report, error: 'failed' }, zones)).toBeNull()
    expect(buildChart({ ...report, chart: null }, zones)).toBeNull()
  })

  it('never shows hidden text and can always be drawn, whatever the rows hold', () => {
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      fc.constantFrom<Cell[]>(
        null,
        'nan',
        '-inf',
        '18446744073709551615',
        '2026-11-10',
        '2026-11-11 10:00:00',
        '\u202eevil',
        '<script>',
        true,
      ),
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.string({ unit: anyCharacter, maxLength: 90 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
    )
    const type = fc.constantFrom(
      'String',
      'Date',
      'DateTime',
      "DateTime64(3, 'Asia/Tokyo')",
      'Nullable(Float64)',
      'UInt64',
      'Array(UInt8)',
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: anyCharacter, maxLength: 50 }), type), { minLength: 1, maxLength: 4 }),
        fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { maxLength: 30 }),
        fc.constantFrom(...CHART_KINDS),
        fc.boolean(),
        (columns, rows, kind, split) => {
          const typed = columns.map(([name, own]) => ({ name, type: own }))
          const [label = '', ...values] = typed.map(column => column.name)
          const request = { kind, label, values, series: split ? (values.at(-1) ?? null) : null }
          const chart = buildChart(queryReport({ columns: typed, rows, chart: request }), zones)
          if (chart === null) return
          chartSchema.parse(chart)
          for (const { values } of chart.series) expect(values).toHaveLength(chart.labels.length)
          for (const text of [chart.title, ...chart.labels, ...chart.series.map(series => series.name)])
            expect(visibleText(text)).toBe(text)
        },
      ),
    )
  })
})

it('a chart has a title in the language of its answer', () => {
  const report = queryReport({
    columns: [
      { name: 'Station', type: 'String' },
      { name: 'Fahrten', type: 'UInt32' },
    ],
    rows: [
      ['Zoo', 3014],
      ['Hafen', 2000],
      [null, 12],
    ],
    chart: { kind: 'bar', label: 'Station', values: ['Fahrten'], series: null },
  })
  const zones = { server: 'UTC', asker: 'UTC' }
  expect(buildChart(report, zones, 'de')).toMatchObject({
    title: 'Fahrten nach Station',
    labels: ['Zoo', 'Hafen', '(ohne)'],
    language: 'de',
  })
})
