import { SHARED_LIMITS } from './limits.ts'

/**
 * Returns no pause for the first attempt, then 1, 2, 4, … seconds, up to five minutes. A random addition of up to a quarter
 * spreads the attempts of many processes.
 * @param attempt the number of the attempt, 0 for the first
 * @returns the pause in milliseconds
 */
export function reconnectDelay(attempt: number): number {
  const { firstMs, mostMs, spreadMs } = SHARED_LIMITS.reconnect
  const base = attempt === 0 ? 0 : Math.min(firstMs * 2 ** (attempt - 1), mostMs)
  return base + Math.random() * Math.max(spreadMs, base / 4)
}
