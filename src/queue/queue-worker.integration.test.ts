import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Queue } from 'bullmq'
import { createGate } from '../../test/emulators/gate.ts'
import { PART_BREAK } from '../../test/support/fake-platform.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { runResult } from '../../test/support/run-result.ts'
import { createScriptedAnswer } from '../../test/support/scripted-answer.ts'
import { SIZES } from '../base/sizes.ts'
import { type Subject, subjectAtHand } from '../base/watched-work.ts'
import type { Observation } from '../telemetry/observation.ts'
import type { Admission } from './accept/admission.ts'
import { createDeadLetters } from './dead-letters.ts'
import { DRAIN_PREFIX, DRAIN_QUEUE } from './drain-queue.ts'
import { DEAD_LETTERS, threadKeys, threadName } from './thread-keys.ts'

/** In these tests, a request that timed out may still take effect within this time. */
const LANDING_MS = 900

/** Returns an admission that grants these tables to everybody. */
function withRights(tables: string): Admission {
  const access = { grants: [{ tables: [tables], except: [] }], clickhouseRoles: [] }
  const decision = { kind: 'granted' as const, roles: ['one'], access, mayPublish: false, isPrivate: false }
  return { admit: async accepted => ({ ...accepted, access: decision }) }
}

let harness: QueueHarness
const signal = new AbortController().signal

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

async function accept(text: string, changes: Parameters<typeof chatMessage>[1] = {}): Promise<void> {
  const acceptance = await harness.acceptor.accept(chatMessage(text, changes))
  if (acceptance.outcome === 'accepted') await harness.placeholders.show(acceptance.accepted, signal)
}

async function untilDone(thread = 'thread-1', timeoutMs = 30_000): Promise<void> {
  const keys = threadKeys(threadName({ ...chatMessage('').place, thread }))
  await until(`${thread} is empty`, async () => (await harness.redis.zcard(keys.pending)) === 0, timeoutMs)
}

async function posts(): Promise<number> {
  return (await harness.platform.history()).filter(({ operation }) => operation === 'post').length
}

