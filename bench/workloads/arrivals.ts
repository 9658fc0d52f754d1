import { setTimeout as wait } from 'node:timers/promises'
import { startTestRedis } from '../../test/support/redis.ts'
import { openQueueSide, type QueueKind, startWorkerSide } from '../queue-side.ts'
import { type Row, row } from '../row.ts'
import { median, quantile, spread } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

const PER_SECOND = 20
const MESSAGES = 200
const QUICK_MESSAGES = 100
const WARM_UP = 20
const INTERVAL_MS = 1000 / PER_SECOND
/**
 * The time of an answer. It must end before the next message. At an even pace, a longer one would always end at the same point.
 */
const ANSWER_MS = 5

interface Arrivals {
  /** The milliseconds from sending a message until it is accepted. `begun` are the milliseconds until a worker begins it. */
  readonly accepted: readonly number[]
  readonly begun: readonly number[]
}

/**
 * Measures messages at an even pace: how soon each is safe, and how soon it is begun. Compares this with the plainest use of the same queue.
 */
export async function measureArrivals(parts: BenchParts): Promise<readonly Row[]> {
  const redis = await startTestRedis()
  const count = parts.isQuick ? QUICK_MESSAGES : MESSAGES
  try {
    const rounds: Record<QueueKind, Arrivals>[] = []
    for (let round = 0; round < parts.rounds; round += 1) {
      // Both queues run at the same time, and their messages alternate. A disturbance of the machine then affects both alike.
      const [clew, bare] = await Promise.all([arrive('clew', redis, count, 0), arrive('bare', redis, count, INTERVAL_MS / 2)])
      rounds.push({ clew, bare })
    }
    const p50 = (kind: QueueKind, what: keyof Arrivals) => spread(rounds.map(each => median(each[kind][what])))
    const ratio = (what: keyof Arrivals) => spread(rounds.map(({ clew, bare }) => median(clew[what]) / median(bare[what])))
    const p99 = spread(rounds.map(({ clew }) => quantile(clew.accepted, 0.99)))
    const workload = `${PER_SECOND} messages a second, each a thread`
    return [
      row('acknowledge_bare', `accepted ÷ BullMQ's bare add, p50: ${workload}`, ratio('accepted'), '×', { most: 3 }),
      row('acknowledge_p99', `accepted, p99: ${workload}`, p99, 'ms', { most: 10 }),
      row('pick_up_bare', `accepted and begun ÷ BullMQ's bare add to active, p50: ${workload}`, ratio('begun'), '×', {
        most: 2.5,
      }),
      row('acknowledge_p50', `accepted, p50: ${workload}`, p50('clew', 'accepted'), 'ms'),
      row('pick_up_p50', `accepted and begun, p50: ${workload}`, p50('clew', 'begun'), 'ms'),
      row('bare_add_p50', `BullMQ's bare add, p50: ${workload}`, p50('bare', 'accepted'), 'ms'),
      row('bare_pick_up_p50', `BullMQ's bare add to active, p50: ${workload}`, p50('bare', 'begun'), 'ms'),
    ]
  } finally {
    await redis.close()
  }
}

/** @param offsetMs the time by which each message is later than a multiple of the interval */
async function arrive(
  kind: QueueKind,
  redis: Awaited<ReturnType<typeof startTestRedis>>,
  count: number,
  offsetMs: number,
): Promise<Arrivals> {
  const side = openQueueSide(kind, await redis.connect('producer'))
  const worker = await startWorkerSide(kind, redis.url, { concurrency: 50, answerMs: ANSWER_MS })
  const run = crypto.randomUUID().slice(0, 8)
  const sent = new Map<string, { readonly at: number; readonly acceptedMs: number }>()
  // Both queues start at a multiple of the interval, so with different offsets their messages never coincide.
  const start = Math.ceil(performance.now() / INTERVAL_MS) * INTERVAL_MS + offsetMs
  const adding: Promise<void>[] = []
  for (let index = 0; index < count + WARM_UP; index += 1) {
    await wait(Math.max(0, start + index * INTERVAL_MS - performance.now()))
    const id = `${run}-${index}`
    const at = performance.timeOrigin + performance.now()
    const note = () => void sent.set(id, { at, acceptedMs: performance.timeOrigin + performance.now() - at })
    adding.push(side.add(id).then(note))
  }
  await Promise.all(adding)
  await worker.allShown(count + WARM_UP, 60_000)
  await side.close()
  await worker.stop()
  const measured = [...sent].filter(([id]) => Number(id.split('-')[1]) >= WARM_UP)
  return {
    accepted: measured.map(([, { acceptedMs }]) => acceptedMs),
    begun: measured.map(([id, { at }]) => (worker.begun.get(id) ?? Number.NaN) - at),
  }
}
