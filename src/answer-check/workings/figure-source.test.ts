import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import type { Language } from '../../words/language.ts'
import { CitationChecker } from '../citation-checker.ts'
import { type FigureSource, sourceLines } from './figure-source.ts'

const links = queryReport({
  columns: [
    { name: 'link', type: 'String' },
    { name: 'region', type: 'LowCardinality(String)' },
    { name: 'rtt_ms', type: 'Float64' },
    { name: 'devices', type: 'UInt64' },
  ],
  rows: [
    ['ams-fra', 'Europe', 4.2371, '12'],
    ['lon-nyc', 'Atlantic', 71.5, '8'],
    ['osl-cph', 'Europe', 9.5, '12'],
  ],
})
const people = queryReport({
  id: 'Q2',
  columns: [
    { name: 'email', type: 'String' },
    { name: 'city', type: 'Nullable(String)' },
    { name: 'orders', type: 'UInt32' },
  ],
  rows: [
    ['ann@example.com', 'Oslo', 30],
    ['bob@example.com', null, 12],
  ],
})
const total = queryReport({ id: 'Q3', columns: [{ name: 'devices', type: 'UInt64' }], rows: [['32']] })

function sourcesOf(unit: string, language: Language = 'en'): readonly FigureSource[] {
  const question = 'How many devices and orders are there?'
  const { kind, problems, figures = [] } = new CitationChecker([links, people, total], { question, language }).check(unit)
  expect({ kind, problems }).toEqual({ kind: 'supported', problems: [] })
  return figures
}

const linesOf = (unit: string, language: Language = 'en') => sourceLines(sourcesOf(unit, language), language)

