import type { RedisClient } from '../../store/redis/client.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import { createRunLedger } from '../deliver/run-ledger.ts'
import { threadName } from '../thread-keys.ts'

/**
 * Returns whether a run has ended with an answer, an error or a stop.
 * @throws StoreError
 */
export type IsRunOver = (accepted: AcceptedMessage, signal: AbortSignal) => Promise<boolean>

export function createIsRunOver(redis: RedisClient): IsRunOver {
  return async ({ message, runId }, signal) => {
    const ledger = createRunLedger(redis, { thread: threadName(message.place), runId, fence: undefined })
    return (await ledger.final(signal)) !== undefined
  }
}
