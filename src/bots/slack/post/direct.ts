import { ChatError } from '../../../chat/error.ts'
import type { ChatTarget } from '../../../chat/platform.ts'
import { callOptional, callSlack, type SlackClientOptions } from '../client.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { MARKER_EVENT, openedSchema, postedSchema, readResponse } from '../response.ts'
import type { SlackConversation } from './conversation.ts'
import type { SlackSearch } from './search.ts'

/**
 * Direct messages that hold private answers to questions from channels. Methods throw ChatError: `forbidden` if the person cannot
 * be reached.
 */
export interface DirectMessages {
  roomOf(user: string, signal: AbortSignal): Promise<SlackConversation>
  /** Finds the direct thread that continues the channel's thread for this author. Undefined if there is none. */
  findThread(target: ChatTarget, signal: AbortSignal): Promise<SlackConversation | undefined>
  /**
   * Returns the direct thread, and starts it if necessary. When it starts, tells the author so in the channel, in a message that
   * nobody else sees.
   */
  beginThread(target: ChatTarget, signal: AbortSignal): Promise<SlackConversation>
}

export function createDirectMessages(client: SlackClientOptions, search: SlackSearch): DirectMessages {
  const channels = new Map<string, string>()
  const threads = new Map<string, string>()

  async function roomOf(user: string, signal: AbortSignal): Promise<SlackConversation> {
    const known = channels.get(user)
    if (known !== undefined) return { channel: known, thread: undefined }
    const answer = await callOptional(client, signal, slack => slack.conversations.open({ users: user }))
    const channel = readResponse(openedSchema, answer).channel.id
    remember(channels, user, channel)
    return { channel, thread: undefined }
  }

  async function findThread(target: ChatTarget, signal: AbortSignal): Promise<SlackConversation | undefined> {
    const room = await roomOf(authorOf(target), signal)
    const marker = privateMarker({ ...target, author: authorOf(target) })
    const thread = threads.get(marker) ?? (await search.posts(room, marker, signal))[0]?.id
    if (thread === undefined) return undefined
    remember(threads, marker, thread)
    return { ...room, thread }
  }

  async function begin(target: ChatTarget, signal: AbortSignal): Promise<SlackConversation> {
    const { channel } = await roomOf(authorOf(target), signal)
    const marker = privateMarker({ ...target, author: authorOf(target) })
    const where = /^[CG][A-Z0-9]{1,20}$/.test(target.channel) ? ` in <#${target.channel}>` : ''
    const answer = await callSlack(client, signal, slack =>
      slack.chat.postMessage({
        channel,
        text: `You asked me privately${where}. My answer stands in this thread, for you alone.`,
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: MARKER_EVENT, event_payload: { marker } },
      }),
    )
    const thread = readResponse(postedSchema, answer).ts
    remember(threads, marker, thread)
    await tellInChannel(target, signal)
    return { channel, thread }
  }

  /**
   * Tells the author in the channel that the answer is in a direct message. Slack refuses this if the app is not in the channel.
   * Such a failure is only logged.
   */
  async function tellInChannel(target: ChatTarget, signal: AbortSignal): Promise<void> {
    const thread = /^\d+\.\d{6}$/.test(target.thread) ? { thread_ts: target.thread } : {}
    const text = 'I answer you in a direct message, which only you can see.'
    await callSlack(client, signal, slack =>
      slack.chat.postEphemeral({ channel: target.channel, ...thread, user: authorOf(target), text }),
    ).catch((error: unknown) => {
      const cause = error instanceof Error ? error.message : String(error)
      client.logger.debug({ channel: target.channel, cause }, 'slack refused the line about a private answer')
    })
  }

  return {
    roomOf,
    findThread,
    beginThread: async (target, signal) => (await findThread(target, signal)) ?? (await begin(target, signal)),
  }
}

/** A private conversation in direct messages. It belongs to one author and continues a channel's thread. */
export interface PrivateThread {
  readonly author: string
  readonly channel: string
  readonly thread: string
}

/** Makes a marker that is unique for each author and thread. */
function privateMarker({ author, channel, thread }: PrivateThread): string {
  return `private ${author} ${channel} ${thread}`
}

/** Parses the marker of a direct thread's first message. */
export function readPrivateMarker(marker: unknown): PrivateThread | undefined {
  const [, author, channel, thread] = /^private (\S+) (\S+) (\S+)$/.exec(String(marker)) ?? []
  return author === undefined || channel === undefined || thread === undefined ? undefined : { author, channel, thread }
}

function authorOf({ author }: ChatTarget): string {
  if (author === undefined) throw new ChatError('There is nobody to show this to.', { kind: 'gone' })
  return author
}

function remember(known: Map<string, string>, key: string, value: string): void {
  const oldest = known.keys().next()
  if (known.size >= SLACK_LIMITS.cachedConversations && !oldest.done) known.delete(oldest.value)
  known.set(key, value)
}
