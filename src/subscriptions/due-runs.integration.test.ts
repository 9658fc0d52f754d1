import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer, status } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { type QueueHarness, recordingLogger, startQueueHarness } from '../../test/support/queue-harness.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import { clickhouseSource } from '../../test/support/source-suite.ts'
import {
  dyingProcess,
  never,
  openStandingWorker,
  type StandingSettings,
  type TestClock,
} from '../../test/support/standing-world.ts'
import { IS_WHOLE } from '../../test/support/whole.ts'
import { accessKey } from '../access/run-access.ts'
import type { Condition } from '../agent/subscribe/condition.ts'
import type { SubscriptionDraft } from '../agent/subscribe/frozen-plan.ts'
import { jitterOf, recurrenceFrom, type Schedule } from '../agent/subscribe/schedule.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import type { Acceptance } from '../queue/accept/acceptor.ts'
import type { Admission } from '../queue/accept/admission.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { messageOf, startDueRuns } from './due-runs.ts'
import { keepFor } from './keep-subscription.ts'
import { shownSubscriptions } from './shown-subscriptions.ts'
import { steer } from './steer.ts'

let harness: QueueHarness
let engine: TestEngine
let model: ScriptedModel
const clock: TestClock = { now: 0 }
let worker: Awaited<ReturnType<typeof openStandingWorker>>

