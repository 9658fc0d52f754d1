import { LINEAGE_TOOLS } from '../../src/agent/lineage/tools.ts'
import { generate } from '../../src/agent/query/generate.ts'
import { reviewEmpty } from '../../src/agent/query/review-empty.ts'
import { askWithTools } from '../../src/agent/run/ask-model.ts'
import type { ModelContext, QuestionContext, ReadContext } from '../../src/agent/run/context.ts'
import { type RunRequest, runRequestSchema } from '../../src/agent/run/request.ts'
import { classify } from '../../src/agent/understand/classify.ts'
import { decompose } from '../../src/agent/understand/decompose.ts'
import { respond } from '../../src/agent/understand/respond.ts'
import { summarize } from '../../src/agent/understand/summarize.ts'
import { proofread } from '../../src/agent/write/proofread.ts'
import { rewrite } from '../../src/agent/write/rewrite.ts'
import { synthesize } from '../../src/agent/write/synthesize.ts'
import { createLogger } from '../../src/base/logger.ts'
import { NO_DOMAIN } from '../../src/domain/pack.ts'
import { newConversation } from '../../src/history/conversation.ts'
import { RunLog } from '../../src/history/run-log.ts'
import { ModelError } from '../../src/llm/error.ts'
import type { ModelRequest } from '../../src/llm/language-model.ts'
import { Prompts } from '../../src/llm/prompts.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'
import { queryReport } from './query-report.ts'
import { columnOf, schemaOf, tableOf } from './schema-fixture.ts'

type StepContext = ModelContext & QuestionContext & ReadContext & { readonly databases: readonly string[] }

const QUESTION = 'How much?'
const SCHEMA = schemaOf(tableOf('orders', { columns: [columnOf('amount', 'UInt64')] }))
const VERIFIED = { question: QUESTION, sql: 'SELECT 1', verified_by: 'somebody', verified_at: '2026-01-01' }
const DRAFT = { schema: SCHEMA, id: 'Q1', question: QUESTION, dataQuestion: QUESTION, failed: [], narrowing: null }
const COSTLY = { kind: 'cost', sql: '', canonical: '', tables: null, why: 'too much', estimate: null, isConfirmed: false }
const CONVERSATION = newConversation('c')
const TOOL_CALL = { attempt: 1, subject: QUESTION, messages: [], tools: LINEAGE_TOOLS, toolChoice: 'auto' } as const

const STEPS = {
  classify: (context, signal) => classify(context, SCHEMA, [], signal),
  'classify with verified questions': (context, signal) => classify(context, SCHEMA, [VERIFIED], signal),
  'classify in an investigation': ({ request, ...context }, signal) =>
    classify({ ...context, request: { ...request, investigation: { job: 'daily', asked: '' } } }, SCHEMA, [], signal),
  decompose: (context, signal) => decompose(context, SCHEMA, QUESTION, () => {}, signal),
  generate: (context, signal) => generate(context, DRAFT, signal),
  'generate what costs less': (context, signal) => generate(context, { ...DRAFT, narrowing: COSTLY }, signal),
  review_empty: (context, signal) =>
    reviewEmpty(context, { schema: SCHEMA, question: QUESTION, report: queryReport({}) }, signal),
  synthesize: (context, signal) => synthesize(context, QUESTION, [queryReport({})], signal),
  rewrite: (context, signal) => rewrite(context, { sentence: 'Much.', problems: [], attempt: 1, results: '' }, signal),
  proofread: (context, signal) =>
    proofread(context, { question: QUESTION, lines: ['Much.'], figures: [], results: '', timeoutMs: 60_000 }, signal),
  respond: (context, signal) => respond(context, SCHEMA, signal),
  summarize: (context, signal) => summarize(context, CONVERSATION, signal),
  lineage: (context, signal) => askWithTools(context, { step: 'lineage', ...TOOL_CALL }, signal),
} as const satisfies Record<string, (context: StepContext, signal: AbortSignal) => Promise<unknown>>

/** Returns the request that each step sends to the model if there is one data source. Steps with several forms have one for each. */
export async function stepRequests(): Promise<Readonly<Record<keyof typeof STEPS, ModelRequest>>> {
  const asked = Object.entries(STEPS).map(async ([name, ask]) => [name, await requestOf(ask)] as const)
  return Object.fromEntries(await Promise.all(asked)) as Record<keyof typeof STEPS, ModelRequest>
}

async function requestOf(ask: (context: StepContext, signal: AbortSignal) => Promise<unknown>): Promise<ModelRequest> {
  const { signal } = new AbortController()
  const asked: ModelRequest[] = []
  const request: RunRequest = runRequestSchema.parse({
    ...{ version: 1, run_id: 'run', question: QUESTION, asked_at: '2026-03-04T12:00:00Z' },
    ...{ time_zone: 'UTC', time_zone_source: 'operator', conversation: CONVERSATION },
  })
  const ended = new ModelError('The request is known.', { kind: 'cancelled' })
  const context: StepContext = {
    log: await RunLog.open('run', { store: createMemoryStateStore({ now: Date.now }), now: Date.now }, signal),
    logger: createLogger({ level: 'silent' }),
    observe: () => undefined,
    model: {
      stream(sent) {
        asked.push(sent)
        throw ended
      },
    },
    prompts: await Prompts.load('prompts'),
    warehouse: { read: () => Promise.reject(ended) },
    ...{ request, language: 'en', domain: () => NO_DOMAIN, now: Date.now, databases: ['shop'], dialect: 'clickhouse' },
  }
  await ask(context, signal).catch((error: unknown) => {
    if (error !== ended) throw error
  })
  const [first] = asked
  if (first === undefined) throw new Error('The step has asked no model')
  return first
}
