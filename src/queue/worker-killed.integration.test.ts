import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { PART_BREAK } from '../../test/support/fake-platform.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { compileWorkerProcess, createWorkerProcesses, kill, type WorkerProcesses } from '../../test/support/worker-processes.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { threadKeys, threadName } from './thread-keys.ts'

// Real processes that are really killed, with the real times of recovery: slow by nature.
const TIMEOUT_MS = 150_000

let harness: QueueHarness
let workers: WorkerProcesses
const signal = new AbortController().signal

beforeAll(async () => {
  compileWorkerProcess()
  harness = await startQueueHarness()
  workers = createWorkerProcesses(harness.server.url)
})
afterEach(async () => {
  await workers.killAll()
  await harness.reset()
})
afterAll(() => harness.close())

async function accept(text: string, order = 1): Promise<void> {
  const acceptance = await harness.acceptor.accept(chatMessage(text, { order }))
  if (acceptance.outcome === 'accepted') await harness.placeholders.show(acceptance.accepted, signal)
}

async function untilDone(timeoutMs: number): Promise<void> {
  const keys = threadKeys(threadName(chatMessage('').place))
  await until('the thread is empty', async () => (await harness.redis.zcard(keys.pending)) === 0, timeoutMs)
}

async function untilBegun(count: number, timeoutMs = 30_000): Promise<void> {
  await until(`${count} answers begun`, async () => (await harness.begun()).length >= count, timeoutMs)
}

async function markers(): Promise<readonly string[]> {
  return (await harness.platform.history()).filter(({ operation }) => operation === 'post').map(({ marker }) => marker)
}

/** What stands there but for the notes that follow slow answers. */
async function answers(): Promise<readonly string[]> {
  return (await harness.platform.standing()).filter(text => !text.startsWith('done, '))
}

describe('a worker that is killed', () => {
  it(
    'is replaced within 15 s, and its message answered once',
    async () => {
      const times: number[] = []
      for (const order of [1, 2, 3]) {
        const [first] = [await workers.start(), await workers.start()]
        const begun = (await harness.begun()).length
        await accept('wait 2500', order)
        await untilBegun(begun + 1)
        await killWhoRuns(workers, first)
        const killedAt = Date.now()
        await untilBegun(begun + 2, 20_000)
        times.push(Date.now() - killedAt)
        await untilDone(10_000)
        await workers.killAll()
      }
      process.stdout.write(`recovery of a killed worker: ${times.join(', ')} ms\n`)
      expect(Math.max(...times)).toBeLessThan(15_000)
      expect(await answers()).toEqual(['answer: wait 2500', 'answer: wait 2500', 'answer: wait 2500'])
    },
    TIMEOUT_MS,
  )

  it.each(['before', 'after'] as const)(
    'posts no part twice when it dies %s posting one',
    async kills => {
      await accept(`one${PART_BREAK}two${PART_BREAK}three`)
      await harness.platform.plan({ operation: 'post', kills })
      const first = await workers.start()
      if (first.exitCode === null && first.signalCode === null) await once(first, 'exit')
      await workers.start()
      await untilDone(30_000)
      expect(await answers()).toEqual(['answer: one', 'two', 'three'])
      expect(new Set(await markers()).size).toBe(3)
      expect(await markers()).toHaveLength(3)
      expect(await harness.begun()).toHaveLength(1)
    },
    TIMEOUT_MS,
  )

  it(
    'gives a message up that kills its workers, tells its author, and answers the next',
    async () => {
      await accept('die', 1)
      await accept('next', 2)
      workers.keep(2)
      await untilDone(100_000)
      await workers.killAll()
      expect(await harness.begun()).toEqual(['die', 'die', 'die', 'next'])
      expect(await answers()).toEqual([expect.stringMatching(/^error: /), 'answer: next'])
    },
    TIMEOUT_MS,
  )

  it(
    'shows nothing when it wakes after another has taken over',
    async () => {
      await accept('block 14000')
      const first = await workers.start()
      await untilBegun(1)
      await workers.start()
      await untilDone(30_000)
      const shown = (await harness.platform.history()).length
      await until('the first worker is awake', async () => (await harness.redis.llen('fake:woken')) === 1, 20_000)
      // What must not happen has no event: time enough for an edit.
      await wait(1500)
      expect(first.exitCode).toBeNull()
      const history = await harness.platform.history()
      expect(history.slice(shown)).toEqual([])
      expect(history.filter(({ text }) => text.startsWith('answer'))).toHaveLength(1)
      expect(await harness.begun()).toHaveLength(2)
    },
    TIMEOUT_MS,
  )

  it(
    'loses, strands, doubles and reorders nothing in a burst, three workers, one killed every 0.9 s',
    async () => {
      const early = shuffled(Array.from({ length: 15 }, (_, index) => index + 1))
      const late = shuffled(Array.from({ length: 10 }, (_, index) => index + 101))
      for (const order of early) await accept(`wait ${100 + order}`, order)
      workers.keep(3)
      const deadline = Date.now() + 25_000
      while (Date.now() < deadline) {
        await wait(900)
        const running = workers.running()
        const victim = running[Math.floor(Math.random() * running.length)]
        if (victim !== undefined) await kill(victim)
        const order = late.pop()
        if (order !== undefined) await accept(`wait ${100 + order}`, order)
      }
      await untilDone(60_000)
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
    },
    TIMEOUT_MS,
  )

  it(
    'that is asked to end instead hands its message back at once',
    async () => {
      await accept('wait 4000')
      const first = await workers.start({ graceMs: 300 })
      await untilBegun(1)
      const exited = once(first, 'exit')
      first.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      await workers.start()
      const startedAt = Date.now()
      await untilBegun(2)
      // That of a killed worker is not looked for before its lock is over.
      expect(Date.now() - startedAt).toBeLessThan(QUEUE_LIMITS.lockMs)
      await untilDone(10_000)
      expect(await answers()).toEqual(['answer: wait 4000'])
    },
    TIMEOUT_MS,
  )
})

/** Kills the worker that has the latest answer under way, by the process that it noted. */
async function killWhoRuns(processes: WorkerProcesses, fallback: ChildProcess): Promise<void> {
  const runs = await harness.redis.lrange('fake:runs', '-1', '-1')
  const pid = Number(JSON.parse(runs[0] ?? '{}').process)
  await kill(processes.running().find(worker => worker.pid === pid) ?? fallback)
}

function shuffled(items: readonly number[]): number[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
