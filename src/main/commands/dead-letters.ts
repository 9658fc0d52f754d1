import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { createDeadLetters, type KeptLetter } from '../../queue/dead-letters.ts'
import { dropLetter, retryLetter, type SettledLetter } from '../../queue/settle-letter.ts'
import { wireAcceptor } from '../chat-queue.ts'
import { wireRedis } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** `clew dead-letters list`: shows the messages that were given up, the latest first, without their texts. */
export async function listDeadLettersCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const redis = await wireRedis(context, 'producer', context.signal)
  const letters = (await createDeadLetters(redis).list(context.signal)).map(reportOf)
  if (options.json) {
    context.output.write(`${JSON.stringify(letters)}\n`)
    return EXIT.answered
  }
  const rows = letters.map(({ id, given_up_at, thread, reason }) => [id, given_up_at, thread, reason].map(terminalText))
  const table = { header: ['id', 'given up', 'thread', 'reason'], rows, numeric: new Set<number>(), whole: new Set([0]) }
  context.output.write(rows.length === 0 ? 'There are no dead letters.\n' : `${drawTable(table, viewOf(context.output).width)}\n`)
  return EXIT.answered
}

/** `clew dead-letters retry ID`: has a message answered that was given up, and forgets its letter. */
export async function retryDeadLetterCommand(context: CommandContext, id: string): Promise<number> {
  const redis = await wireRedis(context, 'producer', context.signal)
  const settled = await retryLetter({ redis, ...wireAcceptor(context, redis) }, id, context.signal)
  return tellSettled(context, id, settled, `A worker answers ${id} in its thread now: clew trace ${id} shows its steps.`)
}

/** `clew dead-letters drop ID` */
export async function dropDeadLetterCommand(context: CommandContext, id: string): Promise<number> {
  const redis = await wireRedis(context, 'producer', context.signal)
  return tellSettled(context, id, await dropLetter({ redis }, id, context.signal), `${id} is forgotten.`)
}

function tellSettled(context: CommandContext, id: string, settled: SettledLetter, done: string): number {
  const sentences = {
    settled: done,
    unknown: `There is no dead letter ${id}: clew dead-letters list shows all.`,
    unreadable: `The message of ${id} cannot be read, so it cannot be answered: clew dead-letters drop ${id} forgets it.`,
  } satisfies Record<SettledLetter, string>
  tell(context, sentences[settled])
  return settled === 'settled' ? EXIT.answered : EXIT.failed
}

function reportOf({ id, givenUpAt, thread, reason, accepted }: KeptLetter) {
  return { id, given_up_at: new Date(givenUpAt).toISOString(), thread, reason, can_be_retried: accepted !== undefined }
}
