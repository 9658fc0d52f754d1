import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { acceptAgain } from '../../queue/accept/accept-again.ts'
import { createDeadLetters, type KeptLetter } from '../../queue/dead-letters.ts'
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
  const { signal } = context
  const redis = await wireRedis(context, 'producer', signal)
  const letters = createDeadLetters(redis)
  // A message that was given up again for another reason has several letters.
  const own = (await letters.list(signal)).filter(each => each.id === id)
  const [letter] = own
  if (letter === undefined) return unknownLetter(context, id)
  if (letter.accepted === undefined) {
    tell(context, `The message of ${id} cannot be read, so it cannot be answered: clew dead-letters drop ${id} forgets it.`)
    return EXIT.failed
  }
  // The letters go last, so that a crash before that loses nothing.
  await acceptAgain({ redis, ...wireAcceptor(context, redis) }, letter.accepted, signal)
  for (const each of own) await letters.drop(each, signal)
  tell(context, `A worker answers ${id} in its thread now: clew trace ${id} shows its steps.`)
  return EXIT.answered
}

/** `clew dead-letters drop ID` */
export async function dropDeadLetterCommand(context: CommandContext, id: string): Promise<number> {
  const letters = createDeadLetters(await wireRedis(context, 'producer', context.signal))
  const own = (await letters.list(context.signal)).filter(each => each.id === id)
  if (own.length === 0) return unknownLetter(context, id)
  for (const each of own) await letters.drop(each, context.signal)
  tell(context, `${id} is forgotten.`)
  return EXIT.answered
}

function reportOf({ id, givenUpAt, thread, reason, accepted }: KeptLetter) {
  return { id, given_up_at: new Date(givenUpAt).toISOString(), thread, reason, can_be_retried: accepted !== undefined }
}

function unknownLetter(context: CommandContext, id: string): number {
  tell(context, `There is no dead letter ${id}: clew dead-letters list shows all.`)
  return EXIT.failed
}
