import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const links = queryReport({
  columns: [
    { name: 'link', type: 'String' },
    { name: 'region', type: 'LowCardinality(String)' },
    { name: 'loss_pct', type: 'Float64' },
    { name: 'users', type: 'UInt64' },
    { name: 'revenue_eur', type: 'Decimal(18, 2)' },
    { name: 'downtime_s', type: 'UInt32' },
    { name: 'since', type: 'Date' },
    { name: 'year', type: 'UInt16' },
    { name: 'note', type: 'String' },
  ],
  rows: [
    ['ams-fra', 'Europe', 0.5, '120', '1200500.50', 7500, '2025-01-31', 2025, 'uses {port}'],
    ['lon-nyc', 'Atlantic', 2.25, '300', '800.25', 59, '2026-02-01', 2026, '{count()}'],
    ['osl-cph', 'Europe', 4, '19580', '0.25', 3600, '2026-03-02', 2026, '{"a": 1}'],
  ],
})
const sites = queryReport({
  id: 'Q2',
  columns: [
    { name: 'site', type: 'String' },
    { name: 'users', type: 'UInt32' },
  ],
  rows: [
    ['Oslo', 12],
    ['Rome', 30],
  ],
})
const check = (unit: string, question = 'How many users are there?') =>
  new CitationChecker([links, sites], { question }).check(unit)

