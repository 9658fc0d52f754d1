import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../test/support/query-report.ts'
import type { QueryReport } from '../agent/run/result.ts'
import { CitationChecker } from './citation-checker.ts'

const CONTEXT = { question: 'How are things?', timeZone: 'Europe/Berlin', askedAt: '2026-11-20T13:00:00Z' }

function report(columns: Record<string, string>, rows: QueryReport['rows'], sql = 'SELECT 1'): QueryReport {
  return queryReport({
    question: 'a data question',
    sql,
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rows,
  })
}

function kindOf(units: string, query: QueryReport): string {
  const checker = new CitationChecker([query], CONTEXT)
  return units.split('\n').reduce((_, unit) => checker.check(unit).kind, 'uncited')
}

describe('names that are numbers', () => {
  const lines = report({ line: 'String', stops: 'UInt64', delay_s: 'UInt64', min_delay_s: 'UInt64' }, [
    ['1', '21', '93', '7'],
    ['7', '18', '164', '41'],
    ['18', '10', '14', '2'],
    ['N3', '16', '79', '5'],
  ])

  it.each([
    ['Line 18 has 10 stops {= stops[3]} [Q1].', 'supported'],
    ['Line 7 has 10 stops {= stops[3]} [Q1].', 'unsupported'],
    ['Lines 1, N3 and 18 all have delays under 100 s {= max(delay_s, line != "7")} [Q1].', 'supported'],
    ['On line 18 there are 10 stops [Q1].', 'supported'],
    ['On line 17 there are 10 stops {= stops[3]} [Q1].', 'unsupported'],
    ['19 lines are late [Q1].', 'unsupported'],
    ['Line 7 has the smallest delay, 41 s {= max(min_delay_s)} [Q1].', 'supported'],
  ])("are recognized behind their column's word: %s", (unit, kind) => {
    expect(kindOf(unit, lines)).toBe(kind)
  })

  it.each([
    ['| 18 | 10 | 14 |', 'supported'],
    ['| 7 | 18 | 164 |', 'supported'],
    ['| 7 | 10 | 14 |', 'unsupported'],
  ])("are recognized in a table's first column only: %s", (row, kind) => {
    expect(kindOf(`In all [Q1]:\n| Line | Stops | Delay (s) |\n| --- | --- | --- |\n${row}`, lines)).toBe(kind)
  })
})

describe('a number beside a name', () => {
  const lines = report(
    { line_id: 'UInt16', code: 'String', route: 'String', kind: 'String', days: 'UInt64', lines_in_total: 'UInt64' },
    [
      [2, '48', 'Castle - Harbour', 'bus', '17', '4'],
      [17, '63', 'Airport - Border', 'bus', '9', '4'],
      [30, 'F1', 'Lake', 'ferry', '4', '4'],
      [31, 'F2', 'River', 'ferry', '3', '4'],
    ],
  )

  it.each([
    ["- {count(kind = 'ferry')} are ferry lines [Q1].", 'supported'],
    ['Castle - Harbour has the most days, 17 {= max(days)} [Q1].', 'supported'],
    ['Airport - Border has the most days, 17 {= max(days)} [Q1].', 'unsupported'],
    ["{count(kind = 'bus')} are buses, 48 (Castle - Harbour) and 63 (Airport - Border) [Q1].", 'supported'],
    ["{count(kind = 'bus')} are buses, 49 (Castle - Harbour) and 63 (Airport - Border) [Q1].", 'unsupported'],
    ["{count(kind = 'bus')} are buses, 63 (Castle - Harbour) and 48 (Airport - Border) [Q1].", 'unsupported'],
    ['We run 4 {= lines_in_total[1]} lines [Q1].', 'supported'],
    ['We run 17 {= days[1]} days [Q1].', 'unsupported'],
  ])('is a name only if it is that of a row: %s', (unit, kind) => {
    expect(kindOf(unit, lines)).toBe(kind)
  })

  const samples = report({ sample: 'String', value: 'Float64', unit: 'String', glucose_mmol_per_l: 'Float64' }, [
    ['Alder', 267.6, 'mg/dL', 14.87],
    ['Birch', 13.9, 'mmol/L', 13.9],
  ])

  it.each([
    ['The highest is Alder with 14.9 mmol/L {= max(glucose_mmol_per_l)} [Q1].', 'supported'],
    ['The highest is Alder with 267.6 mmol/L {= value[1]} [Q1].', 'unsupported'],
    ['The highest is Birch with 14.9 mmol/L {= max(glucose_mmol_per_l)} [Q1].', 'unsupported'],
  ])('has a unit, which is no name: %s', (unit, kind) => {
    expect(kindOf(unit, samples)).toBe(kind)
  })
})

