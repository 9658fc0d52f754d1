import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type QueueHarness, startQueueHarness } from '../../../test/support/queue-harness.ts'
import { createTokenRateLimit } from './token-rate-limit.ts'

const { signal } = new AbortController()
let harness: QueueHarness
beforeAll(async () => {
  harness = await startQueueHarness()
})
afterAll(() => harness.close())

it('leaves room for others beside one person, and for nobody beyond the limit of all', async () => {
  const limit = createTokenRateLimit(harness.redis, { platform: 'discord', perSecond: 10 })
  // Redis gets all these requests within the one second for which the limit counts.
  const takes = [...Array.from({ length: 30 }, () => 'ann'), 'bob', 'bob', 'carol', 'carol', 'dave'].map(async asker => ({
    asker,
    waitMs: await limit.take(asker, signal),
  }))
  const taken = await Promise.all(takes)
  const granted = taken.filter(({ waitMs }) => waitMs === 0).map(({ asker }) => asker)
  expect(granted).toEqual([...Array.from({ length: 6 }, () => 'ann'), 'bob', 'bob', 'carol', 'carol'])
  expect(Math.max(...taken.map(({ waitMs }) => waitMs))).toBeLessThanOrEqual(1_000)
})

it('leaves room for others beside two busy people', async () => {
  const limit = createTokenRateLimit(harness.redis, { platform: 'another', perSecond: 10 })
  const askers = [...Array.from({ length: 15 }, () => ['ann', 'eve']).flat(), 'bob', 'bob', 'carol']
  const taken = await Promise.all(askers.map(async asker => ({ asker, waitMs: await limit.take(asker, signal) })))
  const granted = taken.filter(({ waitMs }) => waitMs === 0).map(({ asker }) => asker)
  expect(granted).toEqual(['ann', 'eve', 'ann', 'eve', 'ann', 'eve', 'bob', 'bob', 'carol'])
})
