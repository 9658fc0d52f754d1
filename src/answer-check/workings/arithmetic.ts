/**
 * The numbers that a working may contain: the numbers of units, percentages, means and lengths of periods. All other numbers must come from the rows.
 */
export const CONSTANTS: ReadonlySet<number> = new Set([
  ...Array.from({ length: 12 }, (_, at) => at + 1),
  ...[14, 24, 28, 29, 30, 31, 52, 60, 90, 91, 92, 365, 366, 1440, 3600, 86_400, 604_800],
  ...[100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12, 1024, 1_048_576, 1_073_741_824, 1_099_511_627_776],
])

export const AGGREGATES: ReadonlyMap<string, (values: readonly number[]) => number> = new Map([
  ['sum', total],
  ['avg', (values: readonly number[]) => total(values) / values.length],
  ['median', median],
  ['min', (values: readonly number[]) => values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)],
  ['max', (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)],
])

function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
