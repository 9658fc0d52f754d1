import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { SubscriptionDraft } from '../../src/agent/subscribe/frozen-plan.ts'
import { keepFor } from '../../src/subscriptions/keep-subscription.ts'
import { Subscriptions } from '../../src/subscriptions/store.ts'
import { type SubscriptionRun, withRun } from '../../src/subscriptions/subscription.ts'
import { chatMessage, until } from '../support/queue-harness.ts'
import { runClew } from '../support/run-clew.ts'
import { type ConsoleBrowser, describeInBrowser, openBrowser } from './browser.ts'
import { type ConsoleClient, type ConsoleWorld, startConsoleWorld } from './world.ts'

const RULES = `version: 1
roles:
  asker: {tables: [network.*]}
  operator: {tables: [network.*], operate: true}
workspaces:
  - platform: slack
    workspace: T1000000
    users: {U1ANN: asker, U2BOB: asker, U3OPERATOR: operator}
`
const SLACK = { workspace: 'T1000000' }
const signal = AbortSignal.timeout(300_000)
const DUE = Date.UTC(2026, 10, 27, 8)
const RUN: SubscriptionRun = {
  ...{ due: DUE, startedAt: DUE, runId: 'run_00000000000000aa', isLate: false, missed: 0, outcome: 'told' },
  ...{ rows: 3, firing: 1, tokens: 90, cost: 0.25, said: '', isReport: true, rights: 'other' },
}

let world: ConsoleWorld
let subscriptions: Subscriptions
let browser: ConsoleBrowser

const draftOf = (id: string, question: string): SubscriptionDraft => ({
  ...{ id, kind: 'alert', condition: { kind: 'threshold', operator: 'above', value: 2, minutes: 0 }, once: false },
  recurrence: { schedule: { unit: 'days', every: 1, at: ['08:00'] }, zone: 'UTC', from: '2026-11-27' },
  plan: {
    ...{ question, gate: 'SELECT max(at) FROM alarms', source: null },
    queries: [
      {
        ...{ id: 'Q1', question, sql: 'SELECT 41 AS watched', explanation: '' },
        ...{ assumptions: [], deciding_assumptions: [], chart: null },
      },
    ],
  },
})

/** Keeps an alert of somebody's in a channel, with a run that told, one that stayed quiet, and one without new data. */
async function keep(id: string, author: string, question: string) {
  const accepted = { message: chatMessage('', { author }), runId: 'run_1', acceptedAt: 0 }
  await keepFor(subscriptions, accepted).keep(draftOf(id, question), 'en', signal)
  const more: readonly Partial<SubscriptionRun>[] = [
    {},
    { due: DUE + 1, outcome: 'quiet', firing: 0, isReport: false, cost: null },
    { due: DUE + 2, outcome: 'no_new_data', firing: null, rows: 0, isReport: false, missed: 4 },
  ]
  for (const each of more) await subscriptions.change(id, now => withRun(now, { ...RUN, ...each }), signal)
}

