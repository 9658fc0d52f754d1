import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type PostgresServer, runSql, startPostgres, VERSIONS } from '../../test/support/postgres.ts'
import { createLogger } from '../base/logger.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { type ContractSql, warehouseContract } from '../warehouse/warehouse.contract.ts'
import type { ReadQuery } from '../warehouse/warehouse.ts'
import { PostgresConnections } from './connection.ts'
import { POSTGRES_LIMITS } from './limits.ts'
import { PostgresWarehouse } from './postgres-warehouse.ts'
import { analyze } from './statement.ts'

const SQL = {
  oneAndText: {
    sql: "SELECT 1 AS one, 'x' AS text",
    columns: [
      { name: 'one', type: 'Nullable(Int32)' },
      { name: 'text', type: 'Nullable(String)' },
    ],
  },
  nothing: { sql: 'SELECT 1 AS a WHERE false', columns: [{ name: 'a', type: 'Nullable(Int32)' }] },
  values: [
    ['9223372036854775807', '9223372036854775807'],
    ["'-9223372036854775808'::int8", '-9223372036854775808'],
    ['12345678901.0040::numeric(15, 4)', '12345678901.004'],
    ['100::numeric', '100'],
    ['100.00', '100'],
    ['0.000000000000000000000000000000000001', '0.000000000000000000000000000000000001'],
    ["'57896044618658097711785492504343953926634992332820282019728792003956564819967'::numeric * 1000", `${2n ** 255n - 1n}000`],
    ["'NaN'::numeric", 'NaN'],
    ['0.004::float8', 0.004],
    ['1e300::float8', 1e300],
    ['0.1::float4', 0.1],
    ["'NaN'::float8", 'nan'],
    ["'Infinity'::float8", 'inf'],
    ["'-Infinity'::float4", '-inf'],
    ["'-nan'", '-nan'],
    ["ARRAY['NaN', 'Infinity', '-Infinity', '0.5']::float8[]", ['nan', 'inf', '-inf', 0.5]],
    ['ARRAY[9007199254740993]', ['9007199254740993']],
    ['ARRAY[NULL, 1::int8]', [null, '1']],
    [
      "ARRAY[['a', NULL], ['NULL', E'q\"\\\\{,}']]",
      [
        ['a', null],
        ['NULL', 'q"\\{,}'],
      ],
    ],
    ["'[3:4]={x,y}'::text[]", ['x', 'y']],
    ["'{}'::int4[]", []],
    ['NULL::int8', null],
    ['true', true],
    ['false', false],
    ["timestamptz '2026-01-02 03:04:05+05'", '2026-01-01 22:04:05'],
    ["timestamptz '2026-07-01 00:00 America/New_York' + interval '1 microsecond'", '2026-07-01 04:00:00.000001'],
    ["timestamp '2026-01-02 03:04:05.12'", '2026-01-02 03:04:05.12'],
    ["timestamp 'infinity'", 'infinity'],
    ["date '2026-01-02'", '2026-01-02'],
    ["date '0044-03-15 BC'", '0044-03-15 BC'],
    ["time '03:04:05'", '03:04:05'],
    ["interval '1 year 2 days 3 seconds'", '1 year 2 days 00:00:03'],
    ["'61f0c404-5cb3-11e7-907b-a6006ad3dba0'::uuid", '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ['\'{"a": 1e400}\'::json', '{"a": 1e400}'],
    ["'\\x00ff'::bytea", '\\x00ff'],
    ['int4range(1, 5)', '[1,5)'],
    ['ROW(1, NULL)', '(1,)'],
    ["'happy'::kinds.mood", 'happy'],
    ["ARRAY['happy']::kinds.mood[]", ['happy']],
    ["'3.10'::kinds.price", '3.1'],
    ["'{3.10,4}'::kinds.price[]", ['3.1', '4']],
    ["'2 3'::int2vector", '2 3'],
    ["E'tab\\tline\\nquote\\'\"\\\\ é 日本 </script>'", 'tab\tline\nquote\'"\\ é 日本 </script>'],
  ],
  rows: count => `SELECT number FROM pg_catalog.generate_series(1, ${count}) AS number`,
  ordered: 'SELECT n, pg_catalog.md5(n::text) AS hash FROM pg_catalog.generate_series(1, 1000000) AS n ORDER BY hash DESC, n',
  unchanged: [
    'WITH limits AS (SELECT 3 AS n) SELECT x FROM pg_catalog.generate_series(1, 10) AS x, limits WHERE x < n ORDER BY x',
    'SELECT * FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3) AS u ORDER BY a',
    '(SELECT 1 AS a) UNION (SELECT 1)',
    'VALUES (1, NULL), (2, 3.50)',
    'SELECT n FROM pg_catalog.generate_series(1, 100) AS n ORDER BY n DESC LIMIT 3',
    'SELECT DISTINCT ON (n % 2) n % 2, n FROM pg_catalog.generate_series(1, 100) AS n ORDER BY n % 2, n DESC',
    'SELECT n, n, count(*), count(*) FROM pg_catalog.generate_series(1, 3) AS n GROUP BY n ORDER BY n',
    'SELECT * FROM pg_catalog.generate_series(1, 3) AS a(n) JOIN pg_catalog.generate_series(1, 3) AS b(n) ON a.n = b.n ORDER BY a.n',
    'SELECT n % 2 AS k, count(*) FROM pg_catalog.generate_series(1, 10) AS n GROUP BY ROLLUP (k) ORDER BY k, 2',
    'WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n::numeric(6, 2) FROM t ORDER BY n',
    "SELECT 'LIMIT 1 -- ' AS \"a b\", ')' AS c",
    'SELECT 1 AS a -- the end',
  ],
  errors: [
    ['SELEC 1', 'syntax'],
    ['SELECT 1; SELECT 2', 'syntax'],
    ['SELECT nothing_of_the_kind FROM kinds.secrets', 'unknown_name'],
    ['SELECT * FROM no_such_table', 'unknown_name'],
    ['SELECT * FROM no_such_schema.t', 'unknown_name'],
    ['SELECT no_such_function(1)', 'type'],
    ["SELECT 1 + 'x'::text", 'type'],
    ["SELECT 'x'::int4", 'type'],
    ['SELECT 2147483647 + 1', 'type'],
    ['SELECT 1 / 0', 'query'],
    ['SELECT n, 1 / (90000 - n) FROM pg_catalog.generate_series(1, 100000) AS n', 'query'],
    ['SELECT hidden FROM kinds.secrets', 'denied'],
  ],
  internals: /HINT|DETAIL|Perhaps|hidden_too|\.c\b/,
  forbidden: 'CREATE TABLE public.contract_forbidden (id int4)',
  endless: mark =>
    `SELECT count(*) FROM pg_catalog.generate_series(1, 1000000) AS a, pg_catalog.generate_series(1, 1000000) AS b WHERE a + b < 0 AND '${mark}' <> ''`,
  running: mark =>
    `SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE state = 'active' AND query LIKE '%${mark}%' AND pid <> pg_catalog.pg_backend_pid()`,
} as const satisfies ContractSql

