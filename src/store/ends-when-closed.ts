import type { RedisConnection } from './redis/client.ts'

/**
 * Makes a connection and its copies end even if they are closed between two connection attempts. The driver (ioredis 6.0.0) then only drops the next
 * attempt. It emits no `end` and rejects no commands, so that waiting callers, such as closing BullMQ workers, wait forever.
 */
export function endsWhenClosed<Client extends RedisConnection>(redis: Client): Client {
  const { disconnect, duplicate } = redis
  return Object.assign(redis, {
    disconnect(reconnect = false): void {
      // The driver does end a connection that has not begun to connect.
      if (!reconnect && redis.status === 'reconnecting') redis.status = 'wait'
      disconnect.call(redis, reconnect)
    },
    duplicate: (...given: unknown[]): RedisConnection => endsWhenClosed(Reflect.apply(duplicate, redis, given)),
  })
}
