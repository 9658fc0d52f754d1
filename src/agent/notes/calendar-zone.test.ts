import { describe, expect, it } from '@jest/globals'
import type { Schema } from '../../warehouse/schema.ts'
import { calendarZoneNote, calendarZones } from './calendar-zone.ts'

const SCHEMA: Schema = {
  tables: [
    {
      ...{ database: 'shop', name: 'rides', engine: 'MergeTree', comment: '', primaryKey: '', sortingKey: '', partitionKey: '' },
      ...{ rows: 9, viewDefinition: '' },
      columns: [
        { name: 'started', type: "DateTime64(3, 'Europe/Paris')", comment: '' },
        { name: 'ended', type: 'Nullable(DateTime)', comment: '' },
        { name: 'day', type: 'Date', comment: '' },
        { name: 'minutes', type: 'UInt32', comment: '' },
      ],
    },
  ],
  databases: [],
  ...{ serverVersion: '26.7', timeZone: 'Asia/Tokyo', fetchedAt: '' },
}
const query = (sql: string | null, error: string | null = null) => ({ sql, tables: ['shop.rides'], error })
const BERLIN = 'Europe/Berlin'

describe('calendarZones', () => {
  it.each([
    ["SELECT count() FROM shop.rides WHERE started >= toStartOfDay(now('Europe/Berlin'))", [BERLIN]],
    ["SELECT count() FROM shop.rides WHERE toDate(started, 'Europe/Berlin') = yesterday()", [BERLIN]],
    ["SELECT count() FROM shop.rides WHERE day = toDate(now('Europe/Berlin'))", [BERLIN]],
    ["SELECT count() FROM shop.rides WHERE started >= toDateTime('2026-11-01 00:00:00', 'Europe/Berlin')", [BERLIN]],
    ['SELECT count() FROM shop.rides WHERE day = today()', ['Asia/Tokyo']],
    ["SELECT count() FROM shop.rides WHERE (started >= '2026-11-01') AND (started < '2026-12-01')", ['Europe/Paris']],
    ['SELECT toStartOfMonth(started) AS month, count() FROM shop.rides GROUP BY month', ['Europe/Paris']],
    ["SELECT dateTrunc('week', ended) AS week, count() FROM shop.rides GROUP BY week", ['Asia/Tokyo']],
    ['SELECT toStartOfInterval(started, toIntervalDay(1)) AS t, count() FROM shop.rides GROUP BY t', ['Europe/Paris']],
    ['SELECT toHour(started) AS hour, count() FROM shop.rides GROUP BY hour', ['Europe/Paris']],
    ['SELECT toDate(`started`) AS d, count() FROM shop.rides WHERE ended > 0 GROUP BY d', ['Europe/Paris', 'Asia/Tokyo']],
  ])('of %s are %j', (sql, zones) => {
    expect(calendarZones(query(sql), SCHEMA)).toEqual(zones)
  })

  it.each([
    'SELECT count() FROM shop.rides',
    'SELECT count() FROM shop.rides WHERE started >= (now() - toIntervalHour(24))',
    'SELECT max(started) FROM shop.rides',
    "SELECT count() FROM shop.rides WHERE day >= '2026-11-01'",
    'SELECT toStartOfMonth(day) AS month, count() FROM shop.rides GROUP BY month',
    'SELECT toStartOfInterval(started, toIntervalHour(1)) AS t, count() FROM shop.rides GROUP BY t',
    "SELECT count() FROM shop.rides WHERE started >= '2026-11-01 14:05:00'",
    "SELECT toDate('2026-11-01')",
    null,
  ])('are none for %s', sql => {
    expect(calendarZones(query(sql), SCHEMA)).toEqual([])
  })

  it('are none for a failed query', () => {
    expect(calendarZones(query('SELECT count() FROM shop.rides WHERE day = today()', 'It failed.'), SCHEMA)).toEqual([])
  })
})

describe('calendarZoneNote', () => {
  const queries = [query('SELECT count() FROM shop.rides WHERE day = today()')]
  it('is a sentence in the language of the answer', () => {
    expect(calendarZoneNote(queries, SCHEMA, 'There were 7 [Q1].', 'en')).toBe('Days are those of Asia/Tokyo.')
    expect(calendarZoneNote(queries, SCHEMA, 'Es waren 7 [Q1].', 'de')).toBe('Tage gelten in der Zeitzone Asia/Tokyo.')
  })
  it('is left out where the answer names the zone, or no calendar counts', () => {
    expect(calendarZoneNote(queries, SCHEMA, 'Today (Asia/Tokyo) there were 7 [Q1].', 'en')).toBe('')
    expect(calendarZoneNote([query('SELECT count() FROM shop.rides')], SCHEMA, 'There were 7 [Q1].', 'en')).toBe('')
  })
})