describe('a price per unit', () => {
  const tariffs = report({ tariff: 'String', price_kwh: 'Float64', fee_min: 'Float64' }, [['Fleet', 0.42, 0.1]])

  it.each([
    ['| Fleet | 0.42 | 0.10 |', 'supported'],
    ['| Fleet | 0.47 | 0.10 |', 'unsupported'],
  ])('is an amount of money: %s', (row, kind) => {
    const table = `Prices [Q1]:\n| Tariff | Price per kWh (EUR) | Fee per minute (EUR) |\n| --- | --- | --- |\n${row}`
    expect(kindOf(table, tariffs)).toBe(kind)
  })
})

describe('a count beside a month', () => {
  const stations = report(
    { station: 'String', trips: 'UInt64', minutes: 'UInt64' },
    [
      ['Hauptbahnhof', '1742', '2656'],
      ['Zoo', '9914', '1196'],
    ],
    "SELECT … FROM trips WHERE day >= '2026-10-01' AND day < '2026-11-01' GROUP BY station",
  )

  it.each([
    ["Die Docks am Hauptbahnhof waren im Oktober 2656 Minuten {= minutes['Hauptbahnhof']} voll [Q1].", 'supported'],
    ['In October 1742 trips {= trips[1]} started at Hauptbahnhof [Q1].', 'supported'],
    ['In October 2656 trips {= trips[1]} started at Hauptbahnhof [Q1].', 'unsupported'],
  ])('is no year and no day: %s', (unit, kind) => {
    expect(kindOf(unit, stations)).toBe(kind)
  })
})

describe('conditions of the SQL', () => {
  const depot = report(
    { month: 'UInt8', region: 'String', riders: 'UInt64' },
    [
      [5, 'north', '31'],
      [6, 'north', '37'],
      [5, 'south', '48'],
    ],
    "SELECT … FROM t WHERE depot = '18' AND toMonth(day) BETWEEN 5 AND 9 AND day < '2026-10-01'",
  )

  it.each([
    ['In the south depot 18 had 48 riders {= riders[3]} in May [Q1].', 'supported'],
    ['There were 18 delays [Q1].', 'unsupported'],
    ['From May to September there were 116 riders {= sum(riders)} [Q1].', 'supported'],
    ['In September riders were most [Q1].', 'unsupported'],
    ['In September the north had 31 riders [Q1].', 'unsupported'],
    ['The first three weeks were busy [Q1].', 'supported'],
  ])('explain no other figure: %s', (unit, kind) => {
    expect(kindOf(unit, depot)).toBe(kind)
  })
})

describe('names in the language of the answer', () => {
  const topics = report({ topic: 'Nullable(String)', tickets: 'UInt64', dropped: 'UInt64' }, [
    ['storm', '41', '3'],
    ['outage', '77', '8'],
    ['onshore wind', '15', '1'],
    [null, '90', '4'],
  ])

  it.each([
    ['Beim Sturm waren es 41 Tickets {= tickets[1]} [Q1].', 'supported'],
    ['The topic Stirm has 41 tickets {= tickets[1]} [Q1].', 'unsupported'],
    ['For the Outige 77 tickets came in [Q1].', 'unsupported'],
    ['Zu Onshore-Wind gab es 15 Tickets {= tickets[3]} [Q1].', 'supported'],
    ['Zu Onshore-Wind gab es 41 Tickets {= tickets[1]} [Q1].', 'unsupported'],
    ["Without a topic there are 90 {= tickets['']} [Q1].", 'supported'],
    ["Outage has 90 tickets {= tickets['']} [Q1].", 'unsupported'],
  ])('are not confused with misspelt names: %s', (unit, kind) => {
    expect(kindOf(unit, topics)).toBe(kind)
  })
})

