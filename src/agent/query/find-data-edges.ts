import { z } from 'zod'
import { shift } from '../../answer-check/rows/time-column.ts'
import { unitStart, unitsAfter } from '../../base/calendar-unit.ts'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import { memoizePerObject } from '../../base/memoize.ts'
import { type AskedPeriod, readPeriods, type TimeLimit } from '../../clickhouse/filters/read-periods.ts'
import { SOURCE_KINDS } from '../../sources/kinds.ts'
import { isSensitiveName } from '../../warehouse/catalog/sensitive-name.ts'
import { mentions } from '../../warehouse/catalog/time-key.ts'
import type { DataEdges } from '../../warehouse/data-edges.ts'
import type { AllowedQuery } from '../../warehouse/query-validator.ts'
import type { ColumnSchema, Schema, TableSchema } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { ReadContext } from '../run/context.ts'

/**
 * If the days with rows are on average at most this many days apart, nearly every day has rows. Then even a single missing day is
 * reported.
 */
const FILLED = 1.05

interface EdgeColumn {
  readonly table: TableSchema
  readonly column: ColumnSchema
}

/** A period of local time in the zone of the data. Both ends are in milliseconds, computed as if that zone were UTC. */
interface Stretch {
  readonly from: number | undefined
  readonly to: number | undefined
}

/**
 * Finds out whether the asked period reaches beyond the data. The engine computes the period's bounds from the SQL. They are
 * compared with the lowest and highest value of their column. Reads only columns of the schema that are not private. Reads
 * nothing if the catalog shows that the data cover the period.
 * @returns null if the data cover the period, or if that could not be found out
 */
export async function findDataEdges(
  { warehouse, dialect, request }: ReadContext,
  { schema, query }: { readonly schema: Schema; readonly query: Pick<AllowedQuery, 'canonical' | 'tables'> },
  signal: AbortSignal,
): Promise<DataEdges | null> {
  const columns = timeColumns(schema, query).filter(({ column }) => query.canonical.includes(column.name))
  if (!SOURCE_KINDS[dialect].tellsDataEdges || columns.length === 0) return null
  const tree = `EXPLAIN QUERY TREE run_passes = 1, passes = 1 SELECT * FROM (${query.canonical})`
  const { rows } = await warehouse.read(
    { sql: tree, maxRows: AGENT_LIMITS.query.edgeTreeLines, timeoutMs: AGENT_LIMITS.query.edgesMs },
    signal,
  )
  const periods = readPeriods(linesSchema.parse(rows).flatMap(line => line.split('\n')))
  const clock = { server: schema.timeZone, asker: request.time_zone, now: Date.parse(request.asked_at) }
  const asked = columns.filter(known => periods.some(period => isOn(period, known))).slice(0, AGENT_LIMITS.query.edgeColumns)
  const found = await Promise.all(
    asked.map(async known => {
      const own = periods.filter(period => isOn(period, known))
      const range = await rangeOf(known, own, clock, warehouse, signal)
      return range === null ? null : edgesOf(known, range, own, clock)
    }),
  )
  return found.find(edges => edges !== null) ?? null
}

interface EdgeClock {
  readonly server: string
  readonly asker: string
  /** Unix time in milliseconds. */
  readonly now: number
}

/** The lowest and the highest value of a column. `distance` is the average distance between neighbouring values, if known. */
interface Range {
  readonly min: number
  readonly max: number
  readonly distance: number | undefined
}

function timeColumns({ tables }: Schema, query: Pick<AllowedQuery, 'tables'>): readonly EdgeColumn[] {
  return tables
    .filter(({ database, name }) => query.tables.includes(`${database}.${name}`))
    .flatMap(table => table.columns.map(column => ({ table, column })))
    .filter(({ column: { name, type, isPrivate, computed } }) => {
      const isStored = computed?.kind !== 'ALIAS' && computed?.kind !== 'EPHEMERAL'
      return readColumnType(type).kind === 'time' && isStored && isPrivate !== true && !isSensitiveName(name)
    })
}

