import { createServer, type Server } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { createLogger } from '../../base/logger.ts'
import type { RedisConnection } from './client.ts'
import { closeRedis, connectRedis } from './connection.ts'
import { createRedisStateStore } from './state-store.ts'

const signal = new AbortController().signal
const lines: string[] = []
const logger = createLogger({
  destination: new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  }),
})
let server: TestRedis
let admin: RedisConnection

beforeAll(async () => {
  server = await startTestRedis()
  admin = await server.connect()
})
afterEach(async () => {
  lines.length = 0
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await admin.config('SET', 'appendonly', 'yes')
})
afterAll(() => server.close())

describe('connectRedis', () => {
  it('connects without a warning to a Redis that keeps its data', async () => {
    const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger, requireAof: true })
    expect(await redis.ping()).toBe('PONG')
    await closeRedis(redis)
    expect(lines).toEqual([])
  })

  it('refuses a Redis that evicts, and says what to set', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'worker', logger })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('set maxmemory-policy to noeviction'),
    })
  })

  it('warns of a Redis without append-only file, and refuses it if required', async () => {
    await admin.config('SET', 'appendonly', 'no')
    await closeRedis(await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger }))
    expect(lines).toEqual([expect.stringContaining('set appendonly to yes')])
    await expect(
      connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger, requireAof: true }),
    ).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('CLEW_REQUIRE_AOF'),
    })
  })

  it('warns if the server does not tell', async () => {
    await admin.call('ACL', 'SETUSER', 'blind', 'on', '>blind-password', '~*', '&*', '+@all', '-info', '-hello')
    const url = server.url.replace(/\/\/:[^@]*@/, '//blind:blind-password@')
    const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url, role: 'producer', logger, startTimeoutMs: 3000 })
    await closeRedis(redis)
    expect(lines.filter(line => line.includes('does not tell'))).toHaveLength(2)
  })

  it('names REDIS_URL without its password if it is wrong', async () => {
    const url = server.url.replace(/\/\/:[^@]*@/, '//:not-the-password@')
    const failure = await connectRedis({ stateKey: TEST_STATE_KEY, url, role: 'worker', logger }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^REDIS_URL \(redis:\/\/127\.0\.0\.1:\d+\) refuses/),
    })
    expect(String(failure)).not.toContain('not-the-password')
    expect(lines.join('')).not.toContain('not-the-password')
  })

  it('names REDIS_URL if nothing listens there', async () => {
    const port = await freePort()
    await expect(
      connectRedis({
        stateKey: TEST_STATE_KEY,
        url: `redis://:hidden@127.0.0.1:${port}`,
        role: 'worker',
        logger,
        startTimeoutMs: 300,
      }),
    ).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^REDIS_URL \(redis:\/\/127\.0\.0\.1:\d+\) cannot be used: .*ECONNREFUSED/),
    })
  })

  it('stops waiting on request', async () => {
    const stopping = new AbortController()
    const url = `redis://:hidden@127.0.0.1:${await freePort()}`
    const connecting = connectRedis({
      stateKey: TEST_STATE_KEY,
      url,
      role: 'worker',
      logger,
      startTimeoutMs: 60_000,
      signal: stopping.signal,
    })
    stopping.abort(new Error('stopped'))
    await expect(connecting).rejects.toThrow('stopped')
  })

  it('makes a producer fail fast while Redis is silent, and a worker wait', async () => {
    const producer = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger })
    const worker = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'worker', logger })
    await admin.client('PAUSE', 6000, 'ALL')
    const began = Date.now()
    const waiting = createRedisStateStore(worker).get('x', signal)
    await expect(createRedisStateStore(producer).get('x', signal)).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: true,
    })
    expect(Date.now() - began).toBeLessThan(5900)
    expect(await waiting).toBeUndefined()
    await closeRedis(producer)
    await closeRedis(worker)
  })

  it('makes a producer fail at once when the connection is lost', async () => {
    const producer = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger })
    const closed = new Promise(resolve => producer.once('close', resolve))
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await closed
    await expect(createRedisStateStore(producer).get('x', signal)).rejects.toMatchObject({ code: 'store_unavailable' })
    await new Promise(resolve => producer.once('ready', resolve))
    expect(await createRedisStateStore(producer).get('x', signal)).toBeUndefined()
    await closeRedis(producer)
  })
})

async function freePort(): Promise<number> {
  const probe: Server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise(resolve => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
