import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createFakePlatform, type FakePlatform } from '../../test/support/fake-platform.ts'
import { type MuteProxy, startMuteProxy } from '../../test/support/mute-proxy.ts'
import { acceptedRuns, chatMessage, recordingLogger, until } from '../../test/support/queue-harness.ts'
import { createRedisProcess, type RedisProcess } from '../../test/support/redis-process.ts'
import { createScriptedAnswer } from '../../test/support/scripted-answer.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { closeRedis, connectRedis, redisAnswers } from '../store/redis/connection.ts'
import { type Acceptor, createAcceptor } from './accept/acceptor.ts'
import { OPEN_ADMISSION } from './accept/admission.ts'
import { createDrainQueue, type DrainQueue } from './drain-queue.ts'
import { createQueueWorker, type QueueWorker } from './queue-worker.ts'

const { logger, lines } = recordingLogger()
let server: RedisProcess
let proxy: MuteProxy
let worker: { readonly redis: RedisClient; readonly queue: QueueWorker }
let producer: RedisClient
let queue: DrainQueue
let acceptor: Acceptor
let platform: FakePlatform

beforeAll(async () => {
  server = await createRedisProcess()
  await server.start()
  proxy = await startMuteProxy(Number(new URL(server.url).port))
  producer = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'producer', logger })
  queue = createDrainQueue({ redis: producer, logger })
  acceptor = createAcceptor({ redis: producer, queue, runs: acceptedRuns(producer), now: Date.now, logger })
  platform = createFakePlatform(producer)
  const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: `redis://127.0.0.1:${proxy.port}`, role: 'worker', logger })
  worker = {
    redis,
    queue: createQueueWorker({
      redis,
      admission: OPEN_ADMISSION,
      answer: createScriptedAnswer(producer),
      destinations: { slack: { outbox: platform.outbox, progressEditsPerMinute: 6000 } },
      concurrency: 4,
      now: Date.now,
      logger,
    }),
  }
  await worker.queue.start()
})
afterAll(async () => {
  await worker.queue.close(1000)
  await queue.close()
  await closeRedis(producer)
  await closeRedis(worker.redis)
  await proxy.close()
  await server.close()
})

async function expectAnswered(...texts: readonly string[]): Promise<void> {
  const standing = async () => (await platform.standing()).filter(text => text.startsWith('answer: ')).sort()
  const expected = texts.map(text => `answer: ${text}`).sort()
  await until('all are answered', async () => (await standing()).length >= expected.length)
  expect(await standing()).toEqual(expected)
  const markers = (await platform.history()).filter(({ operation }) => operation === 'post').map(({ marker }) => marker)
  expect(new Set(markers).size).toBe(markers.length)
}

describe('a worker', () => {
  it('continues when a silent Redis answers again, with no message lost or answered twice', async () => {
    for (const order of [1, 2]) await acceptor.accept(chatMessage(`wait ${500 + order}`, { order }))
    await acceptor.accept(chatMessage('wait 503', { thread: 'another' }))
    await until('two answers are being made', async () => (await producer.llen('fake:runs')) === 2)
    server.silence()
    expect(await redisAnswers(worker.redis)).toBe(false)
    server.wake()
    await expectAnswered('wait 501', 'wait 502', 'wait 503')
    expect(await redisAnswers(worker.redis)).toBe(true)
  })

  it('replaces silent connections, reports it, and answers what was accepted meanwhile', async () => {
    await acceptor.accept(chatMessage('wait 504', { thread: 'third' }))
    await until('it is being answered', async () => (await producer.llen('fake:runs')) === 4)
    lines.length = 0
    proxy.mute()
    await acceptor.accept(chatMessage('wait 5', { thread: 'fourth' }))
    expect(await redisAnswers(worker.redis)).toBe(false)
    await expectAnswered('wait 501', 'wait 502', 'wait 503', 'wait 504', 'wait 5')
    const told = lines.map(line => JSON.parse(line).msg)
    expect(told).toEqual(expect.arrayContaining(['redis connection lost', 'redis connection restored']))
  }, 40_000)
})
