import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { chromium, type Page } from 'playwright-core'
import { AUDIT_LIMITS } from '../../src/audit/limits.ts'
import { auditLineSchema } from '../../src/audit/line.ts'
import { RedisAuditStore } from '../../src/audit/redis-store.ts'
import { createLogger } from '../../src/base/logger.ts'
import { asRun } from '../../src/base/watched-work.ts'
import { createDeadLetters } from '../../src/queue/dead-letters.ts'
import { writeReport } from '../../src/queue/process-reports.ts'
import { threadName } from '../../src/queue/thread-keys.ts'
import { Caps } from '../../src/queue/usage/caps.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { until } from '../support/queue-harness.ts'
import { type ConsoleWorld, startConsoleWorld } from './world.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const QUESTION = 'How many devices are there?'
const HOSTILE = '<img src=x onerror=alert(1)>'
const DAY_MS = 86_400_000
const signal = AbortSignal.timeout(300_000)

let folder: string
let world: ConsoleWorld
let redis: RedisClient
let page: Page

beforeAll(async () => {
  const book = {
    queries: { [QUESTION]: ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  }
  folder = await mkdtemp(join(tmpdir(), 'clew-operation-'))
  const caps = join(folder, 'caps.yaml')
  await writeFile(caps, 'caps:\n  - { per: person, limit: 3, of: cost, window: month }\n')
  world = await startConsoleWorld({ [QUESTION]: book }, { env: { CLEW_CAPS_FILE: caps } })
  redis = await world.clew.redis.connect()
  await use()
  await writeAudit()
  page = await openPage()
})
afterAll(async () => {
  await page?.context().browser()?.close()
  await world?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Counts what people have used on the last days. */
async function use() {
  const people = { 'slack/U1ANN': 4, 'slack/U2BOB': 1.5, [`slack/${HOSTILE}`]: 0.25 }
  for (const [index, [person, cost]] of Object.entries(people).entries()) {
    const now = Date.now() - index * DAY_MS
    const caps = new Caps({ redis, caps: [], timeZone: 'UTC', now: () => now, logger: createLogger({ level: 'fatal' }) })
    const place = { platform: 'slack', channel: `C${index}` }
    await asRun({ id: `run_${index}`, person, place, role: 'analyst' }, async () => {
      const call = { kind: 'model_call', step: 'generate', model: 'scripted', outcome: 'answered', isEstimated: false } as const
      caps.observe({ ...call, inputTokens: 1_000, outputTokens: 100, cost, durationMs: 1 })
      const query = { kind: 'query', source: 'clickhouse', sql: '', outcome: 'ok', rows: 1, rowsRead: 1 } as const
      caps.observe({ ...query, bytesRead: 12_300_000, durationMs: 1 })
    })
  }
}

/** Fills the audit log. Every hundredth line is a press of Ann's. */
async function writeAudit() {
  const store = new RedisAuditStore({ redis, retentionMs: DAY_MS, now: Date.now, close: async () => undefined })
  const started = Date.now() - AUDIT_LIMITS.streamLines / 10
  const lines = Array.from({ length: AUDIT_LIMITS.streamLines / 10 }, (_, index) => {
    const isPress = index % 100 === 0
    const more = { kind: isPress ? 'press' : 'query', person: isPress ? 'slack/U1ANN' : 'slack/U2BOB', outcome: 'ok' }
    return auditLineSchema.parse({ at: started + index, id: `line-${index}`, ...more })
  })
  for (let from = 0; from < lines.length; from += 2_000) await store.append(lines.slice(from, from + 2_000), signal)
}

/** Keeps a message of Alice's as a dead letter. Returns the message. */
async function keepLetter(runId: string) {
  const { slack } = world.clew
  const alice = slack.user('alice')
  const posted = alice.post('data', QUESTION)
  const place = { platform: 'slack', workspace: slack.teamId, channel: posted.channel, thread: posted.ts, isDirect: false }
  const order = Math.round(Number(posted.ts) * 1e6)
  const message = { place, messageId: posted.ts, order, author: alice.id, text: QUESTION, addressed: true }
  const accepted = { message, runId, acceptedAt: Date.now() }
  const thread = threadName(place)
  await createDeadLetters(redis).keep({ thread, messageId: posted.ts, reason: `no answer ${HOSTILE}`, message: accepted }, signal)
  return posted
}

async function openPage(): Promise<Page> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const opened = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  opened.on('pageerror', error => faults.push(error.message))
  opened.on('console', message => {
    // The page asks who has signed in before anybody has.
    if (message.type() === 'error' && !message.text().includes('401')) faults.push(message.text())
  })
  const link = await world.link({ person: 'terminal/operator' })
  await opened.goto(`${world.url}/#sign-in=${link}`)
  await opened.getByRole('button', { name: 'Sign in' }).click()
  await opened.getByRole('link', { name: 'Operation' }).click()
  return opened
}

const faults: string[] = []

async function mistakesOf(width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

const describeInBrowser = existsSync(CHROMIUM) ? describe : describe.skip
if (!existsSync(CHROMIUM)) process.stderr.write(`${CHROMIUM} is not there, so Operation is not tested in a browser.\n`)

describeInBrowser('the Operation page', () => {
  it('tells at first look who spent most this week, and links to the runs of each person', async () => {
    await page.getByText('U1ANN (Slack) spent the most: $4.00 of $5.75 in all.').waitFor()
    const bars = page.locator('.bars').first().getByRole('listitem')
    expect(await bars.allInnerTexts()).toEqual([
      expect.stringMatching(/U1ANN \(Slack\)\s+\$4\.00/),
      expect.stringMatching(/U2BOB \(Slack\)\s+\$1\.50/),
      expect.stringContaining('$0.25'),
    ])
    const href = await page.getByRole('link', { name: 'U1ANN (Slack)' }).first().getAttribute('href')
    expect(href).toBe('/runs?person=slack%2FU1ANN')
    await page.getByText('Cap of $3.00 cost per person and month').waitFor()
    expect(await page.locator('.over').allInnerTexts()).toEqual([expect.stringMatching(/U1ANN \(Slack\)\s+\$4\.00/)])
    await page.getByLabel('Measure').selectOption('tokens of models')
    await page.getByText('used the most: 1,100 of 3,300 in all.').waitFor()
    await page.getByLabel('Days').selectOption('today')
    await page.getByText('U1ANN (Slack) used the most: 1,100 of 1,100 in all.').waitFor()
  })

  it('shows the processes that live, and one that has died', async () => {
    const dead = { id: 'gone:1', kind: 'worker', version: '0.0.9', since: 1, checks: { redis: false, model: 'open' } } as const
    const text = await writeReport(redis, '', { ...dead, errors: { 'query timeout': 3 } })
    await redis.zadd('clew:processes', Date.now() - 60_000, text)
    const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await card('worker gone:1')
      .getByText(/silent for 1 min/)
      .waitFor()
    await card('worker gone:1').getByText('redis: fails').waitFor()
    await card('worker gone:1').getByText('model: does not answer, is left alone').waitFor()
    const alive = card('worker').filter({ hasNotText: 'gone:1' })
    await alive.getByText('warehouse: ok').waitFor()
    await alive.getByText('slots: 0 of 40 busy').waitFor()
    await card('serve').getByText('redis: ok').waitFor()
    await page.getByText('query: timeout, 3 ×').waitFor()
  })

  it('refreshes itself, and keeps focus and scroll', async () => {
    await page.getByLabel('Measure').focus()
    await page.evaluate('scrollTo(0, 300)')
    const readAt = () => page.getByText(/Read at/).textContent()
    const [first, scrolled] = [await readAt(), await page.evaluate('scrollY')]
    expect(scrolled).toBeGreaterThan(0)
    await until('it has refreshed', async () => (await readAt()) !== first)
    expect(await page.evaluate(`[document.activeElement.getAttribute('aria-label'), scrollY]`)).toEqual(['Measure', scrolled])
  })

  it('has dead letters answered again, or dropped, once the operator confirms', async () => {
    const asked = await keepLetter('run_00000000000000aa')
    await keepLetter('run_00000000000000bb')
    const row = (id: string) => page.getByRole('row').filter({ hasText: id })
    await row('run_00000000000000aa').getByText(`no answer ${HOSTILE}`).waitFor()
    const press = async (id: string, name: string, isSure: boolean) => {
      page.once('dialog', dialog => (isSure ? dialog.accept() : dialog.dismiss()))
      await row(id).getByRole('button', { name }).click()
    }
    await press('run_00000000000000bb', 'Drop', false)
    await press('run_00000000000000aa', 'Retry', true)
    await row('run_00000000000000aa').waitFor({ state: 'detached' })
    await until('a worker answers', async () => world.clew.replies(asked).some(({ plain }) => plain.includes('42 devices')))
    expect(await row('run_00000000000000bb').count()).toBe(1)
    await press('run_00000000000000bb', 'Drop', true)
    await page.getByRole('heading', { name: 'Dead letters' }).waitFor({ state: 'detached' })
    expect(await createDeadLetters(redis).list(signal)).toEqual([])
  })

  it('is accessible on a desk and on a phone', async () => {
    await keepLetter('run_00000000000000cc')
    await page.getByText('run_00000000000000cc').waitFor()
    await page.getByLabel('Days').selectOption('the last 7 days')
    await page.getByLabel('Measure').selectOption('cost in US dollars')
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect({ width, mistakes: await mistakesOf(width) }).toEqual({ width, mistakes: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('shows the audit log page by page, of one person and kind, without a long task', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.evaluate(`
      globalThis.longTasks = []
      const watch = list => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration))
      new PerformanceObserver(watch).observe({ type: 'longtask' })`)
    await page.getByRole('tab', { name: 'Audit' }).click()
    const press = page.getByRole('row').filter({ hasText: 'retry_dead_letter' })
    await press.getByText('terminal/operator').waitFor()
    await page.getByLabel('Kind').selectOption('press')
    await page.getByLabel('person').fill('slack/U1ANN')
    await page.getByLabel('person').press('Enter')
    await page.getByText(/^100 lines/).waitFor()
    const older = page.getByRole('button', { name: 'Show more' })
    await older.click()
    await older.waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByText(/^100 lines/).waitFor()
    // The check of accessibility is a long task itself.
    expect(await page.evaluate('globalThis.longTasks.filter(ms => ms > 100)')).toEqual([])
    expect(await mistakesOf(1_440)).toEqual([])
  })

  it('runs nothing that a name or a reason holds', () => {
    expect(faults).toEqual([])
  })
})
