import { abortable } from '../abortable.ts'
import { storeError } from '../store-error.ts'

/**
 * Waits for a command of the Redis client.
 * @throws StoreError, or the signal's reason
 */
export async function callRedis<Value>(command: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return abortable(
    command.catch((error: unknown) => {
      throw storeError(error)
    }),
    signal,
  )
}
