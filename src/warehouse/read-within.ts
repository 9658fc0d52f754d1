import { WarehouseError } from './error.ts'
import { CATALOG_ANSWER_LIMITS } from './limits.ts'
import type { QueryResult, Warehouse } from './warehouse.ts'

/** A statement with a time limit, which begins when the statement is sent. Time in the queue is not included. */
export interface TimedStatement {
  readonly sql: string
  readonly limitMs: number
  /** If the statement runs longer than `afterMs`, `call` is called once. */
  readonly slow?: { readonly afterMs: number; readonly call: () => void }
}

/**
 * Runs a statement within its time limit. When the time is over, cancels the statement, does not wait until it has stopped, and
 * returns undefined.
 * @throws WarehouseError; its kind is `cancelled` only if `signal` was aborted
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
      warehouse.read({ sql, timeoutMs: CATALOG_ANSWER_LIMITS.readWithinMs, onSent }, ended).then(resolve, (error: unknown) => {
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
