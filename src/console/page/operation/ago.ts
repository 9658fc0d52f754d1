const UNITS = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000 }

/** A length of time in its largest unit, such as `3 min`. */
export function agoOf(ms: number): string {
  const [unit, size] = Object.entries(UNITS).find(each => ms >= each[1]) ?? ['s', 1_000]
  return `${Math.floor(ms / size)} ${unit}`
}
