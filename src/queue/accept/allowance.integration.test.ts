import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { chatPress } from '../../../test/support/presses.ts'
import { chatMessage, type QueueHarness, startQueueHarness, until } from '../../../test/support/queue-harness.ts'
import { createScriptedAnswer } from '../../../test/support/scripted-answer.ts'
import { ALLOWANCE_LIMITS } from '../limits.ts'
import { createAllowance } from './allowance.ts'
import { answerWithinAllowance, pressWithinAllowance } from './within-allowance.ts'

let harness: QueueHarness
const signal = new AbortController().signal
const { place } = chatMessage('')
const LIMITS = { questions: 3, presses: 2, tokens: 1_000 }

beforeAll(async () => {
  harness = await startQueueHarness()
})
afterEach(() => harness.reset())
afterAll(() => harness.close())

const take = (id: string, user = 'ann', channel = place.channel) =>
  createAllowance(harness.redis, LIMITS).take('question', id, { place: { ...place, channel }, user }, signal)

describe('the allowance', () => {
  it('counts each question of a person once, and tells whoever exceeds it when to go on', async () => {
    for (const id of ['a', 'b', 'c', 'a', 'b']) expect(await take(id)).toBeUndefined()
    const waitMs = await take('d')
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(ALLOWANCE_LIMITS.countedMs)
    expect(await take('d', 'ann', 'elsewhere')).toBeGreaterThan(0)
    expect(await take('e', 'bob')).toBeUndefined()
    expect(await take('a')).toBeUndefined()
  })

  it('counts each channel for all its people, and takes nothing from a person whose question it refuses', async () => {
    const most = LIMITS.questions * ALLOWANCE_LIMITS.channelFactor
    for (let each = 0; each < most; each += 1) expect(await take(`q${each}`, `user${each}`)).toBeUndefined()
    for (const id of ['x', 'y', 'z', 'w']) expect(await take(id, 'bob')).toBeGreaterThan(0)
    for (const id of ['x', 'y', 'z']) expect(await take(id, 'bob', 'elsewhere')).toBeUndefined()
  })

  it('adds up the tokens of runs', async () => {
    const allowance = createAllowance(harness.redis, LIMITS)
    const spend = (run: string, tokens: number) => allowance.spend(run, tokens, { place, user: 'ann' }, signal)
    await spend('run_1', 300)
    await spend('run_1', 300)
    expect(await take('a')).toBeUndefined()
    await spend('run_2', 400)
    expect(await take('b')).toBeGreaterThan(ALLOWANCE_LIMITS.spentMs / 2)
    expect(await take('c', 'bob')).toBeUndefined()
  })

  it('is explained in the thread, and drops no question', async () => {
    const allowance = createAllowance(harness.redis, LIMITS)
    for (let each = 1; each <= 5; each += 1) await harness.acceptor.accept(chatMessage(`q${each}`, { thread: `t${each}` }))
    await harness.startWorker({ concurrency: 1, answer: answerWithinAllowance(allowance, createScriptedAnswer(harness.redis)) })
    const shown = async () => (await harness.platform.standing()).filter(text => !text.startsWith('…'))
    await until('all are told', async () => (await shown()).length === 5)
    expect((await shown()).filter(text => text.startsWith('answer: '))).toHaveLength(3)
    expect((await shown()).filter(text => /I go on in (\d+ minutes|a minute)/.test(text))).toHaveLength(2)
  })

  it('limits presses too, except Stop', async () => {
    const handle = pressWithinAllowance(createAllowance(harness.redis, LIMITS), async () => ({ markdown: 'done' }))
    const press = async (action: 'sql' | 'stop', pressId: string) =>
      (await handle(chatPress(action, { pressId }), signal))?.markdown
    expect([await press('sql', '1'), await press('sql', '2'), await press('sql', '1')]).toEqual(['done', 'done', 'done'])
    expect(await press('sql', '3')).toMatch(/I go on in/)
    for (const each of ['4', '5', '6']) expect(await press('stop', each)).toBe('done')
  })
})
