import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newRunId } from '../../src/agent/run/id.ts'
import type { RunResult } from '../../src/agent/run/result.ts'
import type { ThreadAnalyst } from '../../src/agent/thread-analyst.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { loadDemoSecurity } from '../../src/clickhouse/demo/security.ts'
import { readDemoWorldStatements } from '../../src/clickhouse/demo/world-statements.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { RecordedLanguageModel, readRecordings } from '../../src/llm/recorded-language-model.ts'
import { readConfig } from '../../src/main/config.ts'
import { changeInputs, DemoJobs } from '../../src/main/demo/jobs.ts'
import { readSamples } from '../../src/main/demo/samples.ts'
import { wireThreadAnalyst } from '../../src/main/pipelines.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'

const { signal } = new AbortController()
const logger = createLogger({ level: 'silent' })
const context = { config: readConfig({}), logger, resources: new Resources() }
let engine: TestEngine
let jobs: DemoJobs
let analyst: ThreadAnalyst
let questions: readonly string[]

beforeAll(async () => {
  engine = await startTestEngine()
  const { warehouse } = engine
  await warehouse.write({ sql: 'CREATE DATABASE network', database: 'system' }, signal)
  // Creates only the inventory tables. The other demo tables are large, and no pipeline reads them.
  const parameters = { seed: 1, anchor: '2026-03-01 12:00:00' }
  const inventory = readDemoWorldStatements().build.filter(sql =>
    /^(?:CREATE TABLE|INSERT INTO) dz_(?:metros|devices|links)\s/.test(sql),
  )
  for (const sql of inventory) await warehouse.write({ sql, parameters, database: 'network' }, signal)
  await loadDemoSecurity(warehouse, signal)
  jobs = await DemoJobs.open(context, warehouse, signal)
  await jobs.run(['cve_enrichment', 'metro_capacity', 'paid_orders'], signal)
  await changeInputs(warehouse, 'network', signal)
  const unasked = {
    ask: () => Promise.reject(new Error('no question about data')),
    languageOf: async () => 'en' as const,
    remember: async () => {},
  }
  const parts = {
    analyst: unasked,
    warehouse,
    guard: new EngineSqlGuard({ warehouse }),
    model: new RecordedLanguageModel(await readRecordings('demo/recordings.jsonl')),
    store: createMemoryStateStore({ now: Date.now }),
  }
  analyst = await wireThreadAnalyst(context, parts, signal)
  questions = (await readSamples({ hasCrm: false })).flatMap(({ question }) =>
    question.startsWith('/lineage') ? [question] : [],
  )
})
afterAll(() => engine.close())

async function ask(about: RegExp, decision = 'replay', more = ''): Promise<RunResult> {
  const text = `${questions.find(question => about.test(question)) ?? ''}${more}`
  const { result } = await analyst.ask({ runId: newRunId(), text, askedAt: Date.now(), askPerson: async () => decision }, signal)
  return result
}

const wasReplayed = ({ steps }: RunResult) => steps.some(({ step }) => step === 'replay')
const rowsOf = ({ queries }: RunResult, tables: string) =>
  queries.flatMap(({ explanation, rows }) => (explanation === `rows of ${tables}` ? [rows] : []))

/** Returns the tables that the picture of the graph marks as suspicious, each with its state. */
const markedIn = ({ chart }: RunResult) =>
  chart?.kind === 'graph'
    ? chart.nodes.flatMap(({ label, state, suspected }) => (suspected ? [`${label} ${state}`] : []))
    : undefined

describe("recorded answers about the demo's pipelines", () => {
  it('show a vendor without a row, from the live tables alone', async () => {
    const result = await ask(/CVE-2026-0007/)
    expect(result.answer).toMatch(
      /^The vendor is NULL because `vendors` has no row for the vendor code `MS-001` of `CVE-2026-0007`/,
    )
    expect(rowsOf(result, 'cves')).toContainEqual([expect.arrayContaining(['CVE-2026-0007', 2, 'MS-001', 'Meadow Mail Gateway'])])
    expect(result.citations?.unsupported).toEqual([])
    expect(wasReplayed(result)).toBe(false)
    expect(markedIn(result)).toEqual(['vendors live'])
  })

  it('show the one wrong row of three, which only a replay has in the intermediate table', async () => {
    const result = await ask(/CVE-2026-0142/)
    expect(result.answer).toMatch(
      /^`CVE-2026-0142` is missing because `cves` has several rows of its latest revision.* keep the one of the channel `mirror`/,
    )
    expect(rowsOf(result, 'latest_versions')).toContainEqual([
      expect.arrayContaining(['CVE-2026-0142', 2, 'mirror', 'published', '2025-12-18']),
    ])
    expect(result.citations?.unsupported).toEqual([])
    expect(wasReplayed(result)).toBe(true)
    expect(result.answer).not.toContain('The inputs have changed')
    expect(markedIn(result)).toEqual(['latest_versions replayed'])
  })

  it('show an inventory that has changed since', async () => {
    const result = await ask(/Oslo/)
    expect(result.answer).toMatch(/^Oslo has no planned link because the run's copies of the inventory hold neither the link/)
    expect(result.answer).toMatch(/links had 62 rows in the run and 63 in the replay/)
    expect(result.answer).toMatch(/devices had 42 rows in the run and 43 in the replay/)
    expect(result.citations?.unsupported).toEqual([])
    expect(wasReplayed(result)).toBe(true)
  })

  it('differ without a replay, and are the same with --deep', async () => {
    for (const about of [/CVE-2026-0142/, /Oslo/]) {
      const without = await ask(about, 'answer')
      expect(without.answer).toContain('Not proved: ')
      expect(without.citations?.unsupported).toEqual([])
      expect(wasReplayed(without)).toBe(false)
      const deep = await ask(about, 'answer', ' --deep')
      expect(wasReplayed(deep)).toBe(true)
      expect(deep.answer.split('\n')[0]).toBe((await ask(about)).answer.split('\n')[0])
    }
  })

  it('show an order without a country, and a missing one', async () => {
    for (const about of [/order 3/, /order 4/]) {
      const { answer, queries, citations } = await ask(about)
      expect(answer).toMatch(
        /^Order [34] (?:has no country because its `country_code` is `XX` and `countries` has no row for `XX`|is rightly not in)/,
      )
      expect(queries.length).toBeGreaterThan(1)
      expect(citations?.unsupported).toEqual([])
    }
  })

  it('are marked unverified once the data differ', async () => {
    await engine.warehouse.write(
      { sql: "INSERT INTO vendor_codes VALUES ('MS-001', 'Meadow Systems')", database: 'security' },
      signal,
    )
    await jobs.run(['cve_enrichment'], signal)
    const { answer, citations } = await ask(/CVE-2026-0007/)
    expect(citations?.unsupported.length).toBeGreaterThan(1)
    expect(answer).toContain('(unverified)')
  })
  it('need an unused database', async () => {
    await engine.warehouse.write({ sql: "ALTER DATABASE security MODIFY COMMENT 'ours'", database: 'system' }, signal)
    await expect(loadDemoSecurity(engine.warehouse, signal)).rejects.toThrow(
      'The database security exists and was not made by the demo',
    )
  })
})
