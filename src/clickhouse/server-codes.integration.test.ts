import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { createLogger } from '../base/logger.ts'
import type { WarehouseError } from '../warehouse/error.ts'
import { WAREHOUSE_ERROR_KINDS } from '../warehouse/error-routes.ts'
import { openWarehouse } from './open-warehouse.ts'
import { kindOfServerCode, SERVER_CODES } from './server-codes.ts'

/** Each entry is an error code and a query that causes it. The reading user runs these queries. */
const AS_READER: readonly (readonly [number, string])[] = [
  [62, 'SELEC 1'],
  [46, 'SELECT nosuch(1)'],
  [47, 'SELECT nosuch FROM events'],
  [50, 'SELECT CAST(1 AS Nosuch)'],
  [60, 'SELECT 1 FROM nosuch'],
  [63, "SELECT arrayReduce('nosuch', [1])"],
  [81, 'SELECT 1 FROM nosuch.t'],
  [115, 'SELECT 1 SETTINGS nosuch = 1'],
  [6, "SELECT toUInt8('a')"],
  [32, "SELECT toInt32('')"],
  [38, "SELECT toDate('x')"],
  [41, "SELECT toDateTime('x')"],
  [42, 'SELECT length(1, 2)'],
  [43, "SELECT 'a' + 1"],
  [53, "SELECT 1 IN (1, 'a')"],
  [59, "SELECT number FROM numbers(1) WHERE 'a'"],
  [69, "SELECT toDecimal32('99999999999', 2)"],
  [70, 'SELECT CAST(NULL AS UInt8)'],
  [376, "SELECT toUUID('x')"],
  [386, "SELECT [1, 'a']"],
  [407, 'SELECT toDecimal32(9999999, 2) * toDecimal32(9999999, 2)'],
  [467, "SELECT CAST('x' AS Bool)"],
  [675, "SELECT toIPv4('x')"],
  [676, "SELECT toIPv6('x')"],
  [691, "SELECT CAST('z' AS Enum8('a' = 1))"],
  [12, 'SELECT quantile(2)(number) FROM numbers(3)'],
  [36, 'SELECT 1 ORDER BY 5'],
  [48, 'SELECT a.id FROM events AS a FULL ASOF JOIN events AS b ON a.kind = b.kind AND a.id > b.id'],
  [117, "SELECT base64Decode('*')"],
  [124, 'SELECT (1, 2) IN (1, 2, 3)'],
  [125, 'SELECT (SELECT number FROM numbers(2))'],
  [131, "SELECT toFixedString('abc', 2)"],
  [133, 'SELECT sum(1)(number) FROM numbers(1)'],
  [141, 'SELECT * FROM events SAMPLE 0.1'],
  [153, 'SELECT intDiv(1, 0)'],
  [179, 'SELECT 1 AS x, 2 AS x, x'],
  [181, 'SELECT * FROM events FINAL'],
  [184, 'SELECT number FROM numbers(1) WHERE sum(number) = 1'],
  [186, "SELECT number FROM numbers(2) ORDER BY number COLLATE 'nosuch'"],
  [190, 'SELECT arrayMap((x, y) -> x + y, [1], [1, 2])'],
  [206, 'SELECT 1 FROM numbers(1) ANY JOIN numbers(2) USING number'],
  [215, 'SELECT sum(number), number FROM numbers(3)'],
  [258, 'SELECT 1 UNION ALL SELECT 1, 2'],
  [309, 'SELECT toStartOfHour(now())(1)'],
  [395, 'SELECT throwIf(1)'],
  [403, 'SELECT a.id FROM events AS a ASOF JOIN events AS b ON a.id = b.id'],
  [406, 'SELECT TOP 1 number FROM numbers(3) LIMIT 2'],
  [427, "SELECT match('a', '(')"],
  [440, 'SELECT number FROM numbers(1) LIMIT -1.5'],
  [475, 'SELECT number FROM numbers(1) ORDER BY number WITH FILL STEP 0'],
  [476, 'SELECT number FROM numbers(3) LIMIT 1 WITH TIES'],
  [498, 'SELECT number FROM numbers(3) LIMIT 1 WITH TIES BY number'],
  [596, 'SELECT 1 INTERSECT SELECT 1, 2'],
  [628, 'SELECT number FROM numbers(3) OFFSET 1 ROWS FETCH FIRST 1 ROWS ONLY'],
  [158, 'SELECT sum(number) FROM numbers(20000000000)'],
  [167, `SELECT ${Array(5_000).fill('1').join('+')}`],
  [306, `SELECT ${'('.repeat(600)}1${')'.repeat(600)}`],
  [396, "SELECT materialize(repeat('x', 100000)) FROM numbers(1000)"],
  [107, 'SELECT a FROM never_written'],
  [164, 'INSERT INTO events (id) VALUES (1)'],
]
/** Each entry is an error code and a query that causes it. The owner runs these queries, because only the owner may lower the limits. */
const AS_OWNER: readonly (readonly [number, string])[] = [
  [159, 'SELECT count() AS c FROM numbers(100000000000) SETTINGS max_execution_time = 1'],
  [161, 'SELECT * FROM events SETTINGS max_columns_to_read = 1'],
  [162, 'SELECT * FROM (SELECT * FROM (SELECT 1 AS a)) SETTINGS max_subquery_depth = 1'],
  [165, 'SELECT id + 1 AS a, id + 2 AS b FROM events SETTINGS max_temporary_columns = 1'],
  [166, 'SELECT id + 1 AS a, id + 2 AS b FROM events SETTINGS max_temporary_non_const_columns = 1'],
  [168, 'SELECT number FROM numbers(100) SETTINGS max_ast_elements = 2'],
  [191, 'SELECT count() AS c FROM events WHERE id IN (SELECT number FROM numbers(1000)) SETTINGS max_rows_in_set = 10'],
  [241, 'SELECT uniqExact(number) AS c FROM numbers(1000000) SETTINGS max_memory_usage = 1000000'],
  [277, "SELECT id FROM events WHERE kind = 'a' SETTINGS force_primary_key = 1"],
  [307, 'SELECT sum(id) AS c FROM events SETTINGS max_bytes_to_read = 100'],
  [558, "SELECT 1 AS a UNION SELECT 2 SETTINGS union_default_mode = ''"],
  [565, 'SELECT id FROM events SETTINGS max_partitions_to_read = 1'],
  [572, 'SELECT id FROM events WHERE id = 4 SETTINGS query_plan_max_optimizations_to_apply = 1'],
]
/** Error codes that other tests cover: a cancelled query, a duplicate query id, a full queue, a wrong password, a missing grant. */
const ELSEWHERE: readonly number[] = [202, 216, 394, 497, 516]

