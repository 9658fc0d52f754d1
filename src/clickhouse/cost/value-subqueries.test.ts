import { describe, expect, it } from '@jest/globals'
import { valueSubqueries } from './value-subqueries.ts'

describe('valueSubqueries', () => {
  it.each<[string, readonly string[]]>([
    ['SELECT 1', []],
    ['SELECT (SELECT count() FROM a) AS x, (SELECT max(b) FROM c) AS y', ['SELECT count() FROM a', 'SELECT max(b) FROM c']],
    ['SELECT x FROM (SELECT 1 AS x) AS t INNER JOIN (SELECT 2 AS x) AS u USING (x)', []],
    ['SELECT x FROM a WHERE x IN (SELECT y FROM b)', ['SELECT y FROM b']],
    ['SELECT x FROM (SELECT x FROM a WHERE x = (SELECT max(x) FROM a))', ['SELECT max(x) FROM a']],
    ['SELECT x FROM a WHERE x > (SELECT avg(x) FROM a WHERE x < (SELECT max(x) FROM a))', ['SELECT max(x) FROM a']],
    ["SELECT '(SELECT 1)', `(SELECT 2)` FROM a WHERE y = ')' AND x = (SELECT 3 WHERE 'b)' != '')", ["SELECT 3 WHERE 'b)' != ''"]],
    ['SELECT x FROM a WHERE x = (SELECT max(x) FROM b) GROUP BY x WITH TOTALS', ['SELECT max(x) FROM b']],
    ['WITH b AS (SELECT 1 AS x) SELECT x FROM a WHERE x = (SELECT max(x) FROM b)', []],
  ])('of %s', (sql, expected) => {
    expect(valueSubqueries(sql)).toEqual(expected)
  })
})
