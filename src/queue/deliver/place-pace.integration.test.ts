import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type QueueHarness, startQueueHarness } from '../../../test/support/queue-harness.ts'
import { createChannelRateLimit } from './channel-rate-limit.ts'

const { signal } = new AbortController()
const place = (channel: string) => ({ platform: 'slack', workspace: 'T1', channel, thread: '1.1', isDirect: false }) as const
const turns = (count: number, take: () => Promise<void>) => Promise.allSettled(Array.from({ length: count }, take))

let harness: QueueHarness

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterAll(() => harness.close())

it('has no pace before a refusal, and then one per channel', async () => {
  const pace = createChannelRateLimit(harness.redis, { intervalMs: 60_000 })
  const taken = async (channel: string) =>
    (await turns(3, () => pace.untilTurn(place(channel), signal))).map(({ status }) => status)
  expect(await taken('C1')).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  await pace.begin(place('C1'), 0, signal)
  expect(await taken('C1')).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await taken('C2')).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  await expect(pace.untilTurn(place('C1'), signal)).rejects.toMatchObject({
    kind: 'rate_limited',
    retryAfterMs: expect.any(Number),
  })
})

it('gets faster until the next refusal: 60 turns in less than the 2 s that 20 would take', async () => {
  const pace = createChannelRateLimit(harness.redis, { intervalMs: 100 })
  await pace.begin(place('C3'), 0, signal)
  expect((await turns(60, () => pace.untilTurn(place('C3'), signal))).filter(({ status }) => status === 'rejected')).toEqual([])
})
