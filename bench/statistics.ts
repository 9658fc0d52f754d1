/** Returns the value below which this share of the values is, by the nearest rank. `share` 0.5 means the middle. @throws Error without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((first, second) => first - second)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new Error('a quantile of nothing')
  return value
}

/** Returns the middle value. For an even number of values, returns the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((first, second) => first - second)
  const half = sorted.length / 2
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}
