import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { atOnce } from '../../base/at-once.ts'
import { CitationChecker } from '../citation-checker.ts'
import { WorkBench } from './working.ts'

const counts = queryReport({
  columns: [
    { name: 'city', type: 'String' },
    { name: 'devices', type: 'UInt64' },
  ],
  rows: [
    ['Hamburg', '31'],
    ['Bremen', '17'],
    ['Kassel', '5'],
  ],
})
const links = queryReport({
  id: 'Q2',
  columns: [
    { name: 'link', type: 'Nullable(String)' },
    { name: 'loss_pct', type: 'Float64' },
    { name: 'rtt_us', type: 'UInt64' },
    { name: 'since', type: 'Date' },
    { name: 'run_s', type: 'UInt64' },
  ],
  rows: [
    ['ams-fra', 12.5, '9120', '2026-02-01', 8117],
    ['lon-nyc', 3, '70250', '2026-03-14', 8244],
    ['osl-cph', 0.25, '8000', '2026-03-20', 9000],
    [null, 1, '8000', '2026-04-01', 3600],
  ],
})
const check = (unit: string) => new CitationChecker([counts, links], { question: 'How many are there?' }).check(unit)
const reasonsOf = (unit: string) => check(unit).problems.map(({ reason }) => reason)

describe('a figure with its working', () => {
  it.each([
    'Just under two thirds {= sum(devices, city = Hamburg) / sum(devices)} of the devices stand in Hamburg, the rest is thinly spread [Q1].',
    'Two of them {= count(devices < 20)} are small sites [Q1].',
    'The worst link alone loses 75 % {= 100 * Q2.max(loss_pct) / Q2.sum(loss_pct)} of what all lose together [Q2].',
    '| Total | 53 {= sum(devices)} |',
    'Hamburg has 31 {=B1} devices, Bremen 17 {=B2} [Q1].',
    'The worst link, ams-fra, loses 12.5 % {=Q2.max(B)} [Q2].',
    '{100 * B1 / sum(B)} % of the devices stand in Hamburg [Q1].',
  ])('is accepted if the working gives its value: %s', unit => {
    expect(check(unit).kind).not.toBe('unsupported')
  })

  it('is wrong if the working gives another value, and the problem states both', () => {
    expect(check('Three of them {= count(devices < 20)} are small sites [Q1].')).toMatchObject({
      kind: 'unsupported',
      problems: expect.arrayContaining([{ text: 'Three', reason: 'Three is not what its working comes to: 2' }]),
    })
  })

  it.each(['Hamburg has 17 devices {=B2} [Q1].', 'Kassel has {B1} devices [Q1].', 'Kassel has 31 {=B1} devices [Q1].'])(
    'must read the row of its name by its address too: %s',
    unit => {
      expect(check(unit).kind).toBe('unsupported')
    },
  )

  it.each(['Order 4', 'Order `4`'])('may name its row by the number of an id: %s', order => {
    const columns = ['id', 'amount', 'is_paid'].map(name => ({ name, type: 'UInt32' }))
    const rows = [1, 3, 4].map((id, at) => [id, 10 * at + 5, at % 2])
    const own = () => new CitationChecker([queryReport({ columns, rows })], { question: 'Which orders are paid?' })
    expect(own().check(`${order} has an amount of 25 {=B3} [Q1].`)).toMatchObject({ kind: 'supported', problems: [] })
    expect(own().check(`${order} has an amount of 15 {=B2} [Q1].`).kind).toBe('unsupported')
  })

  it('must read a row that the sentence names, if it names any of that kind', () => {
    expect(
      check('Kassel has 58 % {= 100 * value(devices, city = Hamburg) / sum(devices)} of all devices [Q1].').problems,
    ).toContainEqual({
      text: '58 %',
      reason: '58 % is worked out from other rows than that of Kassel, which it is said of',
    })
    expect(check('It alone has 58 % {= 100 * value(devices, city = Hamburg) / sum(devices)} of all devices [Q1].').kind).toBe(
      'supported',
    )
  })

  it('does not prove another figure of the sentence', () => {
    expect(check('Two of them {= count(devices < 20)} are small sites, with 99 devices [Q1].').kind).toBe('unsupported')
  })

  it('is checked without an invalid working, and the problem explains the fault', () => {
    expect(check('Hamburg has 31 devices {= sum(gadgets)} [Q1].').kind).toBe('supported')
    expect(check('Hamburg has 77 devices {= sum(gadgets)} [Q1].').problems).toContainEqual({
      text: '77',
      reason: '{= sum(gadgets)}: gadgets is no column of the cited queries',
    })
  })
})

