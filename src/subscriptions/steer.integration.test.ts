import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { chatMessage } from '../../test/support/queue-harness.ts'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { AGENT_LIMITS } from '../agent/limits.ts'
import type { SubscriptionDraft } from '../agent/subscribe/frozen-plan.ts'
import { jitterOf } from '../agent/subscribe/schedule.ts'
import { DAY_MS } from '../base/durations.ts'
import { forgetInRedis } from '../privacy/forget-in-redis.ts'
import { TracesOfPerson } from '../privacy/traces-of-person.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { answerSubscriptionsCommand } from './chat-command.ts'
import { keepFor } from './keep-subscription.ts'
import { steer } from './steer.ts'
import { Subscriptions } from './store.ts'

const { signal } = new AbortController()
const clock = { now: Date.parse('2026-11-27T12:00:00Z') }
const now = () => clock.now
let server: TestRedis
let redis: RedisClient
let subscriptions: Subscriptions

beforeAll(async () => {
  server = await startTestRedis()
  redis = await server.connect()
  subscriptions = new Subscriptions({ redis, now })
})
afterEach(async () => {
  await redis.flushall()
  clock.now = Date.parse('2026-11-27T12:00:00Z')
})
afterAll(() => server.close())

const QUERY = { id: 'Q1', question: '', sql: 'SELECT 1', explanation: '', assumptions: [], deciding_assumptions: [], chart: null }
const draftOf = (id: string): SubscriptionDraft => ({
  id,
  kind: 'report',
  recurrence: { schedule: { unit: 'days', every: 1, at: ['08:00'] }, zone: 'UTC', from: '2026-11-28' },
  condition: null,
  once: false,
  plan: { question: 'Loss?', queries: [QUERY], gate: null, source: null },
})
const keeper = (author = 'U1') => keepFor(subscriptions, { message: chatMessage('', { author }), runId: 'run_1', acceptedAt: 0 })
const keep = (id: string, author = 'U1') => keeper(author).keep(draftOf(id), 'en', signal)
const say = async (text: string, author = 'U1') =>
  answerSubscriptionsCommand(subscriptions, { message: chatMessage(text, { author }), runId: 'run_2', acceptedAt: 0 }, signal)

it('pauses, resumes at the next time, runs now, and deletes', async () => {
  await keep('sub_a')
  const running = { due: 1, missed: 0, isLate: false, startedAt: clock.now }
  await subscriptions.change('sub_a', each => ({ ...each, running }), signal)
  expect(await steer(subscriptions, 'sub_a', 'pause', signal)).toMatchObject({ status: 'paused', running: null })
  clock.now += 2 * DAY_MS
  expect(await subscriptions.due(signal)).toEqual([])
  const resumed = await steer(subscriptions, 'sub_a', 'resume', signal)
  expect(resumed).toMatchObject({ status: 'active', next: Date.parse('2026-11-30T08:00:00Z') })
  expect(await subscriptions.due(signal)).toEqual([])
  const run = await steer(subscriptions, 'sub_a', 'run', signal)
  expect(run?.next).toBe(clock.now - jitterOf(draftOf('sub_a')))
  expect(await subscriptions.due(signal)).toEqual(['sub_a'])
  await steer(subscriptions, 'sub_a', 'delete', signal)
  expect(await subscriptions.all(signal)).toEqual([])
  expect(await steer(subscriptions, 'sub_a', 'pause', signal)).toBeUndefined()
})

it('keeps one that is confirmed twice once, and at most so many of one person', async () => {
  expect(await keep('sub_a')).toEqual(Date.parse('2026-11-28T08:00:00Z'))
  clock.now += DAY_MS
  expect(await keep('sub_a')).toEqual(Date.parse('2026-11-28T08:00:00Z'))
  for (let count = 1; count < AGENT_LIMITS.subscribe.mostOfOne; count += 1) await keep(`sub_${count}`)
  expect(await keep('sub_b')).toBeUndefined()
  expect(await keep('sub_b', 'U2')).toEqual(expect.any(Number))
})

