import { createDeadLetters, type KeptLetter } from '../../queue/dead-letters.ts'
import { dropLetter, retryLetter, type SettledLetter } from '../../queue/settle-letter.ts'
import { wireAcceptor } from '../chat-queue.ts'
import { wireRedis } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'
import { printList } from './print-list.ts'

/** `clew dead-letters list`: shows the messages that were given up, the latest first, without their texts. */
export async function listDeadLettersCommand(context: CommandContext, options: { readonly json: boolean }): Promise<number> {
  const redis = await wireRedis(context, 'producer', context.signal)
  const value = (await createDeadLetters(redis).list(context.signal)).map(reportOf)
  const rows = value.map(({ id, given_up_at, thread, reason }) => [id, given_up_at, thread, reason])
  const header = ['id', 'given up', 'thread', 'reason']
  return printList(context, options, { value, header, rows, whole: [0], empty: 'There are no dead letters.' })
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
