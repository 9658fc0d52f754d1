import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { type CheckResult, runCheck } from '../../base/check.ts'
import { createLogger } from '../../base/logger.ts'
import { checkRedis } from './check-redis.ts'
import type { RedisConnection } from './client.ts'

const signal = new AbortController().signal
let server: TestRedis
let admin: RedisConnection

beforeAll(async () => {
  server = await startTestRedis()
  admin = await server.connect()
})
afterEach(async () => {
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await admin.config('SET', 'maxmemory', '0')
  await admin.replicaof('NO', 'ONE')
})
afterAll(() => server.close())

describe('checkRedis', () => {
  it('accepts a Redis that keeps its data', async () => {
    const results = await check()
    expect(results.map(result => result.check)).toEqual(['answer', 'latency', 'version', 'eviction', 'persistence'])
    expect(results.filter(result => result.state !== 'ok')).toEqual([])
    expect(results[0]?.found).toMatch(/^redis:\/\/127\.0\.0\.1:\d+ answers$/)
  })

  it('says what to set if it evicts', async () => {
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const results = await check()
    expect(stateOf(results, 'eviction')).toBe('failed')
    expect(results.find(result => result.check === 'eviction')?.advice).toContain('noeviction')
  })

  it('warns of a Redis that is nearly full', async () => {
    const used = Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1])
    await admin.config('SET', 'maxmemory', String(Math.round(used * 1.05)))
    expect(stateOf(await check(), 'memory')).toBe('warning')
  })

  it('fails on a replica', async () => {
    await admin.replicaof('127.0.0.1', 1)
    expect(stateOf(await check(), 'role')).toBe('failed')
  })

  it('says what to verify if the server does not tell', async () => {
    await admin.call('ACL', 'SETUSER', 'blind', 'on', '>blind-password', '~*', '&*', '+@all', '-info', '-hello')
    const results = await check({ url: server.url.replace(/\/\/:[^@]*@/, '//blind:blind-password@') })
    expect(stateOf(results, 'settings')).toBe('warning')
  })

  it('names REDIS_URL, without the password, if nothing answers', async () => {
    const [result] = await check({ url: 'redis://:hidden-password@127.0.0.1:1', startTimeoutMs: 200 })
    expect(result).toMatchObject({ state: 'failed', found: expect.stringContaining('REDIS_URL (redis://127.0.0.1:1)') })
    expect(JSON.stringify(result)).not.toContain('hidden-password')
  })

  // This test runs last. It switches append-only on again, and the server cannot end before it has written its first such file.
  it('warns of a Redis without append-only file, and fails it if the configuration requires one', async () => {
    await admin.config('SET', 'appendonly', 'no')
    expect(stateOf(await check(), 'persistence')).toBe('warning')
    expect(stateOf(await check({ requireAppendOnly: true }), 'persistence')).toBe('failed')
  })
})

function check(given: Partial<Parameters<typeof checkRedis>[0]> = {}): Promise<readonly CheckResult[]> {
  const logger = createLogger({ level: 'silent' })
  const options = { url: server.url, requireAppendOnly: false, startTimeoutMs: 5000, logger, ...given }
  return runCheck({ part: 'redis', timeoutMs: 10_000, advice: '' }, (report, ended) => checkRedis(options, report, ended), signal)
}

function stateOf(results: readonly CheckResult[], name: string): string | undefined {
  return results.find(result => result.check === name)?.state
}