it('lets in no more than there is room for, at the same moment and after any delay', async () => {
  await keep('sub_old')
  await subscriptions.change('sub_old', each => ({ ...each, status: 'ended' }), signal)
  for (let count = 1; count < AGENT_LIMITS.subscribe.mostOfOne; count += 1) await keep(`sub_${count}`)
  const active = async () => (await subscriptions.all(signal, 'slack/U1')).filter(({ status }) => status !== 'ended')
  const another = new Subscriptions({ redis: await server.connect(), now })
  const isIn = (each: unknown) =>
    typeof each === 'object' ? each !== null && 'status' in each && each.status === 'active' : !!each
  const kept = await Promise.all([keep('sub_a'), keep('sub_b'), steer(another, 'sub_old', 'resume', signal)])
  expect(kept.filter(isIn).length).toBeLessThanOrEqual(1)
  expect(await active()).toHaveLength(AGENT_LIMITS.subscribe.mostOfOne - 1 + kept.filter(isIn).length)
  for (const id of ['sub_a', 'sub_b']) await steer(subscriptions, id, 'delete', signal)
  await subscriptions.change('sub_old', each => ({ ...each, status: 'ended' }), signal)

  let other: unknown
  const late: RedisClient = Object.create(redis, {
    set: {
      value: async (...given: Parameters<RedisClient['set']>) => {
        other = await keep('sub_b')
        return redis.set(...given)
      },
    },
  })
  const slow = keepFor(new Subscriptions({ redis: late, now }), {
    ...{ message: chatMessage('', { author: 'U1' }), runId: 'run_1', acceptedAt: 0 },
  })
  expect([await slow.keep(draftOf('sub_a'), 'en', signal), other]).toEqual([undefined, expect.any(Number)])
  expect((await active()).map(({ id }) => id)).toContain('sub_b')
  expect(await active()).toHaveLength(AGENT_LIMITS.subscribe.mostOfOne)
  expect(await steer(another, 'sub_old', 'resume', signal)).toMatchObject({ status: 'ended' })
  expect(await subscriptions.find('sub_a', signal)).toBeUndefined()
})

it('leaves nothing of one that is deleted while another press changes it', async () => {
  await keep('sub_a')
  const late: RedisClient = Object.create(redis, {
    zadd: {
      value: async (...given: Parameters<RedisClient['zadd']>) => {
        await steer(subscriptions, 'sub_a', 'delete', signal)
        return redis.zadd(...given)
      },
    },
  })
  const paused = await steer(new Subscriptions({ redis: late, now }), 'sub_a', 'pause', signal)
  expect(paused?.status).toBe('paused')
  expect(await redis.keys('*subscription*')).toEqual([])
})

it('makes no room for one that has ended, by a resume or a change', async () => {
  await keep('sub_a')
  await subscriptions.change('sub_a', each => ({ ...each, status: 'ended' }), signal)
  for (let count = 0; count < AGENT_LIMITS.subscribe.mostOfOne; count += 1) await keep(`sub_${count}`)
  expect(await say('/subscriptions resume sub_a')).toMatchObject({ markdown: expect.stringMatching(/^- `sub_a` .*\(ended\)/) })
  expect(await keeper().keep({ ...draftOf('sub_a'), once: true }, 'en', signal)).toBeUndefined()
  expect((await subscriptions.find('sub_a', signal))?.status).toBe('ended')
  await steer(subscriptions, 'sub_0', 'delete', signal)
  expect(await steer(subscriptions, 'sub_a', 'resume', signal)).toMatchObject({ status: 'active' })
})

it.each(['ended', 'stopped', 'paused'] as const)('tells of one that has %s, whatever only an active one can do', async status => {
  await keep('sub_a')
  await subscriptions.change('sub_a', each => ({ ...each, status }), signal)
  for (const what of status === 'paused' ? ['run'] : ['pause', 'run'])
    expect(await say(`/subscriptions ${what} sub_a`)).toMatchObject({ markdown: expect.stringContaining(`(${status})`) })
  expect((await subscriptions.find('sub_a', signal))?.status).toBe(status)
})

