import { readRunState } from '../../agent/run-state.ts'
import { ClewError, ConfigurationError } from '../../base/errors.ts'
import type { RunLogEntry, StepUsage } from '../../history/run-log-entry.ts'
import { openStateStore } from '../store.ts'
import { type CommandContext, EXIT } from './command-context.ts'
import { printList } from './print-list.ts'

/** `clew trace RUN_ID`: shows a run's steps in order, or as JSON its whole state. */
export async function traceCommand(context: CommandContext, runId: string, options: { readonly json: boolean }): Promise<number> {
  if (context.config.redis.url === undefined) {
    throw new ConfigurationError('Traces are kept in Redis: set REDIS_URL to the one that the run used.')
  }
  const state = await readRunState(runId, await openStateStore(context), context.signal)
  if (state === undefined) {
    const why = 'its id may be misspelt, or it is past CLEW_TRACE_RETENTION_DAYS.'
    throw new ClewError(`No run ${runId} is known: ${why}`, { code: 'not_found' })
  }
  const rows = state.log.map(entry => [
    entry.started_at.slice(11, 23),
    entry.query === undefined ? entry.step : `${entry.step} ${entry.query}`,
    entry.attempt,
    entry.duration_ms,
    entry.usage === undefined ? '' : modelText(entry.usage),
    entry.usage === undefined ? '' : tokensText(entry.usage),
    costText(entry.usage?.cost, entry.usage?.estimated),
    entry.input_keys.join(', '),
    outcomeOf(entry),
  ])
  const header = ['started', 'step', 'attempt', 'ms', 'model', 'tokens', 'cost', 'input', 'output or error']
  printList(context, options, { value: state, header, rows, numeric: [2, 3, 6] })
  for (const line of options.json ? [] : sumOf(state.log)) context.output.write(`${line}\n`)
  return EXIT.answered
}

function modelText({ model, temperature }: StepUsage): string {
  return temperature === undefined ? model : `${model}, temperature ${temperature}`
}

/** Writes the number of tokens that a step used. `~` before it marks an estimate. */
function tokensText(usage: Pick<StepUsage, 'tokens_in' | 'tokens_cached' | 'tokens_out' | 'estimated'>): string {
  const cached = usage.tokens_cached ? ` (${usage.tokens_cached} cached)` : ''
  return `${usage.estimated ? '~' : ''}${usage.tokens_in}${cached} → ${usage.tokens_out}`
}

function costText(cost: number | undefined, isEstimated = false): string {
  return cost === undefined ? '' : `${isEstimated ? '~' : ''}$${cost.toFixed(5)}`
}

/** Writes the tokens and the cost of all steps in one line. Empty if no step asked a model. */
function sumOf(log: readonly RunLogEntry[]): readonly string[] {
  const used = log.flatMap(({ usage }) => usage ?? [])
  if (used.length === 0) return []
  const sum = (of: 'tokens_in' | 'tokens_cached' | 'tokens_out' | 'cost') =>
    used.reduce((total, usage) => total + (usage[of] ?? 0), 0)
  const estimated = used.some(usage => usage.estimated)
  const all = { tokens_in: sum('tokens_in'), tokens_cached: sum('tokens_cached'), tokens_out: sum('tokens_out') }
  const unpriced = used.filter(usage => usage.cost === undefined && usage.tokens_in + usage.tokens_out > 0).length
  const cost = used.every(usage => usage.cost === undefined) ? 'unknown' : costText(sum('cost'), estimated)
  const missing =
    unpriced === 0 ? '' : ` (without ${unpriced} of ${used.length} steps, whose model has no price: CLEW_PRICES_FILE)`
  return [`tokens: ${tokensText({ ...all, estimated })}; cost: ${cost}${missing}`]
}

function outcomeOf({ error, cancelled, output_keys: keys, usage }: RunLogEntry): string {
  const outcome = cancelled === undefined ? (error ?? keys.join(', ')) : `cancelled: ${cancelled}`
  const { requests = [] } = usage ?? {}
  return requests.length < 2 ? outcome : `${outcome} (requests: ${requests.map(requestText).join(', ')})`
}

function requestText({ outcome, status, wait_ms: waitMs }: NonNullable<StepUsage['requests']>[number]): string {
  const wait = waitMs ? `, ${Math.round(waitMs)} ms later` : ''
  return `${outcome}${status === undefined ? '' : ` ${status}`}${wait}`
}
