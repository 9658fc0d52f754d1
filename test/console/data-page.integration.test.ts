import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Browser, chromium, type Page } from 'playwright-core'
import { keepReport } from '../../src/evals/stored-reports.ts'
import { startDataWorld } from './data-world.ts'

const CHROMIUM = '/usr/bin/chromium'
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const signal = AbortSignal.timeout(600_000)
const OPEN = "SELECT count() AS orders FROM shop.orders WHERE status = 'open'"

if (!existsSync(CHROMIUM)) process.stderr.write(`${CHROMIUM} is not there, so the page Data is not tested.\n`)

;(existsSync(CHROMIUM) ? describe : describe.skip)('the page Data', () => {
  let world: Awaited<ReturnType<typeof startDataWorld>>
  let browser: Browser
  let page: Page
  const mistakes: string[] = []

  beforeAll(async () => {
    world = await startDataWorld(signal)
    const definer = await world.signedIn('terminal/ann', 'definer')
    await definer('GET domain')
    await world.write('ALTER TABLE shop.orders MODIFY COLUMN amount UInt64 SETTINGS mutations_sync = 2')
    const question = 'How many orders are open? <b>now</b>'
    const of = { person: 'slack/U1', channel: 'slack/C1', sources: [], models: [], isOpen: true }
    const by = { platform: 'slack', workspace: 'T1', user: 'U1', at: Date.now(), verdict: 'helpful', of } as const
    for (const runId of ['run_00000000000000a1', 'run_00000000000000a2'])
      await world.feedback.give(
        { ...by, runId, question: runId, standaloneQuestion: `${question} ${runId}`, sql: [OPEN] },
        signal,
      )
    await writeReports(join(world.file('evals'), 'shop', 'cases'))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
    page.on('pageerror', error => mistakes.push(error.message))
    page.on('console', said => void (said.type() === 'error' && mistakes.push(said.text())))
    page.on('dialog', dialog => mistakes.push(`dialog: ${dialog.message()}`))
    const link = await world.sessions.createLink(
      world.url,
      { person: 'terminal/ann', role: 'definer', lifeMs: 3_600_000 },
      signal,
    )
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Data' }).click()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  it('finds a table and shows its columns', async () => {
    const first = page.locator('a.entry').first()
    await first.filter({ hasText: 'shop.customers' }).waitFor()
    await page.getByRole('searchbox').fill('orders')
    await first.filter({ hasText: 'shop.orders' }).click()
    const columns = page.getByRole('region', { name: 'Columns of orders' })
    expect(await columns.getByRole('row', { name: /^city/ }).textContent()).toMatch(/Bergen, Oslo|Oslo, Bergen/)
    expect(await columns.getByRole('row', { name: /^iban/ }).textContent()).toContain('Private')
    // Markup in a comment stays text.
    await page.getByText('Orders <img src=x onerror=alert(1)>').last().waitFor()
    await looked('tables')
  })

  it('says which definition is stale, and takes a word that it is still right', async () => {
    await page.getByRole('tab', { name: 'Definitions' }).click()
    await page.getByText('shop.orders.amount is UInt64 now, and was UInt32.').waitFor()
    await page.getByText('It names shop.returns, which is not there.').waitFor()
    await looked('definitions')
    await page.getByRole('button', { name: 'It is still right' }).click()
    await page.getByText('shop.orders.amount is UInt64 now').waitFor({ state: 'detached' })
  })

  it('runs a verified query', async () => {
    await page.getByText('How many orders are paid?').click()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/^Last run .* by ann \(terminal\): 1 row in/).waitFor()
    expect(await page.getByRole('region', { name: 'Rows of the verified query' }).textContent()).toContain('100')
  })

  it('accepts an edited proposal and declines another', async () => {
    await page.getByRole('tab', { name: 'Proposals' }).click()
    const first = page.getByRole('article').first()
    const entry = first.getByLabel('The entry in verified-queries.yaml')
    const proposed = await entry.inputValue()
    await looked('proposals')
    await entry.fill(proposed.replace('count()', 'nothing'))
    await first.getByRole('button', { name: 'Accept' }).click()
    await first.getByRole('alert').filter({ hasText: 'nothing' }).waitFor()
    await entry.fill(proposed.replace(/question: .*/, 'question: How many orders are open?'))
    await first.getByRole('button', { name: 'Accept' }).click()
    await page.getByText(/^It stands in .*verified-queries\.yaml now/).waitFor()
    await page.getByRole('article').nth(1).waitFor({ state: 'detached' })
    expect(await readFile(world.file('verified-queries.yaml'), 'utf8')).toContain('- question: How many orders are open?')
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('No query is proposed.').waitFor()
  })

  it('shows how often answers were right, and what two reports differ in', async () => {
    await page.getByRole('tab', { name: 'Evals' }).click()
    expect(await page.getByRole('region', { name: 'Reports of shop/cases' }).textContent()).toContain('75.0 %')
    await page.getByText('Right now, wrong before: 1').waitFor()
    await page.getByText('Wrong now, right before: 0').waitFor()
    await looked('evals')
  })

  it('made no mistake in the browser', () => {
    // The browser reports each status above 399, such as that of the refused proposal.
    expect(mistakes.filter(said => !said.startsWith('Failed to load resource'))).toEqual([])
  })

  /** Checks the page with axe at both widths, in both colours. CLEW_SCREENSHOTS names a folder for pictures. */
  async function looked(name: string) {
    for (const [width, colorScheme] of [
      [1_440, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const folder = process.env.CLEW_SCREENSHOTS
      if (folder !== undefined) await page.screenshot({ path: join(folder, `data-${name}-${width}.png`), fullPage: true })
      if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(AXE, 'utf8'))
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      expect(found).toEqual([])
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(overflow).toBe(0)
    }
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
})

async function writeReports(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [day, right] of [
    ['01', ['a', 'b']],
    ['02', ['a', 'b', 'c']],
  ] as const) {
    const cases = ['a', 'b', 'c', 'd'].map(id => {
      const correct = (right as readonly string[]).includes(id)
      return { id, question: `What of ${id}?`, correct, reason: correct ? null : 'empty', detail: correct ? '' : 'no rows' }
    })
    const all = { cases: 4, correct: right.length / 4 }
    const finished_at = `2026-11-${day}T10:00:00.000Z`
    await writeFile(
      join(folder, 'report.json'),
      JSON.stringify({ model: 'a-model', finished_at, all, by_tag: { joins: all, time: all }, cases }),
    )
    await keepReport(folder, { finished_at })
  }
}
