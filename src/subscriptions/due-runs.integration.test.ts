import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { answer, status } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { type QueueHarness, startQueueHarness } from '../../test/support/queue-harness.ts'
import { never, openStandingWorker, type StandingSettings, type TestClock } from '../../test/support/standing-world.ts'
import type { Condition } from '../agent/subscribe/condition.ts'
import type { SubscriptionDraft } from '../agent/subscribe/frozen-plan.ts'
import { recurrenceFrom, type Schedule } from '../agent/subscribe/schedule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts'
import { jitterOf } from './subscription.ts'

let harness: QueueHarness
let engine: TestEngine
let model: ScriptedModel
let written = 0
const clock: TestClock = { now: 0 }
let worker: Awaited<ReturnType<typeof openStandingWorker>>

beforeAll(async () => {
  harness = await startQueueHarness()
  engine = await startTestEngine()
  model = await startScriptedModel({
    onRequest: call => (call.step === 'synthesize' ? answer(`Report ${(written += 1)}.`) : status(500)),
  })
  for (const sql of [
    'CREATE TABLE loss (at DateTime, link String, pct Float64) ENGINE = MergeTree ORDER BY at',
    // Link A is above 2 % on 10 January from 10:00 to 10:40, and B from 10:20 to 10:30.
    `INSERT INTO loss SELECT toDateTime('2028-01-01 00:00:00', 'UTC') + 60 * number, ['A', 'B'][link],
       if(link = 1 AND number BETWEEN 13560 AND 13600, 5, if(link = 2 AND number BETWEEN 13580 AND 13590, 3, 1))
     FROM numbers(90000) ARRAY JOIN [1, 2] AS link`,
  ])
    await engine.warehouse.write({ sql }, never)
}, 120_000)
beforeEach(() => {
  written = 0
})
afterEach(async () => {
  await worker.close()
  await harness.reset()
})
afterAll(async () => {
  await model.close()
  await engine.close()
  await harness.close()
})

const LOSS =
  'SELECT link, max(pct) AS watched FROM loss WHERE at > now() - INTERVAL 5 MINUTE AND at <= now() GROUP BY link ORDER BY link'
const DAILY =
  "SELECT link, round(sum(pct)) AS total FROM loss WHERE toDate(at, 'UTC') = toDate(now('UTC')) - 1 GROUP BY link ORDER BY link"
const at = (time: string) => Date.parse(time)

function draft(
  kind: 'report' | 'alert',
  schedule: Schedule,
  given: { zone?: string; sql?: string; condition?: Condition; gate?: string } = {},
): SubscriptionDraft {
  const recurrence = recurrenceFrom(schedule, given.zone ?? 'Europe/Berlin', clock.now)
  if (recurrence === undefined) throw new Error('it is never due')
  const query = { id: 'Q1', question: 'Loss.', explanation: '', assumptions: [], deciding_assumptions: [], chart: null }
  const sql = given.sql ?? (kind === 'alert' ? LOSS : DAILY)
  const plan = { question: 'Loss?', queries: [{ ...query, sql }], gate: given.gate ?? null, source: null }
  return { id: `sub_${kind}`, kind, recurrence, condition: given.condition ?? null, plan }
}

async function begin(now: string, given: (() => SubscriptionDraft)[], settings: StandingSettings = {}): Promise<void> {
  clock.now = at(now)
  worker = await openStandingWorker({ harness, engine, model }, clock, settings)
  for (const each of given) await worker.add(each())
}

/** Lets the clock go on to each moment at which a run is due, up to the end. */
async function until(end: string): Promise<void> {
  for (;;) {
    const all = (await worker.subscriptions.all(never)).filter(({ status }) => status === 'active')
    const next = Math.min(...all.map(each => each.next + jitterOf(each)))
    if (next > at(end)) break
    clock.now = next
    await worker.tick()
  }
  clock.now = at(end)
}

const runs = async (id: string) => (await worker.subscriptions.find(id, never))?.history ?? []
const shown = () => harness.platform.standing()
const iso = (due: number) => new Date(due).toISOString().slice(0, 16)
const daily: Schedule = { unit: 'days', every: 1, at: ['08:30'] }
const every5: Schedule = { unit: 'minutes', every: 5 }
const above2: Condition = { kind: 'threshold', operator: 'above', value: 2, minutes: 15 }

describe('due runs', () => {
  it('bring a daily report for a month, with a leap day, once each', async () => {
    await begin('2028-02-10T12:00:00Z', [() => draft('report', daily)])
    await until('2028-03-11T12:00:00Z')
    const history = await runs('sub_report')
    expect(history.map(({ due }) => iso(due))).toContain('2028-02-29T07:30')
    expect(history).toHaveLength(30)
    expect(history.every(run => run.outcome === 'told' && run.missed === 0 && !run.isLate && run.tokens > 0)).toBe(true)
    expect(await shown()).toHaveLength(30)
    expect(new Set(history.map(({ runId }) => runId)).size).toBe(30)
  }, 120_000)

  it('watch every 5 minutes for a day: an alert opens after 15 minutes, adds what joins, and resolves', async () => {
    await begin('2028-01-10T00:00:00Z', [() => draft('alert', every5, { condition: above2 })])
    await until('2028-01-11T00:00:00Z')
    const told = (await runs('sub_alert')).filter(({ outcome }) => outcome === 'told')
    expect(await shown()).toEqual([
      expect.stringMatching(
        /^🔔 \*\*Loss\?\*\*\n\nThe alert is open: the figure is above 2 for 15 minutes\.\n\n\| link \| watched \|\n\| --- \| --- \|\n\| A \| 5 \|$/,
      ),
      expect.stringContaining('Resolved'),
    ])
    expect(told).toEqual([])
  }, 300_000)
})
