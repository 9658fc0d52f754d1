import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { loadDemoSecurity } from '../../src/clickhouse/demo/security.ts'
import { readDemoDriftStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { answer, toolCalls } from '../emulators/model/model-scripts.ts'
import { openDemoPipelines } from '../support/demo-pipelines.ts'
import { type ConsoleBrowser, describeInBrowser, openBrowser } from './browser.ts'
import { type ConsoleWorld, startConsoleWorld } from './world.ts'

jest.setTimeout(180_000)

/** The number of tables of a run that another program has logged. Each reads two of the forty before it. */
const TABLES = 500
const ROUNDS = [
  toolCalls(
    { name: 'get_op_sql', arguments: { operation_id: 'with_vendor' } },
    {
      name: 'query_table',
      arguments: { sql: "SELECT cve_id, vendor_code FROM {{ cves }} WHERE cve_id = 'CVE-2026-0007' LIMIT 1" },
    },
  ),
  toolCalls({ name: 'query_table', arguments: { sql: "SELECT count() AS c FROM {{ vendors }} WHERE vendor_code = 'MS-001'" } }),
  answer(
    'The vendor is NULL because `vendors` has no row for MS-001 [E3], which is the code of CVE-2026-0007 [E2].\n\nFAULT: vendors',
  ),
]

describeInBrowser('the page of lineage', () => {
  let world: ConsoleWorld
  let browser: ConsoleBrowser
  let run: string
  let drifted: string
  let turn: string

  beforeAll(async () => {
    const signal = new AbortController().signal
    world = await startConsoleWorld({})
    const { warehouse } = world.clew.engine
    await loadDemoSecurity(warehouse, signal)
    const demo = await openDemoPipelines(warehouse, ['cve_enrichment', 'metro_capacity'], signal)
    await demo.run('cve_enrichment')
    run = await demo.run('cve_enrichment')
    drifted = await demo.run('metro_capacity')
    for (const sql of readDemoDriftStatements()) await warehouse.write({ sql, database: 'network' }, signal)
    await demo.replay(drifted)
    const sql = `INSERT INTO operation_log FORMAT JSONEachRow\n${largeRun()
      .map(row => JSON.stringify(row))
      .join('\n')}`
    await warehouse.write({ sql, database: 'clew' }, signal)
    let round = 0
    world.clew.intercept(call => (call.step === 'lineage' ? ROUNDS[round++] : undefined))
    browser = await openBrowser()
    const asker = await world.signIn({ person: 'terminal' })
    turn = await asker.ask('lineage cve_enrichment why is the vendor of CVE-2026-0007 NULL?')
    await browser.signIn(world.url, await world.link({ person: 'terminal' }))
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  it('leads from a job to the cause of a NULL', async () => {
    const { page } = browser
    await page.getByRole('link', { name: 'Lineage', exact: true }).click()
    await page.getByRole('link', { name: 'cve_enrichment', exact: true }).click()
    await page.locator('.graph g g', { hasText: 't_final' }).click()
    await page.getByRole('button', { name: '1 NULL in vendor' }).click()
    await page.getByRole('button', { name: 'NULL', exact: true }).click()
    await page.getByText('vendors has no row with the vendor_code MS-001, so vendor is NULL.').waitFor()
    const ask = await page.getByRole('link', { name: 'Ask Clew' }).getAttribute('href')
    expect(new URLSearchParams(ask?.split('?')[1]).get('text')).toBe(
      'lineage cve_enrichment why is the vendor of CVE-2026-0007 NULL?',
    )
    await page.getByText('cves 2 rows, vendors no row, t_final 1 row').waitFor()
    expect(await browser.look()).toEqual([])
    await page.getByRole('button', { name: 'Follow MS-001' }).click()
    await page.getByRole('region', { name: 'vendors', exact: true }).waitFor()
    await page.getByText('cves 2 rows, vendors no row, t_final no row').waitFor()
  })

  it('shows the steps of an investigation along the graph', async () => {
    const { page } = browser
    await page.goto(`${world.url}/lineage/runs/${run}?answer=${turn}`)
    await page.getByRole('button', { name: 'Queried vendors' }).click()
    await page.getByRole('region', { name: 'vendors', exact: true }).waitFor()
    expect(await page.locator('.graph g g:not(.dim)').allTextContents()).toEqual([
      expect.stringMatching(/^suspected · step 3 vendors/),
    ])
    expect(await page.getByRole('region', { name: 'Investigation' }).textContent()).toContain("vendor_code = 'MS-001'")
    expect(await browser.look()).toEqual([])
  })

  it('goes from table to table by keys, along the lines', async () => {
    const { page } = browser
    await page.goto(`${world.url}/lineage/runs/${run}`)
    await page.getByRole('listbox').focus()
    const chosen = (name: string) => page.getByRole('option', { name, selected: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await chosen('cves')
    for (const name of ['latest_versions', 'rated', 'with_vendor', 't_final']) {
      await page.keyboard.press('ArrowRight')
      await chosen(name)
    }
    await page.keyboard.press('ArrowLeft')
    await chosen('with_vendor')
    await page.getByRole('region', { name: 'with_vendor', exact: true }).waitFor()
  })

  it('says in words what drifted, and lists the tables for the keyboard', async () => {
    const { page } = browser
    await page.goto(`${world.url}/lineage/runs/${drifted}`)
    await page.getByRole('tab', { name: 'Graph' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'links' }).press('Enter')
    await page.getByText('The replay has 63 rows, 1 more than this run.').waitFor()
    expect(await browser.look()).toEqual([])
  })

  it('moves 500 tables by wheel, drag, buttons and keys, and a drag selects nothing', async () => {
    const { page } = browser
    await page.goto(`${world.url}/lineage/runs/large`)
    const group = page.locator('.graph svg > g')
    await group
      .locator('g')
      .nth(TABLES - 1)
      .waitFor()
    const moved = async (how: () => Promise<unknown>) => {
      const before = await group.getAttribute('transform')
      await how()
      await page.locator(`.graph svg > g:not([transform="${before}"])`).waitFor()
    }
    const box = await page.getByRole('listbox').boundingBox()
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
    await page.mouse.move(x, y)
    await moved(() => page.mouse.wheel(0, -300))
    await page.mouse.down()
    await moved(() => page.mouse.move(x + 120, y + 40, { steps: 8 }))
    await page.mouse.up()
    await moved(() => page.getByRole('button', { name: 'Zoom in' }).click())
    await page.getByRole('listbox').focus()
    await moved(() => page.keyboard.press('Shift+ArrowLeft'))
    await moved(() => page.keyboard.press('-'))
    expect(await page.locator('.selected').count()).toBe(0)
    await page.getByLabel(/Find a table/).fill('step 250')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'step 250' }).waitFor()
    expect(browser.mistakes).toEqual([])
  })
})

function largeRun(): readonly object[] {
  const at = { started_at: '2026-03-01 06:00:00.000', finished_at: '2026-03-01 06:00:02.500' }
  return Array.from({ length: TABLES }, (_, index) => ({
    ...{ job_id: 'large', task_id: `${index}`, operation_id: `${index}`, template: '', sql: 'SELECT 1', rows: index, bytes: 1 },
    ...{ error: '', column_lineage: '', reads: '', revision: 1, ...at },
    kind: index === TABLES - 1 ? 'target' : 'operation',
    operation: `step ${index}`,
    result_database: 'big',
    result_table: `table_${index}`,
    inputs: index < 40 ? [] : [index - 40, index - 7].map(from => ({ role: `t${from}`, database: 'big', name: `table_${from}` })),
  }))
}
