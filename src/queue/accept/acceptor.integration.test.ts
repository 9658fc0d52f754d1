import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { acceptedRuns, chatMessage, type QueueHarness, startQueueHarness, until } from '../../../test/support/queue-harness.ts'
import { createLogger } from '../../base/logger.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { THREAD_INDEX, threadKeys, threadName } from '../thread-keys.ts'
import { readAccepted } from './accepted-message.ts'
import { createAcceptor } from './acceptor.ts'

let harness: QueueHarness
const signal = new AbortController().signal
const thread = threadName(chatMessage('').place)
const keys = threadKeys(thread)

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

describe('accept', () => {
  it('fault 3: keeps a message in its thread in order of time, and wakes the thread', async () => {
    for (const order of [30, 10, 20]) {
      expect(await harness.acceptor.accept(chatMessage(`q${order}`, { order }))).toMatchObject({ outcome: 'accepted' })
    }
    expect(await harness.redis.zrange(keys.pending, '0', '-1')).toEqual(['id-10', 'id-20', 'id-30'])
    expect(await harness.redis.zrange(THREAD_INDEX, '0', '-1')).toEqual([thread])
    expect(await harness.redis.zcard('{clew}:threads:prioritized')).toBe(1)
  })

  it('gives each message its own run id and stores it', async () => {
    const acceptance = await harness.acceptor.accept(chatMessage('q'))
    const stored = await harness.redis.hget(keys.messages, 'id-1')
    expect(acceptance).toEqual({ outcome: 'accepted', accepted: readAccepted(harness.redis.stateKey, thread, stored ?? '') })
  })

  it('fault 1: drops duplicates, even many at once and after the answer', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => harness.acceptor.accept(chatMessage('q'))))
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1)
    await harness.redis.del(keys.pending, keys.messages)
    expect(await harness.acceptor.accept(chatMessage('q'))).toEqual({ outcome: 'duplicate' })
    expect(await harness.redis.pttl(keys.seen('id-1'))).toBeGreaterThan(3_500_000)
  })

  it('wakes the thread again on a redelivery', async () => {
    await harness.acceptor.accept(chatMessage('q'))
    await harness.redis.del('{clew}:threads:prioritized', `{clew}:threads:de:${thread}`)
    await harness.acceptor.accept(chatMessage('q'))
    expect(await harness.redis.zcard('{clew}:threads:prioritized')).toBe(1)
  })

  it('takes replies without a mention only in threads that it was called into', async () => {
    const reply = chatMessage('and last year?', { order: 2, addressed: false })
    await harness.acceptor.accept(chatMessage('q', { order: 1 }))
    expect(await harness.acceptor.accept(reply)).toMatchObject({ outcome: 'accepted' })
    expect(await harness.acceptor.accept({ ...reply, place: { ...reply.place, thread: 'elsewhere' } })).toEqual({
      outcome: 'ignored',
    })
  })

  it('forgets each held reply of other threads in time, however busy the thread is', async () => {
    const minute = 60_000_000
    for (const minutes of [1, 5, 9, 15]) {
      await harness.acceptor.accept(chatMessage('between others', { order: minutes * minute, addressed: false }))
    }
    expect((await harness.redis.hkeys(keys.held)).sort()).toEqual([`id-${9 * minute}`, `id-${15 * minute}`])
  })

  it('fault 3: takes a reply that overtakes the call into its thread, but no earlier reply', async () => {
    const early = chatMessage('and last year?', { order: 3, addressed: false })
    const before = chatMessage('I wonder', { order: 1, addressed: false })
    for (const reply of [early, before, early]) expect(await harness.acceptor.accept(reply)).toEqual({ outcome: 'ignored' })
    await harness.acceptor.accept(chatMessage('q', { order: 2 }))
    const { pending } = threadKeys(thread)
    expect(await harness.redis.zrange(pending, '0', '-1')).toEqual(['id-2', 'id-3'])
    const runs = acceptedRuns(harness.producer)
    expect(await runs.find(runs.idOf(early), signal)).toMatchObject({ message: { text: 'and last year?' } })
    expect(await runs.find(runs.idOf(before), signal)).toBeUndefined()
    expect(await harness.acceptor.accept(early)).toEqual({ outcome: 'duplicate' })
  })

  it('fault 10: says once that a thread has too many messages, then ignores the rest for a while', async () => {
    const { mostTurns, turnsMs } = QUEUE_LIMITS
    for (let order = 1; order <= mostTurns; order += 1) await harness.acceptor.accept(chatMessage(`q${order}`, { order }))
    const next = (order: number) => harness.acceptor.accept(chatMessage(`q${order}`, { order }))
    expect(await next(mostTurns + 1)).toMatchObject({ outcome: 'accepted', accepted: { isOneTooMany: true } })
    expect(await next(mostTurns + 2)).toEqual({ outcome: 'ignored' })
    expect(await harness.redis.pttl(keys.turns)).toBeLessThanOrEqual(turnsMs)
    await harness.startWorker()
    await until('all are answered', async () => (await harness.redis.zcard(keys.pending)) === 0)
    expect((await harness.platform.standing()).slice(-2)).toEqual([`answer: q${mostTurns}`, expect.stringContaining('calmer')])
    await harness.redis.del(keys.turns)
    expect(await next(mostTurns + 3)).toMatchObject({ outcome: 'accepted' })
  })

  it('keeps all keys of a thread in one hash slot, whatever the ids contain', async () => {
    const place = { ...chatMessage('').place, workspace: 'T}{1', channel: 'C:1', thread: '{a}' }
    const own = threadKeys(threadName(place))
    const names = [
      own.pending,
      own.messages,
      own.starts,
      own.fence,
      own.called,
      own.held,
      own.turns,
      own.seen('a{b}'),
      own.run('r'),
      own.claim('r', '1'),
    ]
    expect(new Set(names.map(tagOf))).toEqual(new Set(['slack/T%7D%7B1/C%3A1/%7Ba%7D']))
  })

  it('refuses when Redis is full, and keeps its messages', async () => {
    await harness.acceptor.accept(chatMessage('q', { order: 1 }))
    await harness.redis.config('SET', 'maxmemory', '1mb')
    try {
      await expect(harness.acceptor.accept(chatMessage('q', { order: 2 }))).rejects.toMatchObject({ code: 'store_full' })
    } finally {
      await harness.redis.config('SET', 'maxmemory', '0')
    }
    expect(await harness.redis.zcard(keys.pending)).toBe(1)
    expect(await harness.acceptor.accept(chatMessage('q', { order: 2 }))).toMatchObject({ outcome: 'accepted' })
  })

  it('refuses at once when Redis is away', async () => {
    const producer = await harness.server.connect('producer')
    const acceptor = createAcceptor({
      redis: producer,
      queue: { wake: async () => undefined, close: async () => undefined },
      runs: acceptedRuns(producer),
      now: Date.now,
      logger: createLogger({ level: 'fatal' }),
    })
    const closed = once(producer, 'close')
    producer.disconnect()
    await closed
    const began = Date.now()
    await expect(acceptor.accept(chatMessage('q'))).rejects.toMatchObject({ code: 'store_unavailable', retryable: true })
    // The call fails earlier than any time limit of the connection, so the failure is no timeout.
    expect(Date.now() - began).toBeLessThan(1900)
  })

  it('counts a message as accepted once it is written, even if its thread cannot be woken', async () => {
    const acceptor = createAcceptor({
      redis: harness.producer,
      queue: { wake: async () => Promise.reject(new Error('gone')), close: async () => undefined },
      runs: acceptedRuns(harness.producer),
      now: Date.now,
      logger: createLogger({ level: 'fatal' }),
    })
    expect(await acceptor.accept(chatMessage('q'))).toMatchObject({ outcome: 'accepted' })
    await harness.startWorker()
    await untilAnswered('answer: q')
  })
})

async function untilAnswered(text: string): Promise<void> {
  await until('answered', async () => (await harness.platform.standing()).includes(text))
}

function tagOf(key: string): string {
  return /\{([^}]*)\}/.exec(key)?.[1] ?? ''
}
