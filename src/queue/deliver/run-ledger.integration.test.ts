import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { chatMessage, type QueueHarness, startQueueHarness } from '../../../test/support/queue-harness.ts'
import { threadKeys, threadName } from '../thread-keys.ts'
import { createRunLedger } from './run-ledger.ts'

const signal = new AbortController().signal
const thread = threadName(chatMessage('').place)
const FINAL = { parts: [{ text: 'There are 42.' }] }

let harness: QueueHarness

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterAll(() => harness.close())

it('shows no reply that somebody without the key has written, nor that of another run', async () => {
  const { redis } = harness
  const keys = threadKeys(thread)
  const ledger = (runId: string) => createRunLedger(redis, { thread, runId, fence: 1 })
  await redis.set(keys.fence, '1')
  await ledger('run_1').saveFinal(FINAL, signal)
  expect(await ledger('run_1').final(signal)).toEqual(FINAL)
  await redis.hset(keys.run('run_2'), 'final', JSON.stringify(FINAL))
  await redis.hset(keys.run('run_3'), 'final', (await redis.hget(keys.run('run_1'), 'final')) ?? '')
  expect(await ledger('run_2').final(signal)).toBeUndefined()
  expect(await ledger('run_3').final(signal)).toBeUndefined()
})
