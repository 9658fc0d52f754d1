import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import type { MissingValue } from '../../warehouse/filter-finding.ts'
import type { Language } from '../../words/language.ts'
import type { QueryReport } from '../run/result.ts'
import { confidenceOf, type DoubtfulAnswer, doubtsAbout } from './confidence.ts'

const sound = queryReport({ rows: [['7']] })
const NOW = Date.parse('2026-11-23T12:00:00Z')
const verified = { checked: 2, unsupported: [] }

/** Returns the level, the reason, and the sentences below the answer. */
function rated(given: Partial<DoubtfulAnswer>, language: Language = 'en') {
  const answer = { asked: '', markdown: 'Seven [Q1].', queries: [sound], leftOut: [], citations: verified, now: NOW, ...given }
  const doubts = doubtsAbout(answer, language)
  const told = doubts.filter(doubt => doubt.isSilent !== true).map(({ text }) => text)
  return { ...confidenceOf(answer.queries, doubts), told }
}

function failed(question: string, kind = 'timeout'): QueryReport {
  const attempt = { sql: 'SELECT 1', kind, message: 'Too slow.', near: [] }
  return queryReport({ id: 'Q2', question, error: 'Too slow.', failed_attempts: [attempt] })
}

const missing = (value: string, near: readonly string[] = []) => ({ value, near, all: [], elsewhere: [] })
const lookedUp = (...values: readonly MissingValue[]) => [
  { column: 'd.t.c', condition: '', matching: '0', rows: '3', range: null, missing: values },
]

