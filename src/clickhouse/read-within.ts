import type { QueryResult, Warehouse } from './warehouse.ts'
import { WarehouseError } from './warehouse-error.ts'

/** For the server, whose own limit counts in whole seconds: behind the caller's, should it not be told in time. */
const SERVER_TIME_LIMIT_MS = 2_000

/** A statement, and how long it may take from when it was sent: what it waits for others before does not count. */
export interface TimedStatement {
  readonly sql: string
  readonly limitMs: number
  /** Called once where it takes longer than `afterMs`. */
  readonly slow?: { readonly afterMs: number; readonly call: () => void }
}

/**
 * What a statement returns, or undefined when that took longer than it may; then it is ended, which is not waited for.
 * @throws WarehouseError; of kind `cancelled` only when `signal` was aborted
 */
export async function readWithin(
  warehouse: Pick<Warehouse, 'read'>,
  { sql, limitMs, slow }: TimedStatement,
  signal: AbortSignal,
): Promise<QueryResult | undefined> {
  const late = new AbortController()
  const ended = AbortSignal.any([signal, late.signal])
  const timers: NodeJS.Timeout[] = []
  try {
    return await new Promise<QueryResult | undefined>((resolve, reject) => {
      const onLate = () => {
        late.abort()
        resolve(undefined)
      }
      const onSent = () => {
        timers.push(setTimeout(onLate, limitMs))
        if (slow !== undefined) timers.push(setTimeout(slow.call, slow.afterMs))
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