describe('counts', () => {
  const regions = report({ region: 'String', change: 'Int64' }, [
    ['East', '15'],
    ['Swiss', '13'],
    ['North', '-6'],
    ['South', '-9'],
    ['West', '-2'],
  ])

  it.each([
    ['In two of the five regions it rose: East by 15 {= change[1]} and Swiss by 13 {= change[2]} [Q1].', 'supported'],
    ['Two {= count(change > 0)} went up, three {= count(change < 0)} went down [Q1].', 'supported'],
    ['Two {= count(change > 0)} went down, three {= count(change < 0)} went up [Q1].', 'unsupported'],
    ['The top three are level [Q1].', 'supported'],
    ['The top eight are level [Q1].', 'unsupported'],
  ])('%s', (unit, kind) => {
    expect(kindOf(unit, regions)).toBe(kind)
  })
})

describe('hours', () => {
  const hours = report({ hour: 'UInt8', visits: 'UInt64' }, [
    [7, '120'],
    [8, '393'],
    [9, '210'],
  ])

  it.each([
    ['The busiest hour is 08:00 to 09:00 {= hour[2]}, with 393 visits {= max(visits)} [Q1].', 'supported'],
    ['The busiest hour is 08:00 to 10:00 {= hour[2]}, with 393 visits {= max(visits)} [Q1].', 'unsupported'],
    ['Most start between 8:00 and 9:00: 393 {= visits[2]} of 723 {= sum(visits)} [Q1].', 'supported'],
    ['Most start between 7:00 and 8:00: 210 {= visits[3]} of 723 {= sum(visits)} [Q1].', 'unsupported'],
    ['The hour from 23:00 has most visits [Q1].', 'unsupported'],
    ['From 08:00 to 09:00 there were 393 visits {= visits[2]} [Q1].', 'supported'],
    ['The busiest hour is 08:00 {= hour[2]}, with 393 visits {= max(visits)} [Q1].', 'supported'],
  ])('%s', (unit, kind) => {
    expect(kindOf(unit, hours)).toBe(kind)
  })
})

describe('weeks', () => {
  const weeks = report({ week: 'Date', uploads: 'UInt64' }, [
    ['2026-07-06', '120'],
    ['2026-07-13', '150'],
    ['2026-07-20', '90'],
  ])

  it.each([
    ['The week from 20 to 26 July had 90 uploads {= uploads[3]} [Q1].', 'supported'],
    ['The week from 20 to 26 July had 150 uploads {= uploads[2]} [Q1].', 'unsupported'],
    ['From 6 to 26 July there were 360 uploads {= sum(uploads)} [Q1].', 'supported'],
  ])('are recognized by their first and last day: %s', (unit, kind) => {
    expect(kindOf(unit, weeks)).toBe(kind)
  })
})

describe('the period of an answer', () => {
  const days = report(
    { day: 'Date', orders: 'UInt64' },
    [
      ['2026-10-22', '5'],
      ['2026-10-23', '7'],
      ['2026-10-24', '6'],
    ],
    "SELECT toDate(at) AS day, count() AS orders FROM o WHERE at >= '2026-10-22' AND at < '2026-10-25' GROUP BY day ORDER BY day",
  )

  it.each([
    ['The period is 22 to 24 October 2026.', 'uncited'],
    ['The period is 22 to 27 October 2026.', 'unsupported'],
    ['"Today" is 20 November 2026.', 'uncited'],
    ['"Today" is 21 November 2026.', 'unsupported'],
    ['"This week" is 16 to 22 November 2026.', 'uncited'],
    ['"This week" is 17 to 21 November 2026.', 'unsupported'],
    ['"This year" was taken as 1 January to 20 November 2026.', 'uncited'],
    ['The season is taken as 2025/26.', 'uncited'],
    ['Nothing is out of line for October.', 'uncited'],
    ['That is for 1999.', 'unsupported'],
    ['The season is taken as 2031/32.', 'unsupported'],
    ['"Last week" is 10 to 15 November.', 'unsupported'],
  ])('begins and ends on known days: %s', (unit, kind) => {
    expect(kindOf(unit, days)).toBe(kind)
  })

  it("may end the day before the SQL's bound", () => {
    expect(kindOf('Up to 24 October there were 18 orders {= sum(orders)} [Q1].', days)).toBe('supported')
    expect(kindOf('Up to 29 October there were 18 orders {= sum(orders)} [Q1].', days)).toBe('unsupported')
  })
})

