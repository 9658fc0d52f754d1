import { describe, expect, it } from '@jest/globals'
import { atDueTime, fixedDates } from './frozen-sql.ts'

const DUE = 1_830_000_000_123

describe('a frozen query', () => {
  it.each([
    [
      "SELECT now(), now('Europe/Berlin'), today() - 1, yesterday()",
      "SELECT toDateTime(1830000000), toDateTime(1830000000, 'Europe/Berlin'), toDate(toDateTime(1830000000)) - 1, (toDate(toDateTime(1830000000)) - 1)",
    ],
    ["SELECT now64(), now64(6, 'UTC') FROM t", "SELECT toDateTime64(1830000000, 3), toDateTime64(1830000000, 6, 'UTC') FROM t"],
    [
      "SELECT 'now()', t.now, now FROM t WHERE toStartOfDay(NOW('UTC')) > at",
      "SELECT 'now()', t.now, now FROM t WHERE toStartOfDay(toDateTime(1830000000, 'UTC')) > at",
    ],
    [
      "SELECT CURRENT_DATE, current_timestamp, LOCALTIMESTAMP(), t.current_date FROM t WHERE at > UTCTimestamp() - nowInBlock('UTC')",
      "SELECT toDate(toDateTime(1830000000)), toDateTime(1830000000), toDateTime(1830000000), t.current_date FROM t WHERE at > toDateTime(1830000000, 'UTC') - toDateTime(1830000000, 'UTC')",
    ],
    ['SELECT max(local_timestamp) FROM t', 'SELECT max(local_timestamp) FROM t'],
    ['SELECT localtime', 'SELECT CAST(toDateTime(1830000000) AS Time)'],
    [
      'SELECT current_date() AS current_date, max(n) FROM t GROUP BY current_date',
      'SELECT toDate(toDateTime(1830000000)) AS current_date, max(n) FROM t GROUP BY current_date',
    ],
  ])('of ClickHouse has the due time in place of its clocks: %s', (sql, written) => {
    expect(atDueTime(sql, DUE, 'clickhouse')).toBe(written)
  })

  it.each([
    [
      'SELECT now(), current_date - 1, CURRENT_TIMESTAMP FROM t',
      'SELECT to_timestamp(1830000000), to_timestamp(1830000000)::date - 1, to_timestamp(1830000000) FROM t',
    ],
    [
      'SELECT current_timestamp(0), LOCALTIMESTAMP(3), localtime, current_date AS current_date FROM t',
      'SELECT to_timestamp(1830000000), to_timestamp(1830000000)::timestamp, to_timestamp(1830000000)::time, to_timestamp(1830000000)::date AS current_date FROM t',
    ],
    [
      'SELECT age(opened), age(now(), least(opened, closed)), "now"(), "current_date" FROM t -- it\'s now()',
      'SELECT age(to_timestamp(1830000000)::date, opened), age(to_timestamp(1830000000), least(opened, closed)), "now"(), "current_date" FROM t -- it\'s now()',
    ],
    [
      "SELECT split_part(path, '\\', 1), $x$it's now()$x$\r\nFROM t WHERE day = current_date",
      "SELECT split_part(path, '\\', 1), $x$it's now()$x$\r\nFROM t WHERE day = to_timestamp(1830000000)::date",
    ],
  ])('of PostgreSQL has the due time in place of its clocks: %s', (sql, written) => {
    expect(atDueTime(sql, DUE, 'postgres')).toBe(written)
  })

  it.each([
    ["SELECT 1 FROM t WHERE day >= '2026-11-01'", 'Loss of this month?', ['2026-11-01']],
    ["SELECT 1 FROM t WHERE day >= '2026-01-01' AND day < today()", 'Loss since January 2026?', []],
    ['SELECT 1 FROM t WHERE toYYYYMM(day) = 202611', 'Loss?', ['202611']],
    ['SELECT 1 FROM t WHERE toYear(day) = 2026', 'Loss?', ['2026']],
    ['SELECT 1 FROM t WHERE pct > 2026 AND day = today() - 1', 'Loss?', []],
    ["SELECT 1 FROM t WHERE link = 'LHR-2026-A'", 'Loss?', []],
  ])('does not move where it has a date that nobody named: %s', (sql, question, dates) => {
    expect(fixedDates(sql, question, 'clickhouse')).toEqual(dates)
  })

  it('has no fixed date in a comment of PostgreSQL, and has one beside texts that only PostgreSQL reads', () => {
    const sql = "SELECT '\\', $$it's$$ /* isn't '2026-01-01' */ FROM t\r\nWHERE day > '2026-11-01' AND at < make_date(2026, 1, 1)"
    expect(fixedDates(sql, 'Loss?', 'postgres')).toEqual(['2026-11-01', '2026'])
  })
})
