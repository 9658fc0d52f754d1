import { stepReports } from '../agent/step-reports.ts'
import { drawTable } from '../bots/terminal/draw-table.ts'
import { ConfigurationError } from '../errors.ts'
import { readRunLog } from '../history/run-log.ts'
import { viewOf } from './ask.ts'
import { type CommandContext, EXIT, openStateStore } from './command-context.ts'

/** `clew trace RUN_ID`: the steps of a run, as they happened. */
export async function traceCommand(context: CommandContext, runId: string, options: { readonly json: boolean }): Promise<number> {
  if (context.config.redis.url === undefined) {
    throw new ConfigurationError('Traces are kept in Redis: set REDIS_URL to the one that the run used.')
  }
  const steps = stepReports(await readRunLog(runId, await openStateStore(context), context.signal))
  if (steps.length === 0) {
    context.errorOutput.write(`No run ${runId} is known: its id may be misspelt, or it is older than a week.\n`)
    return EXIT.failed
  }
  if (options.json) {
    context.output.write(`${JSON.stringify(steps)}\n`)
    return EXIT.answered
  }
  const rows = steps.map(step => [
    step.started_at.slice(11, 23),
    step.step,
    step.query ?? '',
    String(step.attempt),
    String(step.duration_ms),
    step.model ?? '',
    step.tokens_in === null ? '' : `${step.tokens_in} → ${step.tokens_out}`,
    step.error ?? '',
  ])
  const header = ['started', 'step', 'query', 'attempt', 'ms', 'model', 'tokens', 'error']
  context.output.write(`${drawTable({ header, rows, numeric: new Set([3, 4]) }, viewOf(context.output).width)}\n`)
  return EXIT.answered
}
