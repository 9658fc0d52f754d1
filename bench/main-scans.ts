import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunEvent } from '../src/agent/run/event.ts'
import { newRunId } from '../src/agent/run/id.ts'
import { runCommand } from '../src/main/commands/command-context.ts'
import { openAnalyst } from '../src/main/open-analyst.ts'
import type { ModelScript, ScriptedCall } from '../test/emulators/model/model-script.ts'
import { answer } from '../test/emulators/model/model-scripts.ts'
import { startScriptedModel } from '../test/emulators/model/scripted-model.ts'
import { startTestEngine } from '../test/support/engine.ts'
import { runSql, startPostgres } from '../test/support/postgres.ts'
import { fenced, promptOf } from '../test/support/scripted-analyst.ts'
import { load } from './machine.ts'
import { row } from './row.ts'
import { spread } from './statistics.ts'

/*
 * Measures whether the scans of a plan run side by side: the time of two and of three scans, divided by the time of the longest
 * of them alone: `node bench/run-ts.mjs bench/main-scans.ts [ROUNDS]`. Each server waits a while before it answers, as a server
 * on other cores would, because servers on these cores would slow each other down.
 */

const rounds = Number(process.argv[2] ?? 20)
const WARM_UP = 3
const SCANS = {
  usage: { source: 'telemetry', waitMs: 300, table: 'network.usage' },
  contracts: { source: 'crm', waitMs: 250, table: 'shop.contracts' },
  invoices: { source: 'billing', waitMs: 200, table: 'bills.invoices' },
} as const
type ScanName = keyof typeof SCANS
const PLANS: readonly (readonly ScanName[])[] = [
  ['usage'],
  ['contracts'],
  ['invoices'],
  ['usage', 'contracts'],
  ['usage', 'contracts', 'invoices'],
]
const isScan = (name: string): name is ScanName => Object.hasOwn(SCANS, name)
const questionOf = (names: readonly ScanName[]) => `What do telemetry, crm and billing say of ${names.join(' ')} of customers?`

const COLUMNS = [
  { name: 'code', type: 'text' },
  { name: 'amount', type: 'integer' },
]
const CLASSIFIED = {
  intent: 'data_analysis',
  standalone_question: null,
  catalog_request: null,
  table: null,
  reply: null,
  language: 'en',
}

function play(call: ScriptedCall): ModelScript {
  const prompt = promptOf(call)
  switch (call.step) {
    case 'classify':
      return answer(CLASSIFIED)
    case 'plan_sources': {
      const asked: readonly string[] = fenced(prompt, 'question').match(/\w+/g) ?? []
      const scans = asked
        .filter(isScan)
        .map(key => ({ key, source: SCANS[key].source, question: key, columns: COLUMNS, restrict: null }))
      return answer({ sub_queries: scans, combines: [], posts: [], clarification: null, datasource: null, error: null })
    }
    case 'generate': {
      const [key = ''] = fenced(prompt, 'data question').split('\n')
      if (!isScan(key)) throw new Error(`nothing was planned about ${key}`)
      const sql = `SELECT code, amount FROM ${SCANS[key].table}`
      return answer({ sql, explanation: 'All of it.', assumptions: [], chart: null })
    }
    default:
      return answer('There are customers [Q1].')
  }
}

const model = await startScriptedModel({ onRequest: play })
const [engine, postgres, folder] = await Promise.all([
  startTestEngine({ database: 'default' }),
  startPostgres(),
  mkdtemp(join(tmpdir(), 'clew-bench-scans-')),
])
const never = new AbortController().signal
for (const sql of [
  'CREATE DATABASE network',
  `CREATE VIEW network.usage AS SELECT concat('c', toString(number)) AS code, number AS amount FROM numbers(1000) WHERE sleepEachRow(${SCANS.usage.waitMs / 1_000_000}) = 0`,
])
  await engine.warehouse.write({ sql }, never)
for (const { table, waitMs } of [SCANS.contracts, SCANS.invoices]) {
  const [schema] = table.split('.')
  await runSql(
    postgres.adminUrl,
    `CREATE SCHEMA ${schema};
     CREATE VIEW ${table} AS SELECT 'c' || n AS code, n AS amount FROM generate_series(1, 1000) AS n, (SELECT pg_sleep(${waitMs / 1000}) OFFSET 0) AS waited;
     GRANT USAGE ON SCHEMA ${schema} TO clew_reader; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO clew_reader`,
  )
}
const sources = join(folder, 'sources.yaml')
await writeFile(
  sources,
  `sources:
  telemetry: {url: $CLICKHOUSE_URL, databases: [network], description: "Usage of customers"}
  crm: {url: $CRM_URL, schemas: [shop], description: "Contracts of customers"}
  billing: {url: $CRM_URL, schemas: [bills], description: "Invoices of customers"}
`,
)

const loadBefore = load()
process.exitCode = await runCommand(
  {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'network',
    CRM_URL: postgres.url,
    CLEW_SOURCES_FILE: sources,
  },
  async context => {
    const { analyst } = await openAnalyst(context)
    /** Returns the time from the first planned scan to the last one's rows. */
    const measure = async (names: readonly ScanName[]): Promise<number> => {
      let [begun, ended, finished] = [0, 0, 0]
      const observe = (event: RunEvent) => {
        if (event.kind === 'data_question_planned') begun ||= performance.now()
        if (event.kind !== 'query_finished') return
        ended = performance.now()
        if (event.ok) finished += 1
      }
      const { result } = await analyst.ask({ runId: newRunId(), text: questionOf(names), askedAt: Date.now(), observe }, never)
      if (finished !== names.length) throw new Error(`${names.join(' and ')}: ${result.answer}`)
      return ended - begun
    }
    const times = PLANS.map((): number[] => [])
    for (let round = -WARM_UP; round < rounds; round += 1) {
      for (let turn = 0; turn < PLANS.length; turn += 1) {
        const at = (turn + round + WARM_UP) % PLANS.length
        const time = await measure(PLANS[at] ?? [])
        if (round >= 0) times[at]?.push(time)
      }
    }
    for (const [at, names] of PLANS.entries()) {
      process.stdout.write(`${names.join(' + ')}: ${JSON.stringify(spread(times[at] ?? []))} ms\n`)
    }
    for (const count of [2, 3]) {
      const together = times[PLANS.findIndex(names => names.length === count)] ?? []
      const alone = PLANS.flatMap((names, at) => (names.length === 1 && at < count ? [times[at] ?? []] : []))
      const ratios = together.map((time, round) => time / Math.max(...alone.map(each => each[round] ?? 0)))
      const workload = `${count} scans side by side ÷ the longest of them alone, ${rounds} rounds`
      process.stdout.write(`${JSON.stringify(row(`scans_${count}`, workload, spread(ratios), '×', { most: 1.15 }))}\n`)
    }
    process.stdout.write(`load ${loadBefore} before, ${load()} after\n`)
    return 0
  },
  { logLevel: 'warn' },
)
await Promise.all([model.close(), engine.close(), postgres.stop(), rm(folder, { recursive: true, force: true })])
