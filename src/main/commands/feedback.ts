import { ConfigurationError } from '../../base/errors.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { openStateStore, wireFeedback } from '../store.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew feedback`: lists people's feedback on answers, latest first. The JSON form includes the SQL. */
export async function feedbackCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const { config, output, signal } = context
  if (config.redis.url === undefined) {
    throw new ConfigurationError('Feedback is kept in Redis: set REDIS_URL to the one that the bots and workers use.')
  }
  const given = await wireFeedback(context, await openStateStore(context)).list(signal)
  if (options.json) output.write(`${JSON.stringify(given)}\n`)
  else if (given.length === 0) output.write('Nobody has pressed Helpful or Not helpful yet.\n')
  else {
    const rows = given.map(({ at, verdict, runId, question, reason = '' }) =>
      [new Date(at).toISOString().slice(0, 16).replace('T', ' '), verdict, runId, question, reason].map(terminalText),
    )
    const header = ['when (UTC)', 'said', 'run', 'question', 'reason']
    output.write(`${drawTable({ header, rows, numeric: new Set() }, viewOf(output).width)}\n`)
  }
  return EXIT.answered
}
