import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { recordingLogger, until } from '../../../test/support/queue-harness.ts'
import { createRedisProcess, type RedisProcess } from '../../../test/support/redis-process.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import type { RedisConnection } from './client.ts'
import { closeRedis, connectRedis, type RedisRole, redisAnswers } from './connection.ts'

const { logger, lines } = recordingLogger()
let server: RedisProcess
const opened: RedisConnection[] = []

beforeAll(async () => {
  server = await createRedisProcess()
  await server.start()
})
afterEach(async () => {
  server.wake()
  for (const redis of opened.splice(0)) redis.disconnect()
  lines.length = 0
})
afterAll(() => server.close())

async function connect(role: RedisRole): Promise<RedisConnection> {
  const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role, logger })
  opened.push(redis)
  return redis
}

function copyOf(redis: RedisConnection): RedisConnection {
  return 'nodes' in redis ? redis.duplicate() : redis.duplicate()
}

function heard(redis: RedisConnection, event: 'reconnecting' | 'end'): Promise<void> {
  return new Promise(resolve => redis.once(event, () => resolve()))
}

describe('a connection to a Redis that accepts everything and answers nothing', () => {
  it('is not ready until Redis answers, and then completes its commands', async () => {
    const redis = await connect('worker')
    expect(await redisAnswers(redis)).toBe(true)
    server.silence()
    const sent = redis.incr('sent')
    expect(await redisAnswers(redis)).toBe(false)
    server.wake()
    expect(await sent).toBe(1)
    expect(await redisAnswers(redis)).toBe(true)
  })

  it('can be closed, and rejects its commands', async () => {
    const redis = await connect('worker')
    server.silence()
    const sent = redis.get('x')
    sent.catch(() => undefined)
    await closeRedis(redis)
    await expect(sent).rejects.toThrow('Connection is closed')
    expect(redis.status).toBe('end')
  })

  it('is abandoned by a producer, with a log line, and reopened automatically', async () => {
    const redis = await connect('producer')
    server.silence()
    const given = heard(redis, 'reconnecting')
    await expect(redis.get('x')).rejects.toThrow('timed out')
    await given
    expect(lines).toEqual([expect.stringContaining('redis connection lost')])
    server.wake()
    await until('it answers again', () => redisAnswers(redis))
    expect(lines).toEqual([expect.anything(), expect.stringContaining('redis connection restored')])
  })
})

describe('a connection that is closed while Redis is away', () => {
  it('ends, and rejects commands on it and its copies', async () => {
    const redis = await connect('worker')
    const copy = copyOf(redis)
    opened.push(copy)
    await copy.connect()
    const blocked = copy.bzpopmin('nothing', 60)
    blocked.catch(() => undefined)
    await server.kill()
    for (const each of [redis, copy]) {
      // The connections are closed while they wait for the next connection attempt.
      if (each.status !== 'reconnecting') await heard(each, 'reconnecting')
      const ended = heard(each, 'end')
      await closeRedis(each)
      await ended
    }
    await expect(blocked).rejects.toThrow('Connection is closed')
    await server.start()
  })
})
