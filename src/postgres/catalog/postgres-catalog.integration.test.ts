import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type PostgresServer, runSql, startPostgres, VERSIONS } from '../../../test/support/postgres.ts'
import { createLogger } from '../../base/logger.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
import { renderSchema } from '../../warehouse/catalog/schema-prompt.ts'
import { joinPaths } from '../../warehouse/joins/paths.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { PostgresConnections } from '../connection.ts'
import { PostgresCatalog } from './postgres-catalog.ts'

const WORLD = `
CREATE SCHEMA shop; COMMENT ON SCHEMA shop IS 'What was sold';
CREATE SCHEMA hidden;
CREATE TYPE shop.state AS ENUM ('new', 'it''s paid');
CREATE DOMAIN shop.price AS numeric(10, 2);
CREATE TABLE shop.customers (
  id int8 PRIMARY KEY, name text NOT NULL, email text, region varchar(20), birthday date, tags text[], data jsonb, ssn text);
COMMENT ON TABLE shop.customers IS 'People and firms';
COMMENT ON COLUMN shop.customers.region IS 'Where they are billed';
CREATE TABLE shop.orders (
  "Order No" int4 PRIMARY KEY, buyer int8 REFERENCES shop.customers, amount shop.price NOT NULL, at timestamptz NOT NULL,
  state shop.state, cents int8 GENERATED ALWAYS AS ((amount * 100)::int8) STORED, code uuid UNIQUE, rate float8, gone int4);
ALTER TABLE shop.orders DROP COLUMN gone;
CREATE TABLE shop.lines (order_no int4, line int2, parent int4, PRIMARY KEY (order_no, line));
CREATE TABLE shop.returns (order_no int4, line int2, FOREIGN KEY (order_no, line) REFERENCES shop.lines);
ALTER TABLE shop.returns ADD FOREIGN KEY (order_no) REFERENCES shop.orders NOT VALID;
CREATE TABLE shop.events (day date NOT NULL, id int4) PARTITION BY RANGE (day);
CREATE TABLE shop.events_2025 PARTITION OF shop.events FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
CREATE TABLE shop.events_2026 PARTITION OF shop.events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE VIEW shop.big AS SELECT amount FROM shop.orders WHERE amount > 100;
CREATE MATERIALIZED VIEW shop.totals AS SELECT buyer, sum(amount) AS total FROM shop.orders GROUP BY buyer;
CREATE TABLE shop.unread (id int4);
CREATE TABLE shop.partly (id int4, secret text);
CREATE TABLE shop.empty (id int4);
CREATE TABLE hidden.salaries (id int4);
INSERT INTO shop.customers SELECT i, 'Customer ' || i, i || '@example.org', (ARRAY['north', 'south'])[1 + i % 2],
  date '1990-01-01' + i, ARRAY['a', 'b'], '{"secret": 1}', '078-05-1120' FROM generate_series(1, 500) AS i;
UPDATE shop.customers SET region = NULL WHERE id <= 50;
INSERT INTO shop.orders ("Order No", buyer, amount, at, state, code, rate) SELECT i, 1 + i % 500, i * 1.5, timestamptz '2026-01-01' + i * interval '1 hour', 'new', gen_random_uuid(),
  CASE WHEN i = 1 THEN float8 'NaN' ELSE i END FROM generate_series(1, 2000) AS i;
INSERT INTO shop.events SELECT date '2025-12-01' + i % 60, i FROM generate_series(1, 1000) AS i;
GRANT USAGE ON SCHEMA shop TO clew_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO clew_reader;
REVOKE SELECT ON shop.unread, shop.partly FROM clew_reader;
GRANT SELECT (id) ON shop.partly TO clew_reader`

const logger = createLogger({ level: 'silent' })
const signal = () => AbortSignal.timeout(60_000)