const signal = new AbortController().signal
let engine: TestEngine
beforeAll(async () => {
  engine = await startTestEngine()
  for (const sql of [
    'CREATE TABLE events (day Date, id UInt64, kind String) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (day, id)',
    "INSERT INTO events SELECT toDate('2026-01-01') + number % 200, number, toString(number % 5) FROM numbers(10000)",
    'CREATE TABLE never_written (a UInt8) ENGINE = File(TSV)',
  ])
    await engine.warehouse.write({ sql }, signal)
})
afterAll(() => engine?.close())

describe('the codes of the engine', () => {
  it.each(AS_READER)('has code %i for %.80s', async (code, sql) => {
    await expectFailure(engine.warehouse.read({ sql }, signal), code)
  })

  it.each(AS_OWNER)('has code %i for %.80s', async (code, sql) => {
    await expectFailure(engine.warehouse.write({ sql: `CREATE TABLE never ENGINE = Memory AS ${sql}` }, signal), code)
  })

  it('has code 516 for a wrong password', async () => {
    const opened = openWarehouse(
      {
        url: engine.url.replace(/:[^:@]*@/, ':wrong@'),
        database: 'default',
        maxBytes: 1_000_000,
        timeoutMs: 5_000,
        logger: createLogger({ level: 'silent' }),
      },
      signal,
    )
    await expect(opened).rejects.toMatchObject({ cause: { kind: 'authentication', serverCode: 516 } })
  })

  it('cover each kind', () => {
    const provoked = [...AS_READER, ...AS_OWNER].map(([code]) => code).concat(ELSEWHERE)
    expect([...new Set(provoked.map(kindOfServerCode))].sort()).toEqual([...WAREHOUSE_ERROR_KINDS].sort())
  })

  it('are marked in docs/errors.md if a test provokes them', () => {
    const document = readFileSync('docs/errors.md', 'utf8')
    const marked = [...document.matchAll(/\*\*(\d+) [A-Z0-9_]+\*\*/g)].map(([, code]) => Number(code))
    const provoked = [...AS_READER, ...AS_OWNER].map(([code]) => code).concat(ELSEWHERE)
    expect(marked.sort((a, b) => a - b)).toEqual(provoked.sort((a, b) => a - b))
  })

  it('are complete: a SELECT meets only codes with a kind', async () => {
    const listed = new Set<number>(Object.values(SERVER_CODES).flatMap(codes => Object.values(codes)))
    const { rows } = await engine.warehouse.read(
      { sql: "SELECT number, errorCodeToName(number) AS name FROM numbers(1, 1100) WHERE name != ''" },
      signal,
    )
    // Codes with a name that suggests a read. Each must be listed in `SERVER_CODES` or in `NOT_READING`, even after an upgrade of the engine.
    const undecided = rows
      .map(([code, name]) => [Number(code), String(name)] as const)
      .filter(([code, name]) => !listed.has(code) && READING.test(name) && !NOT_READING.has(name))
    expect(undecided).toEqual([])
  })
})

