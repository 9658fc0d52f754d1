import { expect, it } from '@jest/globals'
import { type ContractSql, warehouseContract } from '../warehouse/warehouse.contract.ts'
import type { ReadQuery, Warehouse } from '../warehouse/warehouse.ts'

const SQL = {
  oneAndText: {
    sql: "SELECT toUInt8(1) AS one, 'x' AS text",
    columns: [
      { name: 'one', type: 'UInt8' },
      { name: 'text', type: 'String' },
    ],
  },
  nothing: { sql: 'SELECT 1 AS a WHERE 0', columns: [{ name: 'a', type: 'UInt8' }] },
  values: [
    ['toUInt64(18446744073709551615)', '18446744073709551615'],
    ['toInt64(-9223372036854775808)', '-9223372036854775808'],
    ["toUInt128('340282366920938463463374607431768211455')", '340282366920938463463374607431768211455'],
    [
      "toInt256('-57896044618658097711785492504343953926634992332820282019728792003956564819968')",
      '-57896044618658097711785492504343953926634992332820282019728792003956564819968',
    ],
    ["toDecimal64('12345678901.0040', 4)", '12345678901.004'],
    ["toDecimal256('0.000000000000000000000000000000000001', 36)", '0.000000000000000000000000000000000001'],
    ['0.004', 0.004],
    ['1e300', 1e300],
    ['toFloat64(0) / 0', 'nan'],
    ['toFloat64(1) / 0', 'inf'],
    ['toFloat64(-1) / 0', '-inf'],
    ['toFloat32(1) / 0', 'inf'],
    ['[-nan, nan]', ['nan', 'nan']],
    ["'-nan'", '-nan'],
    ['[nan, inf, -inf, 0.5]', ['nan', 'inf', '-inf', 0.5]],
    ['[toUInt64(9007199254740993)]', ['9007199254740993']],
    ['tuple(toUInt64(9007199254740993), toDecimal32(1.5, 2), nan)', ['9007199254740993', '1.5', 'nan']],
    ["CAST((9007199254740993, 'x'), 'Tuple(id UInt64, name String)')", { id: '9007199254740993', name: 'x' }],
    ["map('a', toInt64(9007199254740993), 'b', toInt64(2))", { a: '9007199254740993', b: '2' }],
    ["CAST(NULL, 'Nullable(UInt64)')", null],
    ["CAST([NULL, 1], 'Array(Nullable(UInt64))')", [null, '1']],
    ['true', true],
    ["toDateTime('2026-01-02 03:04:05', 'UTC')", '2026-01-02 03:04:05'],
    ["toDate32('2026-01-02')", '2026-01-02'],
    ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ["'tab\\tline\\nquote\\'\"\\\\ é 日本 </script>'", 'tab\tline\nquote\'"\\ é 日本 </script>'],
  ],
  rows: count => `SELECT number FROM numbers(${count})`,
  ordered: 'SELECT number, sipHash64(number) AS hash FROM numbers_mt(1000000) ORDER BY hash DESC, number',
  unchanged: [
    'WITH 3 AS n SELECT number FROM numbers(10) WHERE number < n ORDER BY number',
    'SELECT * FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3) ORDER BY a',
    '(SELECT 1 AS a) UNION DISTINCT (SELECT 1)',
    'SELECT number FROM numbers(100) ORDER BY number DESC LIMIT 3',
    'SELECT number % 2 AS k, number FROM numbers(100) ORDER BY k, number LIMIT 2 BY k',
    'SELECT number, number, count(), count() FROM numbers(3) GROUP BY number ORDER BY number',
    'SELECT a.number, b.number FROM numbers(3) AS a JOIN numbers(3) AS b ON a.number = b.number ORDER BY a.number',
    'SELECT * FROM numbers(3) AS a JOIN numbers(3) AS b ON a.number = b.number ORDER BY a.number',
    'SELECT number % 2 AS k, count() FROM numbers(10) GROUP BY k WITH TOTALS ORDER BY k',
    'SELECT number % 2 AS k, count() FROM numbers(10) GROUP BY k WITH ROLLUP ORDER BY k, 2',
    "SELECT 'LIMIT 1 -- ' AS `a b`, ')' AS c",
    'SELECT 1 AS a -- the end',
  ],
  errors: [
    ['SELEC 1', 'syntax'],
    ['SELECT nothing_of_the_kind FROM system.one', 'unknown_name'],
    ['SELECT * FROM no_such_table', 'unknown_name'],
    ['SELECT no_such_function(1)', 'unknown_name'],
    ["SELECT 1 + 'x'", 'type'],
    ["SELECT toInt32('x')", 'type'],
    ["SELECT throwIf(1, 'boom')", 'query'],
    ['SELECT number, throwIf(number = 900000) FROM numbers(1000000)', 'query'],
  ],
  internals: /Code: \d|\(version|Stack trace/,
  forbidden: 'CREATE TABLE contract_forbidden (id UInt32) ENGINE = Memory',
  endless: mark =>
    `SELECT count() FROM numbers(1000000) AS a, numbers(1000000) AS b WHERE sipHash64(a.number, b.number) = 1 AND '${mark}' != ''`,
  running: mark => `SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%system.processes%'`,
} as const satisfies ContractSql

/** The error codes of the contract's wrong queries, in their order. */
const SERVER_CODES = [62, 47, 60, 46, 43, 6, 395, 395]

/**
 * Registers the tests that every warehouse of ClickHouse must pass.
 * @param warehouse may read and write `database`
 */
export function clickhouseContract(warehouse: () => Warehouse, database: string): void {
  const signal = () => AbortSignal.timeout(20_000)
  const read = (query: string | ReadQuery) => warehouse().read(typeof query === 'string' ? { sql: query } : query, signal())
  const write = (sql: string) => warehouse().write({ sql, database }, signal())

  warehouseContract(warehouse, SQL)

  it.each(SQL.errors.map(([sql], at) => [sql, SERVER_CODES[at]]))(
    'answers %s with the server’s code %s',
    async (sql, serverCode) => {
      await expect(read(String(sql))).rejects.toMatchObject({ serverCode })
    },
  )

  it('reports what it read, under the given id', async () => {
    const result = await read({ sql: 'SELECT sum(number) FROM numbers(1000)', queryId: `contract-${Date.now()}` })
    expect(result.rowsRead).toBe(1_000)
    expect(result.bytesRead).toBeGreaterThan(0)
    expect(result.queryId).toMatch(/^contract-/)
  })

  it('binds parameters as values, never as SQL', async () => {
    const { rows } = await read({
      sql: 'SELECT {text:String}, {number:UInt64}, {list:Array(String)}',
      parameters: { text: "'; DROP TABLE x; --\n\t\\", number: 42, list: ["it's", 'a\nb'] },
    })
    expect(rows).toEqual([["'; DROP TABLE x; --\n\t\\", '42', ["it's", 'a\nb']]])
  })

  it('binds a parameter of 100 KB', async () => {
    const { rows } = await read({ sql: 'SELECT length({text:String})', parameters: { text: 'x y'.repeat(33_000) } })
    expect(rows).toEqual([['99000']])
  })

  it('runs in the given database', async () => {
    expect((await read({ sql: 'SELECT currentDatabase()', database: 'system' })).rows).toEqual([['system']])
    expect((await read({ sql: 'SELECT currentDatabase()', database })).rows).toEqual([[database]])
  })

  it('reads what was written', async () => {
    await write('CREATE OR REPLACE TABLE contract_written (id UInt32) ENGINE = MergeTree ORDER BY id')
    await write('INSERT INTO contract_written SELECT number FROM numbers(10)')
    expect((await read({ sql: 'SELECT sum(id), count() FROM contract_written', database })).rows).toEqual([['45', '10']])
    expect((await read({ sql: 'SHOW TABLES', database, maxRows: 1_000 })).rows.flat()).toContain('contract_written')
    expect((await read({ sql: 'DESCRIBE TABLE contract_written', database })).rows[0]?.slice(0, 2)).toEqual(['id', 'UInt32'])
    expect((await read({ sql: 'EXPLAIN SELECT id FROM contract_written', database, maxRows: 100 })).rows.length).toBeGreaterThan(
      0,
    )
    await write('DROP TABLE contract_written')
  })

  it('does not start an aborted write', async () => {
    await expect(warehouse().write({ sql: 'DROP TABLE IF EXISTS x' }, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    })
  })
}
