import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { LinkHost } from '../../link-hosts.ts'
import type { Logger } from '../../logger.ts'
import { ChatError } from '../chat-error.ts'
import type { ChatPlace, ChatPress } from '../chat-event.ts'
import type { ChatOutbox, PostedMessage, RenderedPart } from '../chat-platform.ts'
import type { PrivateReply, Reply } from '../reply.ts'
import { callSlack, type SlackClientOptions } from './slack-client.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { slackPartSchema } from './slack-part.ts'
import { renderSlackReply } from './slack-render.ts'
import { createTimeZones } from './slack-time-zones.ts'

export interface SlackOutboxOptions {
  /** `xoxb-…` */
  readonly botToken: string
  readonly apiUrl?: string | undefined
  readonly logger: Logger
  /** Where answers may link to; nowhere by default. */
  readonly allowedLinkHosts?: readonly LinkHost[]
  /** One call of the Web API; 10 s by default. */
  readonly timeoutMs?: number
  /** Unix time in milliseconds. */
  readonly now?: () => number
}

/** The `event_type` under which a post's marker stands in its metadata. */
const MARKER_EVENT = 'clew_reply'

const postedSchema = z.object({ ts: z.string().min(1) })
const identitySchema = z.object({ user_id: z.string().min(1) })
const repliesSchema = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        user: z.string().optional(),
        metadata: z
          .object({
            event_type: z.string().optional(),
            event_payload: z.looseObject({ marker: z.unknown().optional() }).optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

/** Slack's outgoing half, over the Web API alone. */
export function createSlackOutbox(options: SlackOutboxOptions): ChatOutbox {
  return new SlackOutbox(options)
}

class SlackOutbox implements ChatOutbox {
  readonly #client: SlackClientOptions
  readonly #allowedLinkHosts: readonly LinkHost[]
  readonly #now: () => number
  readonly #timeZoneOf: (user: string, signal: AbortSignal) => Promise<string | undefined>
  #ownUser: string | undefined

  constructor(options: SlackOutboxOptions) {
    this.#client = {
      token: options.botToken,
      apiUrl: options.apiUrl,
      timeoutMs: options.timeoutMs ?? 10_000,
      logger: options.logger,
    }
    this.#allowedLinkHosts = options.allowedLinkHosts ?? []
    this.#now = options.now ?? Date.now
    this.#timeZoneOf = createTimeZones({ client: this.#client, now: this.#now })
  }

  render(reply: Reply): readonly RenderedPart[] {
    return renderSlackReply(reply, { allowedLinkHosts: this.#allowedLinkHosts })
  }

  async post(place: ChatPlace, part: RenderedPart, marker: string, signal: AbortSignal): Promise<PostedMessage> {
    const answer = await this.#withPlainFallback(part, content =>
      callSlack(this.#client, signal, client =>
        client.chat.postMessage({
          channel: place.channel,
          thread_ts: place.thread,
          ...content,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: MARKER_EVENT, event_payload: { marker } },
        }),
      ),
    )
    return { id: parse(postedSchema, answer).ts }
  }

  async edit(place: ChatPlace, posted: PostedMessage, part: RenderedPart, signal: AbortSignal): Promise<void> {
    // Metadata that is not sent stays as it is, and the marker with it.
    await this.#withPlainFallback(part, content =>
      callSlack(this.#client, signal, client => client.chat.update({ channel: place.channel, ts: posted.id, ...content })),
    )
  }

  async find(place: ChatPlace, marker: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
    const ownUser = await this.#identify(signal)
    const oldest = ((this.#now() - SLACK_LIMITS.repliesAgeMs) / 1_000).toFixed(6)
    const found: PostedMessage[] = []
    let cursor: string | undefined
    for (let page = 0; page < SLACK_LIMITS.repliesPages; page += 1) {
      const answer = await callSlack(this.#client, signal, client =>
        client.conversations.replies({
          channel: place.channel,
          ts: place.thread,
          limit: SLACK_LIMITS.repliesPage,
          oldest,
          include_all_metadata: true,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      )
      const { messages, response_metadata } = parse(repliesSchema, answer)
      // Anyone can post metadata: only our own posts count.
      const own = messages.filter(
        ({ user, metadata }) =>
          user === ownUser && metadata?.event_type === MARKER_EVENT && metadata.event_payload?.marker === marker,
      )
      found.push(...own.map(({ ts }) => ({ id: ts })))
      cursor = response_metadata?.next_cursor
      if (cursor === undefined || cursor === '') break
    }
    return found
  }

  async remove(place: ChatPlace, posted: PostedMessage, signal: AbortSignal): Promise<void> {
    try {
      await callSlack(this.#client, signal, client => client.chat.delete({ channel: place.channel, ts: posted.id }))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'removed') throw error
    }
  }

  timeZoneOf(_place: ChatPlace, author: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#timeZoneOf(author, signal)
  }

  async answerPress(press: ChatPress, reply: PrivateReply, signal: AbortSignal): Promise<void> {
    const parts = this.render({ kind: 'answer', markdown: reply.markdown })
    for (const part of parts) {
      await this.#withPlainFallback(part, content =>
        callSlack(this.#client, signal, client =>
          client.chat.postEphemeral({
            channel: press.place.channel,
            thread_ts: press.place.thread,
            user: press.user,
            ...content,
          }),
        ),
      )
    }
  }

  /** Shows the blocks, or, if Slack refuses them, the same as plain text. An edit keeps old blocks unless it sends an empty list. */
  async #withPlainFallback<T>(part: RenderedPart, send: (content: SlackContent) => Promise<T>): Promise<T> {
    const { text, blocks } = slackPartSchema.parse(part)
    const content = (shown: typeof blocks): SlackContent => ({
      text,
      // Made by `pieceBlocks`; Slack itself checks them.
      blocks: shown as unknown as KnownBlock[],
      parse: 'none',
      link_names: false,
    })
    try {
      return await send(content(blocks))
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind !== 'rejected' || blocks.length === 0) throw error
      this.#client.logger.warn({ cause: error.message }, 'slack refused the blocks; sending plain text')
      return await send(content([]))
    }
  }

  async #identify(signal: AbortSignal): Promise<string> {
    this.#ownUser ??= parse(identitySchema, await callSlack(this.#client, signal, client => client.auth.test())).user_id
    return this.#ownUser
  }
}

interface SlackContent {
  readonly text: string
  readonly blocks: KnownBlock[]
  readonly parse: 'none'
  readonly link_names: false
}

function parse<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new ChatError('Slack answered in a form that is not documented.', { kind: 'unavailable', cause: parsed.error })
}
