import { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/durations.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import { qualified, type TableColumn, timeColumn, timeKey } from '../../warehouse/catalog/time-key.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import { type AnswerWords, answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { ReadContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'

/**
 * Returns the latest time in the tables of a query: a moment (ISO 8601), or a day if the data have no times of day. With several
 * tables, returns the earliest of their latest times. Asks the warehouse, because the catalog may be out of date. Undefined if no
 * table has a time column, or if the look-up fails or takes too long.
 * @param options.tables the tables as `database.table`
 * @param options.dataTime the column to use, as `database.table.column`
 * @throws only if the caller aborts
 */
export async function dataUntil(
  { log, warehouse, dialect, now }: ReadContext,
  options: {
    readonly schema: Schema
    readonly id: string
    readonly tables: readonly string[]
    readonly dataTime?: string | undefined
  },
  signal: AbortSignal,
): Promise<string | undefined> {
  const columns = SOURCE_KINDS[dialect].tellsNewData ? timeColumns(options) : []
  if (columns.length === 0 || columns.length > AGENT_LIMITS.notes.dataAgeTables) return undefined
  const input = { columns: columns.map(qualified) }
  const latest = await log.step({ step: 'data_age', query: options.id }, input, z.string().nullable(), signal, async () => {
    try {
      const times = await Promise.all(columns.map(column => latestOf(column, warehouse, signal)))
      return times.includes(null) ? null : (times.sort()[0] ?? null)
    } catch (error) {
      if (signal.aborted) throw error
      return null
    }
  })
  return latest !== null && isPast(latest, now()) ? latest : undefined
}

function timeColumns({ schema, tables, dataTime }: Parameters<typeof dataUntil>[1]): readonly TableColumn[] {
  const read = schema.tables.filter(({ database, name }) => tables.includes(`${database}.${name}`))
  if (dataTime === undefined) {
    return read.flatMap(table => {
      const column = timeKey(table)
      return column === undefined ? [] : [{ table, column }]
    })
  }
  const column = timeColumn(dataTime, schema)
  return column === undefined ? [] : [column]
}

async function latestOf(
  { table, column }: TableColumn,
  warehouse: ReadContext['warehouse'],
  signal: AbortSignal,
): Promise<string | null> {
  const latest = `max(${quoteIdentifier(column.name)})`
  const isDay = isDayType(column.type)
  const sql = `SELECT ${isDay ? `toString(${latest})` : `toUnixTimestamp(${latest})`} FROM ${quoteTable(table)}`
  const { rows } = await warehouse.read({ sql, timeoutMs: AGENT_LIMITS.notes.dataAgeMs }, signal)
  const cell = rows[0]?.[0]
  if (isDay) return typeof cell === 'string' && cell > '1970-01-01' ? cell : null
  const seconds = Number(cell ?? 0)
  return seconds > 0 ? new Date(seconds * 1000).toISOString() : null
}

function isDayType(type: string): boolean {
  return !type.includes('DateTime')
}

function isPast(latest: string, now: number): boolean {
  return Date.parse(latest) <= now + (isDay(latest) ? DAY_MS : AGENT_LIMITS.notes.clockAheadMs)
}

function isDay(latest: string): boolean {
  return latest.length === '2026-03-01'.length
}

/**
 * Writes a note such as "Data up to 14:05 UTC, 3 minutes ago." Empty if the times are unknown.
 * @param now Unix time in milliseconds
 */
export function dataAgeNote(
  queries: readonly Pick<QueryReport, 'data_until' | 'edges'>[],
  now: number,
  language: Language,
): string {
  const words = answerWords(language)
  const sentences = queries.flatMap(({ data_until: latest, edges }) =>
    // If the data end too early, a doubt already says so.
    latest === undefined || edges?.ends ? [] : [sentence(latest, now, words)],
  )
  return [...new Set(sentences)].join(' ')
}

function sentence(latest: string, now: number, words: AnswerWords): string {
  const age = now - Date.parse(latest)
  if (isDay(latest)) {
    const days = Math.floor(age / DAY_MS)
    return words.dataUntil(latest, days < 2 ? null : words.ago(days, 'day'))
  }
  const day = latest.slice(0, 10)
  const isToday = new Date(now).toISOString().startsWith(day)
  return words.dataUntil(`${isToday ? '' : `${day} `}${latest.slice(11, 16)} UTC`, ago(age, words))
}

function ago(milliseconds: number, words: AnswerWords): string {
  if (milliseconds < HOUR_MS) return words.ago(Math.max(0, Math.floor(milliseconds / MINUTE_MS)), 'minute')
  const [unit, size] = milliseconds < 2 * DAY_MS ? (['hour', HOUR_MS] as const) : (['day', DAY_MS] as const)
  return words.ago(Math.floor(milliseconds / size), unit)
}
