import type { Analyst } from '../agent/analyst.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { askInThread } from '../agent/ask-in-thread.ts'
import { DirectReads } from '../agent/direct-reads.ts'
import { observedAnalyst } from '../agent/observed-analyst.ts'
import { describeRunError } from '../agent/run/describe-run-error.ts'
import type { RunObserver } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import { ClewError, ConfigurationError } from '../base/errors.ts'
import { MCP_TOOLS, type McpAnswer, type McpCaller, type McpParts, type McpTool } from '../mcp/parts.ts'
import { progressSentence } from '../mcp/progress-sentence.ts'
import { KeyedSequence } from '../queue/keyed-sequence.ts'
import type { Caps } from '../queue/usage/caps.ts'
import { analystWithinCaps, modelWithinCaps } from '../queue/usage/within-caps.ts'
import type { StateStore } from '../store/state-store.ts'
import { loadPolicy } from './access.ts'
import { assemble, openParts } from './assemble.ts'
import { wireCaps } from './caps.ts'
import type { Config } from './config.ts'
import { wireModel, wireReads, wireWarehouse } from './parts.ts'
import { hasClickHouse } from './pipelines.ts'
import { notConfigured } from './required-parts.ts'
import { observing, openRedis, storeIn, type WiringContext } from './store.ts'

/** `ask`: Clew's model answers. `context`: the client's model works with tables and SQL. */
const MODES = { ask: ['ask', 'lineage'], context: ['list_sources', 'describe_table', 'run_query'] } as const satisfies Record<
  string,
  readonly McpTool[]
>

export interface McpOptions {
  /** If absent, both modes, as far as they are configured. */
  readonly mode?: string
  /** The tools that are not offered, separated by commas. */
  readonly without?: string
}

/**
 * Chooses the tools to offer.
 * @throws ConfigurationError for an unknown mode or tool, or if the mode needs a model and there is none
 */
export function offeredTools(
  config: Pick<Config, 'model' | 'mcpRunQuery' | 'sources' | 'chat'>,
  options: McpOptions,
): readonly McpTool[] {
  const { mode, without = '' } = options
  if (mode !== undefined && !Object.hasOwn(MODES, mode)) throw new ConfigurationError(`--mode is ask or context, not ${mode}.`)
  if (mode === 'ask' && config.model === undefined) throw notConfigured(config, 'model')
  const left = without
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const unknown = left.find(name => !Object.hasOwn(MCP_TOOLS, name))
  if (unknown !== undefined)
    throw new ConfigurationError(`--without: there is no tool ${unknown}. There are ${Object.keys(MCP_TOOLS).join(', ')}.`)
  const ask = mode !== 'context' && config.model !== undefined ? MODES.ask : []
  const context = mode !== 'ask' ? MODES.context : []
  return [...ask, ...context].filter(
    tool => !left.includes(tool) && (tool !== 'run_query' || config.mcpRunQuery) && (tool !== 'lineage' || hasClickHouse(config)),
  )
}

/**
 * Wires the parts of the tools that this process answers itself, for one caller.
 * @throws the errors of `assemble`
 */
