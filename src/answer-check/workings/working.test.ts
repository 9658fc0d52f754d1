import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { workOut } from './working.ts'

const links = queryReport({
  columns: [
    { name: 'link', type: 'String' },
    { name: 'region', type: 'LowCardinality(String)' },
    { name: 'loss_pct', type: 'Nullable(Float64)' },
    { name: 'bytes', type: 'UInt64' },
    { name: 'since', type: 'Date' },
  ],
  rows: [
    ['ams-fra', 'Europe', 0.5, '9007199254740993', '2025-01-31'],
    ['lon-nyc', 'Atlantic', 2, '100', '2026-02-01'],
    ["o'hare", 'America', null, '50', '2026-03-01'],
    ['osl-cph', 'Europe', 4, '300', '2026-03-02'],
  ],
})
const sites = queryReport({
  id: 'Q2',
  columns: [
    { name: 'site', type: 'String' },
    { name: 'staff', type: 'UInt32' },
  ],
  rows: [
    ['Oslo', 12],
    ['Rome', 30],
  ],
})
const cut = queryReport({ id: 'Q3', truncated: true, columns: [{ name: 'amount', type: 'Float64' }], rows: [[7]] })

const stays = queryReport({
  id: 'Q4',
  columns: [{ name: 'reasons', type: 'Array(String)' }],
  rows: [[['repair']], [['repair', 'rest']], [[]]],
})

const worked = (expression: string) => workOut(expression, [links, sites, cut, stays])

describe('workOut', () => {
  it.each([
    ['count()', 4],
    ["count(region = 'Europe')", 2],
    ['count(region = Europe and loss_pct > 1)', 1],
    ['count(loss_pct >= 2, loss_pct < 4)', 1],
    ['count(loss_pct = null)', 1],
    ['count(loss_pct != null)', 3],
    ["count(since >= '2026-01-01' and since < '2026-03-02')", 2],
    ['count(loss_pct > bytes)', 0],
    [`count(reasons = '["repair"]')`, 1],
    [`count(reasons != '["repair"]')`, 2],
    ['count(bytes > loss_pct)', 3],
    ['count(loss_pct > -bytes)', 3],
    ['sum(loss_pct)', 6.5],
    ['avg(loss_pct)', 6.5 / 3],
    ['min(loss_pct)', 0.5],
    ['MAX(Loss_Pct)', 4],
    ['sum(bytes, region = nowhere)', 0],
    [`value(loss_pct, link = 'lon-nyc')`, 2],
    [`value(bytes, link = 'o\\'hare')`, 50],
    [`100 * value(loss_pct, link = "osl-cph") / sum(loss_pct)`, 400 / 6.5],
    ['(max(loss_pct) - min(loss_pct)) / 2', 1.75],
    ['-min(loss_pct)', -0.5],
    ['sum(staff)', 42],
    ['Q2.count() + Q1.count()', 6],
    ['value(`loss_pct`, link = `lon-nyc`)', 2],
    ['loss_pct[2]', 2],
    ['`loss_pct`[2]', 2],
    ["loss_pct['lon-nyc']", 2],
    ['C2', 2],
    ['Q1.C2', 2],
    ['Q2.B1 + D4', 312],
    ['max(C)', 4],
    ['sum(C, B = Europe)', 4.5],
    ['count(D > C)', 3],
    ['100 * C2 / sum(C)', 200 / 6.5],
    ['C[2]', 2],
    ["C['lon-nyc']", 2],
    ["bytes['Europe', 'osl-cph']", 300],
    ["bytes[region = 'Europe', loss_pct > 1]", 300],
    ['bytes[2] / bytes[3]', 2],
    ['Q2.staff[1-1]', 12],
    ['2 * staff[2]', 60],
    ['amount', 7],
    ['distinct(region)', 3],
    ['distinct(region, loss_pct > 0)', 2],
    ['count(loss_pct)', 3],
    ['count(*)', 4],
    ['(since[2] - since[1]) / 86400', 366],
    ["max(since) - min(since, region = 'Atlantic')", 29 * 86_400],
    ['median(loss_pct)', 2],
    ["count(region == 'Europe')", 2],
    ['round(abs(1 - count()), 1)', 3],
  ])('%s', (expression, value) => {
    const outcome = worked(expression)
    expect(outcome).toMatchObject({ value: expect.closeTo(value, 9) })
  })

  it.each([
    ['248 + 226', '248 stands in the working without saying from which rows it comes'],
    ['100 / 2', 'the working uses nothing of the rows'],
    ['count(', 'a column is missing in the working'],
    ['count() count()', '"count" is not understood in the working'],
    ['count(loss_pct > -nothing)', 'nothing is no column of Q1'],
    ['sum(nothing)', 'nothing is no column of the cited queries'],
    ['Q9.count()', 'Q9 has the rows of the working'],
    ['mode(staff)', 'mode is no function of a working'],
    ["value(loss_pct, region = 'Europe')", 'loss_pct is of 2 rows, and must be of exactly one, or the same in each'],
    ["2 * value(loss_pct, link = 'o\\'hare')", 'the working comes to no number'],
    ['loss_pct[9]', 'Q1 has 4 rows, none with the number 9'],
    ['C9', 'Q1 has 4 rows, none with the number 9'],
    ['Z1', 'Z is no column of the cited queries'],
    ['sum(Z)', 'Z is no column of the cited queries'],
    ['loss_pct[0]', 'Q1 has 4 rows, none with the number 0'],
    ['loss_pct[2-1]', 'Q1 has 4 rows, none with the number 1'],
    ['loss_pct', 'Q1 has 4 rows, and the working names none'],
    ['loss_pct[1, 2]', 'loss_pct is of 2 rows, and must be of exactly one, or the same in each'],
    ["loss_pct['nowhere']", 'loss_pct is of 0 rows, and must be of exactly one, or the same in each'],
    ['loss_pct[1', '"]" is missing in the working'],
    ['loss_pct[]', 'the row of a working is not understood'],
    ["avg(loss_pct, region = 'America')", 'no row with a number meets the conditions of avg(loss_pct)'],
    ['count() / (count() - count())', 'the working comes to no number'],
    ['sum(amount)', 'the result of Q3 was cut, so nothing can be said over all of it'],
    ["count(region ~ 'E')", 'the working is not understood'],
    ["count(region and 'E')", '"and" is no comparison'],
    [`${'count() + '.repeat(40)}count()`, 'the working has too many parts'],
    ['count()'.padStart(700), 'the working is too long'],
    ['process.exit(1)', 'process is no column of the cited queries'],
    ['constructor(staff)', 'constructor is no function of a working'],
    ['__proto__(staff)', '__proto__ is no function of a working'],
  ])('%s is refused', (expression, fault) => {
    expect(worked(expression)).toEqual({ fault })
  })
})

