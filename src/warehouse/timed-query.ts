import { WarehouseError } from './error.ts'

/** The limits of a query. Clew's own deadline is `graceMs` later than the server's, whose error says more. */
interface QueryTime {
  readonly queryId: string
  readonly timeoutMs: number
  readonly graceMs: number
}

/**
 * Runs a query until its deadline, or until the signal aborts.
 * @param work calls `onSent` when the query is sent: the time begins then, and begins anew if the query is sent again
 * @returns the result, and the time since the query was sent
 * @throws WarehouseError of kind `timeout` or `cancelled`; the errors of `work`
 */
export async function timedQuery<Result>(
  { queryId, timeoutMs, graceMs }: QueryTime,
  signal: AbortSignal,
  work: (ended: AbortSignal, onSent: () => void) => Promise<Result>,
): Promise<{ readonly result: Result; readonly elapsedMs: number }> {
  const late = new AbortController()
  // The statements of one run share its signal. Through a signal of its own, a statement leaves no listeners on the shared one.
  const ended = AbortSignal.any([signal, late.signal])
  let timer: NodeJS.Timeout | undefined
  let sentAt = performance.now()
  const onSent = () => {
    clearTimeout(timer)
    sentAt = performance.now()
    timer = setTimeout(() => late.abort(), timeoutMs + graceMs)
  }
  try {
    const result = await work(ended, onSent)
    return { result, elapsedMs: Math.round((performance.now() - sentAt) * 10) / 10 }
  } catch (error) {
    if (signal.aborted) throw cancelledQuery(error, queryId)
    throw late.signal.aborted ? timedOutQuery(timeoutMs, error, queryId) : error
  } finally {
    clearTimeout(timer)
  }
}

export function timedOutQuery(timeoutMs: number, cause: unknown, queryId?: string): WarehouseError {
  const message = `The query took longer than the ${Number((timeoutMs / 1000).toFixed(1))} s that it may take, and was ended.`
  return new WarehouseError(message, { kind: 'timeout', cause, ...(queryId !== undefined && { queryId }) })
}

export function cancelledQuery(cause: unknown, queryId?: string): WarehouseError {
  return new WarehouseError('The query was cancelled', { kind: 'cancelled', cause, ...(queryId !== undefined && { queryId }) })
}