export async function wireMcp(
  context: WiringContext & { readonly signal: AbortSignal },
  offered: readonly McpTool[],
  caller: McpCaller,
): Promise<McpParts> {
  const { signal, tell } = context
  // The rules are read even if nobody asks with a role, because the operator should learn of a mistake in them.
  await loadPolicy(context.config)
  const redis = await openRedis(context)
  const caps = redis && wireCaps(context, redis)
  const model = offered.some(tool => MODES.ask.some(each => each === tool))
    ? modelWithinCaps(caps, wireModel(context))
    : undefined
  const from = {
    store: storeIn(redis),
    warehouse: await wireWarehouse(context, signal),
    ...(tell && { tell }),
  }
  const assembled = model && (await assemble(context, { ...from, model }, signal))
  const reads = new DirectReads(await wireReads(context, assembled?.opened ?? (await openParts(context, from, signal))))
  const reading = readingParts(context, offered, caps, async () => reads)
  if (assembled === undefined) return reading
  const { analyst, dataAnalyst } = assembled
  const questions = new OpenQuestions({ store: from.store, now: Date.now })
  const threads = new KeyedSequence()
  const answerBy = (own: Pick<Analyst, 'ask'>) => {
    const observed = observedAnalyst(analystWithinCaps(caps, own), { ...observing(context), person: caller.id, now: Date.now })
    return answerIn(threads, { analyst: observed, questions }, caller, signal)
  }
  return {
    ...reading,
    // Without the tool `lineage`, its command is a question like others.
    ...(offered.includes('ask') && { ask: answerBy(offered.includes('lineage') ? analyst : dataAnalyst) }),
    ...(offered.includes('lineage') && { lineage: answerBy(analyst) }),
  }
}

/**
 * Returns the parts that need no model. The domain pack belongs to the tools for an agent that thinks itself.
 * @param open called for each use
 */
function readingParts(
  { config }: Pick<WiringContext, 'config'>,
  offered: readonly McpTool[],
  caps: Pick<Caps, 'check'> | undefined,
  open: () => Promise<DirectReads>,
): McpParts {
  const isOffered = (tool: McpTool) => offered.includes(tool)
  const hasDomain = config.domainDirectory !== undefined && MODES.context.some(isOffered)
  return {
    ...(isOffered('list_sources') && { listSources: async (...given) => (await open()).listSources(...given) }),
    ...(isOffered('describe_table') && { describeTable: async (...given) => (await open()).describeTable(...given) }),
    ...(isOffered('run_query') && {
      async runQuery(asked, own) {
        await caps?.check(own)
        return (await open()).runQuery(asked, own)
      },
    }),
    ...(hasDomain && { domain: async (...given) => (await open()).domain(...given) }),
  }
}

/** Wires the parts that need no model, for a process that must start without its warehouse. It connects with the first use. */
export function wireReadingLater(
  context: WiringContext & { readonly signal: AbortSignal },
  { store, caps }: { readonly store: StateStore; readonly caps: Pick<Caps, 'check'> },
): McpParts {
  const { config, signal } = context
  if (config.warehouse.url === undefined) return {}
  const warehouse = onceItWorks(() => wireWarehouse(context, signal))
  const reads = onceItWorks(async () => {
    const opened = await openParts(context, { store, warehouse: await warehouse() }, signal)
    return new DirectReads(await wireReads(context, opened))
  })
  return readingParts(context, offeredTools(config, { mode: 'context' }), caps, reads)
}

/** Shares the result of `work` among all callers. After a failure, the next call tries again. */
function onceItWorks<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Answers in this process. A thread's next message waits until the conversation has the one before. */
function answerIn(
  threads: KeyedSequence,
  parts: Parameters<typeof askInThread>[0],
  { id: author, access }: McpCaller,
  stopped: AbortSignal,
): McpAnswer {
  return ({ thread: name, text }, tell, signal) => {
    const thread = `mcp/${author}/${name}`
    const runId = newRunId()
    const observe: RunObserver = event => {
      const sentence = progressSentence(event)
      if (sentence !== undefined) tell(sentence)
    }
    // The run ends with its question. The next message of the thread answers it.
    const how = { runId, observe, askPerson: async () => undefined, ...(access && { access }) }
    return new Promise((resolve, reject) => {
      const answering = threads.run(thread, async () => {
        signal.throwIfAborted()
        const message = { thread, id: runId, author, text, at: Date.now() }
        const { result, afterwards } = await askInThread(parts, message, how, signal)
        resolve(result)
        await afterwards(stopped)
      })
      answering.catch((error: unknown) => {
        if (signal.aborted || !(error instanceof ClewError)) reject(error)
        else resolve({ kind: 'refused', message: describeRunError(error, runId, 'en') })
      })
    })
  }
}