describe('the worker', () => {
  it('edits the answer into the placeholder', async () => {
    await accept('hello')
    expect(await harness.platform.standing()).toEqual(['… Looking into it …'])
    await harness.startWorker()
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
    expect(await posts()).toBe(1)
  })

  it('tells the author that a message is too long, and does not answer it', async () => {
    await accept('x'.repeat(SIZES.question + 1))
    await accept('y'.repeat(SIZES.question), { order: 2 })
    await harness.startWorker()
    await untilDone()
    const [told, answered] = await harness.platform.standing()
    expect(told).toContain('more than the 8,000 characters')
    expect(told).not.toContain('xxx')
    expect(answered).toBe(`answer: ${'y'.repeat(SIZES.question)}`)
  })

  it('reports each reply once, with its author and what it is worth', async () => {
    const observed: (Observation & Subject)[] = []
    const observe = (each: Observation) => void observed.push({ ...each, ...subjectAtHand() })
    const citations = { checked: 4, unsupported: ['No.'] }
    const answer = async ({ message: { text } }: { message: { text: string } }) => {
      if (text === 'fails') throw new Error('a fault')
      return { kind: 'answer' as const, markdown: text, result: runResult({ citations, confidence: 'HIGH' }) }
    }
    for (const [index, text] of ['works', 'fails', 'x'.repeat(SIZES.question + 1)].entries())
      await accept(text, { order: index + 1 })
    await harness.startWorker({ answer, admission: withRights('a.*'), observe })
    await untilDone()
    const author = { run: expect.any(String), step: 'answer', person: 'slack/U1', place: expect.anything(), role: 'one' }
    const access = { kind: 'access', platform: 'slack', decision: 'allowed', ...author }
    const replied = { kind: 'answer', durationMs: expect.any(Number), sentences: 0, unverifiedSentences: 0, ...author }
    expect(observed).toEqual([
      access,
      { ...replied, outcome: 'answered', confidence: 'HIGH', sentences: 4, unverifiedSentences: 1 },
      access,
      { ...replied, outcome: 'failed', error: 'fault' },
      access,
      { ...replied, outcome: 'refused', error: 'question_too_long' },
    ])
  })

  it('posts the placeholder if the accepting process did not', async () => {
    await harness.acceptor.accept(chatMessage('wait 100'))
    await harness.startWorker()
    await untilDone()
    expect((await harness.platform.history()).map(({ operation, text }) => `${operation} ${text}`)).toEqual([
      'post … Looking into it …',
      'edit answer: wait 100',
    ])
  })

  it('shows one placeholder when both processes post it, because the second waits for the record', async () => {
    await harness.platform.plan({ operation: 'post', delayMs: 150 })
    const acceptance = await harness.acceptor.accept(chatMessage('hello'))
    await harness.startWorker()
    if (acceptance.outcome === 'accepted') await harness.placeholders.show(acceptance.accepted, signal)
    await untilDone()
    expect(await posts()).toBe(1)
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
  })

  it('fault 3: answers a thread in order of time, not of arrival', async () => {
    for (const order of [5, 3, 1, 4, 2]) await accept(`q${order}`, { order })
    await harness.startWorker()
    await untilDone()
    expect(await harness.begun()).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'])
  })

  it('never works on two messages of a thread at once, with three workers', async () => {
    let inFlight = 0
    let most = 0
    const answer = async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await wait(30)
      inFlight -= 1
      return { kind: 'answer' as const, markdown: 'x' }
    }
    for (let count = 0; count < 3; count += 1) await harness.startWorker({ answer })
    for (let order = 1; order <= 12; order += 1) await accept(`q${order}`, { order })
    await untilDone()
    expect(most).toBe(1)
    expect(await harness.platform.standing()).toEqual(Array.from({ length: 12 }, () => 'x'))
  })

  it('answers 20 threads in parallel', async () => {
    const threads = Array.from({ length: 20 }, (_, index) => `t${index}`)
    let begun = 0
    const everybody = createGate()
    const answer = async () => {
      begun += 1
      // Each answer waits until all answers have begun.
      if (begun === threads.length) everybody.open()
      await everybody.opened
      return { kind: 'answer' as const, markdown: 'x' }
    }
    await harness.startWorker({ answer, concurrency: 20 })
    await Promise.all(threads.map(thread => accept('q', { thread })))
    for (const thread of threads) await untilDone(thread)
    expect(await harness.platform.standing()).toEqual(Array.from({ length: 20 }, () => 'x'))
  })

  it('answers once despite duplicates, and redeliveries after the answer', async () => {
    await harness.startWorker()
    await Promise.all([accept('hello'), accept('hello'), accept('hello')])
    await untilDone()
    await accept('hello')
    await accept('next', { order: 2 })
    await untilDone()
    expect(await harness.begun()).toEqual(['hello', 'next'])
  })

  it('reports a failure to the author without internal details, and continues', async () => {
    await accept('throw', { order: 1 })
    await accept('next', { order: 2 })
    await harness.startWorker()
    await untilDone()
    const [failure, next] = await harness.platform.standing()
    expect(failure).toMatch(/^error: .*run_/)
    expect(failure).not.toContain('secret inside')
    expect(next).toBe('answer: next')
  })

  it('keeps an unreadable message as a dead letter, and continues', async () => {
    await accept('lost', { order: 1 })
    await accept('next', { order: 2 })
    const keys = threadKeys(threadName(chatMessage('').place))
    await harness.redis.hset(keys.messages, 'id-1', '{"half":')
    await harness.startWorker()
    await untilDone()
    expect(await harness.begun()).toEqual(['next'])
    const letters = (await harness.redis.zrange(DEAD_LETTERS, '0', '-1')).map(text => JSON.parse(text))
    expect(letters).toMatchObject([{ messageId: 'id-1', reason: 'it cannot be read', payload: '{"half":' }])
    expect(await createDeadLetters(harness.redis).list(signal)).toMatchObject([{ id: expect.stringMatching(/^letter_/) }])
  })

  it('keeps a dead letter that was given up again while it was being dropped', async () => {
    const letters = createDeadLetters(harness.redis)
    const given = { thread: 't', messageId: 'm', reason: 'r', message: 'unreadable' }
    await letters.keep(given, signal)
    const [before] = await letters.list(signal)
    if (before === undefined) throw new Error('not kept')
    await until('the clock goes on', async () => Date.now() > before.givenUpAt + 1)
    await letters.keep(given, signal)
    await letters.drop(before, signal)
    const [again] = await letters.list(signal)
    if (again === undefined) throw new Error('lost')
    await letters.drop(again, signal)
    expect(await letters.list(signal)).toEqual([])
  })

  it('answers no message from somebody without the key', async () => {
    await accept('hello')
    const keys = threadKeys(threadName(chatMessage('').place))
    const written = (await harness.redis.hget(keys.messages, 'id-1')) ?? ''
    await harness.redis.hset(keys.messages, 'id-1', written.replace('"author":"U1"', '"author":"boss"'))
    await harness.startWorker()
    await untilDone()
    expect(await harness.begun()).toEqual([])
    expect(await harness.redis.zcard(DEAD_LETTERS)).toBe(1)
  })

  it('wakes a thread whose job is lost', async () => {
    await accept('hello')
    await harness.redis.del('{clew}:threads:prioritized', '{clew}:threads:1')
    await harness.startWorker()
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
  })

  it('takes a message that arrives while its thread is being finished', async () => {
    await harness.startWorker()
    for (let order = 1; order <= 40; order += 1) {
      await harness.acceptor.accept(chatMessage(`q${order}`, { order }))
      await until(`q${order} answered`, async () => (await harness.platform.standing()).includes(`answer: q${order}`), 5000)
    }
    expect(await harness.begun()).toHaveLength(40)
  })
})

