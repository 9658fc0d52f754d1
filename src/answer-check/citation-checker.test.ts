import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { queryReport } from '../../test/support/query-report.ts'
import type { QueryReport } from '../agent/run/result.ts'
import { CitationChecker } from './citation-checker.ts'

function report(columns: Record<string, string>, rows: QueryReport['rows'], more: Partial<QueryReport> = {}): QueryReport {
  return queryReport({
    question: 'a data question',
    explanation: '',
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rows,
    ...more,
  })
}

const links = report({ link: 'String', loss_pct: 'Float64', rtt_us: 'UInt64' }, [
  ['ams-fra', 12.5, '9120'],
  ['lon-nyc', 3, '70250'],
  ['osl-cph', 0.25, '8000'],
])
const counts = report({ city: 'String', devices: 'UInt64' }, [
  ['Hamburg', '31'],
  ['Bremen', '17'],
  ['Kassel', '5'],
])

function kindOf(unit: string, queries: readonly QueryReport[] = [links], question = 'Which links lose packets?'): string {
  return new CitationChecker(queries, { question }).check(unit).kind
}

describe('CitationChecker', () => {
  it.each([
    ['All cities have more than 10 devices [Q1].', 'unsupported'],
    ['All cities have more than 4 devices [Q1].', 'supported'],
    ['All cities together have {sum(devices)} devices [Q1].', 'supported'],
    ['Bremen is ahead of Hamburg by 14 [Q1].', 'unsupported'],
    ['Hamburg has no devices [Q1].', 'unsupported'],
    ['The city with the most devices is Hamburg [Q1].', 'supported'],
    ['The city with the most devices is Bremen [Q1].', 'unsupported'],
    ['Hamburg has no less than 32 [Q1].', 'unsupported'],
  ])('holds comparisons and superlatives to the same measure: %s', (unit, kind) => {
    expect(kindOf(unit, [counts])).toBe(kind)
  })

  describe('over rows that a limit may have cut', () => {
    const days = [...Array(12).keys()].map(at => [`2026-01-${String(at + 1).padStart(2, '0')}`, '1'])
    const visits = (more: Partial<QueryReport>) => report({ day: 'Date', visitors: 'UInt64' }, days, more)
    const limited = visits({ sql: 'SELECT day, visitors FROM visits ORDER BY day LIMIT 12' })
    const cut = visits({ sql: 'SELECT day, visitors FROM visits ORDER BY day', truncated: true })
    const all = visits({ sql: 'SELECT day, visitors FROM visits ORDER BY day LIMIT 100' })

    it.each([
      ['In all there were {sum(visitors)} visitors [Q1].'],
      ['In all there were {sum(visitors)} visitors on {count()} days [Q1].'],
      ['There are twelve days with visitors [Q1].'],
      ['12 {= count()} days had visitors [Q1].'],
    ])('refuses a claim about all of them: %s', unit => {
      expect(kindOf(unit, [cut], 'How many visitors?')).toBe('unsupported')
      expect(kindOf(unit, [limited], 'How many visitors?')).toBe('unsupported')
      expect(kindOf(unit, [all], 'How many visitors?')).toBe('supported')
    })

    it.each([
      ['These 12 days had {sum(visitors)} visitors together [Q1].'],
      ['The first 12 days had {sum(visitors)} visitors in all [Q1].'],
      ['The earliest day is 2026-01-01 [Q1].'],
      ["Two {= count(day > '2026-01-10')} of the 12 {= count()} days are late [Q1]."],
    ])('accepts a claim about the listed ones: %s', unit => {
      expect(kindOf(unit, [limited], 'How many visitors?')).toBe('supported')
    })

    it.each([
      ['In all there were 4,284 entries with visitors [Q1].'],
      ['In all there were 4,284 {= count()} days with visitors [Q1].'],
      ['Of 4,284 entries, the first 12 are listed [Q1].'],
    ])('accepts the number of rows that was counted: %s', unit => {
      const counted = visits({ sql: 'SELECT day, visitors FROM visits ORDER BY day', truncated: true, total_rows: 4284 })
      expect(kindOf(unit, [counted], 'Which days had visitors?')).toBe('supported')
      expect(kindOf(unit, [cut], 'Which days had visitors?')).toBe('unsupported')
    })

    it('takes rows within a limit that the question asked for as all', () => {
      expect(
        kindOf('In all there were {sum(visitors)} visitors [Q1].', [limited], 'How many visitors on the first 12 days?'),
      ).toBe('supported')
    })
  })

  it.each([
    ['## ams-fra lost 99 %'],
    ['# 99 links lost packets'],
    ['| They lost 99 % |'],
    ['| link | 99 lost |'],
    ['```x``` ams-fra lost 99 % [Q1].'],
    ['```\nams-fra lost 99 %\n'],
    ['ams-fra lost ９９ % [Q1].'],
    ['ams-fra lost ٩٩ % [Q1].'],
    ['ams-fra lost 𝟗𝟗 % [Q1].'],
    ['ams-fra lost 4e1 % [Q1].'],
    ['lon-nyc lost ⅔ of what ams-fra lost [Q1].'],
    ['ams-fra lost ¹ % [Q1].'],
    ['ams-fra lost ⑨ % [Q1].'],
  ])('checks figures in titles, after backticks and in other digits: %s', unit => {
    expect(kindOf(unit)).toBe('unsupported')
  })

  it.each([
    ['## ams-fra lost 12.5 %', 'uncited'],
    ['## 1. Links', 'uncited'],
    ['## 2.1 Loss', 'uncited'],
    ['## The top 3 links', 'uncited'],
    ['| link | p95 | loss (%) |', 'uncited'],
    ['```sql\nSELECT 99\n```\n', 'uncited'],
    ['ams-fra lost １２.５ % [Q1].', 'supported'],
    ['ams-fra lost ١٢.٥ % [Q1].', 'supported'],
    ['ams-fra lost 1.25e1 % [Q1].', 'supported'],
    ['ams-fra lost 12½ % [Q1].', 'supported'],
    ['ams-fra lost 12.5 % of 40 m² [Q1].', 'unsupported'],
  ])('accepts titles, code and other digits that follow from the rows: %s', (unit, kind) => {
    expect(kindOf(unit)).toBe(kind)
  })

  it.each([
    ['ams-fra lost 12.5 % [Q1].'],
    ['ams-fra lost about 13 % [Q1].'],
    ['ams-fra lost over 12 % [Q1].'],
    ['Auf ams-fra gingen 12,5 % verloren [Q1].'],
    ['ams-fra takes 9.12 ms, lon-nyc 70.25 ms [Q1].'],
    ['lon-nyc takes 0.07 s [Q1].'],
    ['ams-fra lost the most, 12.5 % [Q1].'],
    ['Three links lost packets [Q1].'],
  ])('accepts claims that follow from the rows: %s', unit => {
    expect(kindOf(unit)).toBe('supported')
  })

  it.each([
    ['ams-fra lost 12.9 % [Q1].'],
    ['ams-fra lost 3 %, lon-nyc 12.5 % [Q1].'],
    ['ams-fra lost over 13 % [Q1].'],
    ['ams-fra, lon-nyc and osl-cph lost 3 %, 12.5 % and 0.25 % respectively [Q1].'],
    ['lon-nyc lost the most, 3 % [Q1].'],
    ['ams-fro lost 12.5 % [Q1].'],
    ['`par-mad` lost packets [Q1].'],
    ['ams-fra takes 9.12 s [Q1].'],
    ['ams-fra lost 12.5 % [Q2].'],
    ['ams-fra lost 12.5 %.'],
    ['Five links lost packets [Q1].'],
  ])('refuses claims that do not: %s', unit => {
    expect(kindOf(unit)).toBe('unsupported')
  })

  it('leaves alone sentences without claims about the data', () => {
    for (const unit of [
      '### Loss',
      'Times are UTC.',
      'The last 24 hours are counted back from now.',
      '',
      '| Link | Loss |',
      '|---|---|',
    ]) {
      expect(kindOf(unit, [links], 'What happened in the last 24 hours?')).toBe('uncited')
    }
  })

  it('recognizes minutes in a percentile column, whatever its header says', () => {
    const heats = report({ line: 'String', median_min: 'UInt16', p95_min: 'UInt16' }, [
      ['EAF 1', 79, 96],
      ['EAF 2', 66, 83],
    ])
    const rowUnder = (head: string, row: string) => {
      const checker = new CitationChecker([heats], { question: 'How long do heats take?' })
      for (const line of [`| Line | Median (min) | ${head} |`, '|---|---|---|']) checker.check(line)
      return checker.check(row).kind
    }
    for (const head of ['95th percentile (min)', 'p95 (min)']) {
      expect(rowUnder(head, '| EAF 1 | 79 | 96 |')).toBe('supported')
      expect(rowUnder(head, '| EAF 1 | 79 | 83 |')).toBe('unsupported')
    }
  })

  it('reads a season of two years, a number inside a name, and a month before an amount', () => {
    const snow = report(
      { month: 'Date', peak_c: 'Float64', paid_usd: 'Float64' },
      [
        ['2025-01-01', -11.9, 3121.21],
        ['2025-06-01', 4.5, 3392.8],
      ],
      { sql: "SELECT month, avgIf(temp_c, station = 'Peak 3100') AS peak_c, paid_usd FROM snow" },
    )
    const kind = (unit: string) => kindOf(unit, [snow], 'How was the season 2024/25?')
    expect(kind('In the season 2024/25 the lowest mean was -11.9 °C {= min(peak_c)} at Peak 3100 [Q1].')).toBe('supported')
    expect(kind('In the season 2025/26 the lowest mean was -11.9 °C {= min(peak_c)} at Peak 3200 [Q1].')).toBe('unsupported')
    expect(kind('June had 3392.80 USD {= paid_usd[2]} [Q1].')).toBe('supported')
  })

  it('accepts "since January 2025" for "since 2025"', () => {
    const said = 'Since January 2025 Hamburg has had 31 devices [Q1].'
    expect(kindOf(said, [counts], 'How many devices since 2025?')).toBe('supported')
    expect(kindOf(said, [counts], 'How many devices?')).toBe('unsupported')
  })

  it('takes no part of an identifier for a name', () => {
    expect(kindOf('Run the job `hamburg_load` again; the SQL needs no change.', [counts])).toBe('uncited')
    expect(kindOf('Hamburg is to be loaded again.', [counts])).toBe('unsupported')
  })

  it('words problems so that a model can rewrite the sentence', () => {
    const verdict = new CitationChecker([links], { question: '' }).check('ams-fra lost 14 % [Q1].')
    expect(verdict.problems).toEqual([
      {
        text: '14 %',
        reason:
          '14 % is not what the rows of Q1 hold for it; nearest is 12.5 (loss_pct of ams-fra); write what is worked out as its formula, such as {sum(C)} or {100 * C2 / sum(C)}',
      },
    ])
  })

  it.each([
    ['There are 53 devices in total [Q1].', 'There are {sum(devices)} devices in total [Q1].'],
    ['Hamburg has 58 % of all devices [Q1].', "Hamburg has {100 * devices['Hamburg'] / sum(devices)} % of all devices [Q1]."],
    ['Hamburg has 14 more than Bremen [Q1].', "Hamburg has {devices['Hamburg'] - devices['Bremen']} more than Bremen [Q1]."],
    ['A city has 18 devices on average [Q1].', 'A city has {avg(devices)} devices on average [Q1].'],
  ])('takes a figure that is worked out as a formula only: %s', (plain, formula) => {
    const verdict = new CitationChecker([counts], { question: '' }).check(plain)
    expect(verdict.problems[0]?.reason).toContain('write what is worked out as its formula')
    expect(kindOf(formula, [counts])).toBe('supported')
  })

  it.each([
    ['Hamburg has more than half of the devices, {100 * devices[1] / sum(devices)} % [Q1].', 'supported'],
    ['Bremen has about a third of the devices, {100 * devices[2] / sum(devices)} % [Q1].', 'supported'],
    ['Bremen has about half of the devices, {100 * devices[2] / sum(devices)} % [Q1].', 'unsupported'],
    ['Bremen has half of the devices [Q1].', 'unsupported'],
  ])('takes a word for the share beside it: %s', (unit, kind) => {
    expect(kindOf(unit, [counts])).toBe(kind)
  })

  it('compares words of change with the sign of the change', () => {
    const change = report({ name: 'String', before: 'UInt64', after: 'UInt64' }, [['north', '80', '100']])
    expect(kindOf('north rose by {100 * (after - before) / before} %, from 80 to 100 [Q1].', [change])).toBe('supported')
    expect(kindOf('north fell from 80 to 100 [Q1].', [change])).toBe('unsupported')
    expect(kindOf('north rose from 100 to 80 [Q1].', [change])).toBe('unsupported')
    expect(kindOf('north fell by 25 % [Q1].', [change])).toBe('unsupported')
  })

  it("keeps integers exact beyond a double's precision, and NULL apart from 0", () => {
    const big = report({ token: 'String', supply: 'UInt128', held: 'Nullable(UInt64)' }, [['AURUM', '9007199254740993', null]])
    expect(kindOf('AURUM has a supply of 9007199254740993 [Q1].', [big])).toBe('supported')
    expect(kindOf('AURUM has a supply of 9007199254740992 [Q1].', [big])).toBe('unsupported')
    expect(kindOf('AURUM holds 0 [Q1].', [big])).toBe('unsupported')
  })

  it('reads times in the zone that the sentence names', () => {
    const events = report({ event: 'String', at: "DateTime('UTC')" }, [['restart', '2026-11-20 11:05:00']])
    expect(kindOf('The restart was at 11:05 UTC on 20 Nov [Q1].', [events])).toBe('supported')
    expect(kindOf('The restart was at 12:05 (Europe/Berlin) [Q1].', [events])).toBe('supported')
    expect(kindOf('The restart was at 12:05 UTC [Q1].', [events])).toBe('unsupported')
    expect(kindOf('The restart was on 21 Nov [Q1].', [events])).toBe('unsupported')
  })

  it('accepts a figure of the question as a condition, and no other', () => {
    const query = report({ city: 'String', devices: 'UInt64' }, [['Hamburg', '31']], { sql: 'SELECT 1 HAVING devices > 30' })
    expect(kindOf('Only Hamburg has more than 30 devices [Q1].', [query])).toBe('supported')
    expect(kindOf('Only Hamburg has more than 40 devices [Q1].', [query])).toBe('unsupported')
  })

  it('knows the parts of a compound value and binds them to their row', () => {
    const circuits = report({ circuit: 'String', rtt_ms: 'Float64' }, [
      ['tyo-dz02:sin-dz01', 68.1],
      ['ams-dz01:fra-dz01', 9.3],
      ['lon-dz01:nyc-dz02', 70.2],
    ])
    expect(kindOf('The circuit from tyo-dz02 to sin-dz01 takes 68.1 ms [Q1].', [circuits])).toBe('supported')
    expect(kindOf('The circuit from ams-dz01 to fra-dz01 takes 68.1 ms [Q1].', [circuits])).toBe('unsupported')
    expect(kindOf('The circuit from ams-dz01 to nyc-dz02 takes 9.3 ms [Q1].', [circuits])).toBe('unsupported')
    expect(kindOf('The circuit from ams-dz09 to fra-dz01 takes 9.3 ms [Q1].', [circuits])).toBe('unsupported')
  })

  it.each([
    ['an array', 'Array(String)', ['blocks-east', 'blocks-west'], ['blocks-north']],
    ['a comma list', 'String', 'blocks-east, blocks-west', 'blocks-north'],
  ])('binds the elements of %s to their row', (_, type, first, second) => {
    const sources = report({ name: 'String', sources: type, rate: 'Float64' }, [
      ['Opal', first, 12.5],
      ['Larch', second, 3.5],
    ])
    const both = 'Opal (12.5) reads from `blocks-east` and `blocks-west`, Larch (3.5) from `blocks-north` [Q1].'
    expect(kindOf(both, [sources])).toBe('supported')
    expect(kindOf('12.5 come from blocks-east and blocks-west [Q1].', [sources])).toBe('supported')
    expect(kindOf('3.5 come from blocks-east and blocks-west [Q1].', [sources])).toBe('unsupported')
    expect(kindOf('Opal reads 12.5 from `blocks-south` [Q1].', [sources])).toBe('unsupported')
  })

  it('knows the plural of a value, and takes the number of others as a formula', () => {
    const names = 'Alder Birch Cedar Dogwood Elm Fir Ginkgo Hazel Ironwood'.split(' ')
    const kinds = report({ name: 'String', kind: 'String' }, [
      ['Kestrel Bridge', 'return'],
      ...names.map(name => [name, 'first connection']),
    ])
    const others = (count: string) => kindOf(`Only Kestrel Bridge is a return, ${count} are first connections [Q1].`, [kinds])
    expect(['the other 8', 'the other 10'].map(others)).toEqual(['unsupported', 'unsupported'])
    expect(others("{count(kind != 'return')}")).toBe('supported')
    expect(kindOf('Only Kestrel Bridges is a return [Q1].', [kinds])).toBe('unsupported')
  })

  it('does not read "the 372 of 24 hours ago" as a share', () => {
    const users = report(
      { type: 'String', users: 'UInt64', day_ago: 'UInt64', change: 'Int64', connections: 'UInt64', disconnections: 'UInt64' },
      [['all types', 376, 372, 4, 11, 7]],
      { sql: 'SELECT now() - INTERVAL 24 HOUR' },
    )
    const says = (before: number, ago: string, joined: number, left: number) =>
      kindOf(
        `376 user accounts are connected, 4 more than the ${before} of ${ago} ago, after ${joined} connections and ${left} disconnections [Q1].`,
        [users],
      )
    expect(says(372, '24 hours', 11, 7)).toBe('supported')
    expect(says(371, '24 hours', 11, 7)).toBe('unsupported')
    expect(says(372, '23 hours', 11, 7)).toBe('unsupported')
  })

  it('checks a figure against the one row that several names of a clause select', () => {
    const use = report({ name: 'String', account: 'String', device: 'String', avg_mbps: 'Float64', total_gb: 'Float64' }, [
      ['Larch Orchard', '7CgTz9DUWxwnKCKxZyPoQmoBbDBVw1ZcmWzPfPq3Hsb', 'lax-dz01', 909.4581, 9788.0712],
      ['Opal Forge', 'aaBSTz9DUWxwnKCKxZyPoQmoBbDBVw1ZcmWzPfPq3Hsb', 'lax-dz01', 700.1, 7700.2],
    ])
    const says = (account: string, rate: string, bytes: string) =>
      kindOf(
        `Larch Orchard (account ${account}, on lax-dz01) consumed the most: ${rate} Mbit/s on average, ${bytes} GB in all [Q1].`,
        [use],
      )
    expect(says('7Cg…', '909.46', '9,788.07')).toBe('supported')
    expect(says('7Cg…', '700.1', '7,700.2')).toBe('unsupported')
    expect(says('aaBS…', '909.46', '9,788.07')).toBe('unsupported')
    expect(says('9xyz…', '909.46', '9,788.07')).toBe('unsupported')
  })

  it('gives each clause its own row', () => {
    const stake = report({ account: 'String', name: 'Nullable(String)', before: 'Float64', after: 'Float64', gain: 'Float64' }, [
      ['oPaLTz9DUWxwnKCKxZyPoQmoBbDBVw1ZcmWzPfPq3Hsb', 'Opal Forge', 12471514.2, 36491151.3, 24019637.1],
      ['aaBSTz9DUWxwnKCKxZyPoQmoBbDBVw1ZcmWzPfPq3Hsb', null, 100000, 128941, 28941],
    ])
    const says = (first: string, second: string) =>
      kindOf(
        `Opal Forge went from 12,471,514 SOL to 36,491,151 SOL, ${first} SOL more; the next largest gain, of an unnamed validator (aaBS…), is ${second} SOL [Q1].`,
        [stake],
      )
    expect(says('24,019,637', '28,941')).toBe('supported')
    expect(says('28,941', '24,019,637')).toBe('unsupported')
    expect(says('24,019,637', '28,841')).toBe('unsupported')
  })

  it('does not say "the nearest cell" of an exact match', () => {
    const routes = report({ route: 'String', rtt_ms: 'Float64' }, [
      ['ams-dz01:fra-dz01', 9.3],
      ['lon-dz01:nyc-dz02', 70.2],
    ])
    const checker = new CitationChecker([routes], { question: '' })
    expect(checker.check('The route from ams-dz01 to nyc-dz02 takes 9.3 ms [Q1].').problems.map(({ reason }) => reason)).toEqual([
      '9.3 ms does not follow from the rows of Q1 as it is worded, though 9.3 is rtt_ms of ams-dz01:fra-dz01: say what it is of',
    ])
  })

  it('checks a sentence piece by piece where its citations differ', () => {
    const other = { ...counts, id: 'Q2' }
    expect(kindOf('ams-fra lost 12.5 % [Q1] and Hamburg has 31 devices [Q2].', [links, other])).toBe('supported')
    expect(kindOf('ams-fra lost 31 % [Q1] and Hamburg has 31 devices [Q2].', [links, other])).toBe('unsupported')
  })

  describe('over the lines of a table', () => {
    const rows = ['| Link | Loss | Round trip |', '|---|---|---|', '| ams-fra | 12.5 % | 9.1 ms |', '| lon-nyc | 3 % | 70.3 ms |']

    it('accepts a citation after the table', () => {
      const checker = new CitationChecker([links], { question: '' })
      expect(rows.map(row => checker.check(row).kind)).toEqual(['uncited', 'uncited', 'supported', 'supported'])
      expect(checker.check('\n').kind).toBe('uncited')
      expect(checker.check('Source: [Q1]').kind).toBe('supported')
      expect(checker.end().kind).toBe('uncited')
    })

    it('asks for a missing citation', () => {
      const checker = new CitationChecker([links], { question: '' })
      for (const row of rows) checker.check(row)
      expect(checker.end().problems).toEqual([{ text: 'the table or list', reason: 'the table or list above cites no query' }])
    })

    it('refuses values of another row, and a column that changes its meaning', () => {
      const checker = new CitationChecker([counts, { ...links, id: 'Q2' }], { question: '' })
      checker.check('Here they are [Q2]:')
      for (const row of rows.slice(0, 3)) checker.check(row)
      expect(checker.check('| lon-nyc | 0.25 % | 70.3 ms |').kind).toBe('unsupported')
    })
  })

  it('bullets rest on the citation of their intro', () => {
    const checker = new CitationChecker([counts], { question: '' })
    checker.check('Devices by city [Q1]:')
    expect(checker.check('- Hamburg: 31').kind).toBe('supported')
    expect(checker.check('- Bremen: 31').kind).toBe('unsupported')
  })

  it('finds a figure in 10,000 rows', () => {
    const many = report(
      { city: 'String', devices: 'UInt64', share: 'Float64' },
      Array.from({ length: 10_000 }, (_, row) => [`city-${row}`, String(row * 7), row / 10_000]),
    )
    const checker = new CitationChecker([many], { question: '' })
    expect(checker.check('city-77 has 539 devices and city-78 has 546 devices [Q1].').kind).toBe('supported')
  })
})

