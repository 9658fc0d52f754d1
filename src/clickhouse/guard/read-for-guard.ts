import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { WarehouseError } from '../../warehouse/error.ts'
import type { QueryResult, ReadQuery, Warehouse } from '../../warehouse/warehouse.ts'
import { GUARD_LIMITS } from '../limits.ts'

/**
 * Runs one of the guard's own statements. It names no table, so it runs in a database that every server has. It is small, so a
 * timeout means that the server is busy, unless the server itself reports one (code 159).
 * @throws WarehouseError of kind `unavailable` if the server stays busy
 */
export async function readForGuard(
  warehouse: Warehouse,
  query: Pick<ReadQuery, 'sql' | 'parameters'>,
  signal: AbortSignal,
): Promise<QueryResult> {
  const { timeoutMs, retry: again } = GUARD_LIMITS
  const policy = retry(handleWhen(isUnanswered), {
    maxAttempts: again.attempts,
    backoff: new ExponentialBackoff({ initialDelay: again.initialDelayMs, maxDelay: again.maxDelayMs }),
  })
  try {
    return await policy.execute(() => warehouse.read({ ...query, database: 'system', timeoutMs }, signal), signal)
  } catch (error) {
    if (signal.aborted) throw new WarehouseError('The check was cancelled', { kind: 'cancelled', cause: error })
    if (!isUnanswered(error)) throw error
    throw new WarehouseError('The warehouse is too busy to check the query.', { kind: 'unavailable', cause: error })
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof WarehouseError && error.kind === 'timeout' && error.serverCode === undefined
}
