import type { ResultIndex } from '../rows/result-index.ts'
import type { CellAt } from '../workings/worked-figure.ts'

const EARLIER =
  /(?:^|_)(?:prev|previous|prior|before|last|old|first|start|opening|earlier|baseline|from|vor\p{L}*|anfang)(?:_|$)/iu
/** Compares two cells in time: negative if the first is earlier, positive if it is later, 0 if unknown. */
export function orderInTime(result: ResultIndex, one: CellAt, other: CellAt): number {
  if (one.row === other.row) return orderOfNames(one.column.name, other.column.name)
  if (one.column !== other.column) return 0
  const axes = [...result.times, ...result.numbers.filter(column => column.key && PERIOD.test(column.name))]
  const orders = axes.map(({ values }) => Math.sign((values[one.row] ?? Number.NaN) - (values[other.row] ?? Number.NaN)))
  const [first = 0, ...rest] = orders.filter(order => order !== 0 && !Number.isNaN(order))
  if (first !== 0) return rest.every(order => order === first) ? first : 0
  return orderOfPeriods(result, one.row, other.row)
}

const PERIOD = /(?:^|_)(?:year|month|quarter|week|day|epoch)$/i

/** Compares two rows by a period that is written as text: `2025-Q4`, `2026 W03`. */
function orderOfPeriods(result: ResultIndex, one: number, other: number): number {
  const [first, second] = [one, other].map(row =>
    result.rowNames(row).find(name => /^(?:19|20)\d\d(?:[-\s]?(?:[QWH]?\d{1,2}))?(?:-\d\d)?$/i.test(name)),
  )
  return first && second ? Number(first > second) - Number(first < second) : 0
}

/** Compares two columns by the time in their names: `avg_before` and `avg_since`, `q1_2025` and `q2_2025`. */
function orderOfNames(one: string, other: string): number {
  const periods = (name: string) => [...name.matchAll(/(?<=(?:^|_)[qhw]?)\d+/gi)].map(Number)
  const shape = (name: string) => name.replace(/(?<=(?:^|_)[qhw]?)\d+/gi, '#')
  if (shape(one) !== shape(other)) return Number(EARLIER.test(other)) - Number(EARLIER.test(one))
  const [first, second] = [periods(one), periods(other)]
  const changes = first.map((value, at) => value - (second[at] ?? 0)).filter(change => change !== 0)
  return changes.length === 1 ? Math.sign(changes[0] ?? 0) : 0
}
