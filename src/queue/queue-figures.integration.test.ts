import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { queueFigures } from './queue-figures.ts'
import { DEAD_LETTERS } from './thread-keys.ts'

let harness: QueueHarness
beforeAll(async () => {
  harness = await startQueueHarness()
})
afterAll(() => harness.close())

it('the figures of the queue count what has no reply, from the moment at which it was written', async () => {
  const { acceptor, redis } = harness
  const now = Date.now()
  const empty = { threads: 0, messages: 0, oldestSeconds: 0, running: 0, delayed: 0, deadLetters: 0 }
  expect(await queueFigures(redis, now)).toEqual(empty)
  const at = (seconds: number) => ({ order: (now - seconds * 1000) * 1000 })
  await acceptor.accept(chatMessage('first', { thread: 'a', ...at(90) }))
  await acceptor.accept(chatMessage('second', { thread: 'a', ...at(10) }))
  await acceptor.accept(chatMessage('third', { thread: 'b', ...at(20) }))
  await redis.zadd(DEAD_LETTERS, now, '{}')
  expect(await queueFigures(redis, now)).toEqual({ ...empty, threads: 2, messages: 3, oldestSeconds: 90, deadLetters: 1 })
  await harness.startWorker()
  await until('all have a reply', async () => (await queueFigures(redis, now)).messages === 0)
  expect(await queueFigures(redis, now)).toEqual({ ...empty, deadLetters: 1 })
})
