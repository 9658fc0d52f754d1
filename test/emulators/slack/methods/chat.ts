import { z } from 'zod'
import { type ApiContext, type ApiMethods, apiMethod, flag, jsonValue, requireChannel, slackTimestamp } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { parseBlocks } from '../block-validation.ts'
import { messagePayload } from '../message-payload.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'
import type { Block, MessageMetadata, SlackChannel, SlackMessage } from '../slack-model.ts'

const contentArgs = {
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: jsonValue.optional(),
  attachments: jsonValue.optional(),
  metadata: jsonValue.optional(),
  parse: z.enum(['none', 'full', 'client']).optional(),
  link_names: flag.optional(),
}

const postArgs = z.object({
  channel: z.string(),
  thread_ts: slackTimestamp.optional(),
  reply_broadcast: flag.optional(),
  unfurl_links: flag.optional(),
  unfurl_media: flag.optional(),
  ...contentArgs,
})

type ContentArgs = Pick<z.infer<typeof postArgs>, 'text' | 'markdown_text' | 'blocks' | 'attachments' | 'metadata'>

interface Content {
  readonly text: string | undefined
  readonly blocks: readonly Block[] | undefined
  readonly metadata: MessageMetadata | undefined
}

const metadataSchema = z.strictObject({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
})

/**
 * The methods `chat.*` without streams. Refusals: docs.slack.dev/reference/methods/chat.postMessage, chat.update, chat.delete, chat.postEphemeral.
 */
export const chatMethods = {
  'chat.postMessage': apiMethod({
    scopes: ['chat:write'],
    rate: 'post',
    args: postArgs,
    run: (args, context) => {
      const channel = requirePostable(context, args.channel)
      const content = parseContent(args, context)
      if (content.text === undefined && content.blocks === undefined) throw new ApiRefusal('no_text')
      const posted = context.workspace.post(channel.id, {
        ...botAuthor(context),
        text: truncate(content.text ?? ''),
        ...(content.blocks === undefined ? {} : { blocks: content.blocks }),
        threadTs: threadOf(context, channel, args.thread_ts),
        metadata: content.metadata,
        subtype: args.reply_broadcast === true ? 'thread_broadcast' : undefined,
        linkNames: args.link_names === true || args.parse === 'full',
        unfurlLinks: args.unfurl_links,
        unfurlMedia: args.unfurl_media,
      })
      return {
        channel: channel.id,
        ts: posted.ts,
        message: messagePayload(context.workspace, context.app, posted, { withMetadata: true }),
      }
    },
  }),

  'chat.update': apiMethod({
    scopes: ['chat:write'],
    rate: 3,
    args: z.object({ channel: z.string(), ts: slackTimestamp, ...contentArgs }),
    run: (args, context) => {
      const channel = requireChannel(context, args.channel)
      if (channel.isArchived) throw new ApiRefusal('is_inactive')
      const message = requireOwn(context, channel, args.ts, 'cant_update_message')
      if (isStreaming(message, context)) throw new ApiRefusal('streaming_state_conflict')
      const content = parseContent(args, context)
      if (content.text === undefined && content.blocks === undefined) throw new ApiRefusal('no_text')
      if ((content.text?.length ?? 0) > SLACK_LIMITS.updateText) throw new ApiRefusal('msg_too_long')
      // A value that an update leaves out stays as it is. Only an empty array or object removes blocks or metadata.
      context.workspace.edit(message, context.app.botUserId, {
        text: content.text ?? message.text,
        blocks: content.blocks ?? message.blocks,
        linkNames: args.link_names === true || args.parse === 'full',
        ...(args.metadata === undefined ? {} : { metadata: content.metadata }),
      })
      return {
        channel: channel.id,
        ts: message.ts,
        text: message.text,
        message: messagePayload(context.workspace, context.app, message, { withMetadata: true }),
      }
    },
  }),

  'chat.delete': apiMethod({
    scopes: ['chat:write'],
    rate: 3,
    args: z.object({ channel: z.string(), ts: slackTimestamp }),
    run: (args, context) => {
      const channel = requireChannel(context, args.channel)
      const message = requireOwn(context, channel, args.ts, 'cant_delete_message')
      context.workspace.delete(message)
      return { channel: channel.id, ts: message.ts }
    },
  }),

  'chat.postEphemeral': apiMethod({
    scopes: ['chat:write'],
    rate: 4,
    args: postArgs.extend({ user: z.string() }),
    run: (args, context) => {
      const channel = requirePostable(context, args.channel)
      if (!channel.members.has(args.user)) throw new ApiRefusal('user_not_in_channel')
      const content = parseContent(args, context)
      if (content.text === undefined && content.blocks === undefined) throw new ApiRefusal('no_text')
      if ((content.text?.length ?? 0) > SLACK_LIMITS.text) throw new ApiRefusal('msg_too_long')
      const posted = context.workspace.post(channel.id, {
        ...botAuthor(context),
        text: content.text ?? '',
        ...(content.blocks === undefined ? {} : { blocks: content.blocks }),
        threadTs: threadOf(context, channel, args.thread_ts),
        visibleTo: args.user,
        linkNames: args.link_names === true || args.parse === 'full',
      })
      return { message_ts: posted.ts }
    },
  }),
} as const satisfies ApiMethods