describe('delivery', () => {
  it('shows parts in order, and notifies the author of a slow answer once', async () => {
    const acceptance = await harness.acceptor.accept(chatMessage('parts 3'))
    expect(acceptance.outcome).toBe('accepted')
    await harness.startWorker({ now: () => Date.now() + 21_000 })
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['part 1', 'part 2', 'part 3', 'done, U1'])
    expect(await posts()).toBe(4)
  })

  it('shows the latest progress at a limited pace, and nothing after the answer', async () => {
    await accept('progress 60')
    await harness.startWorker()
    await untilDone()
    const shown = (await harness.platform.history()).map(({ text }) => text)
    expect(shown.at(-1)).toBe('answer: progress 60')
    expect(shown.length).toBeGreaterThanOrEqual(3)
    expect(shown.length).toBeLessThanOrEqual(5)
  })

  it('shows the plan and the first rows before any text, then the growing answer', async () => {
    const plan = { lines: ['Writing', 'Q1 (1 row)'], table: 'rows' }
    const stands = (text: string) => until(text, async () => (await harness.platform.standing()).includes(text))
    await accept('how many?')
    await harness.startWorker({
      progressIntervalMs: 10,
      answer: async (_accepted, context) => {
        for (const answer of ['One.', 'One. Two.']) {
          context.progress(() => ({ ...plan, answer }))
          await stands(`… ${answer}`)
        }
        return { kind: 'answer', markdown: 'One. Two. Three.' }
      },
    })
    await untilDone()
    expect((await harness.platform.history()).map(({ text }) => text)).toEqual([
      '… Looking into it …',
      '… Writing / Q1 (1 row) / rows',
      '… One.',
      '… One. Two.',
      'One. Two. Three.',
    ])
  })

  it("fault 4: lets progress give way to answers when the workspace's budget is spent", async () => {
    const { outbox } = harness.platform
    await harness.startWorker({ destinations: { slack: { outbox, progressEditsPerMinute: 10 } }, concurrency: 8 })
    const began = Date.now()
    const threads = Array.from({ length: 8 }, (_, index) => `t${index}`)
    await Promise.all(threads.map(thread => accept('progress 75', { thread })))
    for (const thread of threads) await untilDone(thread)
    expect(Date.now() - began).toBeLessThan(45_000)
    const edits = (await harness.platform.history()).filter(({ operation }) => operation === 'edit').map(({ text }) => text)
    expect(edits.filter(text => text.startsWith('answer'))).toHaveLength(8)
    expect(edits.filter(text => text.startsWith('…')).length).toBeLessThanOrEqual(2)
  })

  it.each(['post', 'edit'] as const)('waits out a short 429 on %s', async operation => {
    await harness.platform.plan({ operation, fails: 'rate_limited', retryAfterMs: 300 })
    await harness.acceptor.accept(chatMessage('hello'))
    await harness.startWorker()
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
  })

  it('fault 4: delays a thread at a long 429, at no attempt, while other threads continue, and answers each once', async () => {
    await accept('limited', { thread: 'slow' })
    await harness.platform.plan({ operation: 'edit', fails: 'rate_limited', retryAfterMs: 6000 })
    const began = Date.now()
    await harness.startWorker({ concurrency: 1 })
    await until('the thread is put off', async () => (await harness.redis.zcard('{clew}:threads:delayed')) === 1)
    await accept('free', { thread: 'fast' })
    await untilDone('fast')
    expect(await harness.redis.zcard('{clew}:threads:delayed')).toBe(1)
    await untilDone('slow')
    expect(Date.now() - began).toBeGreaterThan(5900)
    expect(await harness.begun()).toEqual(['limited', 'free'])
    expect(await harness.platform.standing('slow')).toEqual(['answer: limited'])
    const job = await harness.redis.hgetall('{clew}:threads:1')
    expect(job.atm ?? '0').not.toBe('2')
    expect(await harness.redis.zcard('{clew}:threads:failed')).toBe(0)
  })

  it('fault 5: searches for its post before it posts again, if the platform did not answer', async () => {
    await harness.platform.plan({ operation: 'post', fails: 'unavailable', doneAnyway: true })
    await harness.acceptor.accept(chatMessage('wait 50'))
    await harness.startWorker()
    await untilDone()
    expect(await posts()).toBe(1)
    expect((await harness.platform.history()).map(({ operation }) => operation)).toEqual(['post', 'find', 'edit'])
  })

  it('fault 5: finds an abandoned post that arrived late, and does not post again', async () => {
    await harness.platform.plan({ operation: 'post', fails: 'unavailable', doneAfterMs: 300 })
    await harness.acceptor.accept(chatMessage('wait 50'))
    await harness.startWorker({ landingMs: LANDING_MS })
    await untilDone()
    expect(await posts()).toBe(1)
    expect(await harness.platform.standing()).toEqual(['answer: wait 50'])
  })

  it('fault 5: removes a post that arrives after its replacement', async () => {
    await harness.platform.plan({ operation: 'post', fails: 'unavailable', doneAfterMs: LANDING_MS + 300 })
    await harness.acceptor.accept(chatMessage('wait 2000'))
    await harness.startWorker({ landingMs: LANDING_MS })
    await untilDone()
    expect(await posts()).toBe(2)
    await until('one is left', async () => (await harness.platform.standing()).length === 1)
    expect(await harness.platform.standing()).toEqual(['answer: wait 2000'])
  })

  it('fault 5: does not let late progress replace the answer', async () => {
    await harness.acceptor.accept(chatMessage('progress 10'))
    await harness.platform.plan({ operation: 'edit', fails: 'unavailable', doneAfterMs: 300 })
    await harness.startWorker({ landingMs: LANDING_MS, progressIntervalMs: 10 })
    await untilDone()
    expect((await harness.platform.history()).map(({ text }) => text).slice(-2)).toEqual([
      expect.stringMatching(/^… step \d+$/),
      'answer: progress 10',
    ])
  })

  it('posts again if the platform has no such post', async () => {
    await harness.platform.plan({ operation: 'post', fails: 'unavailable' })
    await harness.acceptor.accept(chatMessage('wait 50'))
    await harness.startWorker({ landingMs: LANDING_MS })
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['answer: wait 50'])
    expect(await posts()).toBe(1)
  })

  it.each([
    ['gone', 30],
    ['forbidden', 50],
  ] as const)(
    'fault 8, 9: ends a message whose place is %s, once, with a log line of level %i, and goes on',
    async (fails, level) => {
      await accept('first', { order: 1 })
      await accept('second', { order: 2 })
      await harness.platform.plan({ operation: 'edit', fails })
      await harness.startWorker()
      await untilDone()
      expect(await harness.begun()).toEqual(['first', 'second'])
      expect(await harness.platform.standing()).toEqual(['… Looking into it …', 'answer: second'])
      expect(harness.lines.filter(line => line.includes(`"kind":"${fails}"`)).map(line => JSON.parse(line).level)).toEqual([
        level,
      ])
    },
  )

  it('fault 7: keeps a message while the token is refused, and continues when it is replaced', async () => {
    await accept('first', { order: 1 })
    await harness.platform.plan({ operation: 'edit', fails: 'authentication' })
    await harness.startWorker()
    await until('the thread waits', async () => (await harness.redis.zcard('{clew}:threads:delayed')) === 1)
    expect(await harness.redis.zcard(threadKeys(threadName(chatMessage('').place)).pending)).toBe(1)
    const queue = new Queue(DRAIN_QUEUE, { connection: harness.redis, prefix: DRAIN_PREFIX })
    for (const job of await queue.getDelayed()) {
      expect(job.delay).toBeGreaterThan(50_000)
      await job.promote()
    }
    await untilDone()
    await queue.close()
    expect(await harness.begun()).toEqual(['first'])
    expect(await harness.platform.standing()).toEqual(['answer: first'])
  })

  it('fault 8: shows an answer in a new message, once, if somebody removed its placeholder', async () => {
    await accept('hello')
    await harness.platform.plan({ operation: 'edit', fails: 'removed' })
    await harness.startWorker()
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['… Looking into it …', 'answer: hello'])
    expect((await harness.platform.history()).map(({ operation }) => operation)).toEqual(['post', 'find', 'post'])
  })

  it('fault 8: aborts an answer when its place turns out to be gone', async () => {
    await harness.platform.plan({ operation: 'post', fails: 'gone' })
    await harness.acceptor.accept(chatMessage('wait 100000'))
    await harness.startWorker()
    await untilDone()
  })

  it.each([
    ['is refused by the platform', 'hello', { operation: 'edit', fails: 'rejected' } as const],
    ['makes the outbox fail', 'hello', { operation: 'edit', fails: 'bug' } as const],
    ['cannot be rendered', 'unrenderable', undefined],
  ])('shows an error instead of an answer that %s', async (_, text, mishap) => {
    await accept(text)
    if (mishap !== undefined) await harness.platform.plan(mishap)
    await harness.startWorker()
    await untilDone()
    expect(await harness.platform.standing()).toEqual([expect.stringMatching(/^error: /)])
  })

  it('ends a message if nothing at all can be shown', async () => {
    await accept('first', { order: 1 })
    await harness.platform.plan({ operation: 'edit', fails: 'bug' }, { operation: 'edit', fails: 'bug' })
    await accept('second', { order: 2 })
    await harness.startWorker()
    await untilDone()
    expect((await harness.platform.standing()).at(-1)).toBe('answer: second')
    const letters = (await harness.redis.zrange(DEAD_LETTERS, '0', '-1')).map(text => JSON.parse(text))
    expect(letters).toMatchObject([{ messageId: 'id-1' }])
  })

  it('knows the author’s time zone', async () => {
    await accept('q')
    await harness.startWorker({
      answer: async (_, context, runSignal) => ({ kind: 'answer', markdown: `in ${await context.timeZone(runSignal)}` }),
    })
    await untilDone()
    expect(await harness.platform.standing()).toEqual(['in Europe/Berlin'])
  })
})

