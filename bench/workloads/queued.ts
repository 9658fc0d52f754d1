import { startTestRedis } from '../../test/support/redis.ts'
import { openQueueSide, startWorkerSide } from '../queue-side.ts'
import { type Row, row } from '../row.ts'
import type { BenchParts } from '../workload.ts'

const MESSAGES = 1000
const QUICK_MESSAGES = 200
/** The time that an answer takes with a fast model (docs/performance.md), in milliseconds. */
const ANSWER_MS = 4000

/** Measures for what share of the time a worker's slots are busy while the queue is full. */
export async function measureQueued(parts: BenchParts): Promise<readonly Row[]> {
  const count = parts.isQuick ? QUICK_MESSAGES : MESSAGES
  const rows: Row[] = []
  // One person may take only a part of a worker's slots, so each thread belongs to another person.
  for (const { slots, concurrency, least } of [
    { slots: 50, concurrency: 40, least: 0.97 },
    { slots: 200, concurrency: 160, least: 0.9 },
  ]) {
    const idealMs = Math.ceil(count / slots) * ANSWER_MS
    const workload = `${count} threads queued, ${slots} at a time, answers of ${ANSWER_MS / 1000} s`
    const takenMs = await drain(count, concurrency, idealMs)
    rows.push(row(`queued_${slots}`, `ideal ÷ taken: ${workload}`, idealMs / takenMs, '×', { least }))
  }
  return rows
}

/** Measures the time from the start of the first message until the last answer is shown. */
async function drain(count: number, concurrency: number, idealMs: number): Promise<number> {
  const redis = await startTestRedis()
  try {
    const side = openQueueSide('clew', await redis.connect('producer'))
    for (let index = 0; index < count; index += 1) await side.add(String(index))
    const worker = await startWorkerSide('clew', redis.url, { concurrency, answerMs: ANSWER_MS })
    await worker.allShown(count, 4 * idealMs + 60_000)
    await worker.stop()
    await side.close()
    return Math.max(...worker.shown.values()) - Math.min(...worker.begun.values())
  } finally {
    await redis.close()
  }
}
