import { readRunState } from '../../agent/run-state.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import type { RunLogEntry } from '../../history/run-log-entry.ts'
import { openStateStore } from '../store.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew trace RUN_ID`: shows a run's steps in order, or as JSON its whole state. */
export async function traceCommand(context: CommandContext, runId: string, options: { readonly json: boolean }): Promise<number> {
  if (context.config.redis.url === undefined) {
    throw new ConfigurationError('Traces are kept in Redis: set REDIS_URL to the one that the run used.')
  }
  const state = await readRunState(runId, await openStateStore(context), context.signal)
  if (state === undefined) {
    context.errorOutput.write(`No run ${runId} is known: its id may be misspelt, or it is past CLEW_TRACE_RETENTION_DAYS.\n`)
    return EXIT.failed
  }
  if (options.json) {
    context.output.write(`${JSON.stringify(state)}\n`)
    return EXIT.answered
  }
  const rows = state.log.map(entry => [
    entry.started_at.slice(11, 23),
    entry.query === undefined ? entry.step : `${entry.step} ${entry.query}`,
    String(entry.attempt),
    String(entry.duration_ms),
    entry.usage?.model ?? '',
    tokensOf(entry),
    entry.input_keys.join(', '),
    terminalText(outcomeOf(entry)),
  ])
  const header = ['started', 'step', 'attempt', 'ms', 'model', 'tokens', 'input', 'output or error']
  context.output.write(`${drawTable({ header, rows, numeric: new Set([2, 3]) }, viewOf(context.output).width)}\n`)
  return EXIT.answered
}

/** Writes the number of tokens that a step used. `~` before it marks an estimate. */
function tokensOf({ usage }: RunLogEntry): string {
  return usage === undefined ? '' : `${usage.estimated ? '~' : ''}${usage.tokens_in} → ${usage.tokens_out}`
}

function outcomeOf({ error, cancelled, output_keys: keys }: RunLogEntry): string {
  return cancelled === undefined ? (error ?? keys.join(', ')) : `cancelled: ${cancelled}`
}
