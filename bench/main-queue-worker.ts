import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'bullmq'
import { createLogger } from '../src/base/logger.ts'
import type { ChatOutbox, RenderedPart } from '../src/chat/platform.ts'
import type { Reply } from '../src/chat/reply.ts'
import { OPEN_ADMISSION } from '../src/queue/accept/admission.ts'
import { createQueueWorker } from '../src/queue/queue-worker.ts'
import { closeRedis, connectRedis } from '../src/store/redis/connection.ts'
import { TEST_STATE_KEY } from '../test/support/state-key.ts'
import { BARE_QUEUE, type QueueEvent } from './queue-events.ts'

// Answers messages of a queue, each after a fixed time, on a platform that takes no time. So only the queue's own time remains. `main-queue-worker.ts
// KIND REDIS_URL CONCURRENCY ANSWER_MS`: KIND is `clew` for Clew's worker, or `bare` for a plain BullMQ worker. The process ends when its standard
// input ends.

const [kind = '', url = '', concurrency = '', answerMs = ''] = process.argv.slice(2)
const logger = createLogger({ level: 'error' })
const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url, role: 'worker', logger })
const close = kind === 'bare' ? startBare() : await startClew()
tell({ event: 'ready' })
process.stdin.resume()
process.stdin.once('end', async () => {
  await close()
  await closeRedis(redis)
})

async function startClew(): Promise<() => Promise<void>> {
  const worker = createQueueWorker({
    redis,
    admission: OPEN_ADMISSION,
    answer: async ({ message }, _run, signal) => {
      tell({ event: 'begun', id: message.text, at: now() })
      await wait(Number(answerMs), undefined, { signal })
      return { kind: 'answer', markdown: message.text }
    },
    destinations: { slack: { outbox: createInstantOutbox(), progressEditsPerMinute: 6000 } },
    concurrency: Number(concurrency),
    now: Date.now,
    logger,
  })
  await worker.start()
  return () => worker.close(1000)
}

function startBare(): () => Promise<void> {
  const work = async ({ data }: { readonly data: { readonly id: string } }) => {
    tell({ event: 'begun', id: data.id, at: now() })
    await wait(Number(answerMs))
    tell({ event: 'shown', id: data.id, at: now() })
  }
  const worker = new Worker(BARE_QUEUE, work, { connection: redis, concurrency: Number(concurrency) })
  return () => worker.close()
}

/** A chat platform that completes every request at once. */
function createInstantOutbox(): ChatOutbox {
  let posts = 0
  const show = ({ text }: RenderedPart) => {
    if (typeof text === 'string') tell({ event: 'shown', id: text, at: now() })
  }
  return {
    render: async (reply: Reply) => [reply.kind === 'answer' ? { text: reply.markdown } : {}],
    post: async (_target, part) => {
      show(part)
      posts += 1
      return { id: `m${posts}` }
    },
    edit: async (_target, _posted, part) => show(part),
    find: async () => [],
    remove: async () => {},
    personOf: async () => ({}),
    answerPress: async () => {},
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}

function tell(event: QueueEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
