import { Queue } from 'bullmq'
import type { ChatInbound, ChatPlace } from '../../src/chat/event.ts'
import type { ChatPlatformWorld } from '../../src/chat/platform.contract.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import { createAcceptor } from '../../src/queue/accept/acceptor.ts'
import { OPEN_ADMISSION } from '../../src/queue/accept/admission.ts'
import { createMessageReceiver } from '../../src/queue/accept/message-receiver.ts'
import { createPlaceholderPoster } from '../../src/queue/accept/placeholder.ts'
import type { ChatDestination } from '../../src/queue/deliver/chat-destination.ts'
import { guardDestinations } from '../../src/queue/deliver/guard-destinations.ts'
import type { AnswerMessage } from '../../src/queue/drain/answer-message.ts'
import { createDrainQueue, DRAIN_PREFIX, DRAIN_QUEUE } from '../../src/queue/drain-queue.ts'
import { createQueueWorker } from '../../src/queue/queue-worker.ts'
import { createRecordWatcher } from '../../src/queue/record-watcher.ts'
import { threadKeys, threadName } from '../../src/queue/thread-keys.ts'
import { acceptedRuns, recordingLogger, until } from './queue-harness.ts'
import type { TestRedis } from './redis.ts'

/**
 * Clew without its analyst. A message takes the real way from the platform through Redis to a worker, and the answer takes the real way back.
 */
export interface AnsweringBot {
  /** The log lines so far, as they were written. */
  readonly lines: readonly string[]
  /** Whether the platform accepts Clew's token, as the readiness report says. */
  tokenIsTaken(): boolean
  /** Resolves when no message is waiting in the thread any more. */
  untilDone(place: ChatPlace, timeoutMs?: number): Promise<void>
  /** Resolves when a worker puts off a thread until later. @returns the delay in milliseconds */
  untilPutOff(): Promise<number>
  /** Ends all such delays now. */
  hurry(): Promise<void>
  close(): Promise<void>
}

export interface AnsweringBotOptions {
  readonly platform: 'slack' | 'discord'
  readonly redis: TestRedis
  readonly answer: AnswerMessage
  readonly destination?: Omit<ChatDestination, 'outbox'>
  readonly landingMs?: number
  readonly progressIntervalMs?: number
  readonly concurrency?: number
  /** The number of workers. Each has its own rate limits, as separate processes would. */
  readonly workers?: number
  /** Creates the outbox for each worker. Default: the outbox of the platform's test world. */
  readonly outbox?: () => ChatOutbox
  /** Returns the Unix time in milliseconds for the rate limits. */
  readonly now?: () => number
}

/** Empties Redis and starts everything. The caller must close `world` itself. */
export async function startAnsweringBot(world: ChatPlatformWorld, options: AnsweringBotOptions): Promise<AnsweringBot> {
  const redis = await options.redis.connect('worker')
  const producer = await options.redis.connect('producer')
  await redis.flushall()
  const { logger, lines } = recordingLogger()
  const guard = () => {
    const outbox = options.outbox?.() ?? world.outbox
    const destination = { progressEditsPerMinute: 6000, ...options.destination, outbox }
    return guardDestinations({ [options.platform]: destination }, { redis, logger, now: options.now ?? Date.now })
  }
  const queue = createDrainQueue({ redis: producer, logger })
  const acceptor = createAcceptor({ redis: producer, queue, runs: acceptedRuns(producer), now: Date.now, logger })
  const bots = guard()
  const landing = options.landingMs === undefined ? {} : { landingMs: options.landingMs }
  const watcher = createRecordWatcher(producer)
  const shown = {
    redis: producer,
    admission: OPEN_ADMISSION,
    destinations: bots.destinations,
    watcher,
    now: Date.now,
    logger,
    ...landing,
  }
  const receiver = createMessageReceiver({ acceptor, placeholders: createPlaceholderPoster(shown) })
  const processes = Array.from({ length: options.workers ?? 1 }, guard)
  const workers = processes.map(({ destinations }) =>
    createQueueWorker({
      redis,
      admission: OPEN_ADMISSION,
      answer: options.answer,
      destinations,
      concurrency: options.concurrency ?? 4,
      now: Date.now,
      logger,
      ...landing,
      ...(options.progressIntervalMs === undefined ? {} : { progressIntervalMs: options.progressIntervalMs }),
    }),
  )
  const jobs = new Queue(DRAIN_QUEUE, { connection: redis, prefix: DRAIN_PREFIX })
  const stopping = new AbortController()
  for (const worker of workers) await worker.start()
  await world.surface.start(async (event: ChatInbound) => {
    if (event.kind === 'message') await receiver.receive(event.message)
  }, stopping.signal)

  /** Describes every place in which a message may be stuck: log, queue, Redis and platform. */
  async function stateOf(place: ChatPlace): Promise<string> {
    const counts = await jobs.getJobCounts()
    const keys = await redis.keys(`${threadKeys(threadName(place)).pending.replace(/:pending$/, '')}:*`)
    const ttls = await Promise.all(keys.map(async key => `${key} (${await redis.pttl(key)} ms)`))
    return [
      `The log says:\n${lines.slice(-20).join('')}`,
      `Jobs: ${JSON.stringify(counts)}`,
      `Keys: ${ttls.join(', ')}`,
      world.describe(),
    ].join('\n')
  }

  return {
    lines,
    tokenIsTaken: () => [bots, ...processes].every(({ checks }) => Object.values(checks).every(check => check())),
    async untilDone(place, timeoutMs) {
      const { pending, seen } = threadKeys(threadName(place))
      const isSeen = async () => (await redis.keys(`${seen('')}*`)).length > 0
      await until('the message has come', isSeen)
      await until('it is done with', async () => (await redis.zcard(pending)) === 0, timeoutMs).catch(async (error: unknown) => {
        throw new Error(await stateOf(place), { cause: error })
      })
    },
    async untilPutOff() {
      await until('a thread is put off', async () => (await jobs.getDelayedCount()) > 0)
      const [job] = await jobs.getDelayed()
      return job?.delay ?? 0
    },
    async hurry() {
      for (const job of await jobs.getDelayed()) await job.promote()
    },
    async close() {
      stopping.abort()
      await world.surface.stop()
      for (const worker of workers) await worker.close(0)
      await receiver.close()
      await watcher.close()
      await jobs.close()
      await queue.close()
    },
  }
}
