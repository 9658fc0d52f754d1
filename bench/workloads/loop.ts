import { setTimeout as wait } from 'node:timers/promises'
import { rememberingNarrower } from '../../src/access/narrow-schema.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import { schemaPrompt } from '../../src/agent/schema/schema-prompts.ts'
import { createLogger } from '../../src/base/logger.ts'
import { inSlices } from '../../src/base/slices.ts'
import { csvContent } from '../../src/bots/actions/csv-text.ts'
import { RunRecords } from '../../src/bots/actions/run-record.ts'
import { renderDiscordReply } from '../../src/bots/discord/render/render.ts'
import { renderSlackReply } from '../../src/bots/slack/render/render.ts'
import { createChartDrawer } from '../../src/charts/drawer.ts'
import type { Picture } from '../../src/charts/picture.ts'
import { SchemaCatalog } from '../../src/clickhouse/catalog/schema-catalog.ts'
import { CLICKHOUSE_LIMITS } from '../../src/clickhouse/limits.ts'
import { openWarehouse } from '../../src/clickhouse/open-warehouse.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { largeCatalog } from '../../test/retrieval/large-catalog.ts'
import { openAnalyst } from '../../test/support/open-analyst.ts'
import { startCatalogWarehouse } from '../catalog-warehouse.ts'
import { firstAnswerBlock, firstQuestionBlock } from '../first-block.ts'
import { LARGE_RESULT_SQL, largeReport, longAnswer } from '../large-result.ts'
import { longestBlock } from '../longest-block.ts'
import { asked } from '../model/asked.ts'
import { type Row, row } from '../row.ts'
import { spread } from '../statistics.ts'
import type { BenchParts } from '../workload.ts'

/** The goal: other work never waits longer than this, in milliseconds. */
const GOAL = { most: 50 } as const
/** At least this many rounds are measured. The first round compiles code: it counts for the maximum, but not for the median. */
const LEAST_ROUNDS = 3
const IDLE_MS = 300
const ANSWER_CHARACTERS = 100_000
const TABLES = 10_000
const ALL_BUT_PAY = { grants: [{ tables: ['*.*'], except: ['*.*salaries*'] }], clickhouseRoles: [] }

/** A measurement with the id of its row in the table. */
interface Measurement {
  readonly id: string
  readonly title: string
  /** Returns the longest time for which the event loop was blocked, in milliseconds. */
  readonly block: () => Promise<number>
}

/** A large piece of work in the process that answers questions. */
interface Work extends Omit<Measurement, 'block'> {
  readonly run: () => unknown
}

/** Measures for how long each large piece of work blocks the event loop. */
export async function measureLoop(parts: BenchParts): Promise<readonly Row[]> {
  await parts.model.reset('zero')
  const opened = await Promise.all([resultWorks(parts), catalogWorks()])
  const charts = createChartDrawer()
  const works: readonly Work[] = [
    ...opened.flatMap(({ works: own }) => own),
    {
      id: 'discord',
      title: 'an answer of 100 KB for Discord',
      run: () => inSlices(renderDiscordReply(ANSWER, { allowedLinkHosts: [] })),
    },
    {
      id: 'slack',
      title: 'an answer of 100 KB for Slack',
      run: () => inSlices(renderSlackReply(ANSWER, { allowedLinkHosts: [] })),
    },
    { id: 'chart', title: 'a chart drawn', run: () => charts.draw(CHART, { person: '', signal: new AbortController().signal }) },
  ]
  const measurements = [...works.map(({ run, ...work }) => ({ ...work, block: () => longestBlock(run) })), ...firstBlocks(parts)]
  const rounds = Math.max(LEAST_ROUNDS, parts.rounds)
  const rows: Row[] = [row('loop_idle', 'longest block: nothing, for comparison', await longestBlock(() => wait(IDLE_MS)), 'ms')]
  try {
    for (const { id, title, block } of measurements) {
      const blocks: number[] = []
      for (let round = 0; round < rounds; round += 1) blocks.push(await block())
      rows.push(row(`loop_${id}`, `longest block: ${title}`, spread(blocks), 'ms', GOAL))
    }
  } finally {
    await Promise.all([charts.close(), ...opened.map(({ close }) => close())])
  }
  return rows
}

/** Returns work that takes longest the first time that a process does it. Each measurement starts a process of its own. */
function firstBlocks(parts: BenchParts): readonly Measurement[] {
  return [
    { id: 'first_question', title: 'the first question of a process', block: () => firstQuestionBlock(parts, 'complex') },
    {
      id: 'first_large',
      title: 'the first question of a process, over a result of 10 MB',
      block: () => firstQuestionBlock(parts, 'large'),
    },
    {
      id: 'first_discord',
      title: 'the first answer of a process, 100 KB for Discord',
      block: () => firstAnswerBlock(parts, 'discord'),
    },
    {
      id: 'first_slack',
      title: 'the first answer of a process, 100 KB for Slack',
      block: () => firstAnswerBlock(parts, 'slack'),
    },
  ]
}

