import type { AnyBlock } from '@slack/types'
import { WebAPIPlatformError } from '@slack/web-api'
import { ChatError } from '../../../chat/error.ts'
import type { ChatStreams, ChatTarget, PostedMessage } from '../../../chat/platform.ts'
import type { LinkOptions } from '../../markdown/pieces.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { type SlackPart, slackPartSchema } from '../render/part.ts'
import { streamedParts } from '../render/streamed-parts.ts'
import { postedSchema, readResponse } from '../response.ts'
import type { SlackConversation } from './conversation.ts'

export interface SlackStreamsDeps {
  readonly client: SlackClientOptions
  /**
   * Whether only one person reads the target conversation. In other conversations, Slack would show a stream to one reader only
   * (`recipient_user_id`), so none is started there.
   */
  readonly isForOne: (target: ChatTarget) => boolean
  /** Finds the channel or thread of the target. Undefined if there is none yet. */
  readonly roomOf: (target: ChatTarget, signal: AbortSignal) => Promise<SlackConversation | undefined>
  readonly links: LinkOptions
  readonly now: () => number
}

/**
 * Shows growing answers with Slack's own streams, in conversations with one reader:
 * docs.slack.dev/reference/methods/chat.startStream. A stream consists of blocks, in which text cannot become a mention, a link
 * or formatting. The id of the first block is the marker.
 */
export function createSlackStreams({ client, isForOne, roomOf, links, now }: SlackStreamsDeps): ChatStreams {
  let refusedUntil = Number.NEGATIVE_INFINITY

  /**
   * Finds the thread for a stream.
   * @throws ChatError `gone` if there is no thread
   */
  async function threadOf(
    target: ChatTarget,
    signal: AbortSignal,
  ): Promise<{ readonly channel: string; readonly thread: string }> {
    const room = await roomOf(target, signal)
    if (room?.thread === undefined) throw new ChatError('There is no thread to stream into.', { kind: 'gone' })
    return { channel: room.channel, thread: room.thread }
  }

  return {
    takes: target => isForOne(target) && now() >= refusedUntil,
    render: answer => streamedParts(answer, links),

    async begin(target, parts, marker, signal) {
      const { channel, thread } = await threadOf(target, signal)
      const [first, ...others] = blocksOf(parts)
      if (first === undefined) throw new ChatError('There is nothing to stream.', { kind: 'rejected' })
      const chunks = chunksOf([{ ...first, block_id: marker }, ...others])
      try {
        const answer = await callSlack(client, signal, slack => slack.chat.startStream({ channel, thread_ts: thread, chunks }))
        return { id: readResponse(postedSchema, answer).ts }
      } catch (error) {
        // After a refusal, no new stream is tried for a while.
        if (error instanceof ChatError && ['forbidden', 'rejected'].includes(error.kind))
          refusedUntil = now() + SLACK_LIMITS.streamRefusedMs
        throw error
      }
    },

    async append(target, posted, parts, signal) {
      const { channel } = await threadOf(target, signal)
      const chunks = chunksOf(blocksOf(parts))
      await callSlack(client, signal, slack => slack.chat.appendStream({ channel, ts: posted.id, chunks }))
    },

    async end(target: ChatTarget, posted: PostedMessage, signal: AbortSignal) {
      const { channel } = await threadOf(target, signal)
      try {
        await callSlack(client, signal, slack => slack.chat.stopStream({ channel, ts: posted.id }))
      } catch (error) {
        if (!(error instanceof ChatError) || !hasEnded(error)) throw error
      }
    },
  }
}

function blocksOf(parts: readonly unknown[]): SlackPart['blocks'] {
  return parts.flatMap(part => slackPartSchema.parse(part).blocks)
}

function chunksOf(blocks: SlackPart['blocks']) {
  // The cast is safe: `pieceBlocks` makes only valid blocks, and Slack itself checks them.
  return [{ type: 'blocks' as const, blocks: blocks as unknown as AnyBlock[] }]
}

/** Whether a stream is over, because it has ended or its message was removed. */
function hasEnded({ kind, cause }: ChatError): boolean {
  const code = cause instanceof WebAPIPlatformError ? cause.data.error : undefined
  return kind === 'removed' || code === 'message_not_in_streaming_state'
}
