/** discord.com/developers/docs/reference, "Snowflakes": the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000

/** Unix time in milliseconds at which Discord made an id. */
export function snowflakeTimeMs(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS
}

/** The smallest id of a time: what comes after it was made later. */
export function snowflakeAt(timeMs: number): string {
  return String(BigInt(Math.max(0, Math.trunc(timeMs) - EPOCH_MS)) << 22n)
}

/**
 * An id as a time in microseconds, in the order of the ids: the 22 bits below the millisecond are shrunk to its 1,000 microseconds, so that two ids of
 * one millisecond may share one (the ids themselves then tell).
 */
export function snowflakeOrder(id: string): number {
  const below = Number(BigInt(id) & 0x3fffffn)
  return snowflakeTimeMs(id) * 1_000 + Math.floor((below * 1_000) / 0x400000)
}
