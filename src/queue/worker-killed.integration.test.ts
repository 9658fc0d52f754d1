import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { Queue } from 'bullmq'
import { PART_BREAK } from '../../test/support/fake-platform.ts'
import { chatPress } from '../../test/support/presses.ts'
import { chatMessage, type QueueHarness, recordingLogger, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { runClew } from '../../test/support/run-clew.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import { IS_WHOLE } from '../../test/support/whole.ts'
import { createWorkerProcesses, kill, type WorkerProcesses } from '../../test/support/worker-processes.ts'
import { DRAIN_PREFIX, DRAIN_QUEUE } from './drain-queue.ts'
import { createPressQueue, PRESS_QUEUES } from './presses/queue.ts'
import { DEAD_LETTERS, threadKeys, threadName } from './thread-keys.ts'

// These tests kill real processes and wait for the real recovery times, so they are slow.
const TIMEOUT_MS = 300_000
/** The time within which a killed worker's message is begun again, as docs/faults.md promises. With BullMQ's defaults it would take 60 s. */
const PROMISED_RECOVERY_MS = 15_000
/** How long the tests wait for a recovery, so that a failure tells the time that it took. */
const MOST_RECOVERY_MS = 40_000
const BURST_MS = IS_WHOLE ? 25_000 : 10_000

const signal = new AbortController().signal

/** The Redis and the workers of one test. Tests run in parallel, so each has its own. */
interface Scenario {
  readonly harness: QueueHarness
  readonly workers: WorkerProcesses
  accept(text: string, order?: number, thread?: string): Promise<void>
  /** Waits until every message is answered. */
  untilDone(timeoutMs?: number, threads?: readonly string[]): Promise<void>
  untilBegun(count: number, timeoutMs?: number): Promise<void>
  markers(): Promise<readonly string[]>
  /** Returns the shown messages, without the notifications of slow answers. */
  answers(): Promise<readonly string[]>
  answersIn(thread: string): Promise<readonly string[]>
}

/** Opens a scenario, runs `act`, and then ends everything that the scenario started. */
async function scenario(act: (given: Scenario) => Promise<void>): Promise<void> {
  const harness = await startQueueHarness()
  const workers = createWorkerProcesses(harness.server.url)
  const { redis, platform, acceptor, placeholders } = harness
  const isEmpty = async (thread: string) =>
    (await redis.zcard(threadKeys(threadName(chatMessage('', { thread }).place)).pending)) === 0
  const isAnswer = (text: string) => !text.startsWith('done, ')
  try {
    await act({
      harness,
      workers,
      async accept(text, order = 1, thread = undefined) {
        const acceptance = await acceptor.accept(chatMessage(text, thread === undefined ? { order } : { order, thread }))
        if (acceptance.outcome === 'accepted') await placeholders.show(acceptance.accepted, signal)
      },
      untilDone: (timeoutMs = 60_000, threads = ['thread-1']) =>
        until('the threads are empty', async () => (await Promise.all(threads.map(isEmpty))).every(Boolean), timeoutMs),
      untilBegun: (count, timeoutMs = 60_000) =>
        until(`${count} answers begun`, async () => (await harness.begun()).length >= count, timeoutMs),
      markers: async () => (await platform.history()).filter(({ operation }) => operation === 'post').map(({ marker }) => marker),
      answers: async () => (await platform.standing()).filter(isAnswer),
      answersIn: async thread => (await platform.standing(thread)).filter(isAnswer),
    })
  } finally {
    await workers.killAll()
    await harness.close()
  }
}

describe('a worker that is killed', () => {
  it.concurrent(
    'fault 35: is replaced within 15 s, and its message answered once',
    () =>
      scenario(async ({ harness, workers, accept, untilDone, untilBegun, answers }) => {
        const times: number[] = []
        for (const order of IS_WHOLE ? [1, 2, 3] : [1]) {
          const [first] = [await workers.start(), await workers.start()]
          const begun = (await harness.begun()).length
          await accept('wait 2500', order)
          await untilBegun(begun + 1)
          await killWhoRuns(harness, workers, first)
          const killedAt = Date.now()
          await untilBegun(begun + 2, MOST_RECOVERY_MS)
          times.push(Date.now() - killedAt)
          await untilDone()
          await workers.killAll()
        }
        process.stdout.write(`recovery of a killed worker: ${times.join(', ')} ms\n`)
        for (const time of times) expect(time).toBeLessThanOrEqual(PROMISED_RECOVERY_MS)
        expect(await answers()).toEqual(times.map(() => 'answer: wait 2500'))
      }),
    TIMEOUT_MS,
  )

  it.concurrent.each(['before', 'after'] as const)(
    'posts no part twice when it dies %s posting one',
    kills =>
      scenario(async ({ harness, workers, accept, untilDone, markers, answers }) => {
        await accept(`one${PART_BREAK}two${PART_BREAK}three`)
        await harness.platform.plan({ operation: 'post', kills })
        const first = await workers.start()
        if (first.exitCode === null && first.signalCode === null) await once(first, 'exit')
        await workers.start()
        await untilDone()
        expect(await answers()).toEqual(['answer: one', 'two', 'three'])
        expect(new Set(await markers()).size).toBe(3)
        expect(await markers()).toHaveLength(3)
        expect(await harness.begun()).toHaveLength(1)
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'identifies the message that kills it, tells its author at once, and answers the others and the next',
    () =>
      scenario(async ({ harness, workers, accept, answersIn, untilDone }) => {
        const bystanders = Array.from({ length: IS_WHOLE ? 19 : 5 }, (_, index) => `thread-${index + 2}`)
        for (const thread of bystanders) await accept('wait 1500', 1, thread)
        await accept('die', 1)
        await accept('next', 2)
        workers.keep(1, { concurrency: 20 })
        await untilDone(150_000, ['thread-1', ...bystanders])
        await workers.killAll()
        // The message ran twice in a process with other messages, and then alone.
        expect((await harness.begun()).filter(text => text === 'die')).toHaveLength(3)
        expect(await answersIn('thread-1')).toEqual([expect.stringMatching(/^error: /), 'answer: next'])
        for (const thread of bystanders) expect(await answersIn(thread)).toEqual(['answer: wait 1500'])
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'blames no message when it is killed from outside, however often',
    () =>
      scenario(async ({ harness, workers, accept, answersIn, untilDone, untilBegun }) => {
        const threads = ['thread-1', 'thread-2', 'thread-3']
        for (const thread of threads) await accept('wait 4000', 1, thread)
        for (let kills = 1; kills <= 5; kills += 1) {
          const begun = (await harness.begun()).length
          const worker = await workers.start()
          // After two kills, one begun message is enough, because it runs alone while the others wait.
          await untilBegun(begun + (kills <= 2 ? 3 : 1))
          await kill(worker)
        }
        await workers.start()
        await untilDone(100_000, threads)
        for (const thread of threads) expect(await answersIn(thread)).toEqual(['answer: wait 4000'])
        await workers.killAll()
        // A lone process ends when its worker ends.
        const runs = (await harness.redis.lrange('fake:runs', '0', '-1')).map(text => Number(JSON.parse(text).process))
        await until('every process is gone', async () => !runs.some(isRunning))
        expect(await harness.redis.exists(DEAD_LETTERS)).toBe(0)
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'keeps a message as a dead letter if even telling its author kills it, and answers the next',
    () =>
      scenario(async ({ harness, workers, accept, untilDone, answers }) => {
        await accept('die', 1)
        await accept('next', 2)
        await harness.platform.plan({ operation: 'edit', kills: 'before' })
        workers.keep(1)
        await untilDone(100_000)
        await workers.killAll()
        expect((await harness.begun()).filter(text => text === 'next')).toHaveLength(1)
        expect((await answers()).at(-1)).toBe('answer: next')
        const [letter = ''] = await harness.redis.zrange(DEAD_LETTERS, '0', '-1')
        expect(JSON.parse(letter)).toMatchObject({ messageId: 'id-1', reason: 'even telling its author ends the process' })
        expect(letter).toContain('die')
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'fault 37: a message that was given up is listed without its text, and answered once if it is retried',
    () =>
      scenario(async ({ harness, workers, accept, untilDone, answers, markers }) => {
        const clew = (...args: readonly string[]) =>
          runClew(['dead-letters', ...args], { REDIS_URL: harness.server.url, CLEW_STATE_KEY: TEST_STATE_KEY })
        const list = async () => JSON.parse((await clew('list', '--json')).output)
        expect((await clew('list')).output).toBe('There are no dead letters.\n')
        await accept('die of a secret')
        await accept('die alone', 1, 'thread-2')
        await harness.platform.plan({ operation: 'edit', kills: 'before' }, { operation: 'edit', kills: 'before' })
        workers.keep(1)
        await until('both are given up', async () => (await harness.redis.zcard(DEAD_LETTERS)) === 2, 150_000)
        await untilDone(60_000, ['thread-1', 'thread-2'])
        const letters = await list()
        const given_up_at = expect.stringMatching(/^2\d{3}-/)
        const reason = 'even telling its author ends the process'
        for (const letter of letters)
          expect(letter).toEqual({
            id: expect.stringMatching(/^run_/),
            given_up_at,
            thread: expect.any(String),
            reason,
            can_be_retried: true,
          })
        const first = letters.find(({ thread }: { thread: string }) => thread.endsWith('thread-1'))
        const other = letters.find(({ thread }: { thread: string }) => thread.endsWith('thread-2'))
        const table = (await clew('list')).output
        expect(table).toContain(first.id)
        expect(table).not.toContain('secret')

        // The cause is gone.
        await harness.redis.set('fake:mended', '1')
        expect(await clew('retry', first.id)).toMatchObject({
          status: 0,
          errors: expect.stringContaining(`clew trace ${first.id}`),
        })
        await untilDone()
        expect(await answers()).toContain('answer: die of a secret')
        expect(await list()).toMatchObject([{ id: other.id }])
        expect(await clew('drop', other.id)).toMatchObject({ status: 0 })
        expect(await list()).toEqual([])
        expect(await clew('retry', first.id)).toMatchObject({
          status: 1,
          errors: expect.stringContaining('clew dead-letters list'),
        })
        expect(await clew('drop', other.id)).toMatchObject({ status: 1 })
        await workers.killAll()
        expect((await answers()).filter(text => text.startsWith('answer'))).toEqual(['answer: die of a secret'])
        expect(new Set(await markers()).size).toBe((await markers()).length)
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'handles its other presses, and reports the one that kills it as failed',
    () =>
      scenario(async ({ harness, workers }) => {
        const presses = createPressQueue({ redis: harness.producer, logger: recordingLogger().logger })
        for (const pressId of ['a', 'die', 'b']) await presses.accept(chatPress('sql', { pressId }))
        workers.keep(1)
        const replies = async () =>
          (await harness.platform.history()).filter(({ operation }) => operation === 'answerPress').map(({ text }) => text)
        // A worker may die before it records that it sent a reply. The reply then comes twice, so duplicates are counted once.
        const texts = async () => [...new Set(await replies())].toSorted()
        await until('all are answered', async () => (await texts()).length === 3, 180_000)
        await presses.close()
        const handled = await harness.redis.lrange('fake:presses', '0', '-1')
        // The press ran twice in a process with other presses, and then alone.
        expect(handled.filter(pressId => pressId === 'die')).toHaveLength(3)
        const deaths = (id: string) => harness.redis.hget(`${DRAIN_PREFIX}:${PRESS_QUEUES.read}:slack%2F${id}`, 'stc')
        for (const pressId of ['a', 'die', 'b']) expect(Number(await deaths(pressId))).toBeLessThanOrEqual(2)
        expect(await texts()).toEqual([expect.stringMatching(/^My process ended/), 'to a', 'to b'])
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'has a press that kills die once alone, and tells it, though others were alone before it and the platform is busy',
    () =>
      scenario(async ({ harness, workers, accept, untilDone }) => {
        const presses = createPressQueue({ redis: harness.producer, logger: recordingLogger().logger })
        const readings = new Queue(PRESS_QUEUES.read, { connection: harness.redis, prefix: DRAIN_PREFIX })
        const replies = async () => (await harness.platform.history()).filter(({ operation }) => operation === 'answerPress')
        const worker = await workers.start()
        await harness.redis.hset(threadKeys(threadName(chatMessage('').place)).starts, 'id-1', 2)
        await accept('alone')
        await untilDone()
        // The press has killed two processes by now.
        await readings.pause()
        await presses.accept(chatPress('sql', { pressId: 'die' }))
        await harness.redis.hset(readings.toKey('slack%2Fdie'), 'stc', 2)
        await harness.platform.plan({ operation: 'answerPress', fails: 'rate_limited', retryAfterMs: 4000 })
        await readings.resume()
        await until('it is done with', async () => (await readings.getCompletedCount()) === 1, 120_000)
        await readings.close()
        await presses.close()
        expect(await harness.redis.lrange('fake:presses', '0', '-1')).toEqual(['die'])
        expect(worker.exitCode).toBeNull()
        expect((await replies()).map(({ text }) => text)).toEqual([expect.stringMatching(/^My process ended/)])
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'tries a press alone once if the platform refuses its reply for good',
    () =>
      scenario(async ({ harness, workers }) => {
        const presses = createPressQueue({ redis: harness.producer, logger: recordingLogger().logger })
        const readings = new Queue(PRESS_QUEUES.read, { connection: harness.redis, prefix: DRAIN_PREFIX })
        await presses.accept(chatPress('sql', { pressId: 'refused' }))
        await harness.redis.hset(readings.toKey('slack%2Frefused'), 'stc', 2)
        await harness.platform.plan({ operation: 'answerPress', fails: 'forbidden' })
        await workers.start()
        const ended = async () => (await readings.getCompletedCount()) + (await readings.getFailedCount())
        await until('it is done with', async () => (await ended()) === 1, 120_000)
        expect(await readings.getFailedCount()).toBe(1)
        expect(await harness.redis.lrange('fake:presses', '0', '-1')).toEqual(['refused'])
        await readings.close()
        await presses.close()
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'shows nothing when it wakes after another worker has taken over',
    () =>
      scenario(async ({ harness, workers, accept, untilDone, untilBegun }) => {
        await accept('block 20000')
        const first = await workers.start()
        await untilBegun(1)
        await workers.start()
        await untilDone()
        const shown = (await harness.platform.history()).length
        await until('the first worker is awake', async () => (await harness.redis.llen('fake:woken')) === 1, 60_000)
        // No event shows that nothing was edited. An edit would have come within this time.
        await wait(1500)
        expect(first.exitCode).toBeNull()
        const history = await harness.platform.history()
        expect(history.slice(shown)).toEqual([])
        expect(history.filter(({ text }) => text.startsWith('answer'))).toHaveLength(1)
        expect(await harness.begun()).toHaveLength(2)
      }),
    TIMEOUT_MS,
  )

  it.concurrent(
    'loses, strands, doubles and reorders nothing in a burst, with three workers and a kill every 0.9 s',
    () =>
      scenario(async ({ harness, workers, accept, untilDone, markers, answers }) => {
        const early = shuffled(Array.from({ length: 15 }, (_, index) => index + 1))
        const late = shuffled(Array.from({ length: 10 }, (_, index) => index + 101))
        for (const order of early) await accept(`wait ${100 + order}`, order)
        workers.keep(3)
        const deadline = Date.now() + BURST_MS
        while (Date.now() < deadline) {
          await wait(900)
          const running = workers.running()
          const victim = running[Math.floor(Math.random() * running.length)]
          if (victim !== undefined) await kill(victim)
          const order = late.pop()
          if (order !== undefined) await accept(`wait ${100 + order}`, order)
        }
        for (const order of late.splice(0)) await accept(`wait ${100 + order}`, order)
        await untilDone()
        await workers.killAll()
        const history = await harness.platform.history()
        const firstShown = [
          ...new Set(history.filter(({ text }) => text.startsWith('answer')).map(({ text }) => Number(text.split(' ')[2]) - 100)),
        ]
        expect(firstShown.filter(order => order <= 15)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
        expect([...firstShown].sort((a, b) => a - b)).toEqual(
          [...early, ...Array.from({ length: 10 }, (_, index) => index + 101)].sort((a, b) => a - b),
        )
        expect(new Set(await markers()).size).toBe((await markers()).length)
        expect(await answers()).toHaveLength(25)
      }),
    TIMEOUT_MS,
  )

  it.concurrent.each([
    ['', 0],
    [', even from a lone process', 2],
  ] as const)(
    'hands its message back at once if it is asked to end%s',
    (_, deaths) =>
      scenario(async ({ harness, workers, accept, untilDone, untilBegun, answers }) => {
        const { starts } = threadKeys(threadName(chatMessage('').place))
        await harness.redis.hset(starts, 'id-1', deaths)
        await accept('wait 4000')
        const first = await workers.start({ graceMs: 300 })
        await untilBegun(1)
        const exited = once(first, 'exit')
        first.kill('SIGTERM')
        expect(await exited).toEqual([0, null])
        // If the killed worker still held this job, the job would stay in the list until its lock expires.
        expect(await harness.redis.llen(`${DRAIN_PREFIX}:${DRAIN_QUEUE}:active`)).toBe(0)
        expect(await harness.redis.hget(starts, 'id-1')).toBe(String(deaths))
        await workers.start()
        await untilDone()
        expect(await harness.begun()).toHaveLength(2)
        expect(await answers()).toEqual(['answer: wait 4000'])
      }),
    TIMEOUT_MS,
  )
})

/** Finds the worker of the latest answer by its process id, and kills that worker. */
async function killWhoRuns(harness: QueueHarness, processes: WorkerProcesses, fallback: ChildProcess): Promise<void> {
  const runs = await harness.redis.lrange('fake:runs', '-1', '-1')
  const pid = Number(JSON.parse(runs[0] ?? '{}').process)
  await kill(processes.running().find(worker => worker.pid === pid) ?? fallback)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function shuffled(items: readonly number[]): number[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
