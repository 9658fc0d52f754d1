import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { askInThread } from '../agent/ask-in-thread.ts'
import { DirectReads, RefusedRead } from '../agent/direct-reads.ts'
import { observedAnalyst } from '../agent/observed-analyst.ts'
import { describeRunError } from '../agent/run/describe-run-error.ts'
import type { RunObserver } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import { ClewError, ConfigurationError } from '../base/errors.ts'
import { onceItWorks } from '../base/memoize.ts'
import type { LineageViewsDeps } from '../console/lineage-views.ts'
import { MCP_MODES, type McpAnswer, type McpCaller, type McpParts, type McpTool } from '../mcp/parts.ts'
import { progressSentence } from '../mcp/progress-sentence.ts'
import { KeyedSequence } from '../queue/keyed-sequence.ts'
import type { Caps } from '../queue/usage/caps.ts'
import { analystWithinCaps, modelWithinCaps } from '../queue/usage/within-caps.ts'
import type { StateStore } from '../store/state-store.ts'
import { loadPolicy } from './access.ts'
import { assemble, openParts } from './assemble.ts'
import { wireCaps } from './caps.ts'
import type { Config } from './config.ts'
import { modelWithContent, wireRunList } from './console.ts'
import { type OpenedParts, wireModel, wireReads, wireWarehouse } from './parts.ts'
import { hasClickHouse, requireClickHouse, wireLineage } from './pipelines.ts'
import { notConfigured } from './required-parts.ts'
import { observing, openRedis, storeIn, type WiringContext } from './store.ts'

export interface McpOptions {
  /** If absent, both modes, as far as they are configured. */
  readonly mode?: string
  /** The tools that are not offered, separated by commas. */
  readonly without?: string
}

/**
 * Chooses the tools to offer.
 * @param there the modes that this process, or a worker behind it, can serve
 * @param prefix the beginning of the names of the command's options
 * @throws ConfigurationError for an unknown mode or tool
 */
export function offeredTools(
  config: Pick<Config, 'mcpRunQuery' | 'sources'>,
  { mode, without = '' }: McpOptions,
  there: Readonly<Record<keyof typeof MCP_MODES, boolean>>,
  prefix = '--',
): ReadonlySet<McpTool> {
  const modes = ['ask', 'context'] as const
  if (mode !== undefined && !modes.some(name => name === mode))
    throw new ConfigurationError(`${prefix}mode is ask or context, not ${mode}.`)
  const offered = modes.flatMap(name => ((mode ?? name) === name && there[name] ? MCP_MODES[name] : []))
  const all: readonly string[] = modes.flatMap(name => MCP_MODES[name])
  const left = without.split(/[\s,]+/).filter(name => name !== '')
  const unknown = left.find(name => !all.includes(name))
  if (unknown !== undefined)
    throw new ConfigurationError(`${prefix}without: there is no tool ${unknown}. There are ${all.join(', ')}.`)
  if (!config.mcpRunQuery) left.push('run_query')
  if (!hasClickHouse(config)) left.push('lineage')
  return new Set(offered.filter(tool => !left.includes(tool)))
}

/**
 * Wires the parts of `clew mcp`, which answers everything in this process, for one caller.
 * @throws ConfigurationError if the mode needs a model and there is none; the errors of `offeredTools` and `assemble`
 */
export async function wireMcp(
  context: WiringContext & { readonly signal: AbortSignal },
  options: McpOptions,
  caller: McpCaller,
): Promise<McpParts> {
  const { config, signal, tell } = context
  const tools = offeredTools(config, options, { ask: config.model !== undefined, context: true })
  if (options.mode === 'ask' && config.model === undefined) throw notConfigured(config, 'model')
  // The rules are read even if nobody asks with a role, because the operator should learn of a mistake in them.
  await loadPolicy(config)
  const redis = await openRedis(context)
  const caps = redis && wireCaps(context, redis)
  const model = MCP_MODES.ask.some(tool => tools.has(tool))
    ? modelWithContent(context, storeIn(redis), modelWithinCaps(caps, wireModel(context)))
    : undefined
  const store = storeIn(redis)
  const from = { store, warehouse: await wireWarehouse(context, signal), ...(tell && { tell }) }
  const assembled = model && (await assemble(context, { ...from, model }, signal))
  const reads = new DirectReads(await wireReads(context, assembled?.opened ?? (await openParts(context, from, signal))))
  const parts = {
    tools,
    hasDomain: config.domainDirectory !== undefined,
    reads: async () => reads,
    countQuery: async (own: AbortSignal) => caps?.check(own),
    ...(context.recorded && { recorded: context.recorded }),
  }
  if (assembled === undefined) return parts
  // Without the tool `lineage`, its command is a question like others.
  const own = analystWithinCaps(caps, tools.has('lineage') ? assembled.analyst : assembled.dataAnalyst)
  const analyst = observedAnalyst(redis === undefined ? own : wireRunList(context, redis).listed(own), {
    ...observing(context),
    person: caller.id,
    place: { platform: 'mcp', channel: '' },
    now: Date.now,
  })
  const questions = new OpenQuestions({ store, now: Date.now })
  return { ...parts, answer: answerIn(new KeyedSequence(), { analyst, questions }, caller, signal) }
}

/**
 * Wires the parts of `clew serve`, which must start without its warehouse. It connects with the first use. Workers answer.
 * @throws ConfigurationError if the mode needs a warehouse and there is none; the errors of `offeredTools`
 */
export function wireServedMcp(
  context: WiringContext & { readonly signal: AbortSignal },
  options: McpOptions,
  {
    store,
    caps,
    opened: given,
  }: {
    readonly store: StateStore
    readonly caps: Pick<Caps, 'check'>
    /** The parts that the caller has opened. Default: the configuration gives them. */
    readonly opened?: (() => Promise<OpenedParts>) | undefined
  },
): Omit<McpParts, 'answer'> & { readonly lineage: () => Promise<Omit<LineageViewsDeps, 'place'>> } {
  const { config, signal } = context
  const hasWarehouse = config.warehouse.url !== undefined
  if (options.mode === 'context' && !hasWarehouse) throw notConfigured(config, 'warehouse')
  const warehouse = onceItWorks(() => wireWarehouse(context, signal))
  const opened = given ?? onceItWorks(async () => openParts(context, { store, warehouse: await warehouse() }, signal))
  return {
    tools: offeredTools(config, options, { ask: true, context: hasWarehouse }, '--mcp-'),
    hasDomain: config.domainDirectory !== undefined,
    countQuery: own => caps.check(own),
    ...(context.recorded && { recorded: context.recorded }),
    reads: onceItWorks(async () => new DirectReads(await wireReads(context, await opened()))),
    lineage: onceItWorks(async () => {
      requireClickHouse(config)
      return wireLineage(context, await opened(), signal)
    }),
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
        const isTold = !signal.aborted && error instanceof ClewError
        reject(isTold ? new RefusedRead(describeRunError(error, runId, 'en')) : error)
      })
    })
  }
}
