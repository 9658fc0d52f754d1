import { DirectReads, RefusedRead } from '../agent/direct-reads.ts'
import { describeRunError } from '../agent/run/describe-run-error.ts'
import type { RunObserver } from '../agent/run/event.ts'
import { newRunId } from '../agent/run/id.ts'
import { ClewError } from '../base/errors.ts'
import { onceItWorks } from '../base/memoize.ts'
import type { LineageViewsDeps } from '../console/lineage-views.ts'
import { MCP_MODES, type McpAnswer, type McpCaller, type McpMode, type McpParts, type McpTool } from '../mcp/parts.ts'
import { progressSentence } from '../mcp/progress-sentence.ts'
import type { Caps } from '../queue/usage/caps.ts'
import type { StateStore } from '../store/state-store.ts'
import { openParts } from './assemble.ts'
import type { Config } from './config.ts'
import { askerInThreads, openAnalyst, openReads } from './open-analyst.ts'
import { type OpenedParts, wireReads, wireWarehouse } from './parts.ts'
import { hasClickHouse, requireClickHouse, wireLineage } from './pipelines.ts'
import { notConfigured } from './required-parts.ts'
import type { WiringContext } from './store.ts'

export interface McpOptions {
  /** Default: both modes, as far as they are configured. */
  readonly mode?: McpMode | undefined
  /** The tools that are not offered. */
  readonly without?: readonly McpTool[] | undefined
}

/** Chooses the tools to offer, of the modes that this process, or a worker behind it, can serve. */
export function offeredTools(
  config: Pick<Config, 'mcpRunQuery' | 'sources'>,
  { mode, without = [] }: McpOptions,
  there: Readonly<Record<McpMode, boolean>>,
): ReadonlySet<McpTool> {
  const modes = (['ask', 'context'] as const).filter(name => (mode ?? name) === name && there[name])
  const isThere: Partial<Record<McpTool, boolean>> = { run_query: config.mcpRunQuery, lineage: hasClickHouse(config) }
  const tools = modes.flatMap((name): readonly McpTool[] => MCP_MODES[name])
  return new Set(tools.filter(tool => isThere[tool] !== false && !without.includes(tool)))
}

/**
 * Wires the parts of `clew mcp`, which answers everything in this process, for one caller.
 * @throws ConfigurationError if the mode needs a model and there is none; the errors of `assemble`
 */
export async function wireMcp(
  context: WiringContext & { readonly signal: AbortSignal },
  options: McpOptions,
  caller: McpCaller,
): Promise<McpParts> {
  const { config } = context
  const tools = offeredTools(config, options, { ask: config.model !== undefined, context: true })
  if (options.mode === 'ask' && config.model === undefined) throw notConfigured(config, 'model')
  const asker = { person: caller.id, place: { platform: 'mcp', channel: '' } }
  // Without the tool `lineage`, its command is a question like others.
  const chosen = tools.has('lineage') ? 'analyst' : 'dataAnalyst'
  const asks = MCP_MODES.ask.some(tool => tools.has(tool))
  const asked = asks ? await openAnalyst(context, {}, asker, chosen) : undefined
  const { opened, caps } = asked ?? (await openReads(context))
  const reads = new DirectReads(await wireReads(context, opened))
  return {
    tools,
    hasDomain: config.domainDirectory !== undefined,
    reads: async () => reads,
    countQuery: async own => caps?.check(own),
    ...(context.recorded && { recorded: context.recorded }),
    ...(asked && { answer: answerIn(askerInThreads(context, asked), caller) }),
  }
}

/**
 * Wires the parts of `clew serve`, which must start without its warehouse. It connects with the first use. Workers answer.
 * @throws ConfigurationError if the mode needs a warehouse and there is none
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
    tools: offeredTools(config, options, { ask: true, context: hasWarehouse }),
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

/** Answers in this process. */
function answerIn(ask: ReturnType<typeof askerInThreads>, { id: author, access }: McpCaller): McpAnswer {
  return async ({ thread, text }, tell, signal) => {
    const runId = newRunId()
    const observe: RunObserver = event => {
      const sentence = progressSentence(event)
      if (sentence !== undefined) tell(sentence)
    }
    const message = { thread: `mcp/${author}/${thread}`, author, text }
    // The run ends with its question. The next message of the thread answers it.
    const how = { runId, observe, askPerson: async () => undefined, ...(access && { access }) }
    return ask(message, how, signal).catch((error: unknown) => {
      const isTold = !signal.aborted && error instanceof ClewError
      throw isTold ? new RefusedRead(describeRunError(error, runId, 'en')) : error
    })
  }
}