describe('answers generated from rows', () => {
  const rowsOf = fc
    .uniqueArray(fc.integer({ min: 200, max: 9_999_999 }), { minLength: 3, maxLength: 8 })
    .filter(values =>
      values.every(one => values.every(other => one === other || Math.abs(one - other) > 0.12 * Math.max(one, other))),
    )
    .map(values => values.map((value, index) => [`node-${String.fromCharCode(97 + index)}${index + 3}`, String(value)] as const))
  const styles = [
    (rows: readonly (readonly [string, string])[]) =>
      `${rows.map(([name, value]) => `${name} has ${value} requests`).join(', ')} [Q1].`,
    (rows: readonly (readonly [string, string])[]) =>
      `${rows.map(([name, value]) => `${value} requests went to ${name}`).join('; ')} [Q1].`,
    (rows: readonly (readonly [string, string])[]) =>
      rows.map(([name, value]) => `- ${name}: ${Number(value).toLocaleString('en')} [Q1]`).join('\n'),
    (rows: readonly (readonly [string, string])[]) =>
      `| Node | Requests |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}\n[Q1]`,
  ]
  const given = fc.record({ rows: rowsOf, style: fc.constantFrom(...styles), at: fc.nat(), by: fc.integer({ min: 10, max: 50 }) })
  const passes = (answer: string, rows: readonly (readonly [string, string])[]) => {
    const checker = new CitationChecker([report({ node: 'String', requests: 'UInt64' }, rows)], {
      question: 'How many requests per node?',
    })
    const verdicts = answer.split('\n').map(line => checker.check(line).kind)
    return ![...verdicts, checker.end().kind].includes('unsupported')
  }
  const changed = (
    rows: readonly (readonly [string, string])[],
    at: number,
    change: (row: readonly [string, string], next: readonly [string, string]) => readonly [string, string],
  ) => rows.map((row, index) => (index === at % rows.length ? change(row, rows[(index + 1) % rows.length] ?? row) : row))

  it('pass unchanged', () => {
    fc.assert(fc.property(given, ({ rows, style }) => passes(style(rows), rows)))
  })
  it('fail with a figure changed by 1 to 5 %', () => {
    fc.assert(
      fc.property(given, ({ rows, style, at, by }) => {
        const wrong = changed(rows, at, ([name, value]) => [name, String(Math.round(Number(value) * (1 + by / 1000)))])
        return !passes(style(wrong), rows)
      }),
    )
  })
  it('fail with two values swapped', () => {
    fc.assert(
      fc.property(given, ({ rows, style, at }) => {
        const one = at % rows.length
        const other = (one + 1) % rows.length
        const wrong = rows.map(
          (row, index) => [row[0], (index === one ? rows[other] : index === other ? rows[one] : row)?.[1] ?? ''] as const,
        )
        return !passes(style(wrong), rows)
      }),
    )
  })
  it('fail with one name exchanged', () => {
    fc.assert(
      fc.property(given, ({ rows, style, at }) => !passes(style(changed(rows, at, ([, value], [name]) => [name, value])), rows)),
    )
  })
})

describe('the moment of asking', () => {
  const asked = { question: 'What failed in the last 24 hours?', timeZone: 'Europe/Berlin', askedAt: '2026-11-20T14:35:10.000Z' }
  const kind = (unit: string) => new CitationChecker([links], asked).check(unit).kind

  it.each([
    'The 24 hours are counted back from now (15:35 Europe/Berlin).',
    'The 24 hours end at 2026-11-20 14:35 UTC.',
    'Counted back from 20 November 2026, 15:35.',
  ])('needs no citation: %s', unit => {
    expect(kind(unit)).toBe('uncited')
  })

  it.each(['It happened at 15:36.', 'It happened on 2026-11-19 at 15:35.'])('is not confused with another time: %s', unit => {
    expect(kind(unit)).toBe('unsupported')
  })
})
