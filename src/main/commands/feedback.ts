import { ConfigurationError } from '../../base/errors.ts'
import { openStateStore, wireFeedback } from '../store.ts'
import type { CommandContext } from './command-context.ts'
import { printList } from './print-list.ts'

/** `clew feedback`: lists people's feedback on answers, latest first. The JSON form includes the SQL. */
export async function feedbackCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const { config, signal } = context
  if (config.redis.url === undefined) {
    throw new ConfigurationError('Feedback is kept in Redis: set REDIS_URL to the one that the bots and workers use.')
  }
  const value = await wireFeedback(context, await openStateStore(context)).list(signal)
  const rows = value.map(({ at, verdict, runId, question, reason = '' }) => [
    ...[new Date(at).toISOString().slice(0, 16).replace('T', ' '), verdict, runId, question, reason],
  ])
  const header = ['when (UTC)', 'said', 'run', 'question', 'reason']
  return printList(context, options, { value, header, rows, empty: 'Nobody has pressed Helpful or Not helpful yet.' })
}
