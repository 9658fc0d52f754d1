import { z } from 'zod'
import { ChatError } from '../../../chat/error.ts'
import type { ChatInbound, ChatMessage } from '../../../chat/event.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { type PrivateThread, readPrivateMarker } from '../post/direct.ts'
import { MARKER_EVENT, messagesSchema, readResponse } from '../response.ts'
import { chatPlaceOf, type SlackIdentity } from './event.ts'

/** Recognises replies under a private answer in a direct conversation. */
export interface PrivateThreads {
  /**
   * Returns the event. If it is a reply under a private answer, its `continues` becomes the channel's thread in which the
   * question was asked.
   * @param payload as Slack sent it
   * @throws ChatError if the look-up failed but may succeed later
   */
  continued(event: ChatInbound, payload: unknown, signal: AbortSignal): Promise<ChatInbound>
}

/** The field of a reply that names the author of its thread's first message. Source: docs.slack.dev/reference/events/message. */
const replySchema = z.object({ event: z.object({ parent_user_id: z.string() }) })

export function createPrivateThreads(client: SlackClientOptions, self: SlackIdentity): PrivateThreads {
  /** The known threads, by channel and thread. Undefined if the thread is not private. */
  const known = new Map<string, PrivateThread | undefined>()

  async function look({ place }: ChatMessage, signal: AbortSignal): Promise<PrivateThread | undefined> {
    const { channel, thread } = place
    const wanted = { channel, ts: thread, limit: 1, include_all_metadata: true }
    const answer = await callSlack(client, signal, slack => slack.conversations.replies(wanted))
    const { messages } = readResponse(messagesSchema, answer)
    // The thread's first message must be our own, because other apps can post the same metadata.
    const root = messages.find(({ ts, user }) => ts === thread && user === self.user)
    return root?.metadata?.event_type === MARKER_EVENT ? readPrivateMarker(root.metadata.event_payload?.marker) : undefined
  }

  async function threadOf(message: ChatMessage, signal: AbortSignal): Promise<PrivateThread | undefined> {
    const key = `${message.place.channel} ${message.place.thread}`
    if (known.has(key)) return known.get(key)
    try {
      const found = await look(message, signal)
      if (known.size >= SLACK_LIMITS.cachedThreads) known.clear()
      known.set(key, found)
      return found
    } catch (error) {
      // If Clew is not allowed to read the conversation, the thread is treated as a conversation of its own.
      if (!(error instanceof ChatError) || error.retryable) throw error
      return undefined
    }
  }

  return {
    async continued(event, payload, signal) {
      const reply = replySchema.safeParse(payload)
      const isReplyToUs =
        event.kind === 'message' && event.message.place.isDirect && reply.data?.event.parent_user_id === self.user
      if (!isReplyToUs) return event
      const found = await threadOf(event.message, signal)
      if (found === undefined || found.author !== event.message.author) return event
      return { ...event, message: { ...event.message, continues: chatPlaceOf(self, found.channel, found.thread) } }
    },
  }
}
