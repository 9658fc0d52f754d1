import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const links = queryReport({
  columns: [
    { name: 'link', type: 'Nullable(String)' },
    { name: 'zip', type: 'String' },
    { name: 'loss_pct', type: 'Nullable(Float64)' },
    { name: 'users', type: 'UInt64' },
    { name: 'revenue_eur', type: 'Decimal(18, 2)' },
    { name: 'downtime_s', type: 'UInt32' },
    { name: 'since', type: 'DateTime' },
    { name: 'year', type: 'UInt16' },
  ],
  rows: [
    ['ams-fra', '01234', 0.5, '120', '1200500.50', 7500, '2025-01-31 10:00:00', 2025],
    ['a|b {count()} {= users[1]} [Q1]', '99999', null, '300', '800.25', 59, '2026-02-01 00:00:00', 2026],
    [null, '', 83.76237623762376, '19580', '0.25', 3600, '2026-03-02 01:02:03', 2026],
  ],
})
const sites = queryReport({
  id: 'Q2',
  columns: [{ name: 'site', type: 'String' }],
  rows: Array.from({ length: 101 }, (_, at) => [`site ${at}`]),
})
const empty = queryReport({ id: 'Q3', columns: [{ name: 'site', type: 'String' }], rows: [] })

function checker(question = 'How many users are there?') {
  return new CitationChecker([links, sites, empty], { question })
}
const linesOf = (unit: string, question?: string) => checker(question).check(unit).shown?.trim().split('\n')

