import { describe, expect, it } from '@jest/globals'
import type { Combined } from '../run/result.ts'
import { joinNotes } from './joins.ts'

type Join = Combined['joins'][number]

const MET: Join = {
  kind: 'left',
  left: ['Q2'],
  right: ['Q1'],
  on: ['account'],
  rows_left: 45_000,
  rows_right: 40,
  keys_left: 45_000,
  keys_right: 40,
  keys_met: 40,
  rows: 45_000,
  most_rows_left: 1,
  most_rows_right: 1,
  lost_share: 0,
  lost_side: 'left',
}

function notesOf(join: Partial<Join>, language: 'en' | 'de') {
  const combined = { inputs: ['Q1', 'Q2'], joins: [{ ...MET, ...join }] }
  const queries = [
    { id: 'Q1', source: 'telemetry', error: null },
    { id: 'Q2', source: 'crm', error: null },
    { id: 'Q3', error: null, combined },
  ]
  return joinNotes(queries, language)
}

describe('the note on a join', () => {
  it.each<[string, Partial<Join>, boolean, string, string]>([
    ['that lost nothing', {}, false, ': 40 keys met, of 45,000 and 40.', ': 40 Schlüssel passen zusammen, von 45.000 und 40.'],
    [
      'with few rows without a partner',
      { lost_share: 0.0004 },
      false,
      '0.1 % of the rows of Q2 (crm) have no partner, so their other columns are empty.',
      '0,1 % der Zeilen von Q2 (crm) haben kein Gegenstück, deshalb sind ihre anderen Spalten leer.',
    ],
    [
      'that lost rows of its right side',
      { kind: 'inner', lost_share: 0.4, lost_side: 'right' },
      true,
      '40 % of the rows of Q1 (telemetry) have no partner and are missing in it.',
      '40 % der Zeilen von Q1 (telemetry) haben kein Gegenstück und fehlen darin.',
    ],
    [
      'that keeps all rows, and in which no key met',
      { kind: 'full', keys_met: 0 },
      true,
      ': 0 keys met, of 45,000 and 40. Perhaps the two sources write these keys differently.',
      ': 0 Schlüssel passen zusammen, von 45.000 und 40. Vielleicht schreiben die beiden Quellen diese Schlüssel verschieden.',
    ],
    [
      'of nothing',
      { keys_left: 0, keys_met: 0 },
      false,
      ': 0 keys met, of 0 and 40.',
      ': 0 Schlüssel passen zusammen, von 0 und 40.',
    ],
  ])('%s', (_, join, isDoubtful, english, german) => {
    expect(notesOf(join, 'en')).toEqual([{ text: expect.stringContaining(english), isDoubtful }])
    expect(notesOf(join, 'de')).toEqual([{ text: expect.stringContaining(german), isDoubtful }])
    expect(notesOf(join, 'en')[0]?.text).toMatch(/^Q3 joins Q2 \(crm\) and Q1 \(telemetry\) on account: /)
  })
})
