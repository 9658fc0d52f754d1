import { randomUUID } from 'node:crypto'
import { Analyst } from '../agent/analyst.ts'
import type { RunResult } from '../agent/run/result.ts'
import { errorMessage } from '../base/errors.ts'
import { createLogger, type Logger } from '../base/logger.ts'
import { withTimeLimit } from '../base/with-time-limit.ts'
import type { ChatOutbox } from '../chat/platform.ts'
import { NO_DOMAIN } from '../domain/pack.ts'
import { ConversationStore } from '../history/conversation-store.ts'
import { OpenAILanguageModel } from '../llm/openai-language-model.ts'
import { Prompts } from '../llm/prompts.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { Schema, TableSchema } from '../warehouse/schema.ts'
import type { QueryResult } from '../warehouse/warehouse.ts'
import { MAIN_LIMITS } from './limits.ts'
import { PROMPTS_DIRECTORY } from './parts.ts'

// V8 compiles code on its first run. It compiles each regular expression on its first match, separately for strings with one and with two bytes per
// character. So the check of the first sentence blocked a process for 120 ms. To avoid this, a new process first answers a canned question over
// canned rows, without outside calls.

/**
 * The same question twice. The second question and its answer have a character beyond Latin-1. So these strings have two bytes per character.
 */
const QUESTIONS = ["How did the shop's orders go in March 2026?", 'How did the shop’s orders go in March 2026?'] as const

/**
 * Answers two canned questions, and renders the answers for the platforms. Failures are only logged: without a warm-up, the first answers are just
 * slower.
 * @param outboxes the outboxes of the configured platforms
 * @param signal stops the warm-up
 * @returns the answers up to a failure
 */
export async function warmUp({
  logger,
  outboxes,
  signal,
}: {
  readonly logger: Logger
  readonly outboxes: readonly Pick<ChatOutbox, 'render'>[]
  readonly signal: AbortSignal
}): Promise<readonly RunResult[]> {
  const results: RunResult[] = []
  try {
    const analyst = await cannedAnalyst()
    for (const text of QUESTIONS) {
      const asked = { runId: `run_${randomUUID()}`, thread: 'warm-up', text, askedAt: Date.now() }
      const { result } = await analyst.ask(asked, withTimeLimit(signal, MAIN_LIMITS.warmUpMs))
      results.push(result)
      for (const outbox of outboxes) {
        outbox.render({ kind: 'progress', lines: result.queries.map(query => query.question), answer: result.answer })
        outbox.render({
          kind: 'answer',
          markdown: `${result.answer}\n\n`.repeat(MAIN_LIMITS.warmUpRepeats),
          footer: `${result.confidence} · ${result.run_id}`,
        })
      }
    }
  } catch (error) {
    if (!signal.aborted) logger.warn({ error: errorMessage(error) }, 'not warmed up')
  }
  return results
}

/** Builds an analyst from the usual parts. Canned parts replace the model, the warehouse and the store. */
async function cannedAnalyst(): Promise<Analyst> {
  const logger = createLogger({ level: 'silent' })
  const store = createMemoryStateStore({ now: Date.now })
  const { databases } = SCHEMA
  return new Analyst({
    model: new OpenAILanguageModel({
      apiKey: 'none',
      model: 'canned',
      idleTimeoutMs: MAIN_LIMITS.warmUpMs,
      totalTimeoutMs: MAIN_LIMITS.warmUpMs,
      logger,
      random: Math.random,
      now: Date.now,
      fetch: answerCanned,
    }),
    warehouse: { read: async ({ sql }) => ({ ...RESULT, ...(sql === SQL.days ? DAYS : STATUSES) }) },
    guard: {
      check: async sql => ({
        verdict: 'allow',
        canonical: sql,
        tables: ['shop.orders'],
        functions: [],
        aggregates: new Set(),
        tree: { kind: 'QUERY', attributes: {}, branches: [] },
      }),
    },
    validatorOn: () => ({
      check: async () => ({ verdict: 'valid', cost: { verdict: 'estimated', estimate: NO_COST } }),
    }),
    schemaSource: { load: async () => SCHEMA, refresh: async () => SCHEMA },
    store,
    prompts: await Prompts.load(PROMPTS_DIRECTORY),
    domain: NO_DOMAIN,
    conversations: new ConversationStore({ store, newId: randomUUID, logger }),
    historyTurns: 1,
    timeZone: 'UTC',
    databases: databases.map(({ name }) => name),
    maxRows: 100,
    runTimeoutMs: MAIN_LIMITS.warmUpMs,
    budget: { maxRows: 0, maxBytes: 0 },
    speculation: true,
    linkHosts: [],
    now: Date.now,
    logger,
  })
}

