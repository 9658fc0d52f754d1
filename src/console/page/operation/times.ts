const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A length of time in its largest unit, such as `3 min`. */
export function agoOf(ms: number): string {
  const [unit, size] = UNITS.find(each => ms >= each[1]) ?? ['s', 1_000]
  return `${Math.floor(ms / size)} ${unit}`
}

/** The clock of a moment, with seconds. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

/** The day and clock of a moment, with seconds. */
export function dayAndClock(at: number): string {
  return `${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${clock(at)}`
}
