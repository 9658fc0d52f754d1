import { describe, expect, it } from '@jest/globals'
import { splitTokens } from '../../warehouse/sql/sql-tokens.ts'
import { asksForOutput, findTokenFault } from './canonical-check.ts'
import { expandedSize } from './expanded-size.ts'

function tokens(sql: string) {
  const found = splitTokens(sql)
  if (found === undefined) throw new Error('no tokens')
  return found
}

describe('splitTokens', () => {
  it('keeps strings, quoted names and numbers whole', () => {
    expect(tokens("SELECT 'a\\' -- b', `x \\` y`, 1.5e-7, .5, t.1, a[1].2").map(({ text }) => text)).toEqual([
      'SELECT',
      "'a\\' -- b'",
      ',',
      '`x \\` y`',
      ',',
      '1.5e-7',
      ',',
      '.5',
      ',',
      't',
      '.',
      '1',
      ',',
      'a',
      '[',
      '1',
      ']',
      '.',
      '2',
    ])
  })

  it('gives the value of quoted tokens', () => {
    expect(tokens("'a\\nb' `c\\`d`").map(({ value }) => value)).toEqual(['a\nb', 'c`d'])
  })

  it.each(["SELECT 'open", 'SELECT `open', 'SELECT "open'])('returns undefined for %s', sql => {
    expect(splitTokens(sql)).toBeUndefined()
  })
})

describe('findTokenFault', () => {
  it.each([
    'SELECT 1',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    '(SELECT 1) UNION ALL (SELECT 2)',
    "SELECT '; SETTINGS a = 1 {x} @'",
    'SELECT day AS settings, 1 AS `größe (€) 数据`',
    'SELECT settings FROM t WHERE settings = 1',
    "SELECT COLUMNS('^(a|b), c$') FROM t",
    'SELECT 1 AS MATERIALIZED',
  ])('accepts %s', sql => {
    expect(findTokenFault(tokens(sql))).toBeUndefined()
  })

  it.each([
    ['', 'syntax'],
    ['()', 'not_select'],
    ['DROP TABLE a', 'not_select'],
    ['(DROP TABLE a)', 'not_select'],
    ['SELECT 1; SELECT 2', 'several_statements'],
    ['SELECT {x:String}', 'parameter'],
    ['SELECT 1 SETTINGS a = 1', 'settings'],
    ['SELECT 1 settings a = 1', 'settings'],
    ['SELECT @@version', 'not_understood'],
    ['SELECT 1 -- x', 'not_understood'],
    ['SELECT 1 /* x */', 'not_understood'],
    ['SELECT 1 # x', 'not_understood'],
    ['SELECT 1) UNION ALL (SELECT 2', 'not_understood'],
    ['SELECT (1', 'not_understood'],
    ['SELECT t.`a.b`', 'identifier'],
    ['SELECT `a, b`.c', 'identifier'],
    ['SELECT 1 AS `a\\nb`', 'identifier'],
    ['SELECT 1 AS `a\\\\b`', 'identifier'],
    ['SELECT 1 AS ``', 'identifier'],
    ["SELECT COLUMNS('a\\nb') FROM t", 'not_understood'],
    ["SELECT * EXCEPT 'a\\nb' FROM t", 'not_understood'],
    ["SELECT a FROM t ORDER BY a COLLATE 'de, x: 1'", 'not_understood'],
    ['WITH t AS MATERIALIZED ENGINE = Memory (SELECT 1) SELECT 1', 'not_understood'],
    ['SELECT * FROM system.one', 'out_of_scope'],
    [`SELECT ${'['.repeat(200)}1${']'.repeat(200)}`, 'too_long'],
    [`SELECT sum${'If'.repeat(127)}(1)`, 'too_long'],
    [`SELECT 1 AS \`${'a'.repeat(256)}\``, 'too_long'],
  ])('refuses %s as %s', (sql, code) => {
    expect(findTokenFault(tokens(sql))).toMatchObject({ code })
  })
})

describe('asksForOutput', () => {
  it.each([
    ['SELECT 1 FORMAT JSON', true],
    ["SELECT 1 INTO OUTFILE 'x'", true],
    ['SELECT 1 AS FORMAT', false],
    ['SELECT a AS FORMAT FROM t', false],
    ["SELECT 'FORMAT JSON'", false],
  ])('for %s is %s', (sql, expected) => {
    expect(asksForOutput(tokens(sql))).toBe(expected)
  })
})

describe('expandedSize', () => {
  it('is the number of tokens if nothing is copied', () => {
    expect(expandedSize(tokens('SELECT a FROM t GROUP BY a WITH TOTALS UNION ALL SELECT b FROM u'))).toBe(15)
  })

  it('counts the WITH list once per branch, at every level', () => {
    const inner = 'WITH a AS (SELECT 1) SELECT * FROM a UNION ALL SELECT * FROM a'
    const outer = `WITH b AS (${inner}) SELECT * FROM b UNION ALL SELECT * FROM b`
    // The engine copies the 3 tokens of `WITH a AS` and the 2 of `SELECT 1`. The other ten tokens stay single. Parentheses do not count.
    expect(expandedSize(tokens(inner))).toBe(5 * 2 + 10)
    expect(expandedSize(tokens(outer))).toBe((3 + 20) * 2 + 10)
  })
})