const NO_COST = { tables: [], rows: 0, bytes: 0, joinedRows: 0, unknown: [] }

function table(name: string, columns: Readonly<Record<string, string>>): TableSchema {
  return {
    database: 'shop',
    name,
    engine: 'MergeTree',
    comment: '',
    rows: 1000,
    viewDefinition: '',
    primaryKey: 'id',
    sortingKey: 'id',
    partitionKey: '',
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, comment: 'as the shop has it' })),
  }
}

const SCHEMA: Schema = {
  tables: [
    table('orders', { id: 'UInt64', customer_id: 'UInt64', status: 'String', amount: 'Decimal(18, 2)', placed_at: 'DateTime' }),
    table('customers', { id: 'UInt64', name: 'String', country: 'LowCardinality(String)' }),
  ],
  databases: [{ name: 'shop', comment: '' }],
  serverVersion: '26.7.2.1',
  timeZone: 'UTC',
  fetchedAt: '2026-01-01T00:00:00.000Z',
}

const SQL = {
  statuses: 'SELECT status, count() AS orders, sum(amount) AS revenue FROM shop.orders GROUP BY status ORDER BY orders DESC',
  days: "SELECT toDate(placed_at) AS day, count() AS orders FROM shop.orders WHERE placed_at >= '2026-03-01' GROUP BY day ORDER BY day",
}
const RESULT: Omit<QueryResult, 'columns' | 'rows'> = {
  truncated: false,
  elapsedMs: 1,
  queryId: 'canned',
  rowsRead: 0,
  bytesRead: 0,
}
const STATUSES: Pick<QueryResult, 'columns' | 'rows'> = {
  columns: [
    { name: 'status', type: 'String' },
    { name: 'orders', type: 'UInt64' },
    { name: 'revenue', type: 'Decimal(18, 2)' },
  ],
  rows: [
    ['paid', '1250', '48210.50'],
    ['open', '310', '9120.00'],
    ['refunded', '40', '1300.25'],
  ],
}
const DAYS: Pick<QueryResult, 'columns' | 'rows'> = {
  columns: [
    { name: 'day', type: 'Date' },
    { name: 'orders', type: 'UInt64' },
  ],
  rows: [
    ['2026-03-01', '500'],
    ['2026-03-02', '480'],
    ['2026-03-03', '620'],
  ],
}

/** The answer has each kind of line and claim: a heading, bullets, a table, a sum, a share, a day, an order, a change. */
const ANSWER = `Most of the shop's orders are paid: 1,250 {= Q1.orders[1]} of 1,600 {= sum(Q1.orders)}, which is 78.1 % {= share(Q1.orders[1], sum(Q1.orders))} [Q1].

### By day

- The best day was 3 March 2026 with 620 {= max(orders)} orders, up from 480 {= orders[2]} on 2 March [Q2].
- **310** orders are open, with a revenue of 9,120.00 [Q1].
- Paid orders outnumber open ones by 940 [Q1]. See https://shop.example/orders for all of them.

| status | orders | revenue |
| --- | ---: | ---: |
| paid | 1,250 | 48,210.50 |
| open | 310 | 9,120.00 |

The table above has two {= count(orders > 300)} of the three statuses [Q1].
`

const PLAN = [
  { question: 'Orders and revenue by status', sql: SQL.statuses },
  { question: 'Orders of each day of March 2026', sql: SQL.days },
]

/** Takes the place of `fetch`. Answers as a model's endpoint does, with canned text. */
async function answerCanned(_input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const body = String(init?.body)
  const said = wordsOf(new Headers(init?.headers).get('x-clew-step') ?? '', body)
  const words = body.includes('’') ? said.replaceAll("shop's", 'shop’s') : said
  const pieces = (words.match(/[\s\S]{1,20}/g) ?? []).map(content => ({ choices: [{ index: 0, delta: { content } }] }))
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const events = [...pieces, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }]
  const stream = [...events.map(event => JSON.stringify({ model: 'canned', ...event })), '[DONE]'].map(
    data => `data: ${data}\n\n`,
  )
  return new Response(stream.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

function wordsOf(step: string, body: string): string {
  if (step === 'synthesize') return ANSWER
  if (step === 'classify')
    return JSON.stringify({
      intent: 'data_analysis',
      standalone_question: null,
      catalog_request: null,
      table: null,
      reply: null,
    })
  if (step === 'decompose')
    return JSON.stringify({
      data_questions: PLAN.map(({ question }) => ({ question })),
      clarification: null,
      datasource: null,
      error: null,
    })
  const asked = PLAN.findLast(({ question }) => body.includes(question)) ?? PLAN[0]
  const explanation = "Counts the shop's orders."
  return JSON.stringify({ sql: asked?.sql, explanation, assumptions: [], deciding_assumptions: [], chart: null })
}
