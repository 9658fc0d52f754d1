import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Breakers } from '../../src/base/breaker.ts'
import { ChatError } from '../../src/chat/error.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import { guardDestinations } from '../../src/queue/deliver/guard-destinations.ts'
import { chatMessage, type QueueHarness, recordingLogger, startQueueHarness, until } from '../support/queue-harness.ts'

const THREADS = 6

let harness: QueueHarness

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterAll(() => harness.close())

it('a platform that is away is left alone, and every answer is delivered once when it is back', async () => {
  const { redis, platform, acceptor } = harness
  let isAway = true
  let requests = 0
  const asked = <Arguments extends unknown[], Value>(request: (...given: Arguments) => Promise<Value>) => {
    return async (...given: Arguments) => {
      requests += 1
      if (isAway) throw new ChatError('planned: unavailable', { kind: 'unavailable' })
      return request(...given)
    }
  }
  const { outbox } = platform
  const watched = {
    ...outbox,
    post: asked(outbox.post),
    edit: asked(outbox.edit),
    find: asked(outbox.find),
    remove: asked(outbox.remove),
  } satisfies ChatOutbox
  const breakers = new Breakers()
  const { logger } = recordingLogger()
  const { destinations } = guardDestinations(
    { slack: { outbox: watched, progressEditsPerMinute: 6000 } },
    { redis, logger, now: Date.now, breakers },
  )
  const state = () => breakers.checks()['slack api']?.()
  for (let index = 1; index <= THREADS; index += 1) await acceptor.accept(chatMessage('hello', { thread: `thread-${index}` }))
  await harness.startWorker({ destinations, concurrency: THREADS })
  await until('the platform is left alone', async () => state() === 'open', 60_000)
  const openedAt = Date.now()

  const before = requests
  await acceptor.accept(chatMessage('late', { thread: 'thread-late' }))
  await until('the answer to the late one is made', async () => (await harness.begun()).includes('late'))
  await until('the late one waits', async () =>
    harness.lines.some(line => line.includes('thread-late') && line.includes('delayed')),
  )
  expect([state(), requests]).toEqual(['open', before])
  isAway = false

  const wanted = [...Array.from({ length: THREADS }, () => 'answer: hello'), 'answer: late'].toSorted()
  const standing = async () => (await platform.standing()).filter(text => text.startsWith('answer')).toSorted()
  await until('all are answered', async () => (await standing()).length >= wanted.length, 90_000)
  expect(await standing()).toEqual(wanted)
  expect(state()).toBe('closed')
  expect(Date.now() - openedAt).toBeGreaterThan(25_000)
  const markers = (await platform.history()).filter(({ operation }) => operation === 'post').map(({ marker }) => marker)
  expect(new Set(markers).size).toBe(markers.length)
}, 240_000)
