import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createFakePlatform, type FakePlatform } from '../../test/support/fake-platform.ts'
import { acceptedRuns, chatMessage, until } from '../../test/support/queue-harness.ts'
import { createRedisProcess, type RedisProcess } from '../../test/support/redis-process.ts'
import { createScriptedAnswer } from '../../test/support/scripted-answer.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import { createLogger } from '../base/logger.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { closeRedis, connectRedis, redisAnswers } from '../store/redis/connection.ts'
import { type Acceptor, createAcceptor } from './accept/acceptor.ts'
import { OPEN_ADMISSION } from './accept/admission.ts'
import { createDrainQueue, type DrainQueue } from './drain-queue.ts'
import { createQueueWorker, type QueueWorker } from './queue-worker.ts'

const lines: string[] = []
const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
let server: RedisProcess
let redis: RedisClient
let producer: RedisClient
let queue: DrainQueue
let acceptor: Acceptor
let platform: FakePlatform
let worker: QueueWorker

beforeAll(async () => {
  server = await createRedisProcess()
  await server.start()
  redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'worker', logger })
  producer = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger })
  queue = createDrainQueue({ redis: producer, logger })
  acceptor = createAcceptor({ redis: producer, queue, runs: acceptedRuns(producer), now: Date.now, logger })
  platform = createFakePlatform(redis)
  worker = createQueueWorker({
    redis,
    admission: OPEN_ADMISSION,
    answer: createScriptedAnswer(redis),
    accept: message => acceptor.accept(message),
    destinations: { slack: { outbox: platform.outbox, progressEditsPerMinute: 6000 } },
    concurrency: 4,
    now: Date.now,
    logger,
  })
  await worker.start()
})
afterAll(async () => {
  await worker.close(1000)
  await queue.close()
  await closeRedis(producer)
  await closeRedis(redis)
  await server.close()
})

async function answers(): Promise<readonly string[]> {
  return (await platform.standing()).filter(text => text.startsWith('answer: '))
}

describe('while Redis is away for 12 s', () => {
  it('fault 39: refuses within 5 s, and answers within 15 s after its return, with no message lost or answered twice', async () => {
    for (const order of [1, 2]) await acceptor.accept(chatMessage(`wait ${1000 + order}`, { order }))
    await acceptor.accept(chatMessage('wait 1003', { thread: 'another' }))
    // The fake platform is in Redis too. A post that is under way when Redis dies would be written twice.
    await until('two answers are being made', async () => (await platform.standing()).length === 2)
    await until('two answers are being made', async () => (await redis.llen('fake:runs')) === 2)
    await server.kill()

    const began = Date.now()
    await expect(acceptor.accept(chatMessage('refused', { order: 3 }))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(Date.now() - began).toBeLessThan(5000)
    await wait(12_000 - (Date.now() - began))
    expect(Date.now() - began).toBeGreaterThanOrEqual(12_000)

    await server.start()
    const backAt = Date.now()
    await until('it accepts again', async () =>
      acceptor.accept(chatMessage('wait 3', { order: 3 })).then(
        () => true,
        () => false,
      ),
    )
    await until('all are answered', async () => (await answers()).length === 4, 30_000)
    const recoveryMs = Date.now() - backAt
    process.stdout.write(`all answered ${recoveryMs} ms after Redis came back\n`)
    expect(recoveryMs).toBeLessThanOrEqual(15_000)
    expect([...(await answers())].sort()).toEqual([
      'answer: wait 1001',
      'answer: wait 1002',
      'answer: wait 1003',
      'answer: wait 3',
    ])
    const markers = (await platform.history()).filter(({ operation }) => operation === 'post').map(({ marker }) => marker)
    expect(new Set(markers).size).toBe(markers.length)
    const told = lines.filter(line => line.includes('queue worker error')).map(line => JSON.parse(line).error)
    expect([...new Set(told)]).toEqual(told)
  })
})

describe('while Redis is full', () => {
  it('refuses new messages, and answers the accepted ones once there is room', async () => {
    const before = await redis.llen('fake:runs')
    await acceptor.accept(chatMessage('wait 500', { thread: 'full', order: 1 }))
    await until('the answer is being made', async () => (await redis.llen('fake:runs')) > before)
    await redis.config('SET', 'maxmemory', '1mb')
    await expect(acceptor.accept(chatMessage('refused', { thread: 'full', order: 2 }))).rejects.toMatchObject({
      code: 'store_full',
    })
    await wait(2000)
    expect(await Promise.all([redisAnswers(redis), redisAnswers(producer)])).toEqual([false, false])
    await redis.config('SET', 'maxmemory', '0')
    expect(await redisAnswers(producer)).toBe(true)
    const roomAt = Date.now()
    await until('it is answered', async () => (await answers()).includes('answer: wait 500'), 40_000)
    const full = lines.filter(line => line.includes('queue worker error') && line.includes('Redis is full'))
    expect(full).toHaveLength(1)
    process.stdout.write(`answered ${Date.now() - roomAt} ms after Redis had room\n`)
  })
})

describe('a Redis that loses its data', () => {
  it('loses no message that is being answered, and its answer takes the place of its progress', async () => {
    const before = (await platform.standing()).length
    await acceptor.accept(chatMessage('wait 2500', { thread: 'lost', order: 1 }))
    await until('its progress is shown', async () => (await platform.standing()).length === before + 1)
    for (const key of await redis.keys('*')) if (!key.startsWith('fake:')) await redis.del(key)
    await until('it is answered', async () => (await answers()).includes('answer: wait 2500'), 30_000)
    expect(await platform.standing()).toHaveLength(before + 1)
    expect(lines.filter(line => line.includes('redis has lost a message'))).toHaveLength(1)
  })
})
