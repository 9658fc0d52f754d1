import { WarehouseError } from './error.ts'

/**
 * Waits for work that several callers share. An abort ends only this caller's wait; the work goes on.
 * @throws WarehouseError of kind `cancelled` on abort
 */
export async function waitFor<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const cancelled = () => new WarehouseError('reading the schema was cancelled', { kind: 'cancelled', cause: signal.reason })
  if (signal.aborted) throw cancelled()
  return await new Promise<Value>((resolve, reject) => {
    const onAbort = () => reject(cancelled())
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