const ANSWER = { kind: 'answer', markdown: longAnswer(ANSWER_CHARACTERS) } as const
const CHART: Picture = {
  kind: 'line',
  title: 'Latency',
  labels: Array.from({ length: 200 }, (_, at) => `day ${at}`),
  series: [{ name: 'ms', values: Array.from({ length: 200 }, (_, at) => at % 17) }],
  unit: 'ms',
}

/** Returns work on a query result of ten megabytes: reading, describing, storing, restoring and handing it over. */
async function resultWorks(parts: BenchParts) {
  const logger = createLogger({ level: 'error' })
  const { maxBytes, timeoutMs, maxRows } = CLICKHOUSE_LIMITS.query
  const signal = AbortSignal.timeout(600_000)
  const warehouse = await openWarehouse({ url: parts.world.url, database: 'network', maxBytes, timeoutMs, logger }, signal)
  const { analyst, close } = await openAnalyst({
    ...{ warehouse, baseUrl: parts.model.baseUrl, databases: ['network'], parts: { maxRows } },
  })
  const records = new RunRecords({ store: createMemoryStateStore({ now: Date.now }), retentionSeconds: 600 })
  const report = largeReport()
  const record = {
    ...{
      runId: 'run_1',
      author: 'U1',
      isPrivate: false,
      answeredAt: 0,
      isFailure: false,
      figures: [],
      language: 'en' as const,
      footer: '',
    },
    ...{ question: report.question, standaloneQuestion: report.question, markdown: 'It is so [Q1].' },
    place: { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1', isDirect: false },
  } as const
  const recorded = { ...report, sql: LARGE_RESULT_SQL, tables: [], explanation: '', assumptions: [], error: null }

  async function answer(): Promise<void> {
    const { question } = asked('large', parts.nextNumber()).scenario
    const { result, afterwards } = await analyst.ask({ runId: newRunId(), text: question, askedAt: Date.now() }, signal)
    if (result.queries[0]?.row_count !== report.row_count) throw new Error(`not answered: ${result.answer}`)
    await afterwards(signal)
  }

  const works: readonly Work[] = [
    { id: 'answer', title: 'a question answered over a result of 10 MB', run: answer },
    { id: 'read', title: 'a result of 10 MB read', run: () => warehouse.read({ sql: LARGE_RESULT_SQL, maxRows }, signal) },
    { id: 'record', title: 'a result of 10 MB recorded', run: () => records.save(record, [recorded], signal) },
    { id: 'recorded', title: 'a recorded result of 10 MB loaded', run: () => records.rows('run_1', recorded, signal) },
    { id: 'csv', title: 'a result of 10 MB as CSV', run: () => csvContent(report) },
  ]
  return {
    works,
    async close() {
      await close()
      await warehouse.close()
    },
  }
}

/** Returns work on a catalog that is too large for a prompt, from the first read to the choice of tables for a question. */
async function catalogWorks() {
  const logger = createLogger({ level: 'error' })
  const schema = largeCatalog(TABLES)
  const warehouse = startCatalogWarehouse(schema)
  const databases = schema.databases.map(({ name }) => name)
  const signal = AbortSignal.timeout(600_000)
  const opened: SchemaCatalog[] = []
  const open = (store = createMemoryStateStore({ now: Date.now })) => {
    const catalog = new SchemaCatalog({ warehouse, store, logger }, { databases })
    opened.push(catalog)
    return catalog
  }
  const shared = createMemoryStateStore({ now: Date.now })
  const catalog = open(shared)
  const find = async (from: SchemaCatalog) => {
    const loaded = await from.load(signal)
    const tables = await from.find(loaded, { text: 'How many shipments were lost?' }, signal)
    return schemaPrompt({ ...loaded, focus: { tables, words: new Set(['shipment']), isSecondLook: false } })
  }
  // This first search makes the warehouse build its answers, so that this time is not measured.
  await find(catalog)
  const titled = (what: string) => `${what}, ${TABLES.toLocaleString('en-US')} tables`
  const works: readonly Work[] = [
    { id: 'catalog_first', title: titled('the catalog read for the first time and indexed'), run: () => find(open()) },
    {
      id: 'catalog_warm',
      title: titled('the catalog taken from what others have read, and indexed'),
      run: () => find(open(shared)),
    },
    {
      id: 'catalog_changed',
      title: titled('a question after a change of the catalog'),
      run: () => {
        warehouse.change()
        return find(catalog)
      },
    },
    { id: 'catalog_same', title: titled('a question on the catalog of before'), run: () => find(catalog) },
    {
      id: 'catalog_narrowed',
      title: titled('the catalog as somebody may see it'),
      run: async () => rememberingNarrower()(await catalog.load(signal), ALL_BUT_PAY),
    },
  ]
  return { works, close: async () => void (await Promise.all(opened.map(each => each.close()))) }
}
