import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createFakePlatform, type FakePlatform } from '../../test/support/fake-platform.ts'
import { acceptedRuns, chatMessage, until } from '../../test/support/queue-harness.ts'
import { createRedisProcess, type RedisProcess } from '../../test/support/redis-process.ts'
import { createScriptedAnswer } from '../../test/support/scripted-answer.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import { createLogger } from '../base/logger.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { closeRedis, connectRedis } from '../store/redis/connection.ts'
import { createAcceptor } from './accept/acceptor.ts'
import { OPEN_ADMISSION } from './accept/admission.ts'
import { createPlaceholderPoster } from './accept/placeholder.ts'
import { createDrainQueue } from './drain-queue.ts'
import { createQueueWorker } from './queue-worker.ts'
import { createRecordWatcher } from './record-watcher.ts'
import { Caps } from './usage/caps.ts'

// A cluster of one node is enough for this test, because it too refuses scripts with keys in several slots.

const logger = createLogger({ level: 'fatal' })
let server: RedisProcess
let plain: RedisClient
let platformRedis: RedisClient
let platform: FakePlatform
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  server = await createRedisProcess(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'])
  await server.start()
  plain = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role: 'worker', logger })
  await plain.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await until('the cluster is up', async () => String(await plain.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
  // The test platform keeps its state in keys across many slots.
  platformRedis = await connect('worker')
  platform = createFakePlatform(platformRedis)
})
afterAll(async () => {
  for (const { close } of opened.reverse()) await close()
  await closeRedis(plain)
  await server.close()
})

async function connect(role: 'worker' | 'producer'): Promise<RedisClient> {
  const redis = await connectRedis({
    stateKey: TEST_STATE_KEY,
    url: server.url.replace('redis://', 'redis+cluster://'),
    role,
    logger,
  })
  opened.push({ close: () => closeRedis(redis) })
  return redis
}

describe('on a Redis Cluster', () => {
  it('accepts, shows progress and answers', async () => {
    const redis = await connect('worker')
    const producer = await connect('producer')
    const queue = createDrainQueue({ redis: producer, logger })
    const destinations = { slack: { outbox: platform.outbox, progressEditsPerMinute: 6000 } }
    const watcher = createRecordWatcher(producer)
    const placeholders = createPlaceholderPoster({
      redis: producer,
      admission: OPEN_ADMISSION,
      destinations,
      watcher,
      now: Date.now,
      logger,
    })
    const acceptor = createAcceptor({ redis: producer, queue, runs: acceptedRuns(producer), now: Date.now, logger })
    const answer = createScriptedAnswer(platformRedis)
    const worker = createQueueWorker({
      redis,
      admission: OPEN_ADMISSION,
      answer,
      destinations,
      concurrency: 4,
      now: Date.now,
      logger,
    })
    opened.push({ close: queue.close }, { close: watcher.close }, { close: () => worker.close(0) })
    await worker.start()

    // The acceptor posts the placeholder slowly. The worker must wait until the post is recorded.
    await platform.plan({ operation: 'post', delayMs: 200 })
    const acceptance = await acceptor.accept(chatMessage('progress 5'))
    if (acceptance.outcome !== 'accepted') throw new Error(acceptance.outcome)
    await placeholders.show(acceptance.accepted, new AbortController().signal)
    await acceptor.accept(chatMessage('parts 2', { order: 2 }))
    await until('all are answered', async () => (await platform.standing()).includes('part 2'))
    expect(await platform.standing()).toEqual(['answer: progress 5', 'part 1', 'part 2'])
  })

  it('counts what is used, and holds it against caps', async () => {
    const cap = { per: 'all', of: 'questions', window: 'day', limit: 1 } as const
    const caps = new Caps({ redis: await connect('worker'), caps: [cap], timeZone: 'UTC', now: Date.now, logger })
    const { signal } = new AbortController()
    const [first, second] = await Promise.all(['a', 'b'].map(id => caps.take('questions', id, { person: `slack/${id}` }, signal)))
    expect([first, second]).toEqual([undefined, expect.objectContaining(cap)])
    const told = await caps.settle('a', { person: 'slack/a' }, signal)
    expect(told('en')).toMatch(/^Everybody together has used 1 of 1 question today\./)
  })
})