beforeAll(async () => {
  world = await startConsoleWorld({}, { rules: () => RULES })
  subscriptions = new Subscriptions({ redis: await world.clew.redis.connect(), now: Date.now })
  await keep('sub_a', 'U1ANN', 'Loss of each link?')
  await keep('sub_b', 'U2BOB', 'Errors of each link?')
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

const ids = ({ body }: Awaited<ReturnType<ConsoleClient['get']>>, key?: string) =>
  ((key === undefined ? body : body[key]) as unknown as readonly { readonly id: string }[]).map(({ id }) => id)

it('serves a person their own over HTTP, and nothing of others', async () => {
  const made = ['tokens', 'create', '--person', 'slack/U1ANN', '--workspace', 'T1000000']
  const { output } = await runClew(made, world.env)
  const ann = async (method: string, path: string) => {
    const response = await fetch(`${world.url}/v1/subscriptions${path}`, {
      method,
      headers: { Authorization: `Bearer ${output.trim()}` },
    })
    return { status: response.status, body: response.status === 204 ? null : await response.json() }
  }
  expect(await ann('GET', '')).toMatchObject({
    status: 200,
    body: { subscriptions: [{ id: 'sub_a', owner: 'slack/U1ANN', schedule: 'every day at 08:00 (UTC)', last: 'no_new_data' }] },
  })
  expect((await ann('GET', '/sub_a')).body).toMatchObject({
    condition: 'the figure is above 2',
    sql: ['SELECT max(at) FROM alarms', 'SELECT 41 AS watched'],
    runs: [
      { outcome: 'no_new_data', gate: 'closed', firing: null, missed: 4, run_id: null },
      { outcome: 'quiet', gate: 'open', firing: 0, rows: 3, cost: null, run_id: null },
      { outcome: 'told', gate: 'open', firing: 1, cost: 0.25, run_id: RUN.runId, due: '2026-11-27T08:00:00.000Z' },
    ],
  })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/pause'],
    ['DELETE', ''],
  ] as const) {
    expect(await ann(method, `/sub_b${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await ann(method, `/sub_none${path}`)).status).toBe(404)
  }
  expect(await ann('POST', '/sub_a/pause')).toMatchObject({ status: 200, body: { status: 'paused', next: null } })
  expect(await ann('POST', '/sub_a/resume')).toMatchObject({ status: 200, body: { status: 'active' } })
  expect((await ann('POST', '/sub_a/delete')).status).toBe(400)
  expect((await ann('PUT', '/sub_a')).status).toBe(405)
  await keep('sub_c', 'U1ANN', 'Gone?')
  expect((await ann('DELETE', '/sub_c')).status).toBe(204)
  expect(await subscriptions.find('sub_c', signal)).toBeUndefined()
  expect((await subscriptions.find('sub_b', signal))?.status).toBe('active')
  const client = (await runClew(['tokens', 'create', '--role', 'asker'], world.env)).output.trim()
  const refused = await fetch(`${world.url}/v1/subscriptions`, { headers: { Authorization: `Bearer ${client}` } })
  expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'no_person' })])
})

it("lists everybody's to one who operates, without what they may not see, and one's own to others", async () => {
  const path = '/console/api/subscriptions'
  const bob = await world.signIn({ person: 'slack/U2BOB', ...SLACK })
  expect(ids(await bob.get(path))).toEqual(['sub_b'])
  expect(ids(await bob.get('/v1/subscriptions'), 'subscriptions')).toEqual(['sub_b'])
  expect((await bob.get(`${path}/sub_a`)).status).toBe(404)
  expect((await bob.send('POST', `${path}/sub_a/pause`, {})).status).toBe(404)
  const operator = await world.signIn({ person: 'slack/U3OPERATOR', ...SLACK })
  expect(ids(await operator.get(path)).sort()).toEqual(['sub_a', 'sub_b'])
  expect((await operator.get(`${path}/sub_a`)).body).toMatchObject({
    question: null,
    condition: null,
    sql: null,
    last: 'no_new_data',
  })
  expect((await operator.send('POST', `${path}/sub_b/pause`, {})).body).toMatchObject({ id: 'sub_b', status: 'paused' })
})

describeInBrowser('the Subscriptions page', () => {
  it('shows quiet runs too, and steers by the keyboard', async () => {
    const { page } = browser
    await browser.signIn(world.url, await world.link({ person: 'slack/U1ANN', ...SLACK }))
    await page.getByRole('link', { name: 'Subscriptions' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Loss of each link?' })
    await row.getByText('alert, every day at 08:00 (UTC)').waitFor()
    await row.getByText('active, quiet').waitFor()
    await row.getByText('No new data').waitFor()
    expect(await browser.look()).toEqual([])
    await page.getByRole('link', { name: 'Loss of each link?' }).press('Enter')
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('row')
    await runs.filter({ hasText: 'Quiet' }).getByText('no', { exact: true }).waitFor()
    await runs.filter({ hasText: 'Told' }).getByText('yes, 1 of the rows').waitFor()
    await runs.filter({ hasText: 'No new data' }).getByText('after 4 missed').waitFor()
    await page.getByText('SELECT 41 AS watched').waitFor()
    expect(await browser.look()).toEqual([])
    await page.getByRole('button', { name: 'Pause' }).press('Enter')
    await page.getByRole('status').getByText('paused, quiet').waitFor()
    await page.getByRole('button', { name: 'Resume' }).press('Enter')
    await page
      .getByRole('status')
      .getByText(/active, quiet; next/)
      .waitFor()
    await page.getByRole('button', { name: 'Run now' }).press('Enter')
    await until('it is due, or has run', async () => {
      const found = await subscriptions.find('sub_a', signal)
      return found !== undefined && (found.next <= Date.now() || found.running !== null || found.history.length > 3)
    })
  })

  it('deletes once it is confirmed', async () => {
    const { page } = browser
    page.removeAllListeners('dialog')
    page.once('dialog', dialog => void dialog.accept())
    await page.getByRole('button', { name: 'Delete', disabled: false }).press('Enter')
    await page.getByText('Nothing comes by itself yet.').waitFor()
    expect(await subscriptions.find('sub_a', signal)).toBeUndefined()
    expect(browser.mistakes).toEqual([])
  })
})
