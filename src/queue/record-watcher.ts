import { abortable } from '../store/abortable.ts'
import type { RedisConnection } from '../store/redis/client.ts'

/** Waits until another process announces a change of a run's ledger. The ledger records which parts of the reply were posted. */
export interface RecordWatcher {
  /**
   * Waits at most `timeoutMs` for an announcement on the channel. `look` runs after the subscription, to find changes that were
   * announced before it. If it returns true, the wait ends.
   */
  wait(
    channel: string,
    options: { readonly timeoutMs: number; readonly look: () => Promise<boolean> },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/**
 * Creates a watcher.
 * @param redis is duplicated at the first wait, because a subscription needs its own connection
 */
export function createRecordWatcher(redis: RedisConnection): RecordWatcher {
  const waiting = new Map<string, Set<() => void>>()
  let subscriber: RedisConnection | undefined

  function listen(): RedisConnection {
    if (subscriber !== undefined) return subscriber
    // The copied connection may be one that fails fast: it would refuse to subscribe until it is connected. `enableOfflineQueue`
    // lets the subscription wait for the connection.
    subscriber =
      'nodes' in redis ? redis.duplicate(undefined, { enableOfflineQueue: true }) : redis.duplicate({ enableOfflineQueue: true })
    subscriber.on('error', () => undefined)
    subscriber.on('message', (channel: string) => {
      for (const wake of waiting.get(channel) ?? []) wake()
    })
    return subscriber
  }

  return {
    async wait(channel, options, signal) {
      const connection = listen()
      const wakers = waiting.get(channel) ?? new Set()
      waiting.set(channel, wakers)
      let timer: NodeJS.Timeout | undefined
      let wake = (): void => undefined
      const announced = new Promise<void>(resolve => {
        wake = resolve
        timer = setTimeout(resolve, options.timeoutMs)
      })
      wakers.add(wake)
      try {
        // If the connection cannot subscribe, the timeout ends the wait.
        await abortable(Promise.race([connection.subscribe(channel), announced]), signal)
        if (!(await options.look())) await abortable(announced, signal)
      } finally {
        clearTimeout(timer)
        wakers.delete(wake)
        if (wakers.size === 0) {
          waiting.delete(channel)
          connection.unsubscribe(channel).catch(() => undefined)
        }
      }
    },
    async close() {
      subscriber?.disconnect()
    },
  }
}
