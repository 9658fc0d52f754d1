import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'

const LINKS = 'Which links exist?'
const THANKS = 'Thanks!'
const book = {
  [LINKS]: {
    queries: { 'List the links.': ['SELECT cod FROM dz_links', 'SELECT code FROM dz_links ORDER BY code LIMIT 3'] },
    answer: 'There are links [Q1]. There are **77 devices** [Q1].',
  },
  [THANKS]: { intent: 'conversational', reply: 'You are welcome.' },
}
const MODEL = 'gpt-4o-mini'

let world: ClewWorld
let bots: ClewProcess
let worker: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  ;[bots, worker] = await Promise.all([world.startBots(), world.startWorker({ OPENAI_MODEL: MODEL })])
})
afterAll(() => world?.close())

const ask = (text: string) => world.slack.user('alice').post('data', `${world.slack.botMention} ${text}`)

/** Returns the metrics of a process, with the labels in the order in which they are written. */
async function metricsOf({ log }: ClewProcess): Promise<string> {
  const port = /"port":(\d+)/.exec(log.join('\n'))?.[1]
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

/** Returns the value of a metric. Undefined if there is no such line. */
function lineOf(metrics: string, metric: string): number | undefined {
  const line = metrics.split('\n').find(each => each.startsWith(`${metric} `))
  return line === undefined ? undefined : Number(line.slice(metric.length + 1))
}

it('the metrics of a worker tell of its answers, and nothing of people, texts and secrets', async () => {
  const links = ask(LINKS)
  ask(THANKS)
  const isCounted = async () => (await metricsOf(worker)).includes('clew_answers_total{outcome="answered",confidence="none"} 1')
  await until(
    'both are answered',
    async () => (await isCounted()) && world.replies(links).some(({ plain }) => plain.includes('77')),
  )
  await until('the metrics are new', async () => lineOf(await metricsOf(worker), 'clew_answer_sentences_total') === 1)
  const metrics = await metricsOf(worker)
  const value = (metric: string) => lineOf(metrics, metric)
  expect(value('clew_answer_seconds_count{outcome="answered"}')).toBe(2)
  expect(value('clew_answer_unverified_sentences_total')).toBe(1)
  expect(value('clew_step_errors_total{step="execute",error="unknown_name"}')).toBe(1)
  expect(value('clew_step_retries_total{step="generate",reason="unknown_name"}')).toBe(1)
  expect(value('clew_step_retries_total{step="execute",reason="unknown_name"}')).toBe(1)
  expect(value('clew_query_errors_total{source="default",kind="unknown_name",route="regenerate"}')).toBe(1)
  expect(value('clew_guard_verdicts_total{source="default",verdict="allow"}')).toBe(2)
  expect(value(`clew_model_tokens_total{step="synthesize",model="${MODEL}",direction="output"}`)).toBeGreaterThan(0)
  expect(value(`clew_model_cost_dollars_total{step="generate",model="${MODEL}"}`)).toBeGreaterThan(0)
  expect(value('clew_deliveries_total{platform="slack",request="edit",outcome="ok"}')).toBeGreaterThan(1)
  expect(value('clew_cache_requests_total{cache="schema",result="miss"}')).toBeGreaterThan(0)
  expect(value('clew_waiting_messages')).toBeUndefined()
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(0)
  const { SLACK_BOT_TOKEN = '', CLEW_STATE_KEY = '', REDIS_URL = '', OPENAI_BASE_URL = '' } = world.env
  const hidden = [SLACK_BOT_TOKEN, CLEW_STATE_KEY, REDIS_URL, OPENAI_BASE_URL, links.channel, links.ts, 'dz_links', LINKS]
  for (const text of [...hidden, world.slack.user('alice').id]) expect(metrics).not.toContain(text)
})

it('the metrics of the bots tell what waits, also while it is being answered', async () => {
  const gate = createGate()
  world.intercept(call => (call.step === 'classify' ? answer({}, { after: gate.opened }) : undefined))
  ask(THANKS)
  await until('one waits', async () => lineOf(await metricsOf(bots), 'clew_waiting_messages') === 1)
  const metrics = await metricsOf(bots)
  expect(lineOf(metrics, 'clew_waiting_threads')).toBe(1)
  expect(lineOf(metrics, 'clew_oldest_waiting_message_seconds')).toBeGreaterThan(0)
  expect(lineOf(metrics, 'clew_deliveries_total{platform="slack",request="post",outcome="ok"}')).toBeGreaterThan(1)
  world.intercept(undefined)
  gate.open()
  await until('none waits', async () => lineOf(await metricsOf(bots), 'clew_waiting_messages') === 0)
})
