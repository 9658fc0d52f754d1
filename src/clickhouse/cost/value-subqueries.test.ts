import { describe, expect, it } from '@jest/globals'
import { valueSubqueries } from './value-subqueries.ts'

/** Finds the subqueries in an SQL text. For each, returns its kind, and the SQL with asterisks around the text to replace. */
function marked(sql: string): readonly string[] | undefined {
  return valueSubqueries(sql)?.map(
    ({ kind, start, end, outerStart, outerEnd }) => `${kind}: ${sql.slice(start, end)} *${sql.slice(outerStart, outerEnd)}*`,
  )
}

describe('valueSubqueries', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['SELECT 1', []],
    [
      'SELECT (SELECT count() FROM a) AS x, (SELECT max(b) FROM c) AS y',
      ['scalar: SELECT count() FROM a *(SELECT count() FROM a)*', 'scalar: SELECT max(b) FROM c *(SELECT max(b) FROM c)*'],
    ],
    ['SELECT x FROM (SELECT 1 AS x) AS t INNER JOIN (SELECT 2 AS x) AS u USING (x)', []],
    ['(SELECT 1) UNION ALL (SELECT 2) INTERSECT (SELECT 3)', []],
    ['SELECT x FROM a WHERE x IN (SELECT y FROM b)', ['set: SELECT y FROM b *IN (SELECT y FROM b)*']],
    ['SELECT x FROM a WHERE x GLOBAL NOT IN (SELECT y FROM b)', ['set: SELECT y FROM b *GLOBAL NOT IN (SELECT y FROM b)*']],
    ['SELECT x FROM a WHERE NOT exists((SELECT 1 FROM b))', ['exists: SELECT 1 FROM b *exists((SELECT 1 FROM b))*']],
    [
      'SELECT x FROM (SELECT x FROM a WHERE x = (SELECT max(x) FROM a))',
      ['scalar: SELECT max(x) FROM a *(SELECT max(x) FROM a)*'],
    ],
    [
      'SELECT (SELECT avg(x) FROM a WHERE x IN (SELECT y FROM b))',
      [
        'set: SELECT y FROM b *IN (SELECT y FROM b)*',
        'scalar: SELECT avg(x) FROM a WHERE x IN (SELECT y FROM b) *(SELECT avg(x) FROM a WHERE x IN (SELECT y FROM b))*',
      ],
    ],
    [
      "SELECT '(SELECT 1)', `(SELECT 2)` FROM a WHERE y = ')' AND x = (SELECT 3 WHERE 'b)' != '')",
      ["scalar: SELECT 3 WHERE 'b)' != '' *(SELECT 3 WHERE 'b)' != '')*"],
    ],
    [
      'SELECT x FROM a WHERE x = (SELECT max(x) FROM b) GROUP BY x WITH TOTALS',
      ['scalar: SELECT max(x) FROM b *(SELECT max(x) FROM b)*'],
    ],
    ['WITH b AS (SELECT 1 AS x) SELECT x FROM a WHERE x = (SELECT max(x) FROM b)', undefined],
    [`SELECT ${Array.from({ length: 17 }, () => '(SELECT 1)').join(', ')}`, undefined],
  ])('of %s', (sql, expected) => {
    expect(marked(sql)).toEqual(expected)
  })
})