it('puts a changed one in the place of the old one, with its history, for its owner only', async () => {
  await keep('sub_a')
  const before = await subscriptions.change('sub_a', each => ({ ...each, status: 'stopped', gateRow: '1' }), signal)
  const draft = { ...draftOf('sub_a'), recurrence: { ...draftOf('').recurrence, from: '2026-12-24' } }
  expect(await say('/subscriptions edit sub_a')).toMatchObject({ markdown: expect.stringContaining('to list yours') })
  expect(await say('/subscriptions edit sub_a every Friday', 'U2')).toMatchObject({ markdown: expect.anything() })
  expect(await say('/subscriptions edit sub_a every\nFriday')).toBeUndefined()
  const words = '/subscriptions edit sub_a every\nFriday'
  expect(await keeper().revised(words, signal)).toEqual({ draft: draftOf('sub_a'), words: 'every\nFriday' })
  expect(await keeper('U2').revised(words, signal)).toBeUndefined()
  expect(await keeper().revised('/subscriptions pause sub_a', signal)).toBeUndefined()
  clock.now += DAY_MS
  expect(await keeper().keep(draft, 'en', signal)).toEqual(Date.parse('2026-12-24T08:00:00Z'))
  const after = await subscriptions.find('sub_a', signal)
  const changed = { ...draft, status: 'active', gateRow: null, next: Date.parse('2026-12-24T08:00:00Z') }
  expect(after).toEqual({ ...before, ...changed })
})

it('lists and steers in a chat what its author owns, and nothing else', async () => {
  await keep('sub_a')
  expect(await say('How much was lost?')).toBeUndefined()
  expect(await say('/subscriptions')).toMatchObject({
    markdown: '- `sub_a` Report, every day at 08:00 (UTC) (Sat, 28 Nov 2026, 08:00): Loss?',
  })
  expect(await say('/subscriptions', 'U2')).toMatchObject({ markdown: expect.stringContaining('You have no subscriptions') })
  expect(await say('/subscriptions delete sub_a', 'U2')).toMatchObject({ markdown: expect.stringContaining('to list yours') })
  expect(await say('/subscriptions burn sub_a')).toMatchObject({ markdown: expect.stringContaining('to list yours') })
  expect(await say('/subscriptions pause sub_a')).toMatchObject({ markdown: '`sub_a` is paused.' })
  expect(await say('/subscriptions list')).toMatchObject({ markdown: expect.stringContaining('(paused)') })
  expect(await say('/subscriptions delete sub_a')).toMatchObject({ markdown: '`sub_a` is deleted.' })
  expect(await subscriptions.all(signal)).toEqual([])
})

it('is forgotten with its owner, and no other is', async () => {
  await keep('sub_a')
  await keep('sub_b', 'U2')
  const counts = await forgetInRedis({ redis, traces: new TracesOfPerson('slack/U1'), isTrial: false }, signal)
  expect(counts.get('subscriptions')).toBe(1)
  expect((await subscriptions.all(signal)).map(({ id }) => id)).toEqual(['sub_b'])
})

it('names no question in a channel in which it is not asked', async () => {
  await keep('sub_a')
  const message = chatMessage('/subscriptions', { author: 'U1' })
  const inPlace = async (changes: object, more = {}) => {
    const asked = { ...message, ...more, place: { ...message.place, ...changes } }
    const reply = await answerSubscriptionsCommand(subscriptions, { message: asked, runId: 'run_3', acceptedAt: 0 }, signal)
    return reply?.kind === 'answer' ? reply.markdown : ''
  }
  expect(await inPlace({})).toContain('Loss?')
  expect(await inPlace({ channel: 'C2' })).toMatch(/^- `sub_a` (?!.*Loss)/)
  expect(await inPlace({ channel: 'D1', isDirect: true })).toContain('Loss?')
  expect(await inPlace({ channel: 'C2' }, { publicThread: 'thread-1' })).toContain('Loss?')
})