function isOn({ table, column }: AskedPeriod, known: EdgeColumn): boolean {
  return table === `${known.table.database}.${known.table.name}` && column === known.column.name
}

/**
 * The ranges that were read last, by column. The queries of a question, and questions that follow, often ask for the same one. When
 * rows are added to a table, the schema has another object for it.
 */
const keptRanges = memoizePerObject((_: ReadContext['warehouse']) =>
  memoizePerObject((_: TableSchema) => new Map<string, { readonly askedAt: number; readonly range: Range | null }>()),
)

/**
 * Returns the range of a column. Uses the catalog's values if they cover the periods, and otherwise asks the warehouse. Null if
 * the column has no values.
 */
async function rangeOf(
  known: EdgeColumn,
  periods: readonly AskedPeriod[],
  clock: EdgeClock,
  warehouse: ReadContext['warehouse'],
  signal: AbortSignal,
): Promise<Range | null> {
  const { table, column } = known
  const { min = null, max = null, distinct = 0 } = column.statistics ?? {}
  const [first, last] = [min, max].map(wallClock)
  const distance = first === undefined || last === undefined ? undefined : distanceBetween(first, last, distinct)
  if (first !== undefined && last !== undefined) {
    const range = { min: first, max: last, distance }
    if (edgesOf(known, range, periods, clock) === null) return range
  }
  const kept = keptRanges(warehouse)(table)
  const read = kept.get(column.name)
  if (read !== undefined && clock.now - read.askedAt <= AGENT_LIMITS.query.edgesKeptMs) return read.range
  const range = await readRange(known, distance, warehouse, signal)
  kept.set(column.name, { askedAt: clock.now, range })
  return range
}

async function readRange(
  { table, column }: EdgeColumn,
  distance: number | undefined,
  warehouse: ReadContext['warehouse'],
  signal: AbortSignal,
): Promise<Range | null> {
  const name = quoteIdentifier(column.name)
  // If the usual distance between rows is unknown, the distinct times are counted to compute it. Without it, a usual pause
  // between two rows would look like the end of the data.
  const count = distance === undefined ? `toString(uniq(${name}))` : 'NULL'
  const sql = `SELECT toString(min(${name})), toString(max(${name})), ${count} FROM ${quoteTable(table)}`
  const { rows } = await warehouse.read({ sql, timeoutMs: AGENT_LIMITS.query.edgesMs }, signal)
  const [low, high, counted] = rangeSchema.parse(rows[0])
  const [begins, ends] = [low, high].map(wallClock)
  // For a column without values, the engine returns the first day of its calendar, such as 1970-01-01.
  if (begins === undefined || ends === undefined || ends <= DAY_MS) return null
  return { min: begins, max: ends, distance: distance ?? distanceBetween(begins, ends, Number(counted)) }
}

function distanceBetween(first: number, last: number, distinct: number): number | undefined {
  return distinct < 2 ? undefined : (last - first) / (distinct - 1)
}

function edgesOf(known: EdgeColumn, range: Range, periods: readonly AskedPeriod[], clock: EdgeClock): DataEdges | null {
  const { table, column } = known
  const isDay = !column.type.includes('DateTime')
  const zone = isDay ? clock.asker : (/'([^']+)'/.exec(column.type)?.[1] ?? clock.server)
  const found = periods.map(period =>
    missing(known, range, stretchOf(period, zone, isDay), period, moved(clock.now, 'UTC', zone)),
  )
  const begins = found.find(each => each.begins !== undefined)?.begins
  const ends = found.some(each => each.ends)
  if (begins === undefined && !ends) return null
  const isOwnClock = isDay || moved(clock.now, 'UTC', zone) === moved(clock.now, 'UTC', clock.asker)
  return {
    table: `${table.database}.${table.name}`,
    begins: begins === undefined ? null : written(range.min, isDay || begins > DAY_MS),
    ends: ends ? written(range.max, isDay) : null,
    zone: isOwnClock ? null : zone,
  }
}

