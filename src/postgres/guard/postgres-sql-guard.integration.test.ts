import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runSql, VERSIONS } from '../../../test/support/postgres.ts'
import { readCases, startGuardWorld } from '../../../test/support/postgres-guard-world.ts'
import { atDueTime } from '../../agent/subscribe/frozen-sql.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { GuardVerdict } from '../../warehouse/sql-guard.ts'

const signal = AbortSignal.timeout(120_000)
const attacks = await readCases('attacks.jsonl')
const queries = await readCases('analytical-queries.jsonl')

describe.each(VERSIONS)('PostgresSqlGuard on Postgres %i', version => {
  let world: Awaited<ReturnType<typeof startGuardWorld>>
  beforeAll(async () => {
    world = await startGuardWorld(version)
  })
  afterAll(() => world.stop())

  const check = (sql: string) => world.guard.check(sql, world.scope, signal)
  /** A mistake in names or types counts as a refusal too, if the server is still there. */
  const checked = (sql: string): Promise<{ readonly verdict: string }> =>
    check(sql).catch(error => {
      if (error instanceof WarehouseError && error.kind !== 'unavailable') return { verdict: 'failed' }
      throw error
    })
  const messageOf = async (sql: string) => {
    const verdict = await check(sql)
    return verdict.verdict === 'reject' ? verdict.message : 'allowed'
  }

  it.each(attacks)('refuses $id: $sql', async ({ sql }) => {
    expect((await checked(sql)).verdict).not.toBe('allow')
  })

  it.each(queries)('allows $id, which runs as it was judged: $sql', async ({ sql }) => {
    const verdict = await check(sql)
    expect(verdict).toMatchObject({ verdict: 'allow' })
    const { canonical } = verdict as Extract<GuardVerdict, { verdict: 'allow' }>
    const run = `SELECT count(*) FROM (\n${canonical}\n) AS result`
    await world.connections.withTransaction({ timeoutMs: 5_000 }, client => client.query(run), signal)
  })

  it('names the tables and functions of a query', async () => {
    const sql = 'SELECT upper(c.name), (SELECT count(*) FROM shop.orders) FROM shop.customers c JOIN shop.revenue ON true'
    const verdict = await check(sql)
    expect(verdict).toMatchObject({ verdict: 'allow', functions: expect.arrayContaining(['upper', 'count']) })
    expect('tables' in verdict && [...verdict.tables].sort()).toEqual(['shop.customers', 'shop.orders', 'shop.revenue'])
  })

  it('writes the first schema before tables that stand without one', async () => {
    const sql = "SELECT '😀', count(*) FROM orders JOIN customers c ON c.id = customer_id WHERE orders.id > 1"
    const canonical = `SELECT '😀', count(*) FROM "shop".orders JOIN "shop".customers c ON c.id = customer_id WHERE orders.id > 1`
    expect(await check(sql)).toMatchObject({ canonical, tables: expect.arrayContaining(['shop.orders', 'shop.customers']) })
    expect(await check('WITH orders AS (SELECT 1 AS n) SELECT n FROM orders')).toMatchObject({ tables: [] })
    expect(await messageOf(`SELECT 1 FROM ${Array.from({ length: 40 }, (_, at) => `orders o${at}`)}`)).toContain('did you mean')
  })

  it('bounds nested calls without computing them', async () => {
    const nested = `SELECT ${'generate_series(1, (SELECT '.repeat(100)}1${'))'.repeat(100)}`
    expect(await check(nested)).toMatchObject({ verdict: expect.any(String) })
  })

  it('leaves comments and the last semicolon out of what runs', async () => {
    expect(await check("SELECT '--' /* a /* b */ */ AS x -- end\n;")).toMatchObject({ canonical: "SELECT '--'   AS x" })
  })

  it.each([
    ['SELECT * FROM secret.payroll', 'SELECT * FROM secret.payrolls'],
    ['SELECT * FROM shop.payroll_view', 'SELECT * FROM shop.payroll_list'],
    ['SELECT NULL::secret.payroll', 'SELECT NULL::secret.payrolls'],
    ["SELECT 'x'::secret.payroll", "SELECT 'x'::secret.payrolls"],
    ["SELECT 'secret.payroll'::regclass", "SELECT 'secret.payrolls'::regclass"],
    ["SELECT pg_relation_size('secret.payroll')", "SELECT pg_relation_size('secret.payrolls')"],
    ["SELECT nextval('shop.order_numbers')", "SELECT nextval('shop.numbers')"],
    ['SELECT secret.payroll.salary FROM shop.orders', 'SELECT secret.payrolls.salary FROM shop.orders'],
  ])('says the same of what is hidden and of what does not exist: %s', async (hidden, missing) => {
    const [first, second] = await Promise.all([hidden, missing].map(sql => checkedMessage(sql)))
    const plain = (text = '') => text.replace(/payroll_(view|list)|payrolls?|(order_)?numbers/g, 'x')
    expect(plain(first)).toBe(plain(second))
  })
  const checkedMessage = (sql: string) => messageOf(sql).catch((error: WarehouseError) => error.message)

  it.each([
    ['SELECT * FROM order', 'syntax error at or near "order".'],
    ['SELECT * FROM orderz', 'Table orderz is not available; did you mean shop.orders?'],
    ["SELECT repeat('x', 20000)", 'The second argument of repeat must be a number of at most 10000'],
    ['SELECT e FROM shop.customers e', 'column email of shop.customers may not be read: it is private. Name the columns'],
    [
      'SELECT 1 FROM shop.customers WHERE email > $$a$$',
      'Column email of shop.customers may not be read: it is private. Leave it out',
    ],
    ['SELECT now(), pg_sleep(3)', 'The function pg_sleep is not available'],
    ['SELECT * FROM shop.orders FOR UPDATE', 'Rows may not be locked'],
    ['WITH d AS (DELETE FROM shop.items RETURNING 1) SELECT 1', 'no part of the query may change data'],
    ['SELECT 1 FROM WHERE', 'syntax error at or near "WHERE".'],
    ["SELECT 'a", 'A quotation or a comment does not end.'],
    ['SELECT 1 AS "a\u200bb"', 'invisible character U+200B'],
    [`SELECT 1 -- ${'x'.repeat(20_000)}`, 'The query has 20012 bytes and at most 16384 are allowed'],
    [`SELECT ${'('.repeat(1_200)}1${')'.repeat(1_200)}${' + 1'.repeat(1_200)}`, 'not understood'],
  ])('says what to change: %s', async (sql, message) => {
    expect(await messageOf(sql)).toContain(message)
  })

  it('throws mistakes in columns and types as errors of the server, without its hints', async () => {
    await expect(check('SELECT emale FROM shop.customers')).rejects.toMatchObject({
      kind: 'unknown_name',
      message: 'column "emale" does not exist',
    })
    await expect(check("SELECT id + 'a'::text FROM shop.orders")).rejects.toMatchObject({ kind: 'type' })
  })

  const json = version < 16 ? it.skip : it
  json('allows the JSON functions of newer versions', async () => {
    const calls = "JSON_VALUE(profile, '$.seats'), JSON_OBJECT('a' VALUE name), JSON_EXISTS(profile, '$.a'), name IS JSON OBJECT"
    expect(await check(`SELECT ${calls} FROM shop.customers`)).toMatchObject({ verdict: 'allow' })
    expect(await check('SELECT JSON_ARRAYAGG(id) FROM shop.orders')).toMatchObject({ verdict: 'allow' })
    const returning = "SELECT JSON_VALUE(profile, '$.seats' RETURNING secret.grade) FROM shop.customers"
    expect(await check(returning)).toMatchObject({ verdict: 'reject', code: 'identifier' })
  })

  it.each([
    [
      "SELECT 'today'::date, date 'Yesterday', CAST($$now$$ AS timestamp) FROM shop.orders WHERE ordered_at < 'tomorrow 10:00'",
      4,
    ],
    [
      'SELECT age(ordered_at), pg_catalog.now(), timeofday(), CURRENT_TIME(0), localtimestamp, clock_timestamp() FROM shop.orders',
      6,
    ],
    ["SELECT 'ü'::text, '[today,tomorrow)'::daterange", 1],
    ["SELECT 'today' AS today, age(ordered_at, ordered_at), 'epoch'::date, date '2026-11-01' FROM shop.orders", 0],
  ])('names whatever reads the clock: %s', async (sql, count) => {
    const verdict = await check(sql)
    const clocks = 'clocks' in verdict ? (verdict.clocks ?? []) : []
    expect({ clocks, written: clocks.every(clock => sql.includes(clock)) }).toMatchObject({ written: true })
    expect(clocks).toHaveLength(count)
  })

  it('finds no clock in a query after the due time has taken the places of its clocks, and the same time in each', async () => {
    const sql = `SELECT now() AS a, statement_timestamp() AS b, current_timestamp(0) AS c, localtimestamp AS d, current_date AS e, current_time AS f, localtime AS g,
      age(ordered_at) AS h, age(shipped_on) AS i, age(now(), ordered_at) AS j FROM shop.orders LIMIT 1 -- it's`
    const moved = atDueTime(sql, Date.parse('2028-02-29T10:30:00Z'), 'postgres')
    expect(await check(moved)).toMatchObject({ verdict: 'allow', clocks: [] })
    const rows = await runSql(world.server.adminUrl, `SELECT to_json(clocks)::text AS row FROM (${moved}\n) AS clocks`)
    const times = Object.values(JSON.parse(String(rows[0]?.row))).map(String)
    const at = expect.stringMatching(/^2028-02-29T10:30:00/)
    expect(times.slice(0, 7)).toEqual([at, at, at, at, '2028-02-29', expect.stringMatching(/^10:30:00/), '10:30:00'])
    expect(times).toHaveLength(10)
  })

  it.each([
    ['SELECT c.name, max(ordered_at) FROM shop.orders o JOIN shop.customers c ON c.id = customer_id GROUP BY c.id', 'I A'],
    ["SELECT status, date_trunc('day', ordered_at) AS day, count(*) FROM shop.orders GROUP BY 1, day", 'I T -'],
    [
      "WITH l AS (SELECT customer_id, max(ordered_at) AS last FROM shop.orders GROUP BY 1) SELECT customer_id::text, last + interval '1 day', now() FROM l",
      'T A -',
    ],
    ['SELECT DISTINCT ON (customer_id) customer_id, ordered_at FROM shop.orders ORDER BY customer_id, ordered_at DESC', 'I A'],
    ['SELECT id, (SELECT max(ordered_at) FROM shop.orders o WHERE o.customer_id = c.id) FROM shop.customers c', 'I A'],
    ['SELECT status, ordered_at FROM shop.orders UNION ALL SELECT status, max(ordered_at) FROM shop.orders GROUP BY 1', 'I AI'],
    [
      'WITH RECURSIVE n AS (SELECT id, ordered_at FROM shop.orders UNION ALL SELECT id + 1, ordered_at FROM n WHERE id < 3) SELECT * FROM n',
      'IT I',
    ],
    [
      'SELECT customer_id, max(ordered_at) OVER (PARTITION BY customer_id) FROM shop.orders JOIN shop.customers c USING (id)',
      'I A',
    ],
  ])('traces the columns of a result: %s', async (sql, traced) => {
    const verdict = await check(sql)
    const inputs = 'inputs' in verdict ? (verdict.inputs ?? []) : []
    const letters = inputs.map(each => [
      ...new Set(each.flatMap(({ transformations }) => transformations.map(([letter]) => letter))),
    ])
    expect(letters.map(each => each.sort().join('') || '-').join(' ')).toBe(traced)
  })

  it('refuses a column that the schema does not know', async () => {
    const columns = new Map(world.scope.columns)
    columns.set('shop.items', { readable: new Set(['quantity']), restricted: new Set(), byNameOnly: new Set() })
    const verdict = await world.guard.check('SELECT * FROM shop.items', { ...world.scope, columns }, signal)
    expect(verdict).toMatchObject({
      code: 'out_of_scope',
      message: 'There is no column order_id of shop.items that may be read.',
    })
    const counted = await world.guard.check('SELECT count(*), sum(quantity) FROM shop.items', { ...world.scope, columns }, signal)
    expect(counted).toMatchObject({ verdict: 'allow' })
  })

  it('refuses to run a query whose table has changed since it was judged', async () => {
    const sql = 'SELECT * FROM shop.employees'
    const recheck = (text: string) =>
      world.connections.withTransaction(
        { timeoutMs: 5_000, printTrees: true },
        client => world.guard.recheck(client, text),
        signal,
      )
    expect(await check(sql)).toMatchObject({ verdict: 'allow' })
    await recheck(sql)
    await runSql(world.server.adminUrl, 'ALTER TABLE shop.employees ADD COLUMN salary numeric')
    await expect(recheck(sql)).rejects.toThrow('There is no column salary of shop.employees that may be read.')
    await recheck('SELECT 1')
  })
})
