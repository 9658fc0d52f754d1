import type { RedisConnection } from './redis/client.ts'

/**
 * Wraps a connection, so that the connection and its copies end even if they are closed between two connection attempts. In this case the driver
 * (ioredis 6.0.0) only drops the next attempt. The driver emits no `end` and rejects no commands. So callers that wait, such as closing BullMQ
 * workers, wait forever.
 */
export function endsWhenClosed<Client extends RedisConnection>(redis: Client): Client {
  const { disconnect, duplicate } = redis
  return Object.assign(redis, {
    disconnect(reconnect = false): void {
      // This status makes the driver end the connection: it ends a connection that has not begun to connect.
      if (!reconnect && redis.status === 'reconnecting') redis.status = 'wait'
      disconnect.call(redis, reconnect)
    },
    duplicate: (...given: unknown[]): RedisConnection => endsWhenClosed(Reflect.apply(duplicate, redis, given)),
  })
}