describe('the source of a figure', () => {
  it('is a cell with its row, its name and its exact value', () => {
    expect(sourcesOf("ams-fra has 4.2 ms {= rtt_ms['ams-fra']} [Q1].")).toEqual([
      {
        text: '4.2 ms',
        query: 'Q1',
        value: 4.2371,
        formula: null,
        cells: [{ query: 'Q1', row: 1, name: 'ams-fra', column: 'rtt_ms', value: 4.2371 }],
      },
    ])
  })

  it('is a formula with the cells that it reads', () => {
    const [source] = sourcesOf("ams-fra has 37.5 % {= 100 * devices['ams-fra'] / sum(devices)} of all devices [Q1].")
    expect(source).toMatchObject({ value: 37.5, formula: '100 × devices of ams-fra ÷ devices of all 3' })
    expect(source?.cells.map(({ row, value }) => [row, value])).toEqual([
      [1, '12'],
      [1, '12'],
      [2, '8'],
      [3, '12'],
    ])
  })

  it.each([
    ["ams-fra has 4.2 ms {= rtt_ms['ams-fra']} [Q1].", ['4.2 ms: Q1, row 1 (ams-fra), rtt_ms']],
    ['The highest is 71.5 ms {= max(rtt_ms)} of lon-nyc [Q1].', ['71.5 ms: Q1, highest rtt_ms of all 3 (lon-nyc)']],
    [
      "ams-fra has {100 * devices['ams-fra'] / sum(devices)} % of {Q3.devices} devices [Q1, Q3].",
      ['37.5 %: Q1, 100 × devices of ams-fra ÷ devices of all 3', '32: Q3, row 1, devices'],
    ],
    [
      "Two {= count(region = 'Europe')} of three {= count()} links are in Europe [Q1].",
      ['Two: Q1, rows with region = Europe', 'three: Q1, all 3 rows'],
    ],
    [
      "The links in Europe have 24 {= sum(devices, region = 'Europe')} devices [Q1].",
      ['24: Q1, devices of rows with region = Europe'],
    ],
    [
      'lon-nyc is 67.3 ms {= abs(rtt_ms[1] - rtt_ms[2])} slower than ams-fra [Q1].',
      ['67.3 ms: Q1, rtt_ms of ams-fra − rtt_ms of lon-nyc'],
    ],
    [
      'The links have 32 {= sum(devices)} of 32 {= Q3.devices} devices [Q1, Q3].',
      ['32: Q1, devices of all 3', '32: Q3, row 1, devices'],
    ],
  ])('is told in English: %s', (unit, lines) => {
    expect(linesOf(unit)).toEqual(lines)
  })

  it.each([
    ['ams-fra has 4.2 ms {=C1} [Q1].', ['4.2 ms: Q1, row 1 (ams-fra), rtt_ms']],
    ['In two {= count(C < D)} of the links, rtt_ms is below devices [Q1].', ['two: Q1, rows with rtt_ms < devices']],
    ["The links in Europe have {sum(D, B = 'Europe')} devices [Q1].", ['24: Q1, devices of rows with region = Europe']],
  ])('names the columns whose letters the writer used: %s', (unit, lines) => {
    expect(linesOf(unit)).toEqual(lines)
  })

  it('names a row by what no other row has', () => {
    const columns = ['validator', 'days_ago', 'stake'].map(name => ({ name, type: name === 'validator' ? 'String' : 'Int64' }))
    const rows = [7, 0].map(day => ['Willow', day, 100 - day])
    const checker = new CitationChecker([queryReport({ columns, rows })], { question: 'How did the stake change?' })
    const figures = checker.check('That is a difference of 7 {= stake[2] - stake[1]} [Q1].').figures ?? []
    expect(sourceLines(figures, 'en')).toEqual(['7: Q1, stake of days_ago 0 − stake of days_ago 7'])
  })

  it.each([
    ['a column of names', ['vote_account', 'name', 'code'], [7, 3, 2], 'stake of xxx0 − stake of xxx1'],
    ['the shortest text', ['vote_account', 'operator', 'hash'], [7, 3, 5], 'stake of xxx0 − stake of xxx1'],
    ['a text before a key', ['vote_account', 'rank'], [7, 0], 'stake of xxxxxxx0 − stake of xxxxxxx1'],
  ])('prefers %s', (_, names, lengths, formula) => {
    const columns = [...names, 'stake'].map((name, at) => ({ name, type: (lengths[at] ?? 0) === 0 ? 'Int64' : 'String' }))
    const rows = [9, 4].map((stake, row) => [...lengths.map(length => `${'x'.repeat(length)}${row}`), stake])
    const checker = new CitationChecker([queryReport({ columns, rows })], { question: 'How does the stake differ?' })
    const figures = checker.check('That is a difference of 5 {= stake[1] - stake[2]} [Q1].').figures ?? []
    expect(sourceLines(figures, 'en')).toEqual([`5: Q1, ${formula}`])
  })

  it('names all rows by the column that tells all of them apart', () => {
    const columns = ['metro_name', 'device', 'users'].map(name => ({ name, type: name === 'users' ? 'Int64' : 'String' }))
    const rows = [
      ['Oslo', 'osl-01', 9],
      ['Oslo', 'osl-02', 4],
      ['Rome', 'rom-01', 3],
    ]
    const checker = new CitationChecker([queryReport({ columns, rows })], { question: 'How do the devices differ?' })
    const figures = checker.check('That is a difference of 6 {= users[1] - users[3]} [Q1].').figures ?? []
    expect(sourceLines(figures, 'en')).toEqual(['6: Q1, users of osl-01 − users of rom-01'])
  })

  it('names a row by what no other row has together, if it has nothing alone', () => {
    const columns = ['link', 'direction', 'loss_pct'].map(name => ({ name, type: name === 'loss_pct' ? 'Float64' : 'String' }))
    const rows = [
      ['tyo-sin', 'a_to_z', 8],
      ['osl-cph', 'a_to_z', 2],
      ['osl-cph', 'z_to_a', 1],
    ]
    const checker = new CitationChecker([queryReport({ columns, rows })], { question: 'Which link lost most?' })
    const figures = checker.check('That is 4 {= loss_pct[1] / loss_pct[2]} times as much [Q1].').figures ?? []
    expect(sourceLines(figures, 'en')).toEqual(['4: Q1, loss_pct of tyo-sin ÷ loss_pct of osl-cph / a_to_z'])
  })

  it('is told once for a column of a table', () => {
    const unit = '{table Q1: Link = link, Time (ms) = rtt_ms, Share (%) = 100 * devices / sum(devices)}'
    expect(linesOf(unit)).toEqual([
      'Time (ms): Q1, rtt_ms of each row',
      'Share (%): Q1, 100 × devices of each row ÷ devices of all 3',
    ])
    expect(sourcesOf(unit)[0]?.cells.map(({ row, value }) => [row, value])).toEqual([
      [1, 4.2371],
      [2, 71.5],
      [3, 9.5],
    ])
    expect(linesOf('{table Q1 2: Verbindung = link, Zeit (ms) = rtt_ms}', 'de')).toEqual([
      'Zeit (ms): Q1, Zeile 2 (lon-nyc), rtt_ms',
    ])
  })

  it('is the cell of a figure without a working, if only one cell shows it', () => {
    expect(linesOf('ams-fra has 4.2 ms and lon-nyc 71.5 ms [Q1].')).toEqual([
      '4.2 ms: Q1, row 1 (ams-fra), rtt_ms',
      '71.5 ms: Q1, row 2 (lon-nyc), rtt_ms',
    ])
    expect(linesOf('There are 32 {= Q3.devices} devices, and lon-nyc has 8 [Q1, Q3].')).toEqual([
      '32: Q3, row 1, devices',
      '8: Q1, row 2 (lon-nyc), devices',
    ])
    expect(linesOf('lon-nyc has 8 devices of 32 {= Q3.devices} [Q1, Q3].')).toEqual([
      '8: Q1, row 2 (lon-nyc), devices',
      '32: Q3, row 1, devices',
    ])
    expect(linesOf('A link in Europe has 12 devices [Q1].')).toEqual([])
  })

  it('is the cell of a figure in the row of a table that the model has written', () => {
    const checker = new CitationChecker([links, total], { question: 'How fast are the links?' })
    const rows = [
      '| Link | Time (ms) | Devices |',
      '|---|---|---|',
      '| ams-fra | 4.2 | 12 |',
      "| lon-nyc | 71.5 {= rtt_ms['lon-nyc']} | 8 |",
    ]
    const checked = ['The links [Q1]:', '', ...rows].map(row => checker.check(row))
    expect(checked.flatMap(({ problems }) => problems)).toEqual([])
    expect(
      sourceLines(
        checked.flatMap(({ figures = [] }) => figures),
        'en',
      ),
    ).toEqual([
      '4.2: Q1, row 1 (ams-fra), rtt_ms',
      '12: Q1, row 1 (ams-fra), devices',
      '71.5: Q1, row 2 (lon-nyc), rtt_ms',
      '8: Q1, row 2 (lon-nyc), devices',
    ])
  })

  it('is not the cell of a second working, which has no figure of its own', () => {
    expect(linesOf("osl-cph has 9.5 ms {= rtt_ms['osl-cph']}, and few devices {= devices['osl-cph']} [Q1].")).toEqual([
      '9.5 ms: Q1, row 3 (osl-cph), rtt_ms',
    ])
  })

  it('is told in German', () => {
    expect(linesOf("ams-fra hat 4,2 ms {= rtt_ms['ams-fra']} [Q1].", 'de')).toEqual(['4,2 ms: Q1, Zeile 1 (ams-fra), rtt_ms'])
    expect(linesOf("ams-fra hat 37,5 % {= 100 * devices['ams-fra'] / sum(devices)} der Geräte [Q1].", 'de')).toEqual([
      '37,5 %: Q1, 100 × devices von ams-fra ÷ Summe von devices über alle 3',
    ])
  })

  it('names no row by a private column, and tells none of its values', () => {
    expect(linesOf("Oslo has 30 orders {= orders['Oslo']} [Q2].")).toEqual(['30: Q2, row 1 (Oslo), orders'])
    const shown = JSON.stringify([
      sourcesOf('There are two {= distinct(email)} customers [Q2].'),
      sourcesOf("The customer has 12 orders {= orders['bob@example.com']} [Q2]."),
      sourcesOf("The customer has 12 orders {= sum(orders, email = 'bob@example.com')} [Q2]."),
      sourcesOf("The customer has {sum(C, A = 'bob@example.com')} orders [Q2]."),
    ])
    expect(shown).not.toContain('@')
    expect(shown).toContain('orders of rows with email = …')
  })

  it('is bounded, whatever the rows hold', () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => [`${'x'.repeat(500)}${at}`, at + 1])
    const columns = [
      { name: 'n'.repeat(500), type: 'String' },
      { name: 'staff', type: 'UInt32' },
    ]
    const checker = new CitationChecker([queryReport({ columns, rows })], { question: 'How many staff are there?' })
    const [source] = checker.check('They have 12,502,500 {= sum(staff)} staff [Q1].').figures ?? []
    expect(source?.formula).toBe('staff of all 5,000')
    expect(JSON.stringify(source).length).toBeLessThan(3_000)
  })

  it('is unknown for a figure that differs from its working, and for an unsupported sentence', () => {
    const checker = new CitationChecker([links], { question: 'Which links are there?' })
    expect(checker.check("ams-fra has 5.2 ms {= rtt_ms['ams-fra']} [Q1].").figures).toBeUndefined()
  })
})
