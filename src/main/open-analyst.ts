import type { Analyst, AnalystAnswer, Question } from '../agent/analyst.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { askInThread } from '../agent/ask-in-thread.ts'
import { observedAnalyst } from '../agent/observed-analyst.ts'
import type { RunResult } from '../agent/run/result.ts'
import { errorMessage } from '../base/errors.ts'
import type { Subject } from '../base/watched-work.ts'
import { createSqlFormatter } from '../clickhouse/sql-formatter.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import { KeyedSequence } from '../queue/keyed-sequence.ts'
import { analystWithinCaps, modelWithinCaps } from '../queue/usage/within-caps.ts'
import type { StateStore } from '../store/state-store.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { loadPolicy } from './access.ts'
import { assemble, openParts } from './assemble.ts'
import { wireCaps } from './caps.ts'
import { modelWithContent, wireRunList } from './console.ts'
import { wireModel, wireWarehouse } from './parts.ts'
import { observing, openRedis, storeIn, type WiringContext } from './store.ts'
import { TERMINAL_PERSON } from './terminal-person.ts'

export interface AskParts {
  readonly analyst: Pick<Analyst, 'ask'>
  readonly questions: OpenQuestions
}

export type OpenedAnalyst = Awaited<ReturnType<typeof openAnalyst>>

/** The parts that a caller has opened itself and closes itself. The configuration gives all others. */
export interface GivenParts {
  readonly warehouse?: Warehouse | undefined
  readonly model?: LanguageModel | undefined
  readonly store?: StateStore | undefined
  readonly schemaSource?: SchemaSource | undefined
}

type OpeningContext = WiringContext & { readonly signal: AbortSignal }

/** Opens the store of this process. Without Redis nothing counts, so there are no caps. */
async function openStore(context: OpeningContext, given?: StateStore) {
  // The rules are read even if nobody asks with a role, because bots and workers cannot start if the rules have a mistake, and the
  // operator should learn of it.
  await loadPolicy(context.config)
  const redis = given === undefined ? await openRedis(context) : undefined
  return { redis, store: given ?? storeIn(redis), caps: redis && wireCaps(context, redis) }
}

/**
 * Builds an analyst that answers in this process, without a queue.
 * @param asker who asks, and where; default: the person at the terminal
 * @param chosen `analyst` answers everything, `dataAnalyst` questions about data alone
 * @throws ConfigurationError for a mistake in the configuration; the errors of the parts that are opened
 */
export async function openAnalyst(
  context: OpeningContext,
  given: GivenParts = {},
  asker: Pick<Subject, 'person' | 'place'> = { person: TERMINAL_PERSON, place: { platform: 'terminal', channel: '' } },
  chosen: 'analyst' | 'dataAnalyst' = 'analyst',
) {
  const { signal, tell } = context
  const { redis, store, caps } = await openStore(context, given.store)
  const model = modelWithContent(context, store, modelWithinCaps(caps, given.model ?? wireModel(context)))
  const warehouse = given.warehouse ?? (await wireWarehouse(context, signal))
  const parts = { model, store, warehouse, schemaSource: given.schemaSource, tell }
  const { opened, [chosen]: asked } = await assemble(context, parts, signal)
  const own = analystWithinCaps(caps, asked)
  const listed = redis === undefined ? own : wireRunList(context, redis).listed(own)
  const analyst = observedAnalyst(listed, { ...observing(context), ...asker, now: Date.now })
  const questions = new OpenQuestions({ store, now: Date.now })
  return { analyst, questions, opened, caps, formatSql: createSqlFormatter(warehouse) }
}

/** Opens the parts that read data in this process, without a model. @throws the errors of `openAnalyst` */
export async function openReads(context: OpeningContext): Promise<Pick<OpenedAnalyst, 'opened' | 'caps'>> {
  const { signal, tell } = context
  const { store, caps } = await openStore(context)
  const warehouse = await wireWarehouse(context, signal)
  return { opened: await openParts(context, { store, warehouse, tell }, signal), caps }
}

type HowToAsk = Omit<Question, 'thread' | 'text' | 'askedAt' | 'choice' | 'messageRunId'>

/**
 * Asks the analyst. In a thread, the message may also answer a question that Clew has asked back.
 * @throws the errors of `askInThread`
 */
export function askOpened(
  parts: AskParts,
  { thread, author, text }: { readonly thread: string | undefined; readonly author: string; readonly text: string },
  how: HowToAsk,
  signal: AbortSignal,
): Promise<AnalystAnswer> {
  const at = Date.now()
  return thread === undefined
    ? parts.analyst.ask({ ...how, text, askedAt: at }, signal)
    : askInThread(parts, { thread, id: how.runId, author, text, at }, how, signal)
}

/** Returns a function that asks as `askOpened` does. A thread's next message waits until the conversation has the one before. */
export function askerInThreads({ logger, resources, signal: stopped }: OpeningContext, parts: AskParts) {
  const threads = new KeyedSequence()
  const works = resources.add('work after answers', new Set<Promise<void>>(), async all => {
    await Promise.all(all)
  })
  return (message: Parameters<typeof askOpened>[1], how: HowToAsk, signal: AbortSignal): Promise<RunResult> =>
    new Promise((resolve, reject) => {
      const answer = async () => {
        signal.throwIfAborted()
        const { result, afterwards } = await askOpened(parts, message, how, signal)
        resolve(result)
        await afterwards(stopped).catch((error: unknown) =>
          logger.warn({ error: errorMessage(error) }, 'the work after an answer failed'),
        )
      }
      const work = threads.run(message.thread ?? how.runId, answer).catch(reject)
      works.add(work)
      void work.finally(() => works.delete(work))
    })
}
