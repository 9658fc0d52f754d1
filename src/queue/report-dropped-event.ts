import { runErrorSentence } from '../agent/run/describe-run-error.ts'
import { RunError } from '../agent/run/error.ts'
import type { ChatInbound } from '../chat/event.ts'
import { targetOf } from '../chat/platform.ts'
import type { ChatDestination } from './deliver/chat-destination.ts'
import { requestInTime } from './deliver/outbox-call.ts'

/**
 * Tells the author that Clew dropped the event, because parsing it blocked the event loop.
 * @throws ChatError
 */
export async function reportDroppedEvent(
  event: ChatInbound,
  destinations: Readonly<Record<string, Pick<ChatDestination, 'outbox'>>>,
  signal: AbortSignal,
): Promise<void> {
  if (event.kind === 'deletion' || (event.kind === 'message' && !event.message.addressed)) return
  const { place, user } = event.kind === 'press' ? event.press : { place: event.message.place, user: event.message.author }
  const outbox = destinations[place.platform]?.outbox
  if (outbox === undefined) return
  const { language = 'en' } = await outbox.personOf(place, user, signal)
  const sentence = runErrorSentence(RunError.heldUp(), language)
  if (event.kind === 'press')
    return requestInTime(asked => outbox.answerPress(event.press, { markdown: sentence }, asked), signal)
  const target = targetOf(event.message)
  // The platform may deliver the event again. So first search for a post about the earlier delivery.
  const marker = `held-${event.message.messageId}`
  const told = await requestInTime(asked => outbox.find(target, marker, asked), signal)
  const [part] = await outbox.render({ kind: 'error', code: 'dropped', sentence })
  if (told.length > 0 || part === undefined) return
  await requestInTime(asked => outbox.post(target, part, marker, asked), signal)
}