describe.each(VERSIONS)('the catalog of Postgres %s', version => {
  let server: PostgresServer
  let connections: PostgresConnections
  let catalog: PostgresCatalog
  const open = (options: { schemas?: readonly string[]; privateColumns?: readonly string[] } = {}) => {
    catalog = new PostgresCatalog(
      { connections, store: createMemoryStateStore({ now: Date.now }), logger },
      { schemas: ['shop'], ...options },
    )
    return catalog
  }
  const tableIn = ({ tables }: Schema, name: string): TableSchema => {
    const table = tables.find(each => each.name === name)
    if (table === undefined) throw new Error(`There is no table ${name}`)
    return table
  }
  const columnIn = (schema: Schema, table: string, name: string) =>
    tableIn(schema, table).columns.find(each => each.name === name)
  const alter = (sql: string) => runSql(server.adminUrl, sql)

  beforeAll(async () => {
    server = await startPostgres({ version })
    await alter(WORLD)
    await alter('ANALYZE')
    // A server counts the changes of a session in a table when that session has ended or been idle.
    const unsettled =
      "SELECT 1 FROM pg_stat_all_tables WHERE schemaname = 'shop' AND n_mod_since_analyze > 0 AND last_analyze IS NOT NULL"
    while ((await alter(unsettled)).length > 0) {
      await alter('ANALYZE')
      await delay(50)
    }
    connections = new PostgresConnections(server.url)
  })
  afterEach(() => catalog?.close())
  afterAll(async () => {
    await connections?.close()
    await server?.stop()
  })

  it('has the tables that the role may read, with rows, keys and comments', async () => {
    const schema = await open().load(signal())
    expect(schema).toMatchObject({
      product: 'PostgreSQL',
      serverVersion: expect.stringMatching(new RegExp(`^${version}\\.\\d+$`)),
      timeZone: 'UTC',
      databases: [{ name: 'shop', comment: 'What was sold' }],
    })
    expect(schema.tables.map(({ name, engine, rows }) => [name, engine, rows])).toEqual([
      ['big', 'view', null],
      ['customers', 'table', 500],
      ['empty', 'table', expect.anything()],
      ['events', 'partitioned table', 1_000],
      ['lines', 'table', expect.anything()],
      ['orders', 'table', 2_000],
      ['partly', 'table', expect.anything()],
      ['returns', 'table', expect.anything()],
      ['totals', 'materialized view', expect.anything()],
    ])
    expect(tableIn(schema, 'customers')).toMatchObject({ database: 'shop', comment: 'People and firms', primaryKey: 'id' })
    expect(tableIn(schema, 'lines').primaryKey).toBe('order_no, line')
    expect(tableIn(schema, 'events').partitionKey).toBe('RANGE (day)')
    expect(tableIn(schema, 'big').viewDefinition).toMatch(/^ SELECT .*amount\s+FROM shop\.orders/s)
  })

  it('has the columns that the role may read, with types in both spellings', async () => {
    const schema = await open().load(signal())
    const typesOf = (table: string) =>
      tableIn(schema, table).columns.map(({ name, type, nativeType }) => [name, type, nativeType])
    expect(typesOf('orders')).toEqual([
      ['Order No', 'Int32', 'integer'],
      ['buyer', 'Nullable(Int64)', 'bigint'],
      ['amount', 'Decimal(10, 2)', 'shop.price'],
      ['at', "DateTime64(6, 'UTC')", 'timestamp with time zone'],
      ['state', "Nullable(Enum8('new' = 1, 'it\\'s paid' = 2))", "shop.state ('new', 'it''s paid')"],
      ['cents', 'Nullable(Int64)', 'bigint'],
      ['code', 'Nullable(UUID)', 'uuid'],
      ['rate', 'Nullable(Float64)', 'double precision'],
    ])
    expect(typesOf('partly')).toEqual([['id', 'Nullable(Int32)', 'integer']])
    expect(columnIn(schema, 'customers', 'tags')).toMatchObject({ type: 'Array(Nullable(String))', nativeType: 'text[]' })
    expect(columnIn(schema, 'customers', 'region')).toMatchObject({ comment: 'Where they are billed' })
    expect(columnIn(schema, 'orders', 'cents')?.computed?.kind).toBe('MATERIALIZED')
  })

  it('has the planner’s statistics, without a scan', async () => {
    const schema = await open().load(signal())
    const statistics = (table: string, name: string) => columnIn(schema, table, name)?.statistics
    expect(statistics('customers', 'region')).toMatchObject({ distinct: 2, nullShare: 0.1, min: null, exact: true })
    expect([...(statistics('customers', 'region')?.samples ?? [])].sort()).toEqual(['north', 'south'])
    expect(statistics('orders', 'at')).toMatchObject({ min: '2026-01-01 01:00:00', max: '2026-03-25 08:00:00', rangeExact: true })
    expect(statistics('orders', 'amount')).toMatchObject({ min: '1.50', max: '3000.00' })
    // One value is NaN, which Postgres sorts behind all numbers.
    expect(statistics('orders', 'rate')).toMatchObject({ min: null, max: null })
    expect(statistics('orders', 'Order No')).toMatchObject({ distinct: 2_000, rowsScanned: 2_000 })
    expect(statistics('orders', 'state')?.samples).toEqual(['new', "it's paid"])
    expect(statistics('events', 'day')).toMatchObject({ min: '2025-12-01', max: '2026-01-29' })
    expect([...(statistics('customers', 'tags')?.samples ?? [])].sort()).toEqual(['a', 'b'])
    expect(columnIn(schema, 'customers', 'name')?.bytesPerRow).toBeGreaterThan(8)
  })

  it('shows no value of a private column, of a sensitive name, or of a document', async () => {
    const schema = await open({ privateColumns: ['customers.region', 'amount'] }).load(signal())
    for (const [table, name] of [
      ['customers', 'region'],
      ['orders', 'amount'],
      ['orders', 'cents'],
    ] as const) {
      const column = columnIn(schema, table, name)
      expect([column?.isPrivate, column?.statistics]).toEqual([true, undefined])
    }
    for (const name of ['email', 'birthday', 'ssn', 'data']) {
      expect(columnIn(schema, 'customers', name)?.statistics).toMatchObject({ min: null, max: null, samples: [] })
    }
    expect(renderSchema(schema).text).not.toMatch(/example\.org|1990-|078-05|secret": |north/)
  })

  it('takes enforced foreign keys as joins, under any name', async () => {
    const schema = await open().load(signal())
    const paths = [...joinPaths(schema.tables)].flatMap(([from, own]) =>
      own.filter(path => path.isSure).map(path => `${from.name}(${path.columns}) ${path.to.name}(${path.toColumns})`),
    )
    expect(paths).toEqual(['orders(buyer) customers(id)', 'returns(order_no,line) lines(order_no,line)'])
    expect(renderSchema(schema).text).toMatch(/buyer bigint -- → customers\.id;/)
  })

  it('reads what has changed, and nothing else', async () => {
    await alter('CREATE TABLE shop.changing (a int4); GRANT SELECT ON shop.changing TO clew_reader')
    const first = await open().load(signal())
    expect(await catalog.load(signal())).toBe(first)
    const changes: readonly (readonly [string, (table: TableSchema) => unknown, unknown])[] = [
      ['ALTER TABLE shop.changing ADD b text', table => table.columns.map(({ name }) => name), ['a', 'b']],
      ['ALTER TABLE shop.changing ALTER b TYPE varchar(9)', table => table.columns[1]?.nativeType, 'character varying(9)'],
      ["COMMENT ON COLUMN shop.changing.b IS 'told'", table => table.columns[1]?.comment, 'told'],
      ['ALTER TABLE shop.changing ADD PRIMARY KEY (a)', table => table.primaryKey, 'a'],
      [
        'REVOKE SELECT ON shop.changing FROM clew_reader; GRANT SELECT (b) ON shop.changing TO clew_reader',
        table => table.columns.length,
        1,
      ],
    ]
    for (const [sql, read, expected] of changes) {
      await alter(sql)
      const schema = await catalog.load(signal())
      expect(read(tableIn(schema, 'changing'))).toEqual(expected)
      expect(tableIn(schema, 'customers').columns).toBe(tableIn(first, 'customers').columns)
    }
    await alter('CREATE OR REPLACE VIEW shop.big AS SELECT amount FROM shop.orders WHERE amount > 200')
    expect(tableIn(await catalog.load(signal()), 'big').viewDefinition).toContain('200')
    await alter('CREATE OR REPLACE VIEW shop.big AS SELECT amount FROM shop.orders WHERE amount > 100; DROP TABLE shop.changing')
    expect((await catalog.load(signal())).tables.map(({ name }) => name)).not.toContain('changing')
  })

  it('has no statistics of a table that was never analyzed', async () => {
    await alter(
      'CREATE TABLE shop.fresh AS SELECT 1 AS id; ALTER TABLE shop.fresh SET (autovacuum_enabled = false); GRANT SELECT ON shop.fresh TO clew_reader',
    )
    const schema = await open().load(signal())
    expect(tableIn(schema, 'fresh')).toMatchObject({
      rows: null,
      columns: [expect.not.objectContaining({ statistics: expect.anything() })],
    })
    await alter('DROP TABLE shop.fresh')
  })

  it('names the schemas that there are, if the configured one is not', async () => {
    await expect(open({ schemas: ['shopp'] }).load(signal())).rejects.toMatchObject({
      kind: 'unknown_name',
      message:
        'Clew’s role may not use the schema shopp, or it does not exist (GRANT USAGE ON SCHEMA shopp TO clew_reader). It may use: public, shop.',
    })
  })

  it('reads a large catalog in parts', async () => {
    await alter(`CREATE SCHEMA many; GRANT USAGE ON SCHEMA many TO clew_reader;
      DO $$ BEGIN FOR i IN 1..600 LOOP EXECUTE format('CREATE TABLE many.t%s (id int4, a text)', i); END LOOP; END $$;
      GRANT SELECT ON ALL TABLES IN SCHEMA many TO clew_reader`)
    const first = await open({ schemas: ['many'] }).load(signal())
    expect(first.tables).toHaveLength(600)
    await alter('ALTER TABLE many.t300 ADD b int4')
    const second = await catalog.load(signal())
    expect(tableIn(second, 't300').columns.map(({ name }) => name)).toEqual(['id', 'a', 'b'])
    expect(tableIn(second, 't1')).toBe(tableIn(first, 't1'))
  })
})