describe('a formula in a sentence', () => {
  it.each([
    ['lon-nyc has two and a half times {=D2/D1} as many users as ams-fra [Q1].', true],
    ['lon-nyc has one and a half times {=D2/D1} as many users as ams-fra [Q1].', false],
    ['ams-fra and lon-nyc have about one in fifty {=(D1+D2)/sum(D)} of the users [Q1].', true],
    ['ams-fra and lon-nyc have about one in twenty {=(D1+D2)/sum(D)} of the users [Q1].', false],
  ])('proves a ratio in words: %s', (unit, isRight) => {
    expect(check(unit).kind).toBe(isRight ? 'supported' : 'unsupported')
  })

  it('is written where only a cell’s address stands', () => {
    expect(check('{=D1} [Q1]', 'How many users has ams-fra?')).toMatchObject({ kind: 'supported', shown: '120 [Q1]' })
  })

  it.each([
    ['{count(loss_pct > 1)} of the {count()} links lose over 1 % [Q1].', '2 of the 3 links lose over 1 % [Q1].'],
    [
      '{count(loss_pct > 1): word} of the {count(): word} links lose over 1 % [Q1].',
      'Two of the three links lose over 1 % [Q1].',
    ],
    ["ams-fra has {100 * users['ams-fra'] / sum(users)} % of all users [Q1].", 'ams-fra has 0.6 % of all users [Q1].'],
    ["osl-cph has {users['osl-cph'] / sum(users)} % of all users [Q1].", 'osl-cph has 97.9 % of all users [Q1].'],
    ["osl-cph has {100 * users['osl-cph'] / sum(users): 2} % of all users [Q1].", 'osl-cph has 97.90 % of all users [Q1].'],
    ['Together they have {sum(users)} users [Q1].', 'Together they have 20,000 users [Q1].'],
    ['Together they made {sum(revenue_eur)} EUR [Q1].', 'Together they made 1,201,301 EUR [Q1].'],
    ['Together they made {sum(revenue_eur): 2} EUR [Q1].', 'Together they made 1,201,301.00 EUR [Q1].'],
    ['An hour down costs {sum(revenue_eur) / sum(users)} EUR a user [Q1].', 'An hour down costs 60.07 EUR a user [Q1].'],
    ['lon-nyc and osl-cph made {revenue_eur[2] + revenue_eur[3]} EUR [Q1].', 'lon-nyc and osl-cph made 800.50 EUR [Q1].'],
    ['Together they made {sum(revenue_eur)} million EUR [Q1].', 'Together they made 1.2 million EUR [Q1].'],
    ['Together they made {sum(revenue_eur) / 1000000: 2} million EUR [Q1].', 'Together they made 1.20 million EUR [Q1].'],
    ['The users of ams-fra are {=D1} [Q1].', 'The users of ams-fra are 120 [Q1].'],
    ['- Users of ams-fra: {=D1} [Q1]', '- Users of ams-fra: 120 [Q1]'],
    ['The {=D1} users of ams-fra are online [Q1].', 'The 120 users of ams-fra are online [Q1].'],
    ['ams-fra and lon-nyc have {C1 + C2 + D1 + D2 + 100 * 7} [Q1].', 'ams-fra and lon-nyc have 1,123 [Q1].'],
    ['No users {=D1} of ams-fra wait [Q1].', 'No users of ams-fra wait [Q1].'],
    ['All links of Europe {=B1} are up [Q1].', 'All links of Europe are up [Q1].'],
    ['The average loss is {avg(loss_pct)} % [Q1].', 'The average loss is 2.3 % [Q1].'],
    ['ams-fra was down for {downtime_s[1]} min [Q1].', 'ams-fra was down for 125 min [Q1].'],
    ['ams-fra was down for {downtime_s[1]: h min} [Q1].', 'ams-fra was down for 2 h 5 min [Q1].'],
    ['ams-fra was down for {downtime_s[1] / 60} min [Q1].', 'ams-fra was down for 125 min [Q1].'],
    ['ams-fra has stood since {since[1]} [Q1].', 'ams-fra has stood since 2025-01-31 [Q1].'],
    ['osl-cph came in {year[3]} [Q1].', 'osl-cph came in 2026 [Q1].'],
    ['ams-fra has {users[1] - users[2]} users fewer than lon-nyc [Q1].', 'ams-fra has 180 users fewer than lon-nyc [Q1].'],
    ['ams-fra has {users[1] / users[2]: word} of the users of lon-nyc [Q1].', 'ams-fra has 0.4 of the users of lon-nyc [Q1].'],
    [
      'The sites have {Q2.sum(users)} users, the links {Q1.sum(users)} [Q1, Q2].',
      'The sites have 42 users, the links 20,000 [Q1, Q2].',
    ],
    [
      'The links have {sum(users)} users [Q1]; the sites have {sum(users)} [Q2].',
      'The links have 20,000 users [Q1]; the sites have 42 [Q2].',
    ],
    ['Together the three {sum(users)} users are all [Q1].', 'Together the three 20,000 users are all [Q1].'],
    ["{count(region = 'Europe' and loss_pct > 9)} of the links lose over 9 % [Q1].", '0 of the links lose over 9 % [Q1].'],
    ['In 2026 {count(year = 2026)} links came [Q1].', 'In 2026 2 links came [Q1].'],
  ])('is written as a figure: %s', (unit, shown) => {
    expect(check(unit)).toMatchObject({ kind: 'supported', problems: [], shown })
  })

  it.each([
    ['Zusammen haben die Links {sum(users)} Nutzer [Q1].', 'Zusammen haben die Links 20.000 Nutzer [Q1].'],
    ['Der Verlust liegt im Mittel bei {avg(loss_pct)} % [Q1].', 'Der Verlust liegt im Mittel bei 2,3 % [Q1].'],
    [
      '{count(loss_pct > 1): word} der {count()} Links verlieren mehr als 1 % [Q1].',
      'Zwei der 3 Links verlieren mehr als 1 % [Q1].',
    ],
    ['Zusammen sind es {sum(revenue_eur)} Mio. EUR [Q1].', 'Zusammen sind es 1,2 Mio. EUR [Q1].'],
  ])('has German figures in a German answer: %s', (unit, shown) => {
    expect(check(unit, 'Wie viele Nutzer haben die Links?')).toMatchObject({ kind: 'supported', problems: [], shown })
  })

  it('has a decimal comma in the other languages that have one', () => {
    expect(check('Les liens ont {sum(users)} clients [Q1].', 'Combien de clients ont les liens ?').shown).toBe(
      'Les liens ont 20.000 clients [Q1].',
    )
  })

  it('speaks the language of the context where the words tell none', () => {
    const checker = new CitationChecker([links], { question: 'Umsatz?', language: 'de' })
    expect(checker.check('Umsatz: {sum(revenue_eur): 2} EUR [Q1]').shown).toBe('Umsatz: 1.201.301,00 EUR [Q1]')
  })

  it('is compared with a figure that stands before it', () => {
    expect(check('Together they have 20,000 {sum(users)} users [Q1].')).toMatchObject({
      kind: 'supported',
      problems: [],
      shown: 'Together they have 20,000 users [Q1].',
    })
    expect(check('Together they have 21,000 {sum(users)} users [Q1].')).toMatchObject({
      kind: 'unsupported',
      problems: expect.arrayContaining([{ text: '21,000', reason: '21,000 is not what its working comes to: 20000' }]),
      shown: 'Together they have 21,000 users [Q1].',
    })
  })

  it('must read the rows that the sentence names, as a working must', () => {
    expect(check('lon-nyc has {users[1]} users [Q1].').kind).toBe('unsupported')
    expect(check('ams-fra has the highest loss, {min(loss_pct)} % [Q1].').kind).toBe('unsupported')
    expect(check('Together they made {sum(revenue_eur)} USD [Q1].').kind).toBe('unsupported')
  })

  it.each([
    'There are {count(} links [Q1].',
    'There are {sum(nothing)} links [Q1].',
    'There are {} links [Q1].',
    'There are {count() links [Q1].',
    'There are count()} links [Q1].',
    'There are {{count()}} links [Q1].',
    'There are {17} links [Q1].',
    'There are {count(): 9} links [Q1].',
    'ams-fra lies in {region[1]} [Q1].',
    "{count(region = 'Asia')} of the links are in Asia [Q1].",
    'They have {sum(users)} users [Q1, Q2].',
    'They have {Q2.sum(users)} users [Q1].',
    'ams-fra was down for {downtime_s[1]} EUR [Q1].',
    'ams-fra has {users[1]: h min} [Q1].',
    `There are ${'{count()} '.repeat(61)} links [Q1].`,
    `There are {${'('.repeat(300)}1} links [Q1].`,
  ])('shows nothing of the sentence if it cannot be read: %s', unit => {
    const { kind, problems, shown } = check(unit)
    expect([kind, shown]).toEqual(['unsupported', null])
    expect(problems.length).toBeGreaterThan(0)
  })

  it.each([
    ['The note of ams-fra says uses {port} [Q1].'],
    ['The note of lon-nyc is `{count()}` [Q1].'],
    ['The note of osl-cph is {"a": 1} [Q1].'],
  ])('is none if the braces stand in the rows: %s', unit => {
    expect(check(unit).shown).toBe(unit)
  })

  it('may stand in a table, where a cell of braces is data', () => {
    const checker = new CitationChecker([links], { question: 'How many users are there?' })
    const rows = ['| Link | Users |', '|---|---|', '| ams-fra | {users[1]} |', '| lon-nyc | 300 {=users[2]} |']
    expect(rows.map(row => checker.check(row).shown)).toEqual([
      '| Link | Users |',
      '|---|---|',
      '| ams-fra | 120 |',
      '| lon-nyc | 300 |',
    ])
  })
})

describe('a working', () => {
  it('goes with the space before it, and reads text with braces', () => {
    expect(check("Two {= count(region = 'Europe')} of 3 {=count()} links are in Europe [Q1].")).toMatchObject({
      kind: 'supported',
      problems: [],
      shown: 'Two of 3 links are in Europe [Q1].',
    })
    expect(check("One {= count(note = 'uses {port}')} of the links uses it [Q1].").shown).toBe('One of the links uses it [Q1].')
  })
})
