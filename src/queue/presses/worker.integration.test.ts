import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../../../test/emulators/gate.ts'
import { chatPress } from '../../../test/support/presses.ts'
import { type QueueHarness, recordingLogger, startQueueHarness, until } from '../../../test/support/queue-harness.ts'
import { ClewError } from '../../base/errors.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import type { Observation, Observe } from '../../telemetry/observation.ts'
import { createPressQueue, type PressQueue } from './queue.ts'
import { createPressWorker, type PressWorker } from './worker.ts'

let harness: QueueHarness
let presses: PressQueue
const workers: PressWorker[] = []
const { logger } = recordingLogger()

beforeAll(async () => {
  harness = await startQueueHarness()
  presses = createPressQueue({ redis: harness.producer, logger })
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close(0)
  await harness.reset()
})
afterAll(async () => {
  await presses.close()
  await harness.close()
})

function startWorker(handle: PressHandler, observe?: Observe): void {
  const destinations = { slack: { outbox: harness.platform.outbox } }
  const worker = createPressWorker({ redis: harness.redis, handle, destinations, observe, logger })
  workers.push(worker)
  worker.start()
}

async function replies(): Promise<readonly string[]> {
  return (await harness.platform.history()).filter(({ operation }) => operation === 'answerPress').map(({ text }) => text)
}

const echo: PressHandler = async ({ pressId }) => ({ markdown: `to ${pressId}` })

describe('presses', () => {
  it('are handled once each, however often they are delivered, even those from before the start', async () => {
    const handled: string[] = []
    const press = (pressId: string) => chatPress('sql', { pressId })
    for (const pressId of ['1:a', '2', '1:a']) await presses.accept(press(pressId))
    startWorker(async (each, signal) => {
      handled.push(each.pressId)
      return echo(each, signal)
    })
    await until('two are answered', async () => (await replies()).length === 2)
    for (const pressId of ['1:a', '3']) await presses.accept(press(pressId))
    await until('the third is answered', async () => (await replies()).length === 3)
    expect(handled.toSorted()).toEqual(['1:a', '2', '3'])
    expect((await replies()).toSorted()).toEqual(['to 1:a', 'to 2', 'to 3'])
  })

  it('show nothing if the effect is visible by itself', async () => {
    startWorker(async (press, signal) => (press.pressId === 'quiet' ? undefined : echo(press, signal)))
    for (const pressId of ['quiet', 'loud']) await presses.accept(chatPress('stop', { pressId }))
    await until('the other is answered', async () => (await replies()).length === 1)
    expect(await replies()).toEqual(['to loud'])
  })

  it('of one person keep nobody else waiting, even a thousand of them', async () => {
    const gate = createGate()
    const handled: string[] = []
    for (let each = 0; each < 1_000; each += 1)
      await presses.accept(chatPress(each % 2 === 0 ? 'sql' : 'stop', { pressId: `ann-${each}`, user: 'ann' }))
    startWorker(async ({ user, pressId }) => {
      handled.push(pressId)
      if (user === 'ann') await gate.opened
      return undefined
    })
    await until('Ann has all that one may have', async () => handled.length === 10)
    for (const action of ['stop', 'sql', 'retry'] as const)
      await presses.accept(chatPress(action, { pressId: `bob-${action}`, user: 'bob' }))
    // When Bob's presses are handled, none of Ann's has ended yet.
    await until("Bob's are handled", async () => handled.filter(id => id.startsWith('bob')).length === 3)
    expect(handled).toHaveLength(13)
    gate.open()
    await until("all of Ann's are handled", async () => handled.length === 1_003, 60_000)
    expect(new Set(handled).size).toBe(1_003)
  })

  it('from somebody without the key are not handled', async () => {
    const handled: string[] = []
    await presses.accept(chatPress('sql', { pressId: 'own' }))
    const key = '{clew}:readings:slack%2Fown'
    const data = (await harness.redis.hget(key, 'data')) ?? ''
    expect(data).toContain('U1')
    await harness.redis.hset(key, 'data', data.replace('U1', 'U2'))
    await presses.accept(chatPress('sql', { pressId: 'next' }))
    startWorker(async press => {
      handled.push(press.pressId)
      return undefined
    })
    await until('the next is handled', async () => handled.includes('next'))
    await until('the other has failed', async () => (await harness.redis.zcard('{clew}:readings:failed')) === 1)
    expect(handled).toEqual(['next'])
  })

  it('are retried after a passing failure, and reported as failed after a lasting one', async () => {
    let attempts = 0
    const observed: Observation[] = []
    const handle: PressHandler = async (press, signal) => {
      if (press.pressId === 'broken') throw new TypeError('secret inside')
      attempts += 1
      if (attempts === 1) throw new ClewError('busy', { code: 'busy', retryable: true })
      return echo(press, signal)
    }
    startWorker(handle, each => void observed.push(each))
    for (const pressId of ['busy', 'broken']) await presses.accept(chatPress('sql', { pressId }))
    await until('both are answered', async () => (await replies()).length === 2)
    expect(await replies()).toEqual(['Something went wrong on my side. Please press again in a minute.', 'to busy'])
    const press = { kind: 'press', platform: 'slack', action: 'sql' }
    expect(observed).toEqual([
      { ...press, outcome: 'failed' },
      { ...press, outcome: 'answered' },
    ])
  })
})