describe('hours in the SQL, and columns of numbers', () => {
  const nights = report(
    { ward: 'String', units: 'UInt64', five_star_pct: 'Float64', change_pct: 'Float64' },
    [
      ['Heparin 25000 IE', '980', 34.8, -12],
      ['Vancomycin 1 g', '919', 12.1, -15],
      ['Aspirin', '500', 9.5, 3],
    ],
    'SELECT ward, units, five_star_pct, change_pct FROM n WHERE toHour(at) >= 22 OR toHour(at) < 6',
  )

  it.each([
    ['Night is 22:00 to 6:00 as a period.', 'uncited'],
    ['Night is 21:00 to 6:00 as a period.', 'unsupported'],
    ['Nachts (22 bis 6 Uhr) waren es in Heparin 25000 IE 980 {= units[1]} [Q1].', 'supported'],
    ['Aspirin has the lowest share of five stars, 9.5 % {= min(five_star_pct)} [Q1].', 'supported'],
    ['Two {= count(change_pct < -10)} lost more than 10 % [Q1].', 'supported'],
    ['Two {= count(change_pct < -10)} lost less than 10 % [Q1].', 'unsupported'],
    ['Heparin 25000 IE is ahead of Vancomycin 1 g by 61 units {= units[1] - units[2]} [Q1].', 'supported'],
    ['Vancomycin 1 g is ahead of Heparin 25000 IE by 61 units {= units[1] - units[2]} [Q1].', 'unsupported'],
    ['Im 1. Quartal waren es bei Aspirin 500 {= units[3]} [Q1].', 'supported'],
  ])('%s', (unit, kind) => {
    expect(kindOf(unit, nights)).toBe(kind)
  })
})

describe('months of the SQL', () => {
  const stations = report(
    { station: 'String', visits: 'UInt64' },
    [
      ['Süd', '1896'],
      ['Hafen', '1484'],
    ],
    'SELECT … FROM t WHERE toMonth(at) <= 10 AND toYear(at) = 2026',
  )

  it.each([
    ['From January to October 2026 Süd had 1896 visits {= visits[1]} [Q1].', 'supported'],
    ['From March to October 2026 Süd had 1896 visits {= visits[1]} [Q1].', 'unsupported'],
    ['From January to October 2024 Süd had 1896 visits {= visits[1]} [Q1].', 'unsupported'],
    ['In October 2026 Süd had 1896 visits {= visits[1]} [Q1].', 'unsupported'],
    ['Only paid visits count, from 1 January to 31 October 2026.', 'supported'],
    ['Only paid visits count, from 7 January to 31 October 2026.', 'unsupported'],
    ['Visits rose from 1 January to 31 October 2026.', 'unsupported'],
    ['November 2026 is not included.', 'supported'],
  ])('are the ends of its date range: %s', (unit, kind) => {
    expect(kindOf(unit, stations).replace('uncited', 'supported')).toBe(kind)
  })
})

describe('names and limits without further claims', () => {
  const series = report({ series: 'String', below_min: 'UInt64', revenue_q2: 'Float64', revenue_q3: 'Float64' }, [
    ['TX 18 Plus', '14', '1136', '1004'],
    ['VF-300', '9', '1154', '1684'],
    ['Sankt Jürgen', '13', '1774', '1981'],
  ])

  it.each([
    [
      'Revenue fell the most at TX 18 Plus [Q1].\nBei TX 18 Plus waren es 132 {= revenue_q2[1] - revenue_q3[1]} [Q1].',
      'supported',
    ],
    [
      'VF-300 rose by 530 {= revenue_q3[2] - revenue_q2[2]}, Sankt Jürgen by 207 {= revenue_q3[3] - revenue_q2[3]} [Q1].',
      'supported',
    ],
    ['VF-300 fell by 530 {= revenue_q3[2] - revenue_q2[2]} [Q1].', 'unsupported'],
    ['TX 18 Plus has the most below minimum stock, 14 {= max(below_min)} [Q1].', 'supported'],
    ['14 {= max(below_min)} is the minimum [Q1].', 'unsupported'],
    ['The averages are up to 0.3 off [Q1].', 'unsupported'],
  ])('%s', (units, kind) => {
    expect(kindOf(units, series)).toBe(kind)
  })
})