describe('stopping', () => {
  it('lets running answers finish, and leaves waiting messages alone', async () => {
    const worker = await harness.startWorker({ concurrency: 1 })
    await accept('wait 600', { order: 1 })
    await accept('next', { order: 2 })
    await until('begun', async () => (await harness.begun()).length === 1)
    const began = Date.now()
    await worker.close(50_000)
    expect(Date.now() - began).toBeLessThan(30_000)
    expect(await harness.platform.standing()).toEqual(['answer: wait 600', '… Looking into it …'])
    await harness.startWorker()
    await untilDone()
    expect(await harness.begun()).toEqual(['wait 600', 'next'])
    expect(await harness.platform.standing()).toEqual(['answer: wait 600', 'answer: next'])
  })

  it('hands back an unfinished answer after the grace, still first and without a counted start', async () => {
    const runs: string[] = []
    const worker = await harness.startWorker({
      answer: async ({ runId }) => {
        runs.push(runId)
        return new Promise(() => undefined)
      },
    })
    await accept('first', { order: 1 })
    await accept('second', { order: 2 })
    await until('begun', async () => runs.length === 1)
    await worker.close(200)
    const keys = threadKeys(threadName(chatMessage('').place))
    expect(await harness.redis.hget(keys.starts, 'id-1')).toBe('0')
    const scripted = createScriptedAnswer(harness.redis)
    await harness.startWorker({
      answer: (accepted, context, runSignal) => {
        runs.push(accepted.runId)
        return scripted(accepted, context, runSignal)
      },
    })
    await untilDone('thread-1', 3000)
    expect(await harness.platform.standing()).toEqual(['answer: first', 'answer: second'])
    expect(runs[1]).toBe(runs[0])
  })

  it("delivers another worker's finished answer without making it again", async () => {
    await accept(`one${PART_BREAK}two`)
    await harness.platform.plan({ operation: 'edit', fails: 'rate_limited', retryAfterMs: 3200 })
    const worker = await harness.startWorker()
    await until('the thread is put off', async () => (await harness.redis.zcard('{clew}:threads:delayed')) === 1)
    await worker.close(0)
    await harness.startWorker()
    await untilDone()
    expect(await harness.begun()).toHaveLength(1)
    expect(await harness.platform.standing()).toEqual(['answer: one', 'two'])
  })

  it("makes a finished answer again if its author's rights have changed", async () => {
    await accept('hello')
    await harness.platform.plan({ operation: 'edit', fails: 'rate_limited', retryAfterMs: 3200 })
    const worker = await harness.startWorker({ admission: withRights('shop.*') })
    await until('the thread is put off', async () => (await harness.redis.zcard('{clew}:threads:delayed')) === 1)
    await worker.close(0)
    await harness.startWorker({ admission: withRights('shop.orders') })
    await untilDone()
    expect(await harness.begun()).toHaveLength(2)
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
  })

  it('answers anew if the rights change while the run works', async () => {
    let looks = 0
    const admission: Admission = {
      admit: accepted => {
        looks += 1
        return withRights(looks === 1 ? 'shop.*' : 'shop.orders').admit(accepted, signal)
      },
    }
    await accept('hello')
    await harness.startWorker({ admission })
    await untilDone()
    expect(await harness.begun()).toHaveLength(2)
    expect(await harness.platform.standing()).toEqual(['answer: hello'])
  })

  it('shows no rows and no text once the rights have changed, while the run still works', async () => {
    let isChanged = false
    const admission: Admission = {
      admit: accepted => withRights(isChanged ? 'shop.orders' : 'shop.*').admit(accepted, signal),
    }
    const shown = async () => (await harness.platform.history()).map(({ text }) => text)
    await accept('hello')
    await harness.startWorker({
      admission,
      progressIntervalMs: 10,
      answer: async (_accepted, context) => {
        if (isChanged) return { kind: 'answer', markdown: 'done' }
        context.progress(() => ({ lines: ['Working'], answer: 'first' }))
        await until('the first text is shown', async () => (await shown()).includes('… first'))
        isChanged = true
        context.progress(() => ({ lines: ['Still working'], answer: 'secret' }))
        await until('the lines are shown', async () => (await shown()).includes('… Still working'))
        return { kind: 'answer', markdown: 'done' }
      },
    })
    await untilDone()
    expect((await shown()).join()).not.toContain('secret')
  })
})
