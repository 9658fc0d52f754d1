import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { chatPress } from '../../../test/support/presses.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../../test/support/queue-harness.ts'
import { runResult } from '../../../test/support/run-result.ts'
import { createLogger } from '../../base/logger.ts'
import { asRun } from '../../base/watched-work.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import type { ObservationOf } from '../../telemetry/observation.ts'
import type { AnswerMessage } from '../drain/answer-message.ts'
import { ALLOWANCE_LIMITS, USAGE_LIMITS } from '../limits.ts'
import type { Cap } from './cap.ts'
import { Caps, floodCaps } from './caps.ts'
import { analystWithinCaps, modelWithinCaps, pressWithinCaps } from './within-caps.ts'

let harness: QueueHarness
const signal = new AbortController().signal
const { place } = chatMessage('')
const logger = createLogger({ level: 'fatal' })
const timeZone = 'Europe/Berlin'
const FLOOD = floodCaps({ questions: 3, tokens: 1_000 })
let now: number

beforeAll(async () => {
  harness = await startQueueHarness()
})
beforeEach(() => {
  now = Date.parse('2026-11-27T12:00:00Z')
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const capsOf = (caps: readonly Cap[], holdMs?: number) =>
  new Caps({ redis: harness.redis, caps, timeZone, now: () => now, logger, ...(holdMs !== undefined && { holdMs }) })
/** Answers messages by an analyst that repeats the question, after it has done some work. */
function answerWithin(caps: Caps, work: (text: string) => void = () => {}, afterwards = async () => {}): AnswerMessage {
  const analyst = analystWithinCaps(caps, {
    async ask({ text }) {
      work(text)
      return { result: runResult({ answer: `answer: ${text}`, note: '' }), waiting: [], afterwards }
    },
  })
  return async ({ message: { text }, runId }, context, own) => {
    const { result, afterwards: later } = await analyst.ask({ text, runId, askedAt: now }, own)
    context.afterReply(later)
    return { kind: 'answer', markdown: result.answer }
  }
}
const subjectOf = (user = 'ann', channel = place.channel, role = '') => ({
  person: `slack/${user}`,
  place: { platform: 'slack', channel },
  role,
})
const take = (caps: Caps, id: string, ...of: Parameters<typeof subjectOf>) => caps.take('questions', id, subjectOf(...of), signal)
const modelCall = (tokens: number, cost = 0): ObservationOf<'model_call'> => ({
  kind: 'model_call',
  step: 'generate',
  model: 'm',
  outcome: 'answered',
  inputTokens: tokens,
  outputTokens: 0,
  isEstimated: false,
  cost,
  durationMs: 1,
})
const query = (bytesRead: number): ObservationOf<'query'> => ({
  kind: 'query',
  source: 'clickhouse',
  sql: 'SELECT 1',
  outcome: 'ok',
  rows: 1,
  rowsRead: 1,
  bytesRead,
  durationMs: 1,
})
/** Lets a person use something, as a run of the person would. */
const useAs = (caps: Caps, ...used: readonly (ObservationOf<'model_call'> | ObservationOf<'query'>)[]) =>
  asRun({ id: 'run_0', ...subjectOf() }, async () => {
    for (const each of used) caps.observe(each)
  })
const model: LanguageModel = {
  async *stream() {
    yield { kind: 'completed', completion: { text: 'hello' } }
  },
}
const day = (cap: Partial<Cap>): Cap => ({ per: 'person', of: 'questions', window: 'day', limit: 5, ...cap })
const shownTexts = async () => (await harness.platform.standing()).filter(text => !text.startsWith('…'))
const answersIn = (texts: readonly string[]) => texts.filter(text => text.startsWith('answer: '))

describe('caps against floods', () => {
  it('count each question of a person once, and tell whoever exceeds them when to go on', async () => {
    const caps = capsOf(FLOOD)
    for (const id of ['a', 'b', 'c', 'a', 'b']) expect(await take(caps, id)).toBeUndefined()
    const waitMs = ((await take(caps, 'd'))?.endsAt ?? 0) - now
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(ALLOWANCE_LIMITS.countedMs)
    expect(await take(caps, 'd', 'ann', 'elsewhere')).toBeDefined()
    expect(await take(caps, 'e', 'bob')).toBeUndefined()
    expect(await take(caps, 'a')).toBeUndefined()
  })

  it('count each channel for all its people, and take nothing from a person whose question they refuse', async () => {
    const caps = capsOf(FLOOD)
    const most = 3 * ALLOWANCE_LIMITS.channelFactor
    for (let each = 0; each < most; each += 1) expect(await take(caps, `q${each}`, `user${each}`)).toBeUndefined()
    for (const id of ['x', 'y', 'z', 'w']) expect(await take(caps, id, 'bob')).toMatchObject({ per: 'channel' })
    for (const id of ['x', 'y', 'z']) expect(await take(caps, id, 'bob', 'elsewhere')).toBeUndefined()
  })

  it('add up the tokens of runs', async () => {
    const caps = capsOf(FLOOD)
    await useAs(caps, modelCall(300), modelCall(300))
    expect(await take(caps, 'a')).toBeUndefined()
    await useAs(caps, modelCall(400))
    expect(((await take(caps, 'b'))?.endsAt ?? 0) - now).toBeGreaterThan(ALLOWANCE_LIMITS.spentMs / 2)
    expect(await take(caps, 'c', 'bob')).toBeUndefined()
  })

  it('are explained in the thread, and drop no question', async () => {
    for (let each = 1; each <= 5; each += 1) await harness.acceptor.accept(chatMessage(`q${each}`, { thread: `t${each}` }))
    const answer = answerWithin(capsOf(FLOOD))
    await harness.startWorker({ concurrency: 1, answer })
    await until('all are told', async () => (await shownTexts()).length === 5)
    expect(answersIn(await shownTexts())).toHaveLength(3)
    expect((await shownTexts()).filter(text => /I go on in (\d+ minutes|a minute)/.test(text))).toHaveLength(2)
  })

  it('limit presses too, except Stop', async () => {
    const caps = capsOf([day({ of: 'presses', window: ALLOWANCE_LIMITS.countedMs, limit: 2 })])
    const handle = pressWithinCaps(caps, async () => ({ markdown: 'done' }))
    const press = async (action: 'sql' | 'stop', pressId: string) =>
      (await handle(chatPress(action, { pressId }), signal))?.markdown
    expect([await press('sql', '1'), await press('sql', '2'), await press('sql', '1')]).toEqual(['done', 'done', 'done'])
    expect(await press('sql', '3')).toMatch(/I go on in/)
    for (const each of ['4', '5', '6']) expect(await press('stop', each)).toBe('done')
  })
})

describe("the operator's caps", () => {
  it('let exactly as many of many questions through that come at the same moment', async () => {
    const questions = Array.from({ length: 50 }, (_, each) => chatMessage(`q${each}`, { thread: `t${each}` }))
    await Promise.all(questions.map(question => harness.acceptor.accept(question)))
    const message = 'That is all for today.'
    const answer = answerWithin(capsOf([day({ limit: 5, message })]))
    await Promise.all([harness.startWorker({ concurrency: 20, answer }), harness.startWorker({ concurrency: 20, answer })])
    await until('all are told', async () => (await shownTexts()).length === 50)
    expect(answersIn(await shownTexts())).toHaveLength(5)
    const sentence = `${message} The count starts again on Saturday 28 November at 00:00 (Europe/Berlin).`
    expect((await shownTexts()).filter(text => text.includes(sentence))).toHaveLength(45)
  })

  it('give back what a run had taken whose process died, and count a run once that another process takes over', async () => {
    const hasty = capsOf([day({ limit: 1 })], 1)
    expect(await take(hasty, 'dies')).toBeUndefined()
    await until('it is given back', async () => (await take(hasty, 'next')) === undefined)
    await hasty.settle('next', subjectOf(), signal)
    expect(await take(hasty, 'another')).toMatchObject({ used: 1 })
    const caps = capsOf([day({ limit: 2 })])
    for (const id of ['next', 'taken over', 'taken over']) expect(await take(caps, id)).toBeUndefined()
    expect(await take(caps, 'one more')).toMatchObject({ used: 2, limit: 2 })
  })

  it('count for good a run that was silent for too long, but has ended after all', async () => {
    const hasty = capsOf([day({ limit: 1 })], 1)
    expect(await take(hasty, 'slow')).toBeUndefined()
    await until('it is given back', async () => (await hasty.standings('slack/ann', signal)).at(-1)?.used === 0)
    await hasty.settle('slow', subjectOf(), signal)
    expect(await take(hasty, 'next')).toMatchObject({ used: 1 })
  })

  it.each([
    { of: 'tokens', limit: 1_000, used: modelCall(1_000), said: '1,000 of 1,000 tokens' },
    { of: 'cost', limit: 0.5, used: modelCall(1, 0.625), said: '$0.625 of $0.50' },
    { of: 'bytes', limit: 1e9, used: query(2.5e9), said: '2.5 GB of 1 GB' },
  ] as const)('end a run that has used up the $of, before its next call of the model', async ({ of, limit, used, said }) => {
    const caps = capsOf([day({ of, limit, per: 'all' })])
    const capped = modelWithinCaps(caps, model)
    const call = async () => capped.stream({ step: 'classify', messages: [] }, signal)[Symbol.asyncIterator]().next()
    await asRun({ id: 'run_1', ...subjectOf() }, async () => {
      expect(await call()).toMatchObject({ value: { kind: 'completed' } })
      caps.observe(used)
      await expect(call()).rejects.toMatchObject({ code: 'cap_reached', message: expect.stringContaining(said) })
    })
    expect(await take(caps, 'next', 'bob')).toMatchObject({ of, per: 'all' })
  })

  it('count for the person what failed runs have used, and what is done after a reply', async () => {
    const caps = capsOf([])
    const work = (text: string) => {
      caps.observe(modelCall(100))
      if (text === 'fails') throw new Error('for a test')
    }
    const answer = answerWithin(caps, work, async () => caps.observe(modelCall(10)))
    for (const text of ['fails', 'is answered']) await harness.acceptor.accept(chatMessage(text, { thread: text }))
    await harness.startWorker({ answer })
    await until('all is counted', async () => (await caps.standings('slack/U1', signal))[1]?.used === 210)
    expect((await caps.standings('slack/U1', signal))[0]).toMatchObject({ of: 'questions', used: 2 })
  })

  it('tell once in a window that they are nearly reached, below the answer', async () => {
    const caps = capsOf([day({ limit: 5, soft: true, window: 'week' }), day({ per: 'role', limit: 100 })])
    const ask = async () => ({ result: runResult({ answer: 'yes', note: 'Doubt.' }), waiting: [], afterwards: async () => {} })
    const analyst = analystWithinCaps(caps, { ask })
    const notes: string[] = []
    for (let each = 1; each <= 6; each += 1) {
      if (each === 5) now += 24 * 3_600_000
      const run = { id: `run_${each}`, ...subjectOf('ann', 'C1', 'analyst') }
      const { result } = await asRun(run, () => analyst.ask({ runId: run.id, text: 'q', askedAt: now }, signal))
      expect(result.answer.slice('yes'.length).trim()).toBe(result.note.slice('Doubt.'.length).trim())
      notes.push(result.note)
    }
    const told =
      'You have used 4 of 5 questions this week. The count starts again on Monday 30 November at 00:00 (Europe/Berlin).'
    expect(notes).toEqual(['Doubt.', 'Doubt.', 'Doubt.', `Doubt. ${told}`, 'Doubt.', 'Doubt.'])
  })

  it('begin anew with their window, for each channel and role apart', async () => {
    const caps = capsOf([day({ per: 'role', limit: 1 }), day({ per: 'channel', limit: 2, window: 'month' })])
    expect(await take(caps, 'a', 'ann', 'C1', 'sales support')).toBeUndefined()
    expect(await take(caps, 'b', 'bob', 'C2', 'support')).toMatchObject({ per: 'role' })
    expect(await take(caps, 'c', 'bob', 'C1', 'other')).toBeUndefined()
    now = Date.parse('2026-11-28T12:00:00Z')
    expect(await take(caps, 'd', 'bob', 'C2', 'support')).toBeUndefined()
    expect(await take(caps, 'e', 'bob', 'C1', 'other')).toMatchObject({
      per: 'channel',
      endsAt: Date.parse('2026-11-30T23:00:00Z'),
    })
    now = Date.parse('2026-11-30T23:00:00Z')
    expect(await take(caps, 'e', 'bob', 'C1', 'other')).toBeUndefined()
  })

  it('leave nothing in Redis that does not end', async () => {
    const caps = capsOf([...FLOOD, day({ window: 'month', limit: 1 })])
    await take(caps, 'a')
    await useAs(caps, modelCall(1), query(1))
    await caps.settle('a', subjectOf(), signal)
    for (const key of await harness.redis.keys('clew:{usage}:*')) {
      const livesMs = await harness.redis.pttl(key)
      expect(livesMs).toBeGreaterThan(0)
      expect(livesMs).toBeLessThanOrEqual(USAGE_LIMITS.keptMs)
    }
  })
})
