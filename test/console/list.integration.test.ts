import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createLogger } from '../../src/base/logger.ts'
import { asRun } from '../../src/base/watched-work.ts'
import { RunRecords } from '../../src/bots/actions/run-record.ts'
import { CONSOLE_LIMITS } from '../../src/console/limits.ts'
import { CHANGES, LINES, signLine } from '../../src/console/run-line.ts'
import { RunList } from '../../src/console/run-list.ts'
import { RunMirror } from '../../src/console/run-mirror.ts'
import { Tokens } from '../../src/http/tokens.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { numberedLine, writeManyRuns } from '../support/many-runs.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { runResult } from '../support/run-result.ts'

const PERSON = { person: 'terminal/ann', place: { platform: 'terminal', channel: '' } }
const signal = AbortSignal.timeout(60_000)

let server: TestRedis
let redis: RedisClient
let list: RunList
let mirror: RunMirror
let records: RunRecords

beforeAll(async () => {
  server = await startTestRedis()
  redis = await server.connect()
  records = new RunRecords({ store: createRedisStateStore(redis), retentionSeconds: 60 })
  const logger = createLogger({ level: 'silent' })
  list = new RunList({ redis, records, retentionSeconds: 30 * 86_400, now: Date.now, logger })
  mirror = new RunMirror({ redis, now: Date.now, tokens: new Tokens({ redis, now: Date.now }) })
  await writeManyRuns(redis, CONSOLE_LIMITS.runs)
})
afterAll(() => server?.close())

/** Runs a question that fails, as a process without a queue does. */
async function failingRun(id: string): Promise<void> {
  const analyst = { ask: () => Promise.reject(new Error('no')) }
  await asRun({ id, ...PERSON }, async () => {
    await list
      .listed(analyst)
      .ask({ runId: id, text: 'Why?', askedAt: Date.now() }, signal)
      .catch(() => undefined)
    list.observe({ kind: 'answer', outcome: 'failed', error: 'fault', sentences: 0, unverifiedSentences: 0, durationMs: 7 })
  })
  await list.close()
}

it('has the latest 10,000 runs, in the order of their questions', async () => {
  const lines = await mirror.read(signal)
  expect(lines).toHaveLength(CONSOLE_LIMITS.runs)
  expect(lines[0]?.id).toBe(numberedLine(0).id)
  expect(lines.at(-1)?.id).toBe(numberedLine(CONSOLE_LIMITS.runs - 1).id)
})

it('takes a new run in, and lets the one go whose last change is the oldest', async () => {
  await failingRun('run_new')
  const lines = await mirror.read(signal)
  expect(lines).toHaveLength(CONSOLE_LIMITS.runs)
  expect(lines[0]).toMatchObject({
    id: 'run_new',
    person: PERSON.person,
    question: 'Why?',
    outcome: 'failed',
    error: 'fault',
    ms: 7,
  })
  expect(await mirror.find(numberedLine(CONSOLE_LIMITS.runs - 1).id, signal)).toBeUndefined()
})

it('keeps the answer of a process without a queue, and counts the queries of an investigation', async () => {
  const result = runResult({ run_id: 'run_answered', answer: 'Two.' })
  const analyst = { ask: async () => ({ result, waiting: [], afterwards: async () => {} }) }
  await asRun({ id: 'run_answered', ...PERSON }, async () => {
    const asked = { runId: 'run_answered', text: 'How many?', askedAt: Date.now() }
    const { afterwards } = await list.listed(analyst).ask(asked, signal)
    list.observe({ kind: 'step', step: 'tool', query: 'query_table 1', attempt: 1, durationMs: 12, isNeeded: true })
    list.observe({ kind: 'answer', outcome: 'answered', sentences: 1, unverifiedSentences: 0, durationMs: 20 })
    await afterwards(signal)
  })
  await list.close()
  const answered = { outcome: 'answered', queries: 1, longest_query_ms: 12 }
  expect(await mirror.find('run_answered', signal)).toMatchObject(answered)
  expect(await records.load('run_answered', signal)).toMatchObject({ question: 'How many?', result: { answer: 'Two.' } })
})

it('lets runs go that are older than their retention', async () => {
  const old = numberedLine(5)
  await redis.zadd(CHANGES, (Date.now() - 31 * 86_400_000) * 1_000, old.id)
  await failingRun('run_newer')
  expect(await mirror.find(old.id, signal)).toBeUndefined()
})

it('forgets what has left the list, although as much has come', async () => {
  const gone = numberedLine(7).id
  expect(await mirror.find(gone, signal)).toBeDefined()
  await redis.hdel(LINES, gone)
  const line = { ...numberedLine(0), id: 'run_other' }
  await redis.hset(LINES, line.id, signLine(redis.stateKey, line))
  await redis.zadd(CHANGES, (Date.now() + 1_000) * 1_000, line.id)
  expect(await mirror.find(gone, signal)).toBeUndefined()
  expect(await mirror.find(line.id, signal)).toBeDefined()
})

it('leaves out what nobody with the key has signed, and what was signed for another run', async () => {
  const line = numberedLine(0)
  await redis.hset(LINES, 'run_forged', JSON.stringify(line), 'run_moved', signLine(redis.stateKey, line))
  await redis.zadd(CHANGES, (Date.now() + 2_000) * 1_000, 'run_forged', (Date.now() + 2_000) * 1_000, 'run_moved')
  expect(await mirror.find('run_forged', signal)).toBeUndefined()
  expect(await mirror.find('run_moved', signal)).toBeUndefined()
})

it('shows a run as lost that has not ended in an hour, because its process was killed', async () => {
  const line = { ...numberedLine(0), id: 'run_killed', at: Date.now() - 61 * 60_000, outcome: 'running' as const }
  await redis.hset(LINES, line.id, signLine(redis.stateKey, line))
  await redis.zadd(CHANGES, (Date.now() + 3_000) * 1_000, line.id)
  expect(await mirror.find(line.id, signal)).toMatchObject({ outcome: 'failed', error: 'lost' })
})