export function botAuthor(context: ApiContext): { readonly user: string; readonly botId: string } {
  return { user: context.app.botUserId, botId: context.app.botId }
}

export function requirePostable(context: ApiContext, id: string): SlackChannel {
  const channel = requireChannel(context, id)
  if (channel.isArchived) throw new ApiRefusal('is_archived')
  if (!channel.members.has(context.app.botUserId)) throw new ApiRefusal('not_in_channel')
  return channel
}

export function requireOwn(context: ApiContext, channel: SlackChannel, ts: string, refusal: string): SlackMessage {
  const message = context.workspace.find(channel.id, ts)
  if (message === undefined || message.subtype === 'tombstone') throw new ApiRefusal('message_not_found')
  if (message.botId !== context.app.botId) throw new ApiRefusal(refusal)
  return message
}

/**
 * Returns the thread of a post. If its parent does not exist, Slack posts into the channel (github.com/slackapi/python-slack-events-api/issues/87).
 */
export function threadOf(context: ApiContext, channel: SlackChannel, ts: string | undefined): string | undefined {
  if (ts === undefined) return undefined
  const parent = context.workspace.find(channel.id, ts)
  if (parent === undefined) return undefined
  if (parent.threadTs !== undefined && parent.threadTs !== parent.ts) throw new ApiRefusal('cannot_reply_to_message')
  return ts
}

/** Whether the message is a stream that still accepts text. Slack ends a stream after some minutes. */
export function isStreaming(message: SlackMessage, context: ApiContext): boolean {
  if (message.stream === undefined) return false
  if (context.clock.elapsed() - message.stream.startedAt < SLACK_LIMITS.streamMs) return true
  context.workspace.endStream(message)
  return false
}

/** Slack documents this at docs.slack.dev/changelog/2018-04-truncating-really-long-messages. */
function truncate(text: string): string {
  return text.slice(0, SLACK_LIMITS.text)
}

export function parseContent(args: ContentArgs, context: ApiContext): Content {
  if (args.attachments !== undefined) throw new ApiRefusal('invalid_attachments')
  const metadata = parseMetadata(args.metadata)
  if (args.markdown_text !== undefined) {
    if (args.text !== undefined || args.blocks !== undefined) throw new ApiRefusal('markdown_text_conflict')
    if (args.markdown_text.length > SLACK_LIMITS.markdownText) throw new ApiRefusal('msg_too_long')
    const block = { type: 'markdown', text: args.markdown_text, block_id: context.workspace.newId('b') }
    return { text: args.markdown_text, blocks: [block], metadata }
  }
  const text = args.text === undefined || args.text.trim() === '' ? undefined : args.text
  if (args.blocks === undefined) return { text, blocks: undefined, metadata }
  const blocks = parseBlocks(args.blocks, () => context.workspace.newId('b'))
  // An empty array of blocks is no content. In an update, it only removes the blocks.
  return {
    text: blocks.length === 0 ? text : (text ?? ''),
    blocks: text === undefined && blocks.length === 0 ? undefined : blocks,
    metadata,
  }
}

function parseMetadata(value: unknown): MessageMetadata | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return undefined
  if (JSON.stringify(value).length > SLACK_LIMITS.metadata) throw new ApiRefusal('metadata_too_large')
  const parsed = metadataSchema.safeParse(value)
  if (!parsed.success) throw new ApiRefusal('invalid_metadata_format')
  return parsed.data
}
