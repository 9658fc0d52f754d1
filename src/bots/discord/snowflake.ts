/** Discord counts time from the start of 2015 (discord.com/developers/docs/reference, "Snowflakes"). */
const EPOCH_MS = 1_420_070_400_000

/** Returns the creation time of an id, as Unix time in milliseconds. */
export function snowflakeTimeMs(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS
}

/** Returns the smallest id that Discord could create at this time. */
export function snowflakeAt(timeMs: number): string {
  return String(BigInt(Math.max(0, Math.trunc(timeMs) - EPOCH_MS)) << 22n)
}

/**
 * Returns an id's time in microseconds. These times have the same order as the ids, so messages are sorted by them. The 22 bits
 * of an id below the millisecond are scaled to 1,000 microseconds. If two ids get the same time, the queue orders them by id.
 */
export function snowflakeOrder(id: string): number {
  const below = Number(BigInt(id) & 0x3fffffn)
  return snowflakeTimeMs(id) * 1_000 + Math.floor((below * 1_000) / 0x400000)
}
