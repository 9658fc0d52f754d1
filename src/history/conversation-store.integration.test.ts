import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { createLogger } from '../base/logger.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { type ConversationTurn, withTurn } from './conversation.ts'
import { ConversationStore } from './conversation-store.ts'

const signal = AbortSignal.timeout(120_000)
const logger = createLogger({ level: 'silent' })

let redis: TestRedis
beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(() => redis?.close())

function turn(runId: string): ConversationTurn {
  const said = { question: 'q', standalone_question: 'q', intent: 'data_analysis', answer: 'a', queries: [] }
  return { run_id: runId, asked_at: '2026-03-01T12:00:00.000Z', ...said }
}

/** Returns a store that holds back its first `readers` reads until all have begun. So every caller starts from the same state. */
function readTogether(store: StateStore, readers: number): StateStore {
  const gate = createGate()
  let read = 0
  return {
    ...store,
    async get(key, own) {
      const value = await store.get(key, own)
      read += 1
      if (read === readers) gate.open()
      await gate.opened
      return value
    },
  }
}

describe.each([
  ['Redis', async () => createRedisStateStore(await redis.connect())],
  ['memory', async () => createMemoryStateStore({ now: Date.now })],
])('a conversation in %s', (name, open) => {
  it.each(['that is new', 'that goes on'])('keeps the turns of everybody who saves at the same moment, one %s', async which => {
    const thread = `${name} ${which}`
    const store = await open()
    const conversations = (own: StateStore) => new ConversationStore({ store: own, newId: () => 'new', logger })
    const add = (runId: string, own: StateStore) =>
      conversations(own).change(thread, now => withTurn(now, turn(runId), [], null), signal)
    if (which === 'that goes on') await add('earlier', store)

    const together = readTogether(store, 5)
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(runId => add(runId, together)))
    const { turns } = await conversations(store).load(thread, signal)
    const expected = ['a', 'b', 'c', 'd', 'e', ...(which === 'that goes on' ? ['earlier'] : [])]
    expect(turns.map(({ run_id: id }) => id).sort()).toEqual(expected)
  })

  it('is not written when nothing changes', async () => {
    const store = await open()
    const writes: string[] = []
    const watched = { ...store, setIfUnchanged: async (key: string) => writes.push(key) > 0 } satisfies StateStore
    const conversations = new ConversationStore({ store: watched, newId: () => 'new', logger })
    expect(await conversations.change(`${name} still`, now => now, signal)).toMatchObject({ turns: [] })
    expect(writes).toEqual([])
  })
})

it('starts anew over a stored value that is not text, and does not retry forever', async () => {
  const client = await redis.connect()
  await client.set('clew:{broken}:conversation', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
  const conversations = new ConversationStore({ store: createRedisStateStore(client), newId: () => 'new', logger })
  await conversations.change('broken', now => withTurn(now, turn('a'), [], null), signal)
  expect(await conversations.load('broken', signal)).toMatchObject({ session_id: 'session_new', turns: [{ run_id: 'a' }] })
})