describe('a figure with the cell that it shows', () => {
  it.each([
    'Hamburg has 31 devices {= devices[1]} and Kassel 5 {= devices[3]} [Q1].',
    "Hamburg has 31 devices {= devices['Hamburg']} [Q1].",
    'Hamburg has the most devices, 31 {= max(devices)}, Kassel the fewest, 5 {= min(devices)} [Q1].',
    'ams-fra answers after 9.1 ms {= rtt_us[1]} [Q2].',
    'ams-fra answers after 9,120 µs {= rtt_us[1]} and has done so since 1 February {= since[1]} [Q2].',
    'osl-cph and a link without a name both take 8 ms {= rtt_us[3, 4]} [Q2].',
    'Hamburg leads with 31 {= devices[1]}, the next has 17 {= devices[2]} [Q1].',
    'A link without a name loses 1 % {= loss_pct[4]}, ams-fra 12.5 % {= loss_pct[1]} [Q2].',
    'Two {= count(loss_pct > 2.9)} links lose more than 2.9 % [Q2].',
    // Both of the results have a first row, and each working reads its own.
    'Hamburg has 31 devices {= devices[1]}, ams-fra has 12.5 % loss {= loss_pct[1]} among 4 links {= count()} [Q1, Q2].',
    '- The loss of lon-nyc is 3 % {= loss_pct[2]} [Q2]',
    // The working decides against the words: Bremen is the smaller of the two largest.
    'Hamburg and Bremen are the two largest; Bremen is the smallest of them with 17 {= devices[2]} [Q1].',
    'osl-cph loses 0.25 % per 1000 packets {= loss_pct[3]} [Q2].',
    'lon-nyc came 41 days {= since[2] - since[1]} after ams-fra [Q2].',
    'ams-fra came first, on 1 February {= min(since)} [Q2].',
    'The two together have 48 {= devices[1] + devices[2]}, Hamburg and Bremen [Q1].',
    'Hamburg tiene 0,031 mil {= devices[1]} [Q1].',
    // A wrong row number is accepted, because readers do not see it.
  ])('holds: %s', unit => {
    expect(check(unit)).toMatchObject({ kind: 'supported', problems: [] })
  })

  it.each([
    ['Hamburg has 32 devices {= devices[1]} [Q1].', '32 is not what its working comes to: 31'],
    ['Hamburg has 17 devices {= devices[1]} [Q1].', '17 is not what its working comes to: 31'],
    ['Kassel has 31 devices {= devices[1]} [Q1].', '31 is worked out from other rows than that of Kassel, which it is said of'],
    [
      'Kassel has 31 devices {= devices[1]}, Kassel 5 {= devices[3]} [Q1].',
      '31 is worked out from other rows than that of Kassel, which it is said of',
    ],
    [
      'Kassel has 14 {= devices[1] - devices[2]} more than Kassel [Q1].',
      '14 is worked out from other rows than that of Kassel, which it is said of',
    ],
    [
      'Hamburg has 31 devices {= devices[1]} and Bremen 31 [Q1].',
      '31 is not what the rows of Q1 hold for it; nearest is 17 (devices of Bremen); write what is worked out as its formula, such as {sum(C)} or {100 * C2 / sum(C)}',
    ],
    [
      'Hamburg and Kassel together have 48 {= devices[1] + devices[2]} [Q1].',
      '48 is worked out from other rows than that of Kassel, which it is said of',
    ],
    [
      'Hamburg has 14 {= devices[1] - devices[2]} more than Hamburg [Q1].',
      '14 is worked out from other rows than that of Hamburg, which it is said of',
    ],
    ['Hanburg has 31 devices {= devices[1]} [Q1].', '31 is of the row of Hamburg, which the sentence does not name'],
    [
      'Hamburg with 17 {= devices[2]} devices leads Bremen with 31 {= devices[1]} [Q1].',
      '17 stands where Hamburg does, whose row it is not',
    ],
    [
      'There are 31 {= devices[1]} devices with Bremen and 17 {= devices[2]} with Hamburg [Q1].',
      '31 stands where Bremen does, whose row it is not',
    ],
    [
      'ams-fra has been so since 2 February {= since[1]} [Q2].',
      '2 February is not what its working comes to: another day or text',
    ],
    [
      'Two {= count(devices > 10)} cities have more than 10 devices: Hamburg and Kassel [Q1].',
      'Kassel is none of the rows that Two is about',
    ],
  ])('is refused: %s', (unit, reason) => {
    expect(reasonsOf(unit)).toContain(reason)
  })
})

describe('many workings over many rows', () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => [`name-${at}`, (at * 7919) % 10_007])
  const columns = [
    { name: 'code', type: 'String' },
    { name: 'ms', type: 'UInt64' },
  ]
  const large = new CitationChecker([queryReport({ columns, rows })], { question: 'How slow is it?' })
  /** @returns the number of steps that the check takes, and the problems */
  const queryInParts = (unit: string) => {
    const parts = large.checkInParts(unit)
    for (let count = 1; ; count += 1) {
      const { done, value } = parts.next()
      if (done === true) return { count, reasons: value.problems.map(({ reason }) => reason) }
    }
  }
  const sentence = (workings: number, expression: (index: number) => string) =>
    `The medians are ${Array.from({ length: workings }, (_, at) => `${at + 100} {= ${expression(at)}}`).join(', ')} [Q1].`

  it('are refused beyond the limit for one sentence', () => {
    expect(queryInParts(sentence(61, () => 'median(ms)'))).toEqual({
      count: expect.any(Number),
      reasons: ['this has more than 60 workings, too many to be checked in one sentence'],
    })
  })

  it('are computed in steps', () => {
    expect(queryInParts(sentence(60, at => `median(ms)${' '.repeat(at)}${' + median(ms)'.repeat(30)}`)).count).toBeGreaterThan(
      100,
    )
  })

  it('read a limited number of rows', () => {
    const bench = new WorkBench([queryReport({ columns, rows })])
    const worked = Array.from({ length: 320 }, (_, at) => atOnce(bench.workOut(`median(ms)${' '.repeat(at)}`)))
    expect(worked.filter(outcome => !('fault' in outcome))).toHaveLength(299)
    expect(worked.at(-1)).toEqual({ fault: 'the workings of this sentence read too many rows' })
  })

  it('are computed once if they are equal', () => {
    expect(queryInParts(sentence(60, () => `median(ms)${' + median(ms)'.repeat(30)}`)).reasons).not.toContainEqual(
      expect.stringContaining('too many rows'),
    )
  })
})
