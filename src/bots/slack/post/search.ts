import type { WebClient } from '@slack/web-api'
import type { PostedMessage } from '../../../chat/platform.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { identitySchema, MARKER_EVENT, messagesSchema, readResponse, type SlackMessage } from '../response.ts'
import type { SlackConversation } from './conversation.ts'
import { isMarkedName } from './files.ts'

/**
 * Finds Clew's posts by their marker. Ignores posts of other apps, because these can copy a marker into their metadata. Methods
 * throw ChatError.
 */
export interface SlackSearch {
  /** Finds the posts with this marker, oldest first. A post is a message or a file. */
  posts(room: SlackConversation, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]>
}

export function createSlackSearch(client: SlackClientOptions, now: () => number): SlackSearch {
  let ownUser: string | undefined

  async function identify(signal: AbortSignal): Promise<string> {
    ownUser ??= readResponse(identitySchema, await callSlack(client, signal, slack => slack.auth.test())).user_id
    return ownUser
  }

  /** Fetches a page. The pages of a thread start with the oldest message, and those of a conversation with the latest. */
  function page(slack: WebClient, { channel, thread }: SlackConversation, cursor: string | undefined) {
    const wanted = {
      channel,
      limit: SLACK_LIMITS.repliesPage,
      oldest: ((now() - SLACK_LIMITS.repliesAgeMs) / 1_000).toFixed(6),
      include_all_metadata: true,
      ...(cursor === undefined ? {} : { cursor }),
    }
    return thread === undefined ? slack.conversations.history(wanted) : slack.conversations.replies({ ...wanted, ts: thread })
  }

  return {
    async posts(room, marker, signal) {
      const own = await identify(signal)
      const found: PostedMessage[] = []
      let cursor: string | undefined
      for (let read = 0; read < SLACK_LIMITS.repliesPages; read += 1) {
        const answer = await callSlack(client, signal, slack => page(slack, room, cursor))
        const { messages, response_metadata } = readResponse(messagesSchema, answer)
        found.push(...messages.filter(({ user }) => user === own).flatMap(message => postsUnder(marker, message)))
        cursor = response_metadata?.next_cursor
        if (cursor === undefined || cursor === '') break
      }
      return room.thread === undefined ? found.reverse() : found
    },
  }
}

/**
 * Returns the posts of a message that have this marker: the message itself, and its files. A running stream has no metadata, so
 * its marker is the id of its first block.
 */
function postsUnder(marker: string, { ts, metadata, files, blocks }: SlackMessage): readonly PostedMessage[] {
  const isMarked =
    (metadata?.event_type === MARKER_EVENT && metadata.event_payload?.marker === marker) ||
    blocks.some(({ block_id: id }) => id === marker)
  const marked = files.filter(({ name }) => isMarkedName(name ?? '', marker)).map(({ id }) => ({ id }))
  return isMarked ? [{ id: ts }, ...marked] : marked
}
