import type { Analyst, AnalystAnswer, Question } from '../agent/analyst.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { askInThread } from '../agent/ask-in-thread.ts'
import { observedAnalyst } from '../agent/observed-analyst.ts'
import { createSqlFormatter } from '../clickhouse/sql-formatter.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { analystWithinCaps, modelWithinCaps } from '../queue/usage/within-caps.ts'
import type { StateStore } from '../store/state-store.ts'
import type { FormatSql } from '../warehouse/format-sql.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { loadPolicy } from './access.ts'
import { assemble } from './assemble.ts'
import { wireCaps } from './caps.ts'
import { modelWithContent, wireRunList } from './console.ts'
import { wireModel, wireWarehouse } from './parts.ts'
import { observing, openRedis, storeIn, type WiringContext } from './store.ts'
import { TERMINAL_PERSON } from './terminal-person.ts'

export interface AskParts {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly questions: OpenQuestions
}

export interface OpenedAnalyst extends AskParts {
  readonly formatSql: FormatSql
}

/** The parts that a caller has opened itself and closes itself. The configuration gives all others. */
export interface GivenParts {
  readonly warehouse?: Warehouse | undefined
  readonly model?: LanguageModel | undefined
  readonly store?: StateStore | undefined
  readonly schemaSource?: SchemaSource | undefined
}

/**
 * Builds an analyst that answers in this process, without a queue.
 * @throws ConfigurationError for a mistake in the configuration; the errors of the parts that are opened
 */
export async function openAnalyst(
  context: WiringContext & { readonly signal: AbortSignal },
  given: GivenParts = {},
): Promise<OpenedAnalyst> {
  const { signal, tell } = context
  // The caller may read everything, so the rules are not applied here. They are read, because bots and workers cannot start if
  // the rules have a mistake, and the operator should learn of it.
  await loadPolicy(context.config)
  const redis = given.store === undefined ? await openRedis(context) : undefined
  const store = given.store ?? storeIn(redis)
  // Without Redis nothing counts, so there are no caps.
  const caps = redis && wireCaps(context, redis)
  const model = modelWithContent(context, store, modelWithinCaps(caps, given.model ?? wireModel(context)))
  const warehouse = given.warehouse ?? (await wireWarehouse(context, signal))
  const { schemaSource } = given
  const parts = { model, store, warehouse, ...(schemaSource && { schemaSource }), ...(tell && { tell }) }
  const { analyst: asked } = await assemble(context, parts, signal)
  const place = { platform: 'terminal', channel: '' }
  const watching = { ...observing(context), person: TERMINAL_PERSON, place, now: Date.now }
  const own = analystWithinCaps(caps, asked)
  const analyst = observedAnalyst(redis === undefined ? own : wireRunList(context, redis).listed(own), watching)
  return { analyst, questions: new OpenQuestions({ store, now: Date.now }), formatSql: createSqlFormatter(warehouse) }
}

/**
 * Asks the analyst. In a thread, the message may also answer a question that Clew has asked back.
 * @throws the errors of `askInThread`
 */
export function askOpened(
  parts: AskParts,
  { thread, author, text }: { readonly thread: string | undefined; readonly author: string; readonly text: string },
  how: Omit<Question, 'thread' | 'text' | 'askedAt' | 'choice' | 'messageRunId'>,
  signal: AbortSignal,
): Promise<AnalystAnswer> {
  const at = Date.now()
  return thread === undefined
    ? parts.analyst.ask({ ...how, text, askedAt: at }, signal)
    : askInThread(parts, { thread, id: how.runId, author, text, at }, how, signal)
}
