import { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { createLogger, type Logger } from '../../src/base/logger.ts'
import type { ChatMessage } from '../../src/chat/event.ts'
import { AcceptedRuns } from '../../src/queue/accept/accepted-runs.ts'
import { type Acceptor, createAcceptor } from '../../src/queue/accept/acceptor.ts'
import { OPEN_ADMISSION } from '../../src/queue/accept/admission.ts'
import { createPlaceholderPoster, type PlaceholderPoster } from '../../src/queue/accept/placeholder.ts'
import { createDrainQueue, type DrainQueue } from '../../src/queue/drain-queue.ts'
import { createQueueWorker, type QueueWorker, type QueueWorkerDeps } from '../../src/queue/queue-worker.ts'
import { createRecordWatcher } from '../../src/queue/record-watcher.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { createFakePlatform, type FakePlatform } from './fake-platform.ts'
import { startTestRedis, type TestRedis } from './redis.ts'
import { createScriptedAnswer } from './scripted-answer.ts'

/** Everything that a test of the queue needs: Redis, a process that accepts messages, a platform, and workers. */
export interface QueueHarness {
  readonly server: TestRedis
  readonly redis: RedisClient
  readonly producer: RedisClient
  readonly queue: DrainQueue
  readonly acceptor: Acceptor
  readonly placeholders: PlaceholderPoster
  readonly platform: FakePlatform
  /** The log lines of the workers and the queue, as they were written. */
  readonly lines: string[]
  startWorker(options?: Partial<QueueWorkerDeps>): Promise<QueueWorker>
  /** Returns the texts of the messages that a worker has begun to answer, in order. */
  begun(): Promise<readonly string[]>
  /** Closes all workers and empties Redis. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function startQueueHarness(): Promise<QueueHarness> {
  const server = await startTestRedis()
  const redis = await server.connect('worker')
  const producer = await server.connect('producer')
  const { logger, lines } = recordingLogger()
  const queue = createDrainQueue({ redis: producer, logger })
  const platform = createFakePlatform(redis)
  const destinations = { slack: { outbox: platform.outbox, progressEditsPerMinute: 6000 } }
  const workers: QueueWorker[] = []
  const watcher = createRecordWatcher(producer)
  const placeholders = createPlaceholderPoster({
    redis: producer,
    admission: OPEN_ADMISSION,
    destinations,
    watcher,
    now: Date.now,
    logger,
  })
  return {
    server,
    redis,
    producer,
    queue,
    acceptor: createAcceptor({ redis: producer, queue, runs: acceptedRuns(producer), now: Date.now, logger }),
    placeholders,
    platform,
    lines,
    async startWorker(options = {}) {
      const deps = {
        redis,
        admission: OPEN_ADMISSION,
        answer: createScriptedAnswer(redis),
        destinations,
        concurrency: 4,
        now: Date.now,
        logger,
      }
      const worker = createQueueWorker({ ...deps, ...options })
      workers.push(worker)
      await worker.start()
      return worker
    },
    begun: async () => (await redis.lrange('fake:runs', '0', '-1')).map(text => String(JSON.parse(text).text)),
    async reset() {
      for (const worker of workers.splice(0)) await worker.close(0)
      await redis.flushall()
      lines.length = 0
    },
    async close() {
      for (const worker of workers.splice(0)) await worker.close(0)
      await watcher.close()
      await queue.close()
      await server.close()
    },
  }
}

export function recordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  return { logger: createLogger({ level: 'info', destination }), lines }
}

export function acceptedRuns(redis: RedisClient): AcceptedRuns {
  return new AcceptedRuns({ store: createRedisStateStore(redis), retentionSeconds: 600, key: redis.stateKey })
}

/** Returns a message to Clew. By default, its id is made from `order`. In a channel, no two messages have the same id. */
export function chatMessage(
  text: string,
  changes: { thread?: string; order?: number; messageId?: string; addressed?: boolean; author?: string } = {},
): ChatMessage {
  const order = changes.order ?? 1
  const prefix = changes.thread === undefined ? '' : `${changes.thread}-`
  return {
    place: { platform: 'slack', workspace: 'T1', channel: 'C1', thread: changes.thread ?? 'thread-1', isDirect: false },
    messageId: changes.messageId ?? `${prefix}id-${order}`,
    order,
    author: changes.author ?? 'U1',
    text,
    addressed: changes.addressed ?? true,
  }
}

/** Waits for a state in Redis or in another process. It checks at intervals, because no event tells about the state. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  // This clock is steady. The wall clock may jump when a machine sleeps or its time is set.
  const deadline = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await wait(15)
  }
}
