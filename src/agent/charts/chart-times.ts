import type { Cell, ResultColumn } from '../../clickhouse/warehouse.ts'
import { innerType } from '../citations/result-index.ts'
import { shift } from '../citations/time-column.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const TIME = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?)?)?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Times that are not evenly spaced may have gaps of so many medians between them; beyond, their distances would mislead. */
const UNEVEN = 2.5
/** So many points may be drawn for each that there is: beyond, there is more gap than line. */
const MOST_GAPS = 3

/** The zones in which times are written in a result, and in which they are read. */
export interface ChartZones {
  /** The server's: of a time whose type names no zone. */
  readonly server: string
  /** The asker's. */
  readonly asker: string
}

export interface TimeAxis {
  /** In order of time, evenly spaced as a rule: what is missing between two is there too. */
  readonly labels: readonly string[]
  /** Where each row stands among the labels. */
  readonly positions: readonly number[]
  /** The zone in which the labels tell a time of day; undefined where they tell none. */
  readonly zone: string | undefined
}

/** Whether a column holds nothing but times: as such, or as texts (`formatDateTime(at, '%Y-%m')`). */
export function areTimes({ type }: ResultColumn, cells: readonly Cell[]): boolean {
  return /^(?:Date|String)/.test(innerType(type)) && cells.length > 0 && !cells.map(parseTime).some(Number.isNaN)
}

/** Reads a column of times as an axis; undefined where it is none: not all are times, or they are too unevenly spread. */
export function timeAxis(
  column: ResultColumn,
  cells: readonly Cell[],
  zones: ChartZones,
  mostPoints: number,
): TimeAxis | undefined {
  if (!areTimes(column, cells)) return undefined
  const type = innerType(column.type)
  const written = cells.map(parseTime)
  const areDays = written.every(time => time % DAY === 0)
  const isWallClock = areDays || !type.startsWith('DateTime')
  const ownZone = /'([^']+)'/.exec(type)?.[1] ?? zones.server
  // Days are those of the query: in another zone they would begin in the middle of the day.
  const times = isWallClock ? written : moved(written, ownZone, 'UTC')
  const points = evenPoints(
    [...new Set(times)].sort((a, b) => a - b),
    areDays,
    times.length * MOST_GAPS,
  )
  if (points === undefined || points.length > mostPoints) return undefined
  const at = new Map(points.map((time, index) => [time, index]))
  const shown = isWallClock ? points : moved(points, 'UTC', zones.asker)
  const zone = areDays ? undefined : isWallClock ? ownZone : zones.asker
  return {
    labels: timeLabels(shown),
    positions: times.map(time => at.get(time) ?? 0),
    zone: type.startsWith('DateTime') ? zone : undefined,
  }
}

/** Milliseconds since 1970 of a time as it is written; NaN for what is none. */
function parseTime(cell: Cell): number {
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0'] = (typeof cell === 'string' && TIME.exec(cell)) || []
  if (year === undefined) return Number.NaN
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

function moved(times: readonly number[], from: string, to: string): number[] {
  return [...shift(Float64Array.from(times), from, to)]
}

/** The times with those that are missing between them. */
function evenPoints(times: readonly number[], areDays: boolean, most: number): readonly number[] | undefined {
  const months = areDays && times.every(time => new Date(time).getUTCDate() === 1)
  const indexes = months ? times.map(monthIndex) : times
  const steps = indexes.slice(1).map((time, index) => time - (indexes[index] ?? 0))
  const [first = 0] = indexes
  const last = indexes.at(-1) ?? 0
  const step = steps.reduce(greatestDivisor, 0)
  if (steps.length === 0 || steps.every(each => each === step)) return times
  const count = (last - first) / step + 1
  if (count <= most) {
    const points = Array.from({ length: count }, (_, index) => first + index * step)
    return months ? points.map(monthStart) : points
  }
  const median = [...steps].sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 0
  return Math.max(...steps) <= UNEVEN * median ? times : undefined
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

function monthIndex(time: number): number {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function monthStart(index: number): number {
  return Date.UTC(Math.floor(index / 12), index % 12, 1)
}

/** As short as they can be and still be told apart: "Nov 14", "13:05", "Nov 2026". */
function timeLabels(times: readonly number[]): string[] {
  const dates = times.map(time => new Date(time))
  const isSame = (part: (date: Date) => number) => new Set(dates.map(part)).size === 1
  const everyTime = (size: number) => times.every(time => time % size === 0)
  const days = everyTime(DAY)
  const months = days && dates.every(date => date.getUTCDate() === 1)
  if (months && dates.every(date => date.getUTCMonth() === 0)) return dates.map(date => String(date.getUTCFullYear()))
  const clock = (date: Date) => date.toISOString().slice(11, everyTime(MINUTE) ? 16 : 19)
  if (!days && isSame(date => Math.floor(date.getTime() / DAY))) return dates.map(clock)
  // One a day: at what time it was taken says less than the day.
  const isDaily = new Set(times.map(time => Math.floor(time / DAY))).size === times.length
  const oneYear = isSame(date => date.getUTCFullYear())
  return dates.map(date => {
    const month = MONTHS[date.getUTCMonth()] ?? ''
    if (months) return `${month} ${date.getUTCFullYear()}`
    const day = `${month} ${date.getUTCDate()}${oneYear ? '' : `, ${date.getUTCFullYear()}`}`
    return days || isDaily ? day : `${day} ${clock(date)}`
  })
}