beforeAll(async () => {
  harness = await startQueueHarness()
  engine = await startTestEngine()
  model = await startScriptedModel({
    onRequest: call => (call.step === 'synthesize' ? answer('There was loss [Q1].') : status(500)),
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
  given: { zone?: string; sql?: string; condition?: Condition; gate?: string; until?: string; once?: boolean } = {},
): SubscriptionDraft {
  const recurrence = recurrenceFrom(schedule, given.zone ?? 'Europe/Berlin', clock.now, undefined, given.until)
  if (recurrence === undefined) throw new Error('it is never due')
  const query = { id: 'Q1', question: 'Loss.', explanation: '', assumptions: [], deciding_assumptions: [], chart: null }
  const sql = given.sql ?? (kind === 'alert' ? LOSS : DAILY)
  const plan = { question: 'Loss?', queries: [{ ...query, sql }], gate: given.gate ?? null, source: null }
  return { id: `sub_${kind}`, kind, recurrence, condition: given.condition ?? null, once: given.once ?? false, plan }
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

/** Returns a message of the report's owner, in its thread. */
async function acceptedOf(): Promise<AcceptedMessage> {
  const report = await worker.subscriptions.find('sub_report', never)
  if (report === undefined) throw new Error('there is no report')
  return { message: messageOf(report, 1), runId: 'run_1', acceptedAt: 0 }
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

  it('watch every 5 minutes: an alert opens after 15 minutes, and resolves', async () => {
    await begin(IS_WHOLE ? '2028-01-08T00:00:00Z' : '2028-01-10T09:40:00Z', [() => draft('alert', every5, { condition: above2 })])
    await until(IS_WHOLE ? '2028-01-15T00:00:00Z' : '2028-01-10T11:10:00Z')
    expect(await shown()).toEqual([
      expect.stringMatching(
        /^🔔 \*\*Loss\?\*\*\n\nThe alert is open: the figure is above 2 for 15 minutes\.\n\n\| link \| watched \|\n\| --- \| --- \|\n\| A \| 5 \|$/,
      ),
      expect.stringContaining('Resolved'),
    ])
    expect((await worker.subscriptions.find('sub_alert', never))?.alert.state).toBe('quiet')
    const history = await runs('sub_alert')
    for (const [at, { due }] of history.slice(1).entries()) expect(due).toBe((history[at]?.due ?? 0) + 5 * MINUTE_MS)
  }, 3_600_000)

  it('are claimed every 5 minutes for a month, each due time once, by two workers at once', async () => {
    await begin('2028-10-10T00:00:00Z', [() => draft('alert', every5, { condition: above2 })])
    const { subscriptions } = worker
    const claimed: number[] = []
    const acceptor = {
      accept: async ({ due }: ChatMessage): Promise<Acceptance> => {
        if (due === undefined || claimed.at(-1) === due.at) return { outcome: 'duplicate' }
        claimed.push(due.at)
        return { outcome: 'ignored' }
      },
    }
    const { logger } = recordingLogger()
    const deps = { subscriptions, acceptor, logger }
    const end = at('2028-11-09T00:00:00Z')
    const jitter = jitterOf(draft('alert', every5))
    for (let due = clock.now + 5 * MINUTE_MS; due <= end; due += 5 * MINUTE_MS) {
      clock.now = due + jitter
      await Promise.all([startDueRuns(deps, never), startDueRuns(deps, never)])
      await subscriptions.change('sub_alert', now => ({ ...now, running: null }), never)
    }
    expect(claimed).toHaveLength((30 * DAY_MS) / (5 * MINUTE_MS))
    expect(new Set(claimed).size).toBe(claimed.length)
  }, 1_200_000)

  it('keep their local time on the days on which the clocks change', async () => {
    await begin('2028-03-25T12:00:00Z', [() => draft('report', { ...daily, at: ['02:30'] })])
    await until('2028-03-27T12:00:00Z')
    expect((await runs('sub_report')).map(({ due }) => iso(due))).toEqual(['2028-03-26T01:30', '2028-03-27T00:30'])
    clock.now = at('2028-10-28T12:00:00Z')
    await worker.subscriptions.change('sub_report', now => ({ ...now, next: at('2028-10-29T00:30:00Z') }), never)
    await until('2028-10-30T12:00:00Z')
    expect((await runs('sub_report')).slice(2).map(({ due }) => iso(due))).toEqual(['2028-10-29T00:30', '2028-10-30T01:30'])
  })

  it('come late and once after an outage of a day, and tell what was missed', async () => {
    await begin('2028-01-10T12:00:00Z', [
      () => draft('report', daily),
      () => draft('alert', every5, { condition: { ...above2, minutes: 0 } }),
    ])
    await until('2028-01-10T12:10:00Z')
    clock.now = at('2028-01-12T09:00:00Z')
    await worker.tick()
    expect(await runs('sub_report')).toMatchObject([
      { due: at('2028-01-12T07:30:00Z'), missed: 1, isLate: true, outcome: 'told' },
    ])
    expect((await runs('sub_alert')).at(-1)).toMatchObject({ missed: 537, isLate: false, outcome: 'told' })
    expect([...(await shown())].sort()).toEqual([
      '537 runs before it were missed.\n\nThe last run before it was at Mon, 10 Jan 2028, 13:05.',
      expect.stringMatching(
        /^_This run is late: it was due at Wed, 12 Jan 2028, 08:30\._\n\n_One run before it was missed\._\n\nThere was loss \[Q1\]\./,
      ),
    ])
    await worker.tick()
    expect(await shown()).toHaveLength(2)
  })

  it.each(['report', 'alert'] as const)(
    'are told once, with one entry in the history, if the worker of a %s is killed at any point',
    async kind => {
      const condition = kind === 'alert' ? { ...above2, minutes: 0 } : undefined
      const given = () => draft(kind, kind === 'alert' ? every5 : daily, condition && { condition })
      const start = kind === 'alert' ? '2028-01-10T10:12:00Z' : '2028-01-10T12:00:00Z'
      const dieAt = async (lastCommand: number) => {
        await begin(start, [given])
        const [own] = await worker.subscriptions.all(never)
        if (own === undefined) throw new Error('there is no subscription')
        clock.now = own.next + jitterOf(own)
        const dying = dyingProcess(harness, lastCommand)
        const first = await openStandingWorker({ harness, engine, model, ...dying }, clock)
        await first.tick().catch(() => undefined)
        await first.close()
        return { own, commands: dying.commands() }
      }
      const { commands } = await dieAt(Number.POSITIVE_INFINITY)
      expect(await shown()).toHaveLength(1)
      const [whole] = await shown()
      for (let last = 1; last <= commands; last += IS_WHOLE ? 1 : 4) {
        await worker.close()
        await harness.reset()
        const { own } = await dieAt(last)
        for (let again = 0; again < 3; again += 1) {
          await worker.tick()
          clock.now += MINUTE_MS
        }
        const history = await runs(own.id)
        expect({ last, shown: await shown(), runs: history.map(({ due, outcome }) => [due, outcome]) }).toEqual({
          last,
          shown: [whole],
          runs: [[own.next, 'told']],
        })
        const posts = (await harness.platform.history()).filter(({ operation }) => operation === 'post')
        expect({ last, posts: posts.length }).toEqual({ last, posts: 1 })
      }
    },
    600_000,
  )

  it('say nothing without new data, come anyway if the gate fails, and an alert then stays closed', async () => {
    const gate = 'SELECT max(at) AS t1 FROM loss'
    const broken = 'SELECT max(gone) AS t1 FROM loss'
    await begin('2028-01-10T12:00:00Z', [
      () => draft('report', daily, { gate }),
      () => ({ ...draft('report', { ...daily, at: ['09:00'] }, { gate: broken }), id: 'sub_broken' }),
      () => draft('alert', { ...daily, at: ['09:30'] }, { gate: broken, condition: above2 }),
    ])
    await until('2028-01-13T12:00:00Z')
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['told', 'no_new_data', 'no_new_data'])
    expect((await runs('sub_broken')).map(({ outcome }) => outcome)).toEqual(['told', 'told', 'told'])
    expect((await runs('sub_alert')).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed'])
    const texts = await shown()
    expect(texts.filter(text => text.startsWith('_Whether there is new data could not be checked'))).toHaveLength(3)
    // An alert tells of the first failure only.
    expect(texts.filter(text => text.startsWith('This could not be checked'))).toHaveLength(1)
    expect(texts).toHaveLength(5)
  })

  it('come only if the result changed, and begin with what did', async () => {
    const condition: Condition = { kind: 'change', by: null, unit: 'absolute' }
    await begin('2028-01-08T12:00:00Z', [() => draft('report', daily, { condition })])
    await until('2028-01-13T12:00:00Z')
    // 10 January has more loss than the days before and after it.
    expect((await runs('sub_report')).map(({ due, outcome }) => [iso(due).slice(0, 10), outcome])).toEqual([
      ['2028-01-09', 'quiet'],
      ['2028-01-10', 'quiet'],
      ['2028-01-11', 'told'],
      ['2028-01-12', 'told'],
      ['2028-01-13', 'quiet'],
    ])
    const prompt = promptOf(model.callsOf('synthesize').at(-1) as ScriptedCall)
    expect(fenced(prompt, 'question')).toBe('First: what has changed since the last run? Then: Loss?')
    expect(prompt).toContain('Combined by a program from Q1.')
    expect(prompt).toMatch(/\| 1 \| Q1 \| A \| total \| 1604 \| 1440 \| -164 \|/)
  })

  it('show nothing of a run during which the rights of their owner have changed', async () => {
    let asked = 0
    const grants = (tables: string[]) => [{ tables, except: [] }]
    const narrowing: Admission = {
      admit: async accepted => {
        asked += 1
        const access = { grants: grants(asked === 1 ? ['default.*'] : ['default.loss']), clickhouseRoles: [] }
        return { ...accepted, access: { kind: 'granted', roles: [], access, mayPublish: false, isPrivate: false } }
      },
    }
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily)], { admission: narrowing })
    await until('2028-01-11T12:00:00Z')
    expect(await shown()).toEqual([expect.stringMatching(/^This could not be checked: What you may ask about has changed/)])
  })

  it('tell nothing of what was read with other rights before', async () => {
    let tables = ['default.*']
    const admission: Admission = {
      admit: async accepted => {
        const access = { grants: [{ tables, except: [] }], clickhouseRoles: [] }
        return { ...accepted, access: { kind: 'granted', roles: [], access, mayPublish: false, isPrivate: false } }
      },
    }
    await begin('2028-01-09T12:00:00Z', [() => draft('report', daily)], { admission })
    const asked = model.callsOf('synthesize').length
    await until('2028-01-11T12:00:00Z')
    tables = ['default.loss']
    await until('2028-01-13T12:00:00Z')
    const questions = model
      .callsOf('synthesize')
      .slice(asked)
      .map(call => fenced(promptOf(call), 'question'))
    const compared = 'First: what has changed since the last run? Then: Loss?'
    expect(questions).toEqual(['Loss?', compared, 'Loss?', compared])
  })

  it('show a question to others with the same rights only if the channel saw the last run of it', async () => {
    let isPrivate = true
    const access = { grants: [{ tables: ['default.*'], except: [] }], clickhouseRoles: [] }
    const admission: Admission = {
      admit: async accepted => ({
        ...accepted,
        access: { kind: 'granted', roles: [], access, mayPublish: false, isPrivate },
      }),
    }
    await begin('2028-01-09T12:00:00Z', [() => draft('report', daily)], { admission })
    const shownTo = shownSubscriptions(worker.subscriptions)
    const questions = async () => {
      const all = { rights: accessKey(access) }
      return (await shownTo.list({ person: 'slack/U9', all }, never)).map(({ question }) => question)
    }
    await until('2028-01-10T12:00:00Z')
    expect(await questions()).toEqual([null])
    isPrivate = false
    await until('2028-01-11T12:00:00Z')
    expect(await questions()).toEqual(['Loss?'])
    const keeper = keepFor(worker.subscriptions, await acceptedOf())
    const { plan, ...rest } = draft('report', daily)
    await keeper.keep({ ...rest, plan: { ...plan, question: 'Pay?' } }, 'en', never)
    expect(await questions()).toEqual([null])
  })

  it('give up a run that does not end, and go on with the next', async () => {
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily)])
    const lost = { due: clock.now - 6 * HOUR_MS, missed: 0, isLate: false, startedAt: clock.now - 3 * HOUR_MS }
    await worker.subscriptions.change('sub_report', now => ({ ...now, running: lost }), never)
    clock.now += MINUTE_MS
    await worker.tick()
    expect((await runs('sub_report')).map(({ due, outcome }) => [due, outcome])).toEqual([[lost.due, 'lost']])
    await until('2028-01-11T12:00:00Z')
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['lost', 'told'])
  })

  it('say once that an alert cannot be checked, and that it can again', async () => {
    await begin('2028-01-10T12:00:00Z', [
      () => draft('alert', daily, { gate: 'SELECT max(gone) AS t1 FROM loss', condition: above2 }),
    ])
    await until('2028-01-12T12:00:00Z')
    await worker.subscriptions.change('sub_alert', now => ({ ...now, plan: { ...now.plan, gate: null } }), never)
    await until('2028-01-14T12:00:00Z')
    expect((await runs('sub_alert')).map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'told', 'quiet'])
    expect(await shown()).toEqual([expect.stringContaining('could not be checked'), 'This could be checked again.'])

    await worker.close()
    await harness.reset()
    const gate = 'SELECT max(gone) AS t1 FROM loss'
    await begin('2028-01-10T12:00:00Z', [() => draft('alert', daily, { gate, condition: above2, until: '2028-01-11' })])
    await until('2028-01-14T12:00:00Z')
    expect(await shown()).toEqual([expect.stringMatching(/could not be checked.*This was its last time\.$/s)])
  })

  it('name what joins an alert of many rows, and how many more there are', async () => {
    const sql = "SELECT concat('L', toString(number)) AS link, 5. AS watched FROM numbers(if(now('UTC') < '2028-01-12', 12, 13))"
    await begin('2028-01-10T12:00:00Z', [() => draft('alert', daily, { sql, condition: { ...above2, minutes: 0 } })])
    await until('2028-01-13T07:00:00Z')
    const [opened = '', more = ''] = await shown()
    expect(opened).toMatch(/The alert is open: .*\| L9 \| 5 \|\n\n2 more rows are not shown\.$/s)
    expect(more).toMatch(/^🔔 Now also: L12\.\n\n.*\| L12 \| 5 \|\n.*3 more rows are not shown\.$/s)
  })

  it('tell of no row that is there in each run, though its time is another in each', async () => {
    const sql = `SELECT link, max(at) AS last FROM loss WHERE at <= now() GROUP BY link
      HAVING link = 'A' OR now('UTC') >= '2028-01-12' ORDER BY link`
    for (const kind of ['appears', 'list'] as const) {
      await worker?.close()
      await harness.reset()
      await begin('2028-01-10T12:00:00Z', [
        () => {
          const made = draft('alert', daily, { sql, condition: { kind } })
          return { ...made, plan: { ...made.plan, queries: made.plan.queries.map(each => ({ ...each, key: [0] })) } }
        },
      ])
      await until('2028-01-14T12:00:00Z')
      expect((await runs('sub_alert')).map(({ outcome }) => outcome)).toEqual(['quiet', 'told', 'quiet', 'quiet'])
      expect(await shown()).toEqual([expect.stringMatching(/is open: .*\| B \| 2028-01-12 /s)])
    }
  })

  it('say when the run before was after a weekend or a pause, in which nothing counts as having held', async () => {
    await begin('2028-01-06T12:00:00Z', [
      () => draft('report', { unit: 'weeks', every: 1, weekdays: ['monday', 'tuesday', 'friday'], at: ['08:30'] }),
    ])
    await until('2028-01-10T12:00:00Z')
    expect(await shown()).toEqual([
      expect.stringMatching(/^There was/),
      expect.stringMatching(/^_The last run before it was at Fri, 7 Jan 2028, 08:30\._\n\nThere was/),
    ])

    await worker.close()
    await harness.reset()
    await begin('2028-01-10T10:06:00Z', [() => draft('alert', every5, { condition: above2 })])
    await until('2028-01-10T10:12:00Z')
    await steer(worker.subscriptions, 'sub_alert', 'pause', never)
    clock.now = at('2028-01-10T10:28:00Z')
    await steer(worker.subscriptions, 'sub_alert', 'resume', never)
    // It holds from 10:00 to 10:40, which is less than 15 minutes since 10:30.
    await until('2028-01-10T10:50:00Z')
    expect((await runs('sub_alert')).map(({ due, outcome }) => [iso(due).slice(11), outcome])).toEqual(
      ['10:10', '10:30', '10:35', '10:40', '10:45'].map(time => [time, 'quiet']),
    )
    expect(await shown()).toEqual([])
  })

  it.each(['gone', 'forbidden'] as const)('pause once their channel takes no messages any more (%s)', async fails => {
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily)])
    await harness.platform.plan({ operation: 'post', fails })
    await until('2028-01-14T12:00:00Z')
    expect((await worker.subscriptions.find('sub_report', never))?.status).toBe('paused')
    expect(await runs('sub_report')).toHaveLength(1)
    expect(await shown()).toEqual([])
  })

  it('show names of rows on one line, and no links of theirs', async () => {
    const name = "concat('[reset](https://evil.example)\\n# Now\\x07 www.evil.example ', repeat('x', 900))"
    const links = (from: string) => `SELECT arrayJoin(if(now('UTC') < '${from}', ['A', ${name}], ['A'])) AS link, 5. AS watched`
    const rows = (from: string) => `SELECT arrayJoin(if(now('UTC') < '${from}', ['A'], ['A', ${name}])) AS link, 5. AS watched`
    await begin('2028-01-10T12:00:00Z', [
      () => draft('alert', daily, { sql: links('2028-01-12'), condition: { kind: 'disappears', minutes: 0 } }),
      () => ({ ...draft('alert', daily, { sql: rows('2028-01-12'), condition: { ...above2, minutes: 0 } }), id: 'sub_more' }),
    ])
    await until('2028-01-12T12:00:00Z')
    const texts = await shown()
    expect(texts.filter(text => text.includes('evil'))).toHaveLength(2)
    for (const text of texts) expect(text).not.toMatch(/\]\(https|(?<!`)www|\n# |\p{Cc}(?<!\n)|x{500}/u)
  })

  it('pause once their data source has another name', async () => {
    const renamed = clickhouseSource(engine.warehouse, { id: 'telemetry', isDefault: true, databases: ['default'] })
    const made = () => draft('report', daily)
    await begin('2028-01-10T12:00:00Z', [() => ({ ...made(), plan: { ...made().plan, source: 'network' } })], {
      analyst: { dataSources: [renamed] },
    })
    await until('2028-01-13T12:00:00Z')
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['paused'])
    expect(await shown()).toEqual([expect.stringContaining('or the data source has another name now')])
  })

  it('are told as failed while the warehouse is away, and as before once it is back', async () => {
    await begin('2028-01-10T10:12:00Z', [
      () => draft('alert', every5, { condition: { ...above2, minutes: 0 } }),
      () => ({ ...draft('report', every5), id: 'sub_report' }),
    ])
    const next = async () => {
      const end = clock.now + 5 * MINUTE_MS
      await until(new Date(end).toISOString())
    }
    await next()
    await engine.inject({ kind: 'reset', times: 1_000 })
    for (const _ of [1, 2, 3]) await next()
    await engine.inject()
    await next()
    expect((await runs('sub_alert')).map(({ outcome }) => outcome)).toEqual(['told', 'failed', 'failed', 'failed', 'told'])
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['told', 'failed', 'failed', 'failed', 'told'])
    // Each report that is missed is told, and of the alert the first failure only.
    const isAway = (text: string) => text.startsWith('This could not be checked: The warehouse could not be reached')
    const texts = await shown()
    expect(texts.filter(isAway)).toHaveLength(4)
    expect(texts.filter(text => text === 'This could be checked again.')).toHaveLength(1)
  })

  it('do not count the rows of a result that was cut, and say why 100,000 of them cannot be compared', async () => {
    const sql = 'SELECT toString(number) AS link, 5. AS watched FROM numbers(100000)'
    await begin('2028-01-10T12:00:00Z', [
      () => draft('alert', daily, { sql, condition: { kind: 'rows', minutes: 0 } }),
      () => ({ ...draft('alert', daily, { sql, condition: { kind: 'appears' } }), id: 'sub_long' }),
    ])
    await until('2028-01-11T12:00:00Z')
    const texts = await shown()
    expect(texts.map(text => text.split('\n\n').at(-1))).toEqual(
      expect.arrayContaining([
        'There are more rows, which are not shown.',
        expect.stringMatching(/too long to be watched: 200 rows at most/),
      ]),
    )
    expect(texts).toHaveLength(2)
  })

  it('leave to another version of Clew what it has written in another form', async () => {
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily)])
    const kept = await worker.subscriptions.find('sub_report', never)
    const store = createRedisStateStore(harness.redis)
    const write = (version: number) => store.set('subscription:{sub_report}', JSON.stringify({ ...kept, version }), 600, never)
    await write(2)
    clock.now = at('2028-01-11T12:00:00Z')
    await worker.tick()
    expect(await shown()).toEqual([])
    await write(1)
    clock.now += 2 * MINUTE_MS
    await worker.tick()
    await until('2028-01-12T12:00:00Z')
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['told', 'told'])
  })

  it('stop and ask their owner, with near names, once their SQL is no longer valid', async () => {
    await engine.warehouse.write({ sql: 'CREATE TABLE gone (at DateTime, link String) ENGINE = MergeTree ORDER BY at' }, never)
    const sql = 'SELECT link, count() AS n FROM gone GROUP BY link'
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily, { sql })])
    await engine.warehouse.write({ sql: 'RENAME TABLE gone TO gone_2' }, never)
    await until('2028-01-13T12:00:00Z')
    expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['stopped'])
    expect((await worker.subscriptions.find('sub_report', never))?.status).toBe('stopped')
    expect(await shown()).toEqual([
      expect.stringMatching(/^\*\*Loss\?\*\* has stopped, .*Near names: .*gone_2.*Shall it be set up anew/s),
    ])
  })

  it('end after their last day, and those that are told once after that', async () => {
    await begin('2028-01-10T12:00:00Z', [() => draft('report', daily, { until: '2028-01-12' })])
    await until('2028-01-14T12:00:00Z')
    expect((await runs('sub_report')).map(({ due, outcome }) => [iso(due), outcome])).toEqual([
      ['2028-01-11T07:30', 'told'],
      ['2028-01-12T07:30', 'told'],
    ])
    expect((await worker.subscriptions.find('sub_report', never))?.status).toBe('ended')

    await worker.close()
    await harness.reset()
    const high: Condition = { kind: 'threshold', operator: 'at_least', value: 0, minutes: 0 }
    await begin('2028-01-10T12:00:00Z', [
      () => draft('report', daily, { once: true }),
      () => draft('alert', daily, { once: true, condition: high, sql: DAILY }),
    ])
    await until('2028-01-14T12:00:00Z')
    for (const id of ['sub_report', 'sub_alert']) {
      expect((await runs(id)).map(({ outcome }) => outcome)).toEqual(['told'])
      expect((await worker.subscriptions.find(id, never))?.status).toBe('ended')
    }
  })

  it('say of an alert that it is open on its last day', async () => {
    const always: Condition = { kind: 'threshold', operator: 'at_least', value: 0, minutes: 0 }
    const lastTime = '🔔 This was its last time, and it is still open.'
    const brokenGate = { gate: 'SELECT max(gone) AS t1 FROM loss' }
    for (const { state = 'open', change = {}, said } of [
      { said: expect.stringMatching(/^🔔 Still open, since .*🔔 This was its last time, and it is still open\.$/s) },
      { state: 'acknowledged', said: lastTime },
      { state: 'acknowledged', change: { isFailing: true, plan: brokenGate }, said: lastTime },
    ] as const) {
      await worker?.close()
      await harness.reset()
      await begin('2028-01-10T12:00:00Z', [() => draft('alert', daily, { condition: always, sql: DAILY, until: '2028-01-12' })])
      await until('2028-01-11T12:00:00Z')
      await worker.subscriptions.change(
        'sub_alert',
        now => ({ ...now, ...change, plan: { ...now.plan, ...change.plan }, alert: { ...now.alert, state } }),
        never,
      )
      await until('2028-01-14T12:00:00Z')
      expect(await shown()).toEqual([expect.stringContaining('The alert is open'), said])
    }
  })

  it('pause, and tell the channel, once their owner has left or has no role', async () => {
    const noRole: Admission = { admit: async accepted => ({ ...accepted, access: { kind: 'refused', reason: 'no_role' } }) }
    for (const settings of [{ isMember: async () => false }, { admission: noRole }]) {
      await worker?.close()
      await harness.reset()
      await begin('2028-01-10T12:00:00Z', [() => draft('report', daily)], settings)
      await until('2028-01-13T12:00:00Z')
      expect((await runs('sub_report')).map(({ outcome }) => outcome)).toEqual(['paused'])
      expect(await shown()).toEqual([expect.stringContaining('is paused: whoever set it up is no longer here')])
    }
  })
})