const READING =
  /^(?:CANNOT_PARSE_|ILLEGAL_|TOO_MANY_|TOO_DEEP_|TOO_LARGE_|TOO_BIG_|UNKNOWN_(?:TABLE|COLUMN|FUNCTION|IDENT|TYPE$|JOIN)|.*_DENIED$|.*_LIMIT_(?:EXCEEDED|REACHED)$|MEMORY_|QUERY_WAS_|.*TIMEOUT)/
/**
 * Codes with a name that `READING` matches, although they never occur in reads. They concern inserting, defining, replicating, backups and a
 * server's start.
 */
const NOT_READING: ReadonlySet<string> = new Set([
  'TOO_MANY_UNEXPECTED_DATA_PARTS',
  'TOO_MANY_PARTS',
  'TOO_MANY_RETRIES_TO_FETCH_PARTS',
  'TOO_MANY_REDIRECTS',
  'TOO_MANY_MUTATIONS',
  'TOO_MANY_MATERIALIZED_VIEWS',
  'TOO_MANY_TABLES',
  'TOO_MANY_DATABASES',
  'TOO_MANY_NAMED_COLLECTIONS',
  'TOO_LARGE_DISTRIBUTED_DEPTH',
  'TOO_LARGE_LIGHTWEIGHT_UPDATES',
  'CANNOT_PARSE_ELF',
  'CANNOT_PARSE_DWARF',
  'CANNOT_PARSE_YAML',
  'CANNOT_PARSE_PROTOBUF_SCHEMA',
  'CANNOT_PARSE_CAPN_PROTO_SCHEMA',
  'CANNOT_PARSE_BACKUP_SETTINGS',
  'CANNOT_PARSE_PROMQL_QUERY',
  'ILLEGAL_SYNTAX_FOR_CODEC_TYPE',
  'ILLEGAL_CODEC_PARAMETER',
  'ILLEGAL_MYSQL_VARIABLE',
  'ILLEGAL_PROJECTION',
  'ILLEGAL_STATISTICS',
  'ILLEGAL_TIME_SERIES_TAGS',
  'ILLEGAL_STREAM',
  'DISTRIBUTED_IN_JOIN_SUBQUERY_DENIED',
  'FILECACHE_ACCESS_DENIED',
  'TABLE_SIZE_EXCEEDS_MAX_DROP_SIZE_LIMIT',
  'INVALID_SESSION_TIMEOUT',
])

async function expectFailure(outcome: Promise<unknown>, code: number): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toMatchObject({ name: 'WarehouseError', serverCode: code })
  // The error code alone decides the kind of error. One code is an exception: its message shows whether the query tree was too big.
  expect((error as WarehouseError).kind).toBe(kindOfServerCode(code))
}
