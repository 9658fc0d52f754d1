import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import type { StateStore } from '../../src/store/state-store.ts'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { askInSlack } from '../support/ask-in-slack.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'

// Values in Redis that a worker cannot read. The numbers refer to the fault matrix.

const FIRST = 'Explain how many devices there are.'
const SECOND = 'Explain how many links there are.'
const book = {
  [FIRST]: {
    queries: { 'How many devices are there?': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  },
  [SECOND]: {
    queries: { 'How many links are there?': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are **64 links** [Q1].',
  },
}
const analyst = scriptedAnalyst(book)
const signal = AbortSignal.timeout(600_000)

let world: ClewWorld
let worker: ClewProcess
let redis: RedisClient
let store: StateStore

const startWorker = () => world.startWorker({ CLEW_SPECULATION: '0' })

beforeAll(async () => {
  world = await startClewWorld(book)
  redis = await world.redis.connect()
  store = createRedisStateStore(redis)
  ;[, worker] = await Promise.all([world.startBots(), startWorker()])
}, 120_000)
afterEach(() => world.intercept(undefined))
afterAll(() => world.close())

/** Returns the keys that end with this, as the state store names them. */
async function keysOf(ending: string): Promise<readonly string[]> {
  return (await redis.keys(`clew:*${ending}`)).map(key => key.slice('clew:'.length))
}

const UNREADABLE = [
  ['of an old version', JSON.stringify({ version: 0, session: 's', messages: ['How many devices?'] })],
  ['that is broken JSON', '{"version": 1, "turns": ['],
] as const

describe('fault 46: a stored value', () => {
  it.each(UNREADABLE)('%s makes a conversation start fresh, and the question is answered', async (_, value) => {
    const { message, reply } = await askInSlack(world, FIRST)
    expect(reply).toContain('42 devices')
    const keys = (await keysOf(':conversation')).filter(key => key.includes(encodeURIComponent(message.ts)))
    expect(keys).toHaveLength(1)
    for (const key of keys) await store.set(key, value, 600, signal)

    const next = await askInSlack(world, SECOND, message)
    expect(next.reply).toContain('64 links')
    expect(next.replies()).toBe(1)
    const [classify] = next.callsOf('classify')
    expect(classify && promptOf(classify)).not.toContain('42 devices')
    expect(worker.log.filter(line => line.includes('conversation could not be read and starts fresh')).length).toBeGreaterThan(0)

    // The next turn has a conversation again.
    const third = await askInSlack(world, FIRST, message)
    expect(third.callsOf('classify').map(promptOf).join('')).toContain('64 links')
  })

  it.each(UNREADABLE)('%s makes a run start fresh after its worker died, and one answer is shown', async (_, value) => {
    const gate = createGate()
    let isHeld = false
    world.intercept(call => {
      if (call.step !== 'synthesize' || isHeld) return undefined
      isHeld = true
      return answer(analyst(call), { after: gate.opened })
    })
    const held = world.model.callsOf('synthesize').length
    const asked = askInSlack(world, FIRST)
    await world.model.arrival('synthesize', held)
    await worker.kill()
    const [request, checkpoints] = [await keysOf(':request'), await keysOf(':checkpoints')]
    expect([request.length > 0, checkpoints.length > 0]).toEqual([true, true])
    for (const key of request) await store.set(key, value, 600, signal)
    for (const key of checkpoints) {
      await store.delete(key, signal)
      await store.append(key, value, 600, signal)
    }
    worker = await startWorker()
    const { reply, replies, callsOf } = await asked
    gate.open()
    expect(reply).toContain('42 devices')
    expect(replies()).toBe(1)
    // Nothing of the first attempt could be read, so its finished calls are made again.
    expect(callsOf('generate')).toHaveLength(2)
  })
})
