import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { answer } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { runClew } from '../../../test/support/run-clew.ts'
import { scriptedAnalyst } from '../../../test/support/scripted-analyst.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { createFeedbackStore } from '../../bots/actions/state-feedback-store.ts'
import { createRedisStateStore } from '../../store/redis/state-store.ts'

const QUESTION = 'How many links are there?'
const analyst = scriptedAnalyst({
  [QUESTION]: { queries: { [QUESTION]: ['SELECT sum(count) AS links FROM links'] }, answer: 'There are 7 {= links[0]} [Q1].' },
})
const { signal } = new AbortController()

let engine: TestEngine
let redis: TestRedis
let model: ScriptedModel
let folder: string
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  const starting = [startTestEngine(), startTestRedis()] as const
  model = await startScriptedModel({ onRequest: call => answer(analyst(call)) })
  ;[engine, redis] = await Promise.all(starting)
  for (const sql of ['CREATE TABLE links (count UInt32) ENGINE = MergeTree ORDER BY ()', 'INSERT INTO links VALUES (7)'])
    await engine.warehouse.write({ sql }, signal)
  folder = await mkdtemp(join(tmpdir(), 'clew-usage-'))
  await writeFile(join(folder, 'caps.yaml'), 'caps:\n  - { per: person, limit: 2, of: questions, window: month }\n')
  await writeFile(join(folder, 'prices.yaml'), 'scripted: { input: 1000, output: 1000 }\n')
  env = {
    HOME: '/home/ann',
    CLICKHOUSE_URL: engine.url,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    CLEW_CAPS_FILE: join(folder, 'caps.yaml'),
    CLEW_PRICES_FILE: join(folder, 'prices.yaml'),
  }
})
afterAll(async () => {
  await model?.close()
  await redis?.close()
  await engine?.close()
  await rm(folder, { recursive: true })
})

const ownUse = async () => JSON.parse((await runClew(['usage', '--json'], env)).output) as { of: string; used: number }[]

it('holds questions of the terminal against the caps', async () => {
  const ask = () => runClew(['ask', '--json', QUESTION], env)
  const first = JSON.parse((await ask()).output)
  const second = JSON.parse((await ask()).output)
  expect([first.note, second.note]).toEqual([
    expect.not.stringContaining('You have used'),
    expect.stringContaining('2 of 2 questions'),
  ])
  const refused = JSON.parse((await ask()).output)
  expect(refused.error).toEqual({
    kind: 'cap_reached',
    message: expect.stringMatching(
      /^You have used 2 of 2 questions this month\. The count starts again on \w+ 1 \w+ at 00:00 \(UTC\)\.$/,
    ),
  })
})

it('shows people what they have used', async () => {
  const standings = await ownUse()
  expect(standings).toContainEqual(expect.objectContaining({ of: 'questions', window: 'month', used: 2, limit: 2 }))
  const cost = standings.find(({ of }) => of === 'cost')
  expect(cost).toMatchObject({ window: 'day', limit: null })
  expect(cost?.used).toBeGreaterThan(0)
  expect((await runClew(['usage', '--person', 'terminal/ann'], { ...env, LANG: 'de_DE' })).output).toContain(
    '• 2 von 2 Fragen diesen Monat',
  )
  const { output } = await runClew(['usage', '--person', 'slack/U1'], env)
  expect(output).toMatch(/^What slack\/U1 has used:\n/)
  expect(output).toContain('• 0 of 2 questions this month')
  expect(await runClew(['usage', '--person', 'ann'], env)).toMatchObject({
    status: 2,
    errors: expect.stringContaining('--person is platform/id'),
  })
})

it('reports to the operator what everybody has used, and how helpful it was', async () => {
  const feedback = createFeedbackStore({
    store: createRedisStateStore(await redis.connect()),
    retentionSeconds: 1_000,
    now: Date.now,
  })
  const of = { person: 'terminal/ann', channel: 'slack/C1', sources: [], models: ['scripted'] }
  const said = {
    platform: 'slack',
    workspace: 'T1',
    user: 'U2',
    at: Date.now(),
    question: '',
    standaloneQuestion: '',
    sql: [],
    of,
  }
  await feedback.give({ ...said, runId: 'run_1', verdict: 'helpful' }, signal)
  await feedback.give({ ...said, runId: 'run_1', verdict: 'unhelpful', at: Date.now() + 1 }, signal)
  const report = JSON.parse((await runClew(['usage', '--report', '--json'], env)).output)
  const used = Object.fromEntries((await ownUse()).map(each => [each.of, each.used]))
  const spent = { tokens: used.tokens, cost: expect.closeTo(used.cost ?? 0, 6) }
  expect(report).toMatchObject({
    person: [{ name: 'terminal/ann', questions: 2, queries: expect.any(Number), ...spent, helpful: 0, unhelpful: 1 }],
    channel: [{ name: 'slack/C1', questions: 0, unhelpful: 1 }],
    source: [{ name: 'default', queries: expect.any(Number), unhelpful: 1 }],
    model: [{ name: 'scripted', calls: expect.any(Number), ...spent, unhelpful: 1 }],
    all: [{ name: 'all', questions: 2, ...spent }],
  })
  const { output } = await runClew(['usage', '--report'], env)
  expect(output).toMatch(/\b0\.\d{4}\b/)
  expect(output.match(/^│ \w+/gm)).toEqual(expect.arrayContaining(['│ person', '│ model', '│ all']))
  expect(output).not.toMatch(/^│ role/m)
  expect(report.source[0].queries).toBeGreaterThanOrEqual(2)
  expect((await runClew(['usage', '--report', '--from', '2d', '--to', '1d', '--json'], env)).output).toContain('"person":[]')
})

it('ends a run with the sentence before its next call of the model, once it has used up its tokens', async () => {
  await writeFile(join(folder, 'tokens.yaml'), 'caps: [{ per: person, limit: 1, of: tokens, window: day, message: "No more." }]')
  const bob = { ...env, HOME: '/home/bob', CLEW_CAPS_FILE: join(folder, 'tokens.yaml') }
  const before = model.callsOf('synthesize').length
  const { error } = JSON.parse((await runClew(['ask', '--json', QUESTION], bob)).output)
  expect(error).toEqual({
    kind: 'cap_reached',
    message: expect.stringMatching(/^No more\. The count starts again on .* at 00:00 \(UTC\)\.$/),
  })
  expect(model.callsOf('synthesize')).toHaveLength(before)
})

it('says what is wrong', async () => {
  const { REDIS_URL: _, ...withoutRedis } = env
  expect(await runClew(['usage'], withoutRedis)).toMatchObject({
    status: 2,
    errors: expect.stringContaining('without it there are no caps'),
  })
  expect(await runClew(['usage', '--report', '--from', '1d', '--to', '2d'], env)).toMatchObject({
    status: 2,
    errors: '--from 1d is after --to 2d.\n',
  })
  const wrong = await runClew(['usage', '--report', '--from', 'yesterday'], env)
  expect(wrong).toMatchObject({ status: 2, errors: expect.stringContaining('yesterday is no day') })
})
