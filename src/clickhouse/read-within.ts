import type { QueryResult, Warehouse } from './warehouse.ts'
import { WarehouseError } from './warehouse-error.ts'

/** The engine needs about so long to end a query. */
const TIME_TO_END_MS = 20
/** For the server, whose own limit counts in whole seconds: behind the caller's, should it not be told in time. */
const SERVER_TIME_LIMIT_MS = 2_000

/**
 * What a statement returns, or undefined when that took longer than `limitMs` from when it was sent; what it waited for others before does not count.
 * A computation that cannot be interrupted goes on for a while; it is not waited for.
 * @throws WarehouseError; of kind `cancelled` only when `signal` was aborted
 */
export async function readWithin(
  warehouse: Pick<Warehouse, 'read'>,
  { sql, limitMs }: { readonly sql: string; readonly limitMs: number },
  signal: AbortSignal,
): Promise<QueryResult | undefined> {
  const late = new AbortController()
  const ended = AbortSignal.any([signal, late.signal])
  const timers: NodeJS.Timeout[] = []
  try {
    return await new Promise<QueryResult | undefined>((resolve, reject) => {
      const onSent = () => {
        timers.push(
          setTimeout(() => late.abort(), limitMs - TIME_TO_END_MS),
          setTimeout(() => resolve(undefined), limitMs),
        )
      }
      warehouse.read({ sql, timeoutMs: SERVER_TIME_LIMIT_MS, onSent }, ended).then(resolve, (error: unknown) => {
        if (!signal.aborted && isLate(error)) resolve(undefined)
        else reject(error)
      })
    })
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

function isLate(error: unknown): boolean {
  return error instanceof WarehouseError && (error.kind === 'cancelled' || error.kind === 'timeout')
}