/** Returns how much is missing at the beginning of a period, in milliseconds, and whether anything is missing at its end. */
function missing(
  { table, column }: EdgeColumn,
  { min, max, distance }: Range,
  { from, to }: Stretch,
  { series }: AskedPeriod,
  now: number,
): { readonly begins?: number; readonly ends: boolean } {
  const areDays = min % DAY_MS === 0 && max % DAY_MS === 0
  const grain = areDays ? DAY_MS : 0
  const isKey = mentions(table.sortingKey, column.name) || mentions(table.partitionKey, column.name)
  // Only an upper bound asks for a state at that moment, such as the contracts that began before it. That is not a period, so
  // nothing can be missing.
  const isPeriod = from !== undefined || series !== undefined
  if (!isPeriod || (!isKey && distance === undefined) || (from ?? 0) > now) return { ends: false }
  const unit = series === 'hour' ? undefined : series
  const today = areDays ? unitStart(now, 'day') : now
  const [first, last] = unit === undefined ? [] : [unitStart(min, unit), unitsAfter(unitStart(max, unit), unit)]
  const start = from ?? first
  const end = Math.min(to ?? (from === undefined ? (last ?? Number.NEGATIVE_INFINITY) : today), today)
  const ofUnit =
    unit !== undefined && first !== undefined ? (unitsAfter(first, unit) - first) * AGENT_LIMITS.query.missingUnitShare : 0
  const isFilled = areDays && (distance ?? grain) <= FILLED * grain
  const usual = (distance ?? 0) * (isKey ? AGENT_LIMITS.query.usualDistances : AGENT_LIMITS.query.usualDistancesOfOthers)
  const share = (end - (start ?? min)) * AGENT_LIMITS.query.missingShare
  const slack = isFilled ? grain / 2 : Math.max(Math.min(HOUR_MS, share), usual)
  const before = start === undefined ? 0 : min - start
  // The first row of a day may come late. So more may be missing if the data begin on the first day of the period.
  const ofFirstDay = start !== undefined && unitStart(min, 'day') === unitStart(start, 'day') ? share : 0
  const isShort = before > Math.max(slack, ofFirstDay, from === undefined ? ofUnit : 0)
  return { ...(isShort && { begins: before }), ends: end - (max + grain) > Math.max(slack, to === undefined ? ofUnit : 0) }
}

function stretchOf({ from, to }: AskedPeriod, zone: string, isDay: boolean): Stretch {
  const read = (limit: TimeLimit | undefined) => {
    if (limit === undefined) return undefined
    const ofLimit = limit.zone === 'instant' ? 'UTC' : (limit.zone ?? zone)
    const at = isDay && limit.zone !== 'instant' ? limit.milliseconds : moved(limit.milliseconds, ofLimit, zone)
    return isDay ? unitStart(at, 'day') : at
  }
  return { from: read(from), to: read(to) }
}

function moved(time: number, from: string, to: string): number {
  return shift(Float64Array.of(time), from, to)[0] ?? time
}

/** Parses a time in the warehouse's spelling. Undefined for any other text. */
function wallClock(text: string | null | undefined): number | undefined {
  const time = Date.parse(`${(text ?? '').slice(0, 23).replace(' ', 'T')}${text?.includes(' ') ? 'Z' : ''}`)
  return Number.isNaN(time) ? undefined : time
}

function written(time: number, isDay: boolean): string {
  return new Date(time)
    .toISOString()
    .replace('T', ' ')
    .slice(0, isDay ? 10 : 16)
}

const linesSchema = z.array(z.tuple([z.string()]).transform(([line]) => line))
const rangeSchema = z.tuple([z.string().nullable(), z.string().nullable(), z.string().nullable()])
