import { innerType } from '../../answer-check/rows/result-index.ts'
import { shift } from '../../answer-check/rows/time-column.ts'
import type { Cell, ResultColumn } from '../../warehouse/warehouse.ts'
import { AGENT_LIMITS } from '../limits.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const TIME = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?Z?)?)?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The time zones of a chart. */
export interface ChartZones {
  /** The zone of times whose column type names no zone. */
  readonly server: string
  readonly asker: string
}

export interface TimeAxis {
  /** The labels in order of time. If the times are evenly spaced, missing times have labels too. */
  readonly labels: readonly string[]
  /** For each row, the index of its label. */
  readonly positions: readonly number[]
  /** The zone of the times of day in the labels. Undefined if the labels have none. */
  readonly zone: string | undefined
}

/** Whether all cells of a column are times: values of a time type, or texts such as those of `formatDateTime(at, '%Y-%m')`. */
export function areTimes({ type }: ResultColumn, cells: readonly Cell[]): boolean {
  return /^(?:Date|String)/.test(innerType(type)) && cells.length > 0 && !cells.map(parseTime).some(Number.isNaN)
}

/**
 * Returns the axis for a column of times. Undefined if a cell is not a time, or if the distances between the times differ too
 * much.
 */
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
  // Days are not moved to another zone, where they would start in the middle of a day.
  const times = isWallClock ? written : moved(written, ownZone, 'UTC')
  const points = evenPoints(
    [...new Set(times)].sort((a, b) => a - b),
    areDays,
    times.length * AGENT_LIMITS.chart.pointsPerValue,
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

/** Parses a cell's time as a UTC time. Returns milliseconds since 1970, or NaN if the cell is not a time. */
function parseTime(cell: Cell): number {
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0'] = (typeof cell === 'string' && TIME.exec(cell)) || []
  if (year === undefined) return Number.NaN
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

function moved(times: readonly number[], from: string, to: string): number[] {
  return [...shift(Float64Array.from(times), from, to)]
}

/**
 * Adds the times that are missing in an even series, such as a day without rows. Undefined if the distances between the times
 * differ too much.
 */
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
  return Math.max(...steps) <= AGENT_LIMITS.chart.unevenMedians * median ? times : undefined
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

/** Writes the shortest labels that still differ from each other: "Nov 14", "13:05", "Nov 2026". */
function timeLabels(times: readonly number[]): string[] {
  const dates = times.map(time => new Date(time))
  const isSame = (part: (date: Date) => number) => new Set(dates.map(part)).size === 1
  const everyTime = (size: number) => times.every(time => time % size === 0)
  const days = everyTime(DAY)
  const months = days && dates.every(date => date.getUTCDate() === 1)
  if (months && dates.every(date => date.getUTCMonth() === 0)) return dates.map(date => String(date.getUTCFullYear()))
  const clock = (date: Date) => date.toISOString().slice(11, everyTime(MINUTE) ? 16 : 19)
  if (!days && isSame(date => Math.floor(date.getTime() / DAY))) return dates.map(clock)
  // If each day has one value, the labels need no time of day.
  const isDaily = new Set(times.map(time => Math.floor(time / DAY))).size === times.length
  const oneYear = isSame(date => date.getUTCFullYear())
  return dates.map(date => {
    const month = MONTHS[date.getUTCMonth()] ?? ''
    if (months) return `${month} ${date.getUTCFullYear()}`
    const day = `${month} ${date.getUTCDate()}${oneYear ? '' : `, ${date.getUTCFullYear()}`}`
    return days || isDaily ? day : `${day} ${clock(date)}`
  })
}
