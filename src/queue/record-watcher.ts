import { abortable } from '../store/abortable.ts'
import type { RedisConnection } from '../store/redis-client.ts'

/** Waits for what other processes announce about a run's ledger. */
export interface RecordWatcher {
  /**
   * Waits until something is announced on the channel, at most `timeoutMs`. `look` is called once the announcement would be heard, and ends the
   * wait by true: what was announced before is seen by it.
   */
  wait(
    channel: string,
    options: { readonly timeoutMs: number; readonly look: () => Promise<boolean> },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** @param redis the connection to copy: listening takes one of its own, opened at the first wait. */
export function createRecordWatcher(redis: RedisConnection): RecordWatcher {
  const waiting = new Map<string, Set<() => void>>()
  let subscriber: RedisConnection | undefined

  function listen(): RedisConnection {
    if (subscriber !== undefined) return subscriber
    // A copy of a fail-fast connection would refuse to subscribe before it stands.
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
        // A connection that cannot listen holds nobody up for longer than the wait.
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
