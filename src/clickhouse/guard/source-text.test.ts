import { describe, expect, it } from '@jest/globals'
import { findTextFault } from './source-text.ts'

describe('findTextFault', () => {
  it('accepts ordinary text in any language', () => {
    expect(findTextFault("SELECT 'Größe, 数据, ❤️'\r\n\tFROM t")).toBeUndefined()
    expect(findTextFault(`SELECT '${'x'.repeat(16_000)}'`)).toBeUndefined()
    expect(findTextFault(`SELECT 1 WHERE ${Array(10).fill('a BETWEEN 1 AND 2').join(' OR ')}`)).toBeUndefined()
  })

  const BREAKING = ['\0', '\u202e', '\u2066', '\ud800', '\b', '\u0085']
  const OF_WORDS = ['\u200b', '\u200c', '\u200d', '\u200f', '\ufeff', '\u00ad', '\u{e0067}']

  it.each(BREAKING)('refuses characters that change what a reader sees, also in a literal', character => {
    expect(findTextFault(`SELECT '${character}'`)).toMatchObject({ code: 'forbidden_character' })
  })

  it.each(OF_WORDS)('accepts a hidden character in a literal only', character => {
    expect(findTextFault(`SELECT 'a', \`b\` FROM t WHERE x = 'it''s \\'${character}'`)).toBeUndefined()
    for (const sql of [
      `SELECT${character}'a'`,
      `SELECT \`a${character}\``,
      `SELECT "a${character}"`,
      `SELECT 1 -- it's ${character} '`,
      `SELECT 1 /* ' */, /* ${character} ' */ 2`,
      `SELECT $$'$$, ${character} '`,
      `SELECT ‘'’, ${character} ''`,
      `SELECT 1 # ' ${character} '`,
    ]) {
      expect(findTextFault(sql)).toMatchObject({ code: 'forbidden_character' })
    }
  })

  it('counts bytes, not characters', () => {
    expect(findTextFault(`SELECT '${'é'.repeat(8_200)}'`)).toMatchObject({ code: 'too_long' })
  })

  it.each([
    ...[
      'a BETWEEN 1 AND 2',
      "t.ts NOT BETWEEN '2026-01-01' AND now() - INTERVAL 7 DAY",
      'toHour(toTimezone(ts, tz)) between 6 and 11',
    ],
    ...[
      "CASE WHEN age BETWEEN 0 AND 9 THEN 'x' WHEN age BETWEEN 10 AND 19 THEN 'y' END = 'x'",
      '`a b` BETWEEN t.x + 1 AND t.y - 1',
    ],
  ])('accepts %s thirty times side by side', between => {
    for (const joint of [' AND ', ' OR ', ' AND x = 1 AND ']) {
      expect(findTextFault(`SELECT 1 FROM t WHERE ${Array(30).fill(between).join(joint)}`)).toBeUndefined()
    }
    expect(findTextFault(`SELECT ${Array(30).fill(`countIf(${between})`).join(', ')}`)).toBeUndefined()
  })

  it.each([
    ...[
      '(% BETWEEN 1 AND 2)',
      'f(% BETWEEN 1 AND 2)',
      '% BETWEEN 1 AND b',
      '(1, % BETWEEN 1 AND 2).2',
      'CASE WHEN % BETWEEN 1 AND 2 THEN 1 END',
    ],
    ...[
      '(% BETWEEN 1 AND 2) /* , b*/',
      '(% BETWEEN 1 AND 2) -- , b\n',
      '% BETWEEN NOT and AND b',
      '% BETWEEN (1 AND 1) AND b',
      '% BETWEEN t. and + 1 AND b',
    ],
    ...[
      '[% BETWEEN 1 AND 2][1]',
      '(SELECT % BETWEEN 1 AND 2)',
      'a + (% BETWEEN 1 AND 2)',
      '(% BETWEEN 1 AND 2) + b',
      'CASE WHEN x THEN % BETWEEN 1 AND 2 ELSE end END',
    ],
  ])('counts how deep %s is nested in itself', shape => {
    let sql = 'a'
    for (let depth = 0; depth < 20; depth += 1) sql = shape.replace('%', () => sql)
    expect(findTextFault(`SELECT ${sql} BETWEEN 1 AND 2`)).toMatchObject({ code: 'too_long' })
  })

  it('refuses a number of BETWEEN that would print without end', () => {
    expect(findTextFault(`SELECT 1${' between 0 AND 1'.repeat(30)}`)).toMatchObject({ code: 'too_long' })
  })
})
