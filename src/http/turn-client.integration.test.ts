import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../../test/emulators/gate.ts'
import { queryReport } from '../../test/support/query-report.ts'
import { acceptedRuns, type QueueHarness, startQueueHarness, until } from '../../test/support/queue-harness.ts'
import { runResult } from '../../test/support/run-result.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { ClewError } from '../base/errors.ts'
import { createLogger } from '../base/logger.ts'
import { unpackJson } from '../history/packed-json.ts'
import type { AnswerMessage } from '../queue/drain/answer-message.ts'
import { createRecordWatcher, type RecordWatcher } from '../queue/record-watcher.ts'
import { createRunCancellation } from '../queue/run-cancellation.ts'
import { DEAD_LETTERS, threadKeys, threadName } from '../queue/thread-keys.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import { errorWords } from '../words/error.ts'
import { HTTP_LIMITS } from './limits.ts'
import { HTTP_PLATFORM } from './place.ts'
import { Tokens } from './tokens.ts'
import { type Caller, FIRST_EVENT, TurnClient } from './turn-client.ts'
import { createTurnDestination } from './turn-destination.ts'
import { type StoredEvent, TurnEvents } from './turn-events.ts'

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
  turns = new TurnClient({
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

const destination = () => createTurnDestination({ events, store, retentionSeconds: 60 })
const startWorker = (answer: AnswerMessage) => harness.startWorker({ answer, direct: { [HTTP_PLATFORM]: destination() } })
const answerWith =
  (answer: string): AnswerMessage =>
  async ({ runId }) => ({ kind: 'answer', markdown: answer, result: runResult({ run_id: runId, answer }) })

/** Waits for the end of a turn, and returns it with its result. */
async function ended(id: string, onEvent: (event: StoredEvent) => void = () => {}) {
  for await (const event of (await turns.follow(caller, id, FIRST_EVENT, signal)) ?? []) if (event !== undefined) onEvent(event)
  const turn = await turns.find(caller, id, signal)
  const packed = await turns.packed(turn.stored, signal)
  return { ...turn, result: packed === null ? null : await unpackJson(packed) }
}

async function acceptedOf(id: string) {
  const accepted = await acceptedRuns(harness.redis).find(id, signal)
  if (accepted === undefined) throw new Error(`${id} was not accepted`)
  return accepted
}

describe('a turn', () => {
  it('has each event once, although a second worker repeats the run', async () => {
    const gate = createGate()
    const told = createGate()
    const observed: AnswerMessage = async (accepted, context, own) => {
      const writer = events.writer(accepted)
      writer.add({ kind: 'start', data: null })
      writer.add({ kind: 'plan', data: { query: 'Q1', question: 'Count.' } })
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
    const turn = await ended(id, ({ kind }) => kinds.push(kind))
    expect(kinds).toEqual(['start', 'plan', 'answer', 'end'])
    expect(turn).toMatchObject({ status: 'answered', result: { answer: 'Two.' } })
    expect((await harness.redis.keys('*:run:*')).length).toBeGreaterThan(0)
    for (const key of await harness.redis.keys('clew:{http*')) expect(await harness.redis.pttl(key)).not.toBe(-1)
  })

  it('gets no event after its end', async () => {
    await startWorker(answerWith('Two.'))
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    await ended(id)
    const writer = events.writer(await acceptedOf(id))
    writer.grow(() => 'Three.')
    await writer.flushed()
    const kinds: string[] = []
    await ended(id, ({ kind }) => kinds.push(kind))
    expect(kinds).toEqual(['answer', 'end'])
  })

  it('tells why it failed, by a code and a sentence', async () => {
    await startWorker(async () => {
      throw new Error('secret inside')
    })
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const turn = await ended(id)
    const error = { kind: 'fault', message: expect.not.stringContaining(id) }
    expect(turn).toMatchObject({ status: 'failed', run_id: id, result: null, error })
    expect(JSON.stringify(turn)).not.toContain('secret')
  })

  it('has failed once its message is given up, with the sentence that a chat would show', async () => {
    const set = async () => {
      throw new ClewError('secret inside', { code: 'odd' })
    }
    const broken = createTurnDestination({ events, store: { ...store, set }, retentionSeconds: 60 })
    await harness.startWorker({ answer: answerWith('Two.'), direct: { [HTTP_PLATFORM]: broken } })
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const kinds: string[] = []
    const turn = await ended(id, ({ kind }) => kinds.push(kind))
    expect(kinds).toEqual(['error', 'end'])
    expect(turn).toMatchObject({
      status: 'failed',
      run_id: id,
      result: null,
      error: { kind: 'odd', message: errorWords('en').other },
    })
    await until('a dead letter', async () => (await harness.redis.zcard(DEAD_LETTERS)) === 1)
  })

  it('has failed if it has killed every process that was to answer it', async () => {
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const { message } = await acceptedOf(id)
    await harness.redis.hset(threadKeys(threadName(message.place)).crashes, message.messageId, '1')
    const alone = { run: async () => ({ kind: 'crashed', how: 'SIGKILL' }) as const }
    await harness.startWorker({ alone, direct: { [HTTP_PLATFORM]: destination() } })
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { kind: 'run_crashed' } })
  })

  it('tells its end to a reader who has named a later event', async () => {
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const following = await turns.follow(caller, id, '999999999999999-0', signal)
    await startWorker(answerWith('Two.'))
    const kinds: string[] = []
    for await (const event of following ?? []) if (event !== undefined) kinds.push(event.kind)
    expect(kinds).toEqual(['end'])
  })

  it('keeps a large result whole, and with its first rows alone', async () => {
    const rows = Array.from({ length: 40_000 }, () => [Math.random()])
    const queries = [queryReport({ rows, row_count: rows.length })]
    await startWorker(async ({ runId }) => ({ kind: 'answer', markdown: '', result: runResult({ run_id: runId, queries }) }))
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const { result, stored } = await ended(id)
    expect(result).toMatchObject({ queries: [{ rows }] })
    const short = await turns.packed({ key: stored?.short ?? '' }, signal)
    expect(await unpackJson(short ?? '')).toMatchObject({
      queries: [{ rows: rows.slice(0, HTTP_LIMITS.shortRows), row_count: rows.length }],
    })
  })

  it('is not answered again when its key comes after it is over', async () => {
    await startWorker(answerWith('Two.'))
    const ask = () => turns.submit(caller, { asks: { text: 'How many?', key: 'k' } }, signal)
    const { id } = await ask()
    await ended(id)
    for (const key of await harness.redis.keys('*:seen:*')) await harness.redis.del(key)
    expect(await ask()).toMatchObject({ id, status: 'answered' })
    expect(await harness.redis.keys('clew:{http*:pending')).toEqual([])
  })

  it('has no event that Clew did not write', async () => {
    const { id } = await turns.submit(caller, { asks: { text: 'How many?' } }, signal)
    const writer = events.writer(await acceptedOf(id))
    writer.add({ kind: 'start', data: null })
    await writer.flushed()
    const [stream = ''] = await harness.redis.keys('*:events:all')
    await harness.redis.xadd(stream, '*', 'event', `${'x'.repeat(43)} {"kind":"plan","data":"forged"}`)
    await startWorker(answerWith('Two.'))
    const kinds: string[] = []
    await ended(id, ({ kind }) => kinds.push(kind))
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
