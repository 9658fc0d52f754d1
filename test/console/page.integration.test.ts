import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { writeManyRuns } from '../support/many-runs.ts'
import { until } from '../support/queue-harness.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'
import { type ConsoleBrowser, describeInBrowser, openBrowser } from './browser.ts'
import { type ConsoleWorld, startConsoleWorld } from './world.ts'

const SHARE = 'How many devices are in Frankfurt?'
const METROS = 'How many devices does each metro have?'
const HELD = 'Explain how many devices there are.'
const HOSTILE = 'Show <b>hostile</b> rows.'
const LONG = 'Tell me something long.'
const DAYS = 'How many packets were lost on each day?'
const KEY = '7CgPjxdUWDKjYHfnPrJf81CiHYuETrhHjdutjy6gXHQQ'
const MANY = 'List the measurements.'
const PIECES = ['There are {=A1} devices. [Q1] ', 'Each of them belongs to a metro. [Q1] ', 'That is all.']
const MARKUP = '<img src=x onerror=alert(1)>'
const devices = { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] }
const book = {
  [SHARE]: {
    queries: {
      'Count the devices of Frankfurt, and all.': [
        "SELECT countIf(metro_code = 'fra') AS of_frankfurt, count() AS of_all FROM dz_devices",
      ],
    },
    answer: '**5 devices {=A1}** of all 42 {=B1} are in Frankfurt. [Q1] That is a share of {100*A1/B1: 1} %. [Q1]',
  },
  [METROS]: {
    queries: {
      'Count the devices of each metro.': [
        'SELECT metro_code, count() AS devices FROM dz_devices GROUP BY metro_code ORDER BY devices DESC, metro_code',
      ],
      'Count the devices.': [
        'SELECT count() AS devices FROM dz_devices WHERE nope = 1',
        'SELECT count() AS devices FROM dz_devices',
      ],
    },
    answer:
      'Of {=Q2.A1} devices [Q2], the largest metros have these:\n\n{table Q1 1-3: Metro=A, Devices=B}\n\nThe smallest one has {min(Q1.B)} device. [Q1]',
    chart: { kind: 'bar' as const, label: 'metro_code', values: ['devices'], series: null },
  },
  [HELD]: { queries: { ...devices, 'Count what is not there.': ['SELECT nope FROM dz_devices'] }, answer: PIECES.join('') },
  [HOSTILE]: {
    queries: {
      'Show them.': [
        `SELECT '${MARKUP}' AS \`<b>name</b>\`, repeat('x', 900) AS long, NULL AS nothing, '${KEY}' AS key FROM dz_devices LIMIT 1`,
      ],
    },
    answer: `A row says ${MARKUP}, [a link](javascript:alert(1)) and ![a picture](https://elsewhere.example/x.png). [Q1]`,
  },
  [DAYS]: {
    queries: {
      'Count them by day.': [
        'SELECT toDate(measured_at) AS day, sum(packets_lost) AS lost FROM fact_link_telemetry GROUP BY day ORDER BY day LIMIT 1',
      ],
    },
    answer: 'On the first day, {=B1} packets were lost. [Q1]',
  },
  [LONG]: { intent: 'conversational', reply: `- A fact with **bold**, \`code\` and ${MARKUP}.\n`.repeat(500) },
  [MANY]: {
    queries: {
      'List them.': ['SELECT measured_at, link_code, packets_lost FROM fact_link_telemetry ORDER BY measured_at LIMIT 10000'],
    },
    answer: 'These are the first ones. [Q1]',
  },
  'How many are there?': { clarification: { question: 'How many of what?', choices: ['Devices', 'Metros'] } },
  Devices: { standalone: 'How many devices are there?', queries: devices, answer: 'There are {=A1} devices. [Q1]' },
}
const operator = { person: 'terminal/ann' }

