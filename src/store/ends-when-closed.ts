import type { RedisConnection } from './redis-client.ts'

/**
 * Has a connection, and what is copied from it, come to its end also when it is closed between two attempts to connect. The driver (ioredis 6.0.0) only forgets the
 * next attempt then: there is no `end`, and what was sent is never refused, so that whoever waits for either, as BullMQ's workers do when they close, waits for ever.
 */
export function endsWhenClosed<Client extends RedisConnection>(redis: Client): Client {
  const { disconnect, duplicate } = redis
  return Object.assign(redis, {
    disconnect(reconnect = false): void {
      // As one that has not begun to connect, which the driver does end.
      if (!reconnect && redis.status === 'reconnecting') redis.status = 'wait'
      disconnect.call(redis, reconnect)
    },
    duplicate: (...given: unknown[]): RedisConnection => endsWhenClosed(Reflect.apply(duplicate, redis, given)),
  })
}
