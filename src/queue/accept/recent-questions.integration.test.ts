import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { chatMessage, type QueueHarness, startQueueHarness } from '../../../test/support/queue-harness.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { createRecentQuestions } from './recent-questions.ts'

let harness: QueueHarness
beforeAll(async () => {
  harness = await startQueueHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const person = (user = chatMessage('').author) => ({ ...chatMessage('').place, user })

describe('recent questions', () => {
  it('lists the latest ones of a person, each once', async () => {
    const recent = createRecentQuestions(harness.redis)
    for (let order = 1; order <= 12; order += 1) await recent.remember(chatMessage(`q${order}`, { order }))
    await recent.remember(chatMessage('q5', { order: 5 }))
    await recent.remember({ ...chatMessage('another', { order: 20 }), author: 'U2' })
    await recent.remember(chatMessage('  ', { order: 21 }))
    const texts = (await recent.of(person())).map(({ text }) => text)
    expect(texts).toEqual(Array.from({ length: QUEUE_LIMITS.recentQuestions }, (_, index) => `q${12 - index}`))
    expect(await recent.of(person('U2'))).toMatchObject([{ text: 'another' }])
    expect(await recent.of(person('U3'))).toEqual([])
    expect(await recent.of({ ...person(), workspace: 'T2' })).toEqual([])
  })

  it('keeps them short, for some days or until they are deleted', async () => {
    const recent = createRecentQuestions(harness.redis)
    const { messageId, place } = chatMessage('x'.repeat(5_000))
    await recent.remember(chatMessage('x'.repeat(5_000)))
    expect((await recent.of(person()))[0]).toMatchObject({ place, messageId, text: expect.stringMatching(/^x{100,}…$/) })
    const keys = (await harness.redis.keys('*')).filter(key => key.includes(':recent'))
    expect(keys).toHaveLength(2)
    for (const key of keys) {
      const lives = await harness.redis.pttl(key)
      expect(lives).toBeGreaterThan(QUEUE_LIMITS.recentMs - 60_000)
      expect(lives).toBeLessThanOrEqual(QUEUE_LIMITS.recentMs)
    }
    await recent.forget(person(), 'another')
    expect(await recent.of(person())).toHaveLength(1)
    await recent.forget(person(), messageId)
    expect(await recent.of(person())).toEqual([])
  })

  it('skips unreadable ones, and those that somebody without the key has written', async () => {
    const recent = createRecentQuestions(harness.redis)
    await recent.remember(chatMessage('how many?'))
    const [key = ''] = (await harness.redis.keys('*:recent')) ?? []
    await harness.redis.hset(key, 'old', '{"text":1}')
    await harness.redis.zadd(`${key}:times`, 1, 'old')
    await harness.redis.zadd(`${key}:times`, 2, 'gone')
    const { place, messageId } = chatMessage('')
    await harness.redis.hset(key, 'forged', JSON.stringify({ text: 'Call 555!', place, messageId }))
    await harness.redis.zadd(`${key}:times`, 3, 'forged')
    expect((await recent.of(person())).map(({ text }) => text)).toEqual(['how many?'])
  })
})