describeInBrowser('the page of the console', () => {
  let world: ConsoleWorld
  let browser: ConsoleBrowser
  let page: Page
  beforeAll(async () => {
    ;[world, browser] = await Promise.all([startConsoleWorld(book, { env: { CLEW_TRACE_CONTENT: '1' } }), openBrowser()])
    page = browser.page
    page.setDefaultTimeout(30_000)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })
  beforeEach(() => world.clew.intercept(undefined))

  const ask = async (question: string) => {
    await page.goto(`${world.url}/ask`)
    await page.getByLabel('Your question').fill(question)
    await page.getByLabel('Your question').press('Enter')
    await page.getByRole('heading', { name: question, level: 2 }).waitFor()
  }
  const answered = () => page.getByRole('link', { name: 'How it was answered' }).waitFor()
  /** Nothing has run that should not, and nothing looks wrong at either width. */
  const looksWell = async () => expect([...browser.mistakes, ...(await browser.look())]).toEqual([])

  it('asks for a link, takes it once, and shows nothing before', async () => {
    await page.goto(`${world.url}/runs`)
    await page.getByText('open a personal link').waitFor()
    await looksWell()
    const secret = await world.link(operator)
    await browser.signIn(world.url, secret)
    expect(page.url()).toBe(`${world.url}/ask`)
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await page.context().clearCookies()
    await page.goto(`${world.url}/?again#sign-in=${secret}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('This link was used')
    await browser.signIn(world.url, await world.link(operator))
    await looksWell()
  })

  it('shows the source of a figure: the cell or formula, its row and the SQL', async () => {
    await ask(SHARE)
    await answered()
    await page.getByRole('button', { name: '11.9 %' }).hover()
    const note = page.locator('.note')
    expect(await note.textContent()).toContain('100 × of_frankfurt ÷ of_all')
    expect(await note.textContent()).toContain('of_frankfurt of row 1: 5 · of_all of row 1: 42')
    expect(await page.locator('.evidence').count()).toBe(0)
    await looksWell()
    await page.getByRole('button', { name: '11.9 %' }).click()
    expect(await page.locator('tr.marked mark').allInnerTexts()).toEqual(['5', '42'])
    await page.getByRole('button', { name: '42', exact: true }).focus()
    expect(await page.locator('.note').textContent()).toContain('42 is in row 1, column of_all')
    await page.keyboard.press('ArrowLeft')
    await page.locator('.figure.pointed', { hasText: /^5/ }).waitFor()
    expect(await page.locator('.figure[tabindex="0"]').count()).toBe(1)
    await until('the SQL has lines', async () => /\nFROM \S*dz_devices/.test(await page.getByLabel('SQL of Q1').inputValue()))
    await looksWell()
    await page.locator('.figure.pointed').press('Escape')
    await page.locator('.evidence').waitFor({ state: 'detached' })
    await page.getByText('Figures checked, wording not read').waitFor()
  })

  it('shows what the program adds below an answer as small print', async () => {
    await ask(DAYS)
    await answered()
    expect(await page.locator('.told p.small').allInnerTexts()).toEqual([expect.stringMatching(/^Days are those of /)])
  })

  it('shows the row of each cell of a table, the chart, and the CSV', async () => {
    await ask(METROS)
    await answered()
    await page.getByRole('button', { name: 'Show SQL' }).click()
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Q2')
    await page
      .getByRole('cell', { name: 'lon' })
      .getByRole('button')
      .or(page.getByRole('cell', { name: '3' }).getByRole('button'))
      .first()
      .hover()
    expect(await page.locator('tr.marked').first().textContent()).toBe('lon3')
    const width = "[document.querySelector('img.chart')].map(image => image.decode().then(() => image.naturalWidth))[0]"
    expect(await page.evaluate(width)).toBeGreaterThan(100)
    await page.getByRole('tab', { name: 'Q1' }).press('ArrowRight')
    expect(await page.getByRole('tab', { name: 'Q2' }).getAttribute('aria-selected')).toBe('true')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    await looksWell()
  })

  it('runs edited SQL, refuses what is not allowed, and proposes it', async () => {
    await ask(SHARE)
    await answered()
    await page.getByRole('button', { name: 'Show SQL' }).click()
    const editor = page.getByLabel('SQL of Q1')
    await editor.fill('DROP TABLE dz_devices')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
    await editor.fill("SELECT count() AS in_london FROM dz_devices WHERE metro_code = 'lon'")
    await page.getByRole('button', { name: 'Run' }).click()
    const rows = page.getByRole('region', { name: 'Rows of the SQL as edited' })
    expect(await rows.textContent()).toMatch(/in_london3/)
    await page.getByRole('button', { name: 'Propose' }).click()
    await page.getByText('Proposed.').waitFor()
    await page.getByRole('button', { name: 'Not helpful' }).click()
    await page.getByLabel('What was wrong?').fill('It is not about London.')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByLabel('What was wrong?').waitFor({ state: 'detached' })
    await looksWell()
  })

  it('tells how far an answer is, finds it again after a reload and a restart, and stops it', async () => {
    const gate = createGate()
    const analyst = scriptedAnalyst(book)
    world.clew.intercept(call =>
      call.step === 'synthesize'
        ? answer(PIECES.join(''), { pieces: PIECES, hold: { piece: 2, until: gate.opened } })
        : answer(analyst(call)),
    )
    await ask(HELD)
    await page.getByText('There are 42 devices').waitFor()
    await page.reload()
    await page.getByText('There are 42 devices').waitFor()
    // No time is told of a query that has not run.
    await page.locator('.progress').getByText('failed', { exact: true }).waitFor()
    await looksWell()
    await world.restart('')
    await page.getByText('Clew does not answer').waitFor()
    await page.goto(page.url().replace(/^http:\/\/[^/]+/, world.url))
    gate.open()
    await answered()
    const second = createGate()
    world.clew.intercept(call =>
      call.step === 'classify' ? answer(analyst(call), { after: second.opened }) : answer(analyst(call)),
    )
    await page.getByLabel('Your question').fill(HELD)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('You stopped this.').waitFor()
    second.open()
    world.clew.intercept(undefined)
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('link', { name: 'How it was answered' }).nth(1).waitFor()
  })

  it('takes a choice of a question back', async () => {
    await ask('How many are there?')
    await page.getByRole('button', { name: 'Devices' }).click()
    await page.getByText('There are 42 devices').waitFor()
    await looksWell()
  })

  it('shows hostile rows and answers as text', async () => {
    await ask(HOSTILE)
    await answered()
    expect(await page.locator('.answer').textContent()).toContain(MARKUP)
    expect(await page.locator('.answer').getByRole('link', { name: 'a link' }).count()).toBe(0)
    expect(await page.locator('main img').count()).toBe(0)
    await page.getByRole('button', { name: 'Show SQL' }).click()
    await page.getByText('NULL', { exact: true }).waitFor()
    const key = page.locator('.evidence .key')
    expect(await key.evaluate(shown => (shown as unknown as { offsetWidth: number }).offsetWidth)).toBeLessThan(150)
    const copied = "(getSelection().selectAllChildren(document.querySelector('.evidence .key')), String(getSelection()))"
    expect(await page.evaluate(copied)).toBe(KEY)
    await looksWell()
  })

  it('shows an answer of 100 kB, and a table of 10,000 rows by the rows in sight', async () => {
    const reply = book[LONG].reply.repeat(4)
    expect(reply.length).toBeGreaterThan(100_000)
    await ask(LONG)
    await answered()
    await page.route('**/v1/turns/*', async route => {
      const response = await route.fetch()
      const turn = await response.json()
      await route.fulfill({ response, json: { ...turn, result: { ...turn.result, answer: reply } } })
    })
    await page.reload()
    await page.locator('.markdown p.item').nth(1_999).waitFor()
    await page.unroute('**/v1/turns/*')
    await looksWell()
    await ask(MANY)
    await answered()
    await page.getByRole('button', { name: 'Show SQL' }).click()
    const table = page.getByRole('region', { name: 'Rows of Q1' })
    const drawn = () => table.locator('tbody tr').count()
    expect(await drawn()).toBeLessThan(100)
    await page.evaluate("document.querySelector('.evidence .table').scrollTo(0, 5_000 * 36)")
    await table.locator('tr[aria-rowindex="5002"]').waitFor()
    expect(await drawn()).toBeLessThan(100)
  })

  it('lists runs by filters in the address, live, and 10,000 of them', async () => {
    await writeManyRuns(await world.clew.redis.connect(), 9_900)
    // What has changed is read by its time, and these are of the past.
    await world.restart('')
    await page.goto(`${world.url}/runs`)
    await page.getByText(/9,9\d\d runs/).waitFor()
    await page.getByLabel('Any outcome').selectOption('Failed')
    await page.getByLabel('Words of the question').fill('metro 3 week')
    expect(page.url()).toContain('outcome=failed')
    await page.reload()
    expect(await page.getByLabel('Any outcome').inputValue()).toBe('failed')
    await page.goto(`${world.url}/runs?person=terminal%2Fann`)
    const first = page.getByRole('region', { name: 'Runs' }).locator('tbody tr').first()
    await first.getByRole('link', { name: MANY }).waitFor()
    await (await world.signIn(operator)).ask(SHARE)
    await first.getByRole('link', { name: SHARE }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('Clew does not answer').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Clew does not answer').waitFor({ state: 'detached' })
    await looksWell()
  })

  it('shows a run as a waterfall, with prompts, and two beside each other', async () => {
    await page.goto(`${world.url}/runs?person=terminal%2Fann&text=${encodeURIComponent('each metro')}`)
    await page.getByRole('link', { name: METROS }).click()
    expect(await page.getByText(/^The longest query is Q[12]: /).textContent()).toContain('%')
    await page.getByText('attempt 2').first().waitFor()
    await page.getByText('failed', { exact: true }).waitFor()
    await page.locator('summary', { hasText: 'execute Q2' }).first().click()
    await page.locator('pre', { hasText: 'nope = 1' }).waitFor()
    await page.locator('summary', { hasText: 'synthesize' }).click()
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toContain(METROS)
    await looksWell()
    await page.goto(`${world.url}/runs?person=terminal%2Fann`)
    for (const question of [METROS, HOSTILE])
      await page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: question }) })
        .getByRole('checkbox')
        .check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await page
      .getByText(/^The longest query is/)
      .nth(1)
      .waitFor()
    await looksWell()
  })

  it('asks to sign in again once the session has ended', async () => {
    await page.goto(`${world.url}/ask`)
    await page.getByLabel('Your question').fill(SHARE)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('open a personal link').waitFor()
  })
})