describe('confidenceOf', () => {
  it('is HIGH, without a reason, if nothing speaks against the answer', () => {
    expect(rated({})).toEqual({ confidence: 'HIGH', confidence_reason: null, told: [] })
  })

  it('is empty for an answer without queries', () => {
    expect(rated({ queries: [], citations: null })).toMatchObject({ confidence: null, confidence_reason: null })
  })

  it.each<[string, Partial<DoubtfulAnswer>]>([
    ['with a certain "none"', { queries: [queryReport({ review: { verdict: 'expected', reason: 'None left.' } })] }],
    [
      'with an empty result among others, as expected',
      { queries: [sound, sound, queryReport({ review: { verdict: 'expected', reason: 'No.' } })] },
    ],
    [
      'with a zero that the review expects',
      { queries: [queryReport({ rows: [['0']], review: { verdict: 'expected', reason: 'No.' } })] },
    ],
    [
      'from a combined result that has all rows of a query whose report was cut',
      {
        queries: [
          queryReport({ truncated: true, row_count: 10_000, total_rows: 14_000, rows: [['1']] }),
          sound,
          queryReport({ id: 'Q3', rows: [['7']], combined: { inputs: ['Q1', 'Q2'], joins: [] } }),
        ],
      },
    ],
    [
      'that states its own assumptions',
      {
        markdown: 'Seven [Q1].\n\nCounted are the months from January to March, as months of 30 days.',
        queries: [queryReport({ rows: [['7']], deciding_assumptions: ['A month is counted as 30 days.'] })],
      },
    ],
    [
      'that an assumption only says again',
      {
        asked: 'How much was sold in March?',
        markdown: 'In March 7 were sold [Q1].',
        queries: [queryReport({ rows: [['7']], deciding_assumptions: ['March means March 2026.'] })],
      },
    ],
  ])('is HIGH for an answer %s', (_, given) => {
    expect(rated(given)).toEqual({ confidence: 'HIGH', confidence_reason: null, told: [] })
  })

  it('is LOW for data questions without an answer, each named once', () => {
    const text =
      'Missing: "The colour" (the query took longer than it may); "The count" (the language model could not be reached).'
    expect(rated({ queries: [sound, failed('The colour.'), failed('The\ncount.', 'model_away')] })).toEqual({
      confidence: 'LOW',
      confidence_reason: text,
      told: [text],
    })
    expect(rated({ queries: [failed('The colour.')], citations: null })).toMatchObject({ confidence: 'LOW', told: [] })
  })

  it('is LOW for a result that stayed suspicious', () => {
    const text = 'It looks wrong that nothing was found: No link is called "ams".'
    const queries = [queryReport({ review: { verdict: 'suspicious', reason: 'No link is called "ams".' } })]
    expect(rated({ queries })).toEqual({ confidence: 'LOW', confidence_reason: text, told: [text] })
  })

  it('is LOW for unsupported statements, which are marked in place', () => {
    const reasonOf = (...unsupported: readonly string[]) => rated({ citations: { checked: 9, unsupported } })
    expect(reasonOf('It rose.')).toEqual({
      confidence: 'LOW',
      confidence_reason: 'One statement does not follow from the rows; it is marked.',
      told: [],
    })
    expect(reasonOf('a', 'b').confidence_reason).toBe('2 statements do not follow from the rows; they are marked.')
  })

  it.each<[string, Partial<QueryReport>, string]>([
    ['a result that was cut', { truncated: true, row_count: 10_000 }, 'Only the first 10,000 rows were read; there are more.'],
    [
      'a result that was cut and counted',
      { truncated: true, row_count: 10_000, total_rows: 42_841 },
      'Only the first 10,000 of 42,841 rows were read.',
    ],
    [
      'a narrowed query whose writer says nothing of it',
      { narrowed: 'It would have read 4 TB.', sql: 'SELECT 1' },
      'Only a part of what was asked for was read, because all of it would be too much: `SELECT 1`',
    ],
    [
      'an empty result without a review',
      { rows: [] },
      'Nothing was found; perhaps what was asked for is called otherwise in the data.',
    ],
    [
      'a zero that nobody judged',
      { columns: [{ name: 'n', type: 'UInt64' }], rows: [['0']] },
      'Nothing was found; perhaps what was asked for is called otherwise in the data.',
    ],
    ['a deciding assumption', { deciding_assumptions: ['Month means 30 days.'] }, 'Month means 30 days.'],
    [
      'a query that may count rows several times',
      { doubt: { table: 'shop.orders', by: 'shop.refunds', column: 'customer' } },
      'Figures from `shop.orders` may be too high: `shop.refunds` has several rows with the same `customer`, and each may count again.',
    ],
    [
      'a query that ran unchecked',
      { unchecked: 'the check took too long' },
      'Some figures may come from other columns than those that are meant.',
    ],
    [
      'a query that was written anew',
      { failed_attempts: [{ sql: '', kind: 'empty', message: 'x', near: [], found_wrong: 'There is no "ams".' }] },
      'There is no "ams".',
    ],
    [
      'a value that occurs nowhere',
      { sql: "SELECT 'ams'", look_up: lookedUp(missing('ams', ['ams1', 'ams2']), missing('')) },
      '`ams` does not occur in `c`. Did you mean `ams1` or `ams2`?',
    ],
  ])('is MEDIUM for %s, and tells the reader once', (_, given, text) => {
    const queries = [queryReport({ rows: [['1']], ...given })]
    expect(rated({ queries })).toEqual({ confidence: 'MEDIUM', confidence_reason: text, told: [text] })
  })

  it('is MEDIUM for a column that does not exist', () => {
    const attempt = { sql: 'SELECT netto FROM t', kind: 'unknown_name', message: 'No.', near: ['net'], unknown_column: 'netto' }
    const queries = [queryReport({ rows: [['1']], sql: 'SELECT net FROM t', failed_attempts: [attempt] })]
    expect(rated({ queries, asked: 'The netto?' }).told).toEqual(['There is no column `netto`; `net` was taken.'])
  })

  it('is MEDIUM without a word for doubts that the reader knows or cannot change', () => {
    const without = (given: Partial<DoubtfulAnswer>) => {
      const { confidence, told } = rated(given)
      return [confidence, ...told]
    }
    const asIs = { rows: [['1']] }
    expect(without({ citations: null })).toEqual(['MEDIUM'])
    const narrowed = queryReport({ ...asIs, narrowed: 'Too much.', deciding_assumptions: ['Only March was read.'] })
    expect(without({ queries: [narrowed] })).toEqual(['MEDIUM', 'Only March was read.'])
    const rome = queryReport({ rows: [], review: { verdict: 'expected', reason: 'No.' }, look_up: lookedUp(missing('Rome')) })
    expect(without({ queries: [rome], markdown: 'There is no shop in Rome [Q1].' })).toEqual(['MEDIUM'])
    expect(without({ queries: [rome] })).toEqual(['MEDIUM', '`Rome` does not occur in `c`.'])
    const anew = queryReport({
      ...asIs,
      look_up: lookedUp(missing('Rom', ['Rome'])),
      failed_attempts: [{ sql: '', kind: 'empty', message: 'x', near: [], found_wrong: 'There is no "Rom".' }],
    })
    expect(without({ queries: [anew], markdown: 'There is no Rom; Rome has 1 [Q1].' })).toEqual(['MEDIUM'])
    const assumed = {
      ...anew,
      look_up: lookedUp({ ...missing('%ROM%', ['Rome']), name: 'ROM' }),
      deciding_assumptions: ['Rom was taken for Rome.'],
    }
    expect(without({ queries: [assumed], markdown: 'Rome has 1; there is no Rom [Q1].' })).toEqual(['MEDIUM'])
    expect(without({ queries: [assumed], markdown: 'Rome has 1 [Q1].' })).toEqual(['MEDIUM', 'Rom was taken for Rome.'])
  })

  it('says so if no sentence was checked', () => {
    expect(rated({ citations: { checked: 0, unsupported: [] }, markdown: 'All is well.' }).told).toEqual([
      'No sentence of the answer says which data it comes from.',
    ])
  })

  it('does not say that a cited answer has no source, if nothing in it could be checked', () => {
    const {
      confidence,
      confidence_reason: reason,
      told,
    } = rated({
      citations: { checked: 0, unsupported: [] },
      markdown: 'All is well. [Q1]',
    })
    expect([confidence, reason, told]).toEqual(['MEDIUM', 'No sentence of the answer could be compared with the data.', []])
  })

  it('says which of several questions has a cut result', () => {
    const cut = queryReport({ id: 'Q2', question: 'All devices.', truncated: true, row_count: 10_000, rows: [['1']] })
    expect(rated({ queries: [sound, cut] }).told).toEqual([
      'Only the first 10,000 rows for "All devices" were read; there are more.',
    ])
  })

  it('gives all reasons at the lowest level, and tells those above it too', () => {
    const queries = [queryReport({ truncated: true, row_count: 10_000, rows: [['1']] }), failed('A.')]
    const { confidence, confidence_reason: reason, told } = rated({ queries, leftOut: ['The seventh.'] })
    expect([confidence, reason]).toEqual(['LOW', told[0]])
    expect(told.slice(1)).toEqual([
      'Not looked up, because it was too much at once: "The seventh". Ask for it separately.',
      expect.stringContaining('10,000'),
    ])
  })

  it('ignores what a failed query would have returned', () => {
    const query = { ...failed('A.'), truncated: true, deciding_assumptions: ['a'] }
    expect(rated({ queries: [sound, query] }).told).toEqual(['Missing: "A" (the query took longer than it may).'])
  })

  it('speaks German', () => {
    const queries = [
      queryReport({ truncated: true, row_count: 10_000, rows: [['1']], deciding_assumptions: ['Aktiv heißt angemeldet.'] }),
    ]
    expect(rated({ queries }, 'de').told).toEqual([
      'Nur die ersten 10.000 Zeilen wurden gelesen; es gibt noch mehr.',
      'Aktiv heißt angemeldet.',
    ])
  })
})
