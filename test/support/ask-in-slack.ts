import type { ScriptedCall } from '../emulators/model/model-script.ts'
import type { ClewWorld } from './clew-world.ts'

/** What a person in Slack sees of one question, and what the model was asked for it. */
export interface AskedInSlack {
  readonly message: { readonly channel: string; readonly ts: string }
  /** The text of the final reply. */
  readonly reply: string
  /** The number of messages of Clew in the thread, without the note that a slow answer is ready. */
  replies(): number
  /** The calls to the model since the question was asked. */
  callsOf(step: string): readonly ScriptedCall[]
  /** The texts that took the place of one another in Clew's messages since the question was asked. */
  shown(): readonly string[]
}

/**
 * Asks in a channel, and waits for the final reply. Progress has an ellipsis in its first line.
 * @param thread asks in the thread of this message; it must have had one answer
 */
export async function askInSlack(world: ClewWorld, question: string, thread?: AskedInSlack['message']): Promise<AskedInSlack> {
  const calls = world.model.calls.length
  const updates = world.slack.calls('chat.update').length
  const text = `${world.slack.botMention} ${question}`
  const own = world.slack.user('alice').post('data', text, thread === undefined ? {} : { thread })
  const message = thread ?? own
  const known = new Set(thread === undefined ? [] : world.replies(thread).map(({ ts }) => ts))
  const repliesOf = () => world.replies(message).filter(({ ts, plain }) => !known.has(ts) && !plain.includes('is ready'))
  const isFinal = () => repliesOf().find(({ plain }) => plain !== '' && !(plain.split('\n')[0] ?? '').includes('…'))
  const reply = await world.slack.waitFor(isFinal, { timeoutMs: 90_000 })
  return {
    message,
    reply: reply.plain,
    replies: () => repliesOf().length,
    callsOf: step => world.model.calls.slice(calls).filter(call => call.step === step),
    shown: () =>
      world.slack
        .calls('chat.update')
        .slice(updates)
        .map(call => JSON.stringify(call)),
  }
}