describe('a table', () => {
  it('is written from the rows, with a citation', () => {
    expect(checker().check('{table Q1: Link = link, Loss (%) = loss_pct, Users = users}\n')).toMatchObject({
      kind: 'supported',
      problems: [],
      shown: [
        '',
        '| Link | Loss (%) | Users |',
        '| --- | --- | --- |',
        '| ams-fra | 0.50 | 120 |',
        '| a\\|b {count()} {= users[1]} \\[Q1] | – | 300 |',
        '| – | 83.76 | 19,580 |',
        '',
        '[Q1]',
        '',
      ].join('\n'),
    })
  })

  it('has heads that explain themselves in parentheses', () => {
    expect(linesOf('{table Q1 1: Link = A, Busy (1 = yes, 0 = no) = users, Since (UTC) = since}')?.[0]).toBe(
      '| Link | Busy (1 = yes, 0 = no) | Since (UTC) |',
    )
  })

  it('takes a number with a unit in the name of a column for a period', () => {
    const columns = ['closed_within_7_days_pct', 'users_24_hours_ago', 'p95_ms'].map(name => ({ name, type: 'Float64' }))
    const closed = new CitationChecker([queryReport({ columns, rows: [[49.7, 12, 3]] })], { question: 'How fast are we?' })
    expect(closed.check('{table Q1: Closed in 7 days (%) = A, Users = B, Slowest (ms) = C}\n').shown).toContain(
      '| 49.7 | 12 | 3 |',
    )
  })

  it.each([
    ['The first two of the {count()} links [Q1]:', 'supported'],
    ['The first 2 links [Q1]:', 'supported'],
    ['The first 3 links [Q1]:', 'unsupported'],
    ['The links of the first 3 years [Q1].', 'supported'],
  ])('has as many rows as the line above tells: %s', (intro, kind) => {
    const own = checker()
    own.check(intro)
    expect(own.check('\n\n{table Q1 1-2: Link = link, Users = users}\n').kind).toBe(kind)
  })

  it('computes a formula for each row, in the unit of its head', () => {
    expect(
      linesOf(
        '{table Q1 1, 3: Link = A, Share (%) = 100 * users / sum(users), Down (min) = downtime_s, Down = downtime_s: h min, Revenue (thousand EUR) = revenue_eur, Loss = loss_pct: 1, First = users[1], Mean = avg(users): 0}',
      ),
    ).toEqual([
      '| Link | Share (%) | Down (min) | Down | Revenue (thousand EUR) | Loss | First | Mean |',
      '| --- | --- | --- | --- | --- | --- | --- | --- |',
      '| ams-fra | 0.6 | 125 | 2 h 5 min | 1201 | 0.5 | 120 | 6667 |',
      '| – | 97.9 | 60 | 1 h | 0.0003 | 83.8 | 120 | 6667 |',
      '',
      '[Q1]',
    ])
  })

  it('gives all cells of a column the same decimals, unless one would become zero', () => {
    const columns = ['mean_pct', 'peak_pct', 'drops'].map(name => ({ name, type: 'Float64' }))
    const rows = [
      [74.27, 80.4343, 0],
      [0, 53.7, 3],
      [49.5, 0.00002, 0],
    ]
    const own = new CitationChecker([queryReport({ columns, rows })], { question: 'How busy are the links?' })
    const { shown } = own.check('{table Q1: Mean (%) = A, Third (%) = A / 3, Peak (%) = B: 1, Drops = C}\n')
    expect(shown?.trim().split('\n').slice(2, 5)).toEqual([
      '| 74.27 | 24.8 | 80.4 | 0 |',
      '| 0.00 | 0.0 | 53.7 | 3 |',
      '| 49.50 | 16.5 | 0.00002 | 0 |',
    ])
  })

  it('keeps texts of digits and years as they are, and shortens moments', () => {
    expect(linesOf('{table Q1 1-2: Zip = zip, Year = year, Since = since}')?.slice(2, 4)).toEqual([
      '| 01234 | 2025 | 2025-01-31 10:00 |',
      '| 99999 | 2026 | 2026-02-01 00:00 |',
    ])
  })

  it('has German figures in a German answer', () => {
    expect(
      linesOf('{table Q1: Link = link, Nutzer = users, Verlust (%) = loss_pct}', 'Wie viele Nutzer haben die Links?')?.[4],
    ).toBe('| – | 19.580 | 83,76 |')
  })

  it.each([
    ['Loss, %', 'loss_pct'],
    ["Link's users", 'users'],
    ['Revenue in EUR', 'revenue_eur'],
    ['Users (%)', 'loss_pct'],
  ])('has the head %s', (head, column) => {
    expect(linesOf(`{table Q1: Link = link, ${head} = ${column}}`)?.[0]).toBe(`| Link | ${head} |`)
  })

  it('ends with the last row of its result', () => {
    expect(linesOf('{table Q1 3-10: Link = link}')?.length).toBe(5)
  })

  it('needs no query if the text cites one, and no citation below it', () => {
    const own = checker()
    own.check('The links have 20,000 {= sum(users)} users [Q1]:')
    expect(own.check('{table 1: Link = link}').shown).toContain('| ams-fra |')
    expect(own.check('\n').shown).toBe('\n')
    expect(own.check('[Q1]\n')).toMatchObject({ kind: 'uncited', shown: '' })
    expect(own.end().kind).toBe('uncited')
  })

  it.each([
    '{table}',
    '{table Q1}',
    '{table Q9: Link = link}',
    '{table Q3: Site = site}',
    '{table Q1 0-2: Link = link}',
    '{table Q1 4: Link = link}',
    '{table Q1 2-1: Link = link}',
    '{table Q2: Site = site}',
    '{table Q1: Link = nothing}',
    '{table Q1: Link = sum(}',
    '{table Q1: = link}',
    '{table Q1: Link = link, }',
    '{table Q1: Users = loss_pct}',
    '{table Q1: Revenue (USD) = revenue_eur}',
    '{table Q1: Revenue (ms) = revenue_eur}',
    '{table Q1: Top 17 = link}',
    `{table Q1: ${'Link = link, '.repeat(12)}Link = link}`,
    'The links: {table Q1: Link = link} [Q1]',
    '- {table Q1: Link = link}',
    '{table Q1: Link = link} and {count()} more [Q1].',
    '{table Q1: Link = link',
  ])('is left out if it cannot be read, or if its head is wrong: %s', unit => {
    expect(checker().check(unit)).toMatchObject({ kind: 'unsupported', shown: null, problems: [{ text: expect.any(String) }] })
  })

  it('is one of ten at most', () => {
    const own = checker()
    const tables = Array.from({ length: 11 }, () => own.check('{table Q1: Link = link}').kind)
    expect(tables).toEqual([...Array.from({ length: 10 }, () => 'supported'), 'unsupported'])
  })
})
