import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'

/**
 * The memory limit of a worker. It takes about 165 MB when it starts, and 200 MB after twenty questions at the same time. A leak would take far more.
 */
const WORKER_MB = 250
const ENGINE_MB = 600
const QUESTIONS = 20
const SAMPLES = 5
/** The time limit of a query. The long query in this test runs until this limit. */
const QUERY_TIMEOUT_S = 20
/**
 * The limit for the median time of the small questions. It is generous, because the long query takes every core, and the machine may have only
 * two. But it must be shorter than the long query.
 */
const SLOWEST_MEDIAN_MS = 9_000

const book = {
  'How many devices are there?': {
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  },
  'Something long?': {
    queries: {
      'Count for long.': [
        'SELECT count() FROM numbers(100000000) WHERE arrayExists(x -> cityHash64(number, x) = 7, range(1000))',
      ],
    },
  },
}

let world: ClewWorld
let worker: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker({ CLEW_QUERY_TIMEOUT_S: String(QUERY_TIMEOUT_S) })])
})
afterAll(() => world.close())

function post(question: string) {
  return world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
}

function answered(message: ReturnType<typeof post>, text: string) {
  return world.slack.waitFor(() => world.replies(message).find(shown => shown.plain.includes(text)), { timeoutMs: 60_000 })
}

/** Asks one simple question. Returns the milliseconds until its answer. */
async function latency(): Promise<number> {
  const started = performance.now()
  await answered(post('How many devices are there?'), '42 devices')
  return performance.now() - started
}

async function medianLatency(): Promise<number> {
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) times.push(await latency())
  return times.sort((left, right) => left - right)[Math.floor(SAMPLES / 2)] ?? Number.NaN
}

/** Returns the resident memory of a process in megabytes. */
async function residentMb(pid: number): Promise<number> {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

const onLinux = process.platform === 'linux' ? it : it.skip

describe("Clew's use of resources", () => {
  onLinux(
    'of memory is bounded',
    async () => {
      const { pid } = await world.engine.engine.endpoint(AbortSignal.timeout(5_000))
      const atStart = await residentMb(worker.pid)
      for (const message of Array.from({ length: QUESTIONS }, () => post('How many devices are there?')))
        await answered(message, '42 devices')
      const afterwards = await residentMb(worker.pid)
      const engine = await residentMb(pid)
      console.info(`memory: worker ${atStart} MB at start, ${afterwards} MB after ${QUESTIONS} questions; engine ${engine} MB`)
      expect(atStart).toBeLessThan(WORKER_MB)
      expect(afterwards).toBeLessThan(WORKER_MB)
      expect(engine).toBeLessThan(ENGINE_MB)
    },
    120_000,
  )

  it("keeps the time of a question independent of other threads' queries", async () => {
    await latency()
    const before = await medianLatency()
    const generated = world.model.callsOf('generate').length
    const long = post('Something long?')
    await world.model.arrival('generate', generated)
    await latency()
    const stillRunning = world.replies(long).every(reply => !reply.plain.includes('could not answer'))
    const during = await medianLatency()
    console.info(
      `latency of a simple question: ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms beside a long query: ${(during / before).toFixed(1)} times`,
    )
    expect(during).toBeLessThan(SLOWEST_MEDIAN_MS)
    expect(stillRunning).toBe(true)
    const [progress] = world.replies(long)
    if (progress === undefined) throw new Error('no reply')
    world.slack.user('alice').press(progress, { label: 'Stop' })
    await answered(long, 'Stopped.')
  })
})