describe('a row without a name', () => {
  const guests = queryReport({
    columns: [
      { name: 'country', type: 'LowCardinality(Nullable(String))' },
      { name: 'nights', type: 'UInt64' },
      { name: 'note', type: 'Nullable(String)' },
    ],
    rows: [
      ['CH', 1200, null],
      [null, 1173, 'late'],
    ],
  })

  it('is the one whose name is NULL', () => {
    expect(workOut("nights['']", [guests])).toMatchObject({ value: 1173 })
  })
})

describe('a letter', () => {
  const grades = queryReport({
    columns: [
      { name: 'c', type: 'UInt8' },
      { name: 'grade', type: 'String' },
      { name: 'A', type: 'UInt8' },
      { name: 'D2', type: 'UInt8' },
    ],
    rows: [[1, 'B', 3, 4]],
  })

  it.each([
    ['a column of exactly that name comes first', 'sum(A)', 3],
    ['a name of other case comes last', 'sum(C)', 3],
    ['a column that is named like an address is none', 'D2', 4],
    ['a word in a condition is a text', 'count(grade = B)', 1],
  ])('%s', (_, expression, value) => {
    expect(workOut(expression, [grades])).toMatchObject({ value })
  })

  it('has a second letter from the 27th column on', () => {
    const columns = Array.from({ length: 30 }, (_, at) => ({ name: `x_${at}`, type: 'UInt8' }))
    const wide = queryReport({ columns, rows: [columns.map((_, at) => at)] })
    expect(['Z1', 'AA1', 'AD1'].map(expression => workOut(expression, [wide]))).toMatchObject([
      { value: 25 },
      { value: 26 },
      { value: 29 },
    ])
  })
})
