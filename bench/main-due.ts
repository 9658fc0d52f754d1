import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { recurrenceFrom } from '../src/agent/subscribe/schedule.ts'
import { Subscriptions } from '../src/subscriptions/store.ts'
import { QUIET } from '../src/subscriptions/subscription.ts'
import { startSlackEmulator } from '../test/emulators/slack/slack-emulator.ts'
import { startClew } from '../test/support/clew-process.ts'
import { startTestRedis } from '../test/support/redis.ts'
import { TEST_STATE_KEY } from '../test/support/state-key.ts'
import { asked } from './model/asked.ts'
import { startSimulatedModel } from './simulated-model.ts'
import { median, quantile } from './statistics.ts'
import { startWorld } from './world.ts'

const REPORTS = 1_000
const CHANNELS = 20
const ALONE = 20
const LONGEST_MS = 15 * 60_000
const signal = AbortSignal.timeout(2 * LONGEST_MS)

// Makes 1,000 reports of 20 people due in the same minute, on one worker, and asks questions beside them:
// `node bench/run-ts.mjs bench/main-due.ts`.
const names = Array.from({ length: CHANNELS }, (_, index) => `p${index}`)
const slack = await startSlackEmulator({
  users: names.map(name => ({ name })),
  channels: names.map(name => ({ name: `of-${name}`, members: [name, 'alice', 'clew'] })),
})
const [model, world, redis] = await Promise.all([startSimulatedModel('fast'), startWorld({ hasPeers: false }), startTestRedis()])
const env = {
  ...{ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
  ...{ REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY, CLICKHOUSE_URL: world.url, CLICKHOUSE_DATABASE: 'network' },
  ...{ OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'simulated' },
}
const worker = await startClew('worker', 'worker started', env)
const bots = await startClew('bots', 'connected', env)
const subscriptions = new Subscriptions({ redis: await redis.connect(), now: Date.now })

let questions = 0
/** Asks a question as Alice. Returns the milliseconds until its answer. */
async function ask(): Promise<number> {
  questions += 1
  const { question } = asked('simple', 5_000 + questions * 10).scenario
  const began = performance.now()
  const { ts } = slack.user('alice').post('general', `${slack.botMention} ${question}`)
  const isAnswered = () => slack.transcript('general', { thread: ts }).some(({ plain }) => plain.includes('fra leads'))
  await slack.waitFor(isAnswered, { timeoutMs: 120_000 })
  return performance.now() - began
}

for (let turn = 0; turn < 3; turn += 1) await ask()
const alone: number[] = []
for (let turn = 0; turn < ALONE; turn += 1) alone.push(await ask())

const due = Math.ceil(Date.now() / 60_000 + 0.5) * 60_000
const at = new Date(due).toISOString().slice(11, 16)
const recurrence = recurrenceFrom({ unit: 'days', every: 1, at: [at] }, 'UTC', Date.now())
if (recurrence === undefined) throw new Error('the reports are never due')
const unused = { running: null, alert: QUIET, watched: null, last: [], gateRow: null, isFailing: false, openTo: null } as const
for (let index = 0; index < REPORTS; index += 1) {
  const { question, dataQuestions } = asked('simple', 10_000 + index).scenario
  const name = names[index % CHANNELS] ?? ''
  const { ts: thread } = slack.user(name).post(`of-${name}`, question)
  const channel = slack.channel(`of-${name}`).id
  const place = { platform: 'slack', workspace: slack.teamId, channel, thread, isDirect: false }
  const queries = dataQuestions.map(({ tables: _, ...asks }, at) => {
    return { ...asks, id: `Q${at + 1}`, assumptions: [], deciding_assumptions: [], chart: null }
  })
  const plan = { question, queries, gate: null, source: null }
  const report = { id: `sub_${index}`, kind: 'report' as const, recurrence, condition: null, once: false, plan, ...unused }
  const owned = { version: 1 as const, owner: slack.user(name).id, place, language: 'en' as const, createdAt: Date.now() }
  await subscriptions.add({ ...report, ...owned, status: 'active', next: due, history: [] }, signal)
}
await wait(Math.max(0, due - Date.now()))
const beside: number[] = []
const outcomes = new Map<string, number>()
for (let ended = 0; ended < REPORTS && Date.now() - due < LONGEST_MS; ) {
  beside.push(await ask())
  const runs = (await subscriptions.all(signal)).flatMap(({ history }) => history)
  ended = runs.length
  outcomes.clear()
  for (const { outcome } of runs) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}
console.log(`${REPORTS} reports due at once, one worker, model "fast": ended after ${Math.round((Date.now() - due) / 1_000)} s`)
console.log(`outcomes: ${[...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`)
const ratio = (share: number) => (quantile(beside, share) / quantile(alone, share)).toFixed(2)
console.log(`a question beside them ÷ alone: p50 ${ratio(0.5)}, p90 ${ratio(0.9)} (alone ${Math.round(median(alone))} ms)`)
await Promise.all([bots.stop(), worker.stop()])
await Promise.all([slack.close(), model.stop(), world.close(), redis.close()])
