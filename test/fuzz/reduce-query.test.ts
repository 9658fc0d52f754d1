import { describe, expect, it } from '@jest/globals'
import { reduceQuery } from './reduce-query.ts'

describe('reduceQuery', () => {
  it('keeps the parts that a fault needs, and drops the rest', async () => {
    const sql =
      "WITH a AS (SELECT 1), b AS (SELECT max(id) FROM t WHERE k = 'x y' AND id IN secrets) SELECT a.x, f(b, (1 + 2)) FROM a JOIN b ON 1"
    expect(await reduceQuery(sql, async text => /IN secrets/.test(text))).toBe('IN secrets')
    expect(await reduceQuery(sql, async text => /SELECT.*IN secrets/.test(text) && balanced(text))).toBe('SELECT IN secrets')
  })

  it('can replace the whole by a nested query', async () => {
    const sql = 'SELECT * FROM (SELECT x, (SELECT 1 FROM secrets WHERE a = 2) FROM t) AS q'
    expect(await reduceQuery(sql, async text => /^SELECT \S+ FROM secrets/.test(text))).toBe('SELECT 1 FROM secrets')
  })

  it('returns the query itself if every part is needed', async () => {
    const sql = "SELECT 'a  b' FROM `t t`"
    expect(await reduceQuery(sql, async () => false)).toBe(sql)
  })

  it('ends after a limited number of tries', async () => {
    let tries = 0
    await reduceQuery(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' '), async () => {
      tries += 1
      return false
    })
    expect(tries).toBeLessThanOrEqual(3_000)
  })
})

function balanced(text: string): boolean {
  return text.split('(').length === text.split(')').length
}
