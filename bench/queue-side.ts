import { Queue } from 'bullmq'
import { createLogger } from '../src/base/logger.ts'
import type { ChatMessage } from '../src/chat/event.ts'
import { AcceptedRuns } from '../src/queue/accept/accepted-runs.ts'
import { createAcceptor } from '../src/queue/accept/acceptor.ts'
import { createDrainQueue } from '../src/queue/drain-queue.ts'
import type { RedisClient } from '../src/store/redis/client.ts'
import { createRedisStateStore } from '../src/store/redis/state-store.ts'
import { startProgram } from './child-process.ts'
import { within } from './contender.ts'
import { BARE_QUEUE, queueEventSchema } from './queue-events.ts'

export type QueueKind = 'clew' | 'bare'

/** The side of a queue that accepts messages: Clew's, or plain BullMQ's. */
export interface QueueSide {
  /** Puts a message into the queue. Each message is from another person, in a thread of its own. */
  add(id: string): Promise<void>
  close(): Promise<void>
}

export function openQueueSide(kind: QueueKind, redis: RedisClient): QueueSide {
  if (kind === 'bare') {
    const queue = new Queue(BARE_QUEUE, { connection: redis })
    return { add: async id => void (await queue.add('message', { id }, { removeOnComplete: true })), close: () => queue.close() }
  }
  const logger = createLogger({ level: 'error' })
  const queue = createDrainQueue({ redis, logger })
  const runs = new AcceptedRuns({ store: createRedisStateStore(redis), retentionSeconds: 600, key: redis.stateKey })
  const acceptor = createAcceptor({ redis, queue, runs, now: Date.now, logger })
  return { add: async id => void (await acceptor.accept(messageOf(id))), close: () => queue.close() }
}

function messageOf(id: string): ChatMessage {
  return {
    place: { platform: 'slack', workspace: 'T1', channel: 'C1', thread: `thread-${id}`, isDirect: false },
    messageId: `message-${id}`,
    order: Date.now() * 1000,
    author: `U${id}`,
    text: id,
    addressed: true,
  }
}

/** A worker in a process of its own. It knows when each message was begun, and when its answer was shown. */
export interface WorkerSide {
  readonly begun: ReadonlyMap<string, number>
  readonly shown: ReadonlyMap<string, number>
  /** Resolves when this many answers have been shown. */
  allShown(count: number, timeoutMs: number): Promise<void>
  stop(): Promise<void>
}

export async function startWorkerSide(
  kind: QueueKind,
  redisUrl: string,
  options: { readonly concurrency: number; readonly answerMs: number },
): Promise<WorkerSide> {
  const args = [kind, redisUrl, String(options.concurrency), String(options.answerMs)]
  const program = startProgram('bench/main-queue-worker.ts', args)
  const times = { begun: new Map<string, number>(), shown: new Map<string, number>() }
  program.hear(line => {
    const event = queueEventSchema.parse(line)
    if (event.event !== 'ready') times[event.event].set(event.id, event.at)
  })
  await program.next(line => queueEventSchema.parse(line).event === 'ready' || undefined)
  return {
    ...times,
    async allShown(count, timeoutMs) {
      if (times.shown.size >= count) return
      const all = program.next(() => times.shown.size >= count || undefined)
      await within(timeoutMs, `only ${times.shown.size} of ${count} answers were shown`, all)
    },
    stop: program.stop,
  }
}
