import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { acceptedRuns, type QueueHarness, startQueueHarness } from '../../test/support/queue-harness.ts'
import { runResult } from '../../test/support/run-result.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { createLogger } from '../base/logger.ts'
import type { AnswerMessage } from '../queue/drain/settle-message.ts'
import { createRecordWatcher, type RecordWatcher } from '../queue/record-watcher.ts'
import { createRunCancellation } from '../queue/run-cancellation.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { HTTP_PLATFORM } from './place.ts'
import { Tokens } from './tokens.ts'
import { awaitTurn, type Caller, createTurnClient, type TurnClient } from './turn-client.ts'
import { createTurnDestination } from './turn-destination.ts'
import { TurnEvents } from './turn-events.ts'

const { signal } = new AbortController()
const caller: Caller = {
  token: { id: 'tok_1', name: null, role: null, rate: 1000, created_at: 0, expires_at: Number.MAX_SAFE_INTEGER },
  access: { kind: 'granted', roles: [], mayPublish: false, isPrivate: false },
}

let harness: QueueHarness
let watcher: RecordWatcher
let events: TurnEvents
let turns: TurnClient
let store: StateStore

beforeAll(async () => {
  harness = await startQueueHarness()
  const { redis, acceptor } = harness
  store = createRedisStateStore(redis)
  watcher = createRecordWatcher(redis)
  events = new TurnEvents({ redis, retentionMs: 60_000, logger: createLogger({ level: 'silent' }) })
  turns = createTurnClient({
    redis,
    store,
    acceptor,
    runs: acceptedRuns(redis),
    questions: new OpenQuestions({ store, now: Date.now }),
    cancellation: createRunCancellation(redis, watcher),
    watcher,
    events,
    retentionMs: 60_000,
    now: Date.now,
  })
})
afterEach(() => harness.reset())
afterAll(async () => {
  await watcher.close()
  await harness.close()
})

const startWorker = (answer: AnswerMessage) =>
  harness.startWorker({ answer, direct: { [HTTP_PLATFORM]: createTurnDestination({ events, store, retentionSeconds: 60 }) } })
const answerWith =
  (answer: string): AnswerMessage =>
  async ({ runId }) => ({ kind: 'answer', markdown: answer, result: runResult({ run_id: runId, answer }) })

describe('a turn', () => {
  it('has each event once, although a second worker repeats the run', async () => {
    const gate = createGate()
    const told = createGate()
    const observed: AnswerMessage = async (accepted, context, own) => {
      const writer = events.writer(accepted)
      writer.add('start')
      writer.add('plan', { query: 'Q1', question: 'Count.' })
      await writer.flushed()
      told.open()
      await gate.opened
      return answerWith('Two.')(accepted, context, own)
    }
    const first = await startWorker(observed)
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    await told.opened
    expect(await turns.find(caller, id, signal)).toMatchObject({ status: 'running' })
    await first.close(0)
    gate.open()
    await startWorker(observed)
    const kinds: string[] = []
    const turn = await awaitTurn(turns, caller, id, { signal, onEvent: ({ kind }) => kinds.push(kind) })
    expect(kinds).toEqual(['start', 'plan', 'answer', 'end'])
    expect(turn).toMatchObject({ status: 'answered', result: { answer: 'Two.' } })
    expect((await harness.redis.keys('*:run:*')).length).toBeGreaterThan(0)
    for (const key of await harness.redis.keys('clew:{http*')) expect(await harness.redis.pttl(key)).not.toBe(-1)
  })

  it('gets no event after its end', async () => {
    await startWorker(answerWith('Two.'))
    const { id, thread } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    await awaitTurn(turns, caller, id, { signal })
    const late = await acceptedRuns(harness.redis).find(id, signal)
    if (late === undefined) throw new Error(`${thread} is gone`)
    const writer = events.writer(late)
    writer.grow(() => 'Three.')
    await writer.flushed()
    const kinds: string[] = []
    await awaitTurn(turns, caller, id, { signal, onEvent: ({ kind }) => kinds.push(kind) })
    expect(kinds).toEqual(['answer', 'end'])
  })

  it('tells why it failed, by a code and a sentence', async () => {
    await startWorker(async () => {
      throw new Error('secret inside')
    })
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const turn = await awaitTurn(turns, caller, id, { signal })
    const error = { kind: 'fault', message: expect.not.stringContaining(id) }
    expect(turn).toMatchObject({ status: 'failed', run_id: id, result: null, error })
    expect(JSON.stringify(turn)).not.toContain('secret')
  })

  it('is not answered again when its key comes after it is over', async () => {
    await startWorker(answerWith('Two.'))
    const ask = () => turns.submit(caller, { asks: { text: 'How many?', key: 'k' } }, signal)
    const { id } = await ask()
    await awaitTurn(turns, caller, id, { signal })
    for (const key of await harness.redis.keys('*:seen:*')) await harness.redis.del(key)
    expect(await ask()).toMatchObject({ id, status: 'answered' })
    expect(await harness.redis.keys('clew:{http*:pending')).toEqual([])
  })

  it('has no event that Clew did not write', async () => {
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const accepted = await acceptedRuns(harness.redis).find(id, signal)
    if (accepted === undefined) throw new Error('not accepted')
    const writer = events.writer(accepted)
    writer.add('start')
    await writer.flushed()
    const [stream = ''] = await harness.redis.keys('*:events:all')
    await harness.redis.xadd(stream, '*', 'event', `${'x'.repeat(43)} {"kind":"plan","data":"forged"}`)
    await startWorker(answerWith('Two.'))
    const kinds: string[] = []
    await awaitTurn(turns, caller, id, { signal, onEvent: ({ kind }) => kinds.push(kind) })
    expect(kinds).toEqual(['start', 'answer', 'end'])
  })
})

describe('tokens', () => {
  it('hold until they expire, and are kept as hashes', async () => {
    let now = Date.now()
    const tokens = new Tokens({ redis: harness.redis, now: () => now })
    const { token, bearer } = await tokens.create({ name: 'one', role: 'viewer', rate: 5, lifeMs: 1_000 }, signal)
    expect(await tokens.verify(bearer, signal)).toEqual(token)
    expect(await tokens.verify(`${bearer.slice(0, -1)}${bearer.endsWith('A') ? 'B' : 'A'}`, signal)).toBeUndefined()
    const stored = JSON.stringify(await harness.redis.hgetall('clew:http:tokens'))
    expect(stored).not.toContain(bearer.slice(-43))
    now += 1_000
    expect(await tokens.verify(bearer, signal)).toBeUndefined()
    expect(await tokens.find(token.id, signal)).toBeUndefined()
    expect(await tokens.list(signal)).toEqual([token])
  })

  it('are not taken from whoever writes to Redis without the key', async () => {
    const tokens = new Tokens({ redis: harness.redis, now: Date.now })
    const { token, bearer } = await tokens.create({ name: null, role: 'viewer', rate: 5, lifeMs: 60_000 }, signal)
    const signed = (await harness.redis.hget('clew:http:tokens', token.id)) ?? ''
    await harness.redis.hset('clew:http:tokens', token.id, signed.replace('viewer', 'editor'))
    expect(await tokens.verify(bearer, signal)).toBeUndefined()
  })
})