const WORLD = `
CREATE SCHEMA kinds;
CREATE TYPE kinds.mood AS ENUM ('happy', 'sad');
CREATE DOMAIN kinds.price AS numeric(10, 2);
CREATE TABLE kinds.secrets (id int4, hidden text, hidden_too text);
GRANT USAGE ON SCHEMA kinds TO clew_reader;
GRANT SELECT (id) ON kinds.secrets TO clew_reader;
CREATE ROLE kinds_auditor;
GRANT USAGE ON SCHEMA kinds TO kinds_auditor;
GRANT SELECT ON kinds.secrets TO kinds_auditor;
GRANT kinds_auditor TO clew_reader`

const signal = () => AbortSignal.timeout(20_000)
const logger = createLogger({ level: 'silent' })

function openAt(url: string, { maxBytes, timeoutMs } = POSTGRES_LIMITS.query as { maxBytes: number; timeoutMs: number }) {
  return new PostgresWarehouse({
    connections: new PostgresConnections(url),
    maxBytes,
    timeoutMs,
    recheck: async () => {},
    logger,
  })
}

describe.each(VERSIONS)('the warehouse on Postgres %s', version => {
  let server: PostgresServer
  let warehouse: PostgresWarehouse
  beforeAll(async () => {
    server = await startPostgres({ version })
    await runSql(server.adminUrl, WORLD)
    warehouse = openAt(server.url)
  })
  afterAll(async () => {
    await warehouse?.close()
    await server?.stop()
  })
  const read = (query: ReadQuery) => warehouse.read(query, signal())
  const typesOf = async (sql: string) => (await read({ sql })).columns.map(({ type }) => type)
  const failureAt = (url: string) => {
    const other = openAt(url)
    return other
      .read({ sql: 'SELECT 1' }, signal())
      .catch((error: unknown) => error)
      .finally(() => other.close())
  }
  const at = (change: Partial<Pick<URL, 'username' | 'password' | 'port' | 'pathname'>>) =>
    Object.assign(new URL(server.url), change).href

  warehouseContract(() => warehouse, SQL)

  it.each([
    ['1.5::numeric(10, 2), 1.5, 100000000000000000000.5', ['Decimal(10, 2)', 'Decimal(38, 1)', 'Decimal(38, 1)']],
    ['12300::numeric(3, -2), 0.00012::numeric(3, 5)', ['Decimal(5, 0)', 'Decimal(5, 5)']],
    ["repeat('9', 60)::numeric, repeat('9', 77)::numeric, 'NaN'::numeric(5, 2)", ['Decimal(76, 0)', 'String', 'String']],
    ["timestamptz 'now', timestamp 'now', date 'now'", ["DateTime64(6, 'UTC')", 'DateTime64(6)', 'Date32']],
    ["date 'infinity', timestamptz '2300-01-01'", ['String', 'String']],
    ['1::int2, 1::int8, 1::oid, 1::float4, true, gen_random_uuid()', ['Int16', 'Int64', 'UInt32', 'Float32', 'Bool', 'UUID']],
    [
      "interval '1 day', '{}'::jsonb, '\\x00'::bytea, 'sad'::kinds.mood, NULL",
      ['String', 'String', 'String', 'String', 'String'],
    ],
    ['1::kinds.price', ['Decimal(10, 2)']],
  ])('names the types of %s as ClickHouse does', async (expressions, types) => {
    expect(await typesOf(`SELECT ${expressions}`)).toEqual(types.map(type => `Nullable(${type})`))
  })

  it('names arrays by their elements and depth, and uneven ones as text', async () => {
    expect(await typesOf("SELECT ARRAY[1], ARRAY[[1.50], [2]], '{}'::text[]")).toEqual([
      'Array(Nullable(Int32))',
      'Array(Array(Nullable(Decimal(38, 2))))',
      'Array(Nullable(String))',
    ])
    const uneven = await read({ sql: "SELECT a FROM (VALUES ('{1}'::int4[]), ('{{1}}')) AS v(a)" })
    expect([uneven.columns[0]?.type, uneven.rows]).toEqual(['Nullable(String)', [['{1}'], ['{{1}}']]])
  })

  it('refuses a row that is larger than a result, without reading it to its end', async () => {
    const before = process.memoryUsage().arrayBuffers
    const sql = "SELECT repeat('x', 200000000)"
    await expect(read({ sql })).rejects.toMatchObject({ kind: 'resource', message: expect.stringMatching(/One row/) })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
    expect((await read({ sql: 'SELECT 1' })).rows).toEqual([[1]])
  })

  it('reads as a server role, for this query only', async () => {
    const sql = 'SELECT count(hidden) FROM kinds.secrets'
    expect((await read({ sql, roles: ['kinds_auditor'] })).rows).toEqual([['0']])
    await expect(read({ sql })).rejects.toMatchObject({ kind: 'denied' })
    await expect(read({ sql, roles: ['no_such_role'] })).rejects.toMatchObject({
      kind: 'denied',
      message: 'The server has no role no_such_role, or it was not granted to Clew’s role (GRANT … TO clew_reader).',
    })
    await expect(read({ sql, roles: ['clew_admin'] })).rejects.toMatchObject({ kind: 'denied' })
  })

  it('runs nothing that the guard does not know again, in the transaction of the run', async () => {
    const trees: string[] = []
    const checked = new PostgresWarehouse({
      ...{ connections: new PostgresConnections(server.url), ...POSTGRES_LIMITS.query, logger },
      recheck: async (client, sql) => {
        const notices = await analyze(client, sql)
        trees.push(...notices.map(({ detail = '' }) => detail))
        if (trees.length > 1) throw new WarehouseError('A table has changed.', { kind: 'denied' })
      },
    })
    const run = () => checked.read({ sql: 'SELECT 1 AS one', maxRows: 10 }, signal())
    expect((await run()).rows).toEqual([[1]])
    await expect(run()).rejects.toMatchObject({ kind: 'denied', message: 'A table has changed.' })
    expect(trees).toEqual([expect.stringMatching(/^\{QUERY /), trees[0]])
    await checked.close()
  })

  it('finds names without a schema only in the given one', async () => {
    await expect(read({ sql: 'SELECT id FROM secrets' })).rejects.toMatchObject({ kind: 'unknown_name' })
    expect((await read({ sql: 'SELECT id FROM secrets', database: 'kinds' })).rows).toEqual([])
  })

  it('says that a query is nested too deeply', async () => {
    const sql = `SELECT 1${' + 1'.repeat(50_000)}`
    await expect(read({ sql })).rejects.toMatchObject({ kind: 'resource', message: expect.stringMatching(/stack depth/) })
  })

  it('takes no parameters', async () => {
    await expect(read({ sql: 'SELECT {a:String}', parameters: { a: 'x' } })).rejects.toMatchObject({
      message: 'A query to a Postgres source has no parameters: write the values into its text.',
    })
  })

  it('leaves no transaction open, and no setting changed', async () => {
    await expect(read({ sql: 'SELECT 1 / 0', database: 'kinds', timeoutMs: 700 })).rejects.toThrow('division by zero')
    const left = await runSql(server.adminUrl, "SELECT state FROM pg_stat_activity WHERE state LIKE 'idle in%'")
    expect(left).toEqual([])
    const sql = "SELECT current_setting('search_path'), current_setting('statement_timeout')"
    expect((await read({ sql })).rows).toEqual([['""', '30s']])
  })

  it('says that the password is wrong, and not which', async () => {
    const failure = await failureAt(at({ password: 'not-the-password' }))
    expect(failure).toMatchObject({ kind: 'authentication', message: expect.stringMatching(/refused the user or the password/) })
    expect(String(failure)).not.toContain('not-the-password')
  })

  it('says that the database does not exist', async () => {
    expect(await failureAt(at({ pathname: '/nowhere' }))).toMatchObject({
      kind: 'authentication',
      message: 'The database in the source’s URL does not exist. Correct the name after the host.',
    })
  })

  it('says that the server cannot be reached', async () => {
    expect(await failureAt(at({ port: '1' }))).toMatchObject({
      kind: 'unavailable',
      message: 'The Postgres server cannot be reached (ECONNREFUSED). Check that it runs, and the address in the source’s URL.',
    })
  })

  it('says that the server offers no TLS', async () => {
    expect(await failureAt(`${server.url}?sslmode=verify-full`)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('The server does not support SSL connections'),
    })
  })

  it('says that there is no free connection', async () => {
    await runSql(server.adminUrl, `CREATE ROLE crowded LOGIN CONNECTION LIMIT 0 PASSWORD '${new URL(server.url).password}'`)
    expect(await failureAt(at({ username: 'crowded' }))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/no free connection/),
    })
  })

  it('waits only a moment for a locked table', async () => {
    await runSql(server.adminUrl, 'CREATE TABLE public.busy (id int4); GRANT SELECT ON public.busy TO clew_reader')
    const locking = runSql(server.adminUrl, 'BEGIN; LOCK public.busy; SELECT pg_sleep(30)').catch((error: unknown) => error)
    const holders = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'BEGIN; LOCK%'"
    while ((await runSql(server.adminUrl, `SELECT 1 FROM pg_locks WHERE relation = 'public.busy'::regclass`)).length === 0)
      await delay(20)
    const failure = await read({ sql: 'SELECT * FROM public.busy' }).catch((error: unknown) => error)
    await runSql(server.adminUrl, `SELECT pg_terminate_backend(pid) FROM (${holders}) AS h`)
    await locking
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/^A table of the query is locked/) })
  })

  it('says that somebody else ended the query', async () => {
    const pending = read({ sql: SQL.endless('ended-by-another') }).catch((error: unknown) => error)
    while (Number((await read({ sql: SQL.running('ended-by-another') })).rows[0]?.[0]) === 0) await delay(20)
    const ending =
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%ended-by-another%' AND pid <> pg_backend_pid()"
    // The server ignores a cancellation that arrives between two messages.
    let isRunning = true
    const failure = pending.finally(() => {
      isRunning = false
    })
    while (isRunning) await runSql(server.adminUrl, ending)
    expect(await failure).toMatchObject({ kind: 'cancelled', message: 'The query was ended by an administrator of the server.' })
  })

  it('answers again after the server was restarted', async () => {
    await Promise.all(Array.from({ length: 4 }, () => read({ sql: 'SELECT pg_backend_pid()' })))
    await server.restart()
    expect((await read({ sql: 'SELECT 1' })).rows).toEqual([[1]])
  })

  it('fails when the server shuts down during a query', async () => {
    const pending = read({ sql: SQL.endless('shut-down') }).catch((error: unknown) => error)
    while (Number((await read({ sql: SQL.running('shut-down') })).rows[0]?.[0]) === 0) await delay(20)
    await server.shutDown()
    expect(await pending).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/^The Postgres server /) })
    await server.restart()
    expect((await read({ sql: 'SELECT 1' })).rows).toEqual([[1]])
  })
})

describe('the address of a Postgres source', () => {
  it('is shown without user and password', async () => {
    const connections = new PostgresConnections('postgres://someone:pass-word@db.example:6432/crm?sslmode=verify-full')
    expect(connections.description).toBe('db.example:6432/crm')
    await connections.close()
  })

  it.each(['mysql://a:pass-word@host/db', 'postgres://a:pass-word@host', 'not a url pass-word'])(
    'must have the form: %s',
    url => {
      const open = () => new PostgresConnections(url)
      expect(open).toThrow('must look like postgres://user:password@host:5432/database')
      expect(open).not.toThrow('pass-word')
    },
  )
})
