import { z } from 'zod'
import { type ApiContext, type ApiMethods, apiMethod, jsonValue, requireChannel, slackTimestamp } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { parseBlocks } from '../block-validation.ts'
import { type JsonObject, messagePayload } from '../message-payload.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'
import type { SlackMessage } from '../slack-model.ts'
import { botAuthor, isStreaming, parseContent, requirePostable, threadOf } from './chat.ts'

const textArgs = { markdown_text: z.string().optional(), chunks: jsonValue.optional() }
const markdownSchema = z.looseObject({ type: z.literal('markdown'), text: z.string() })
const chunksSchema = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('markdown_text'), text: z.string().min(1) }),
    z.strictObject({ type: z.literal('blocks'), blocks: z.array(z.unknown()).min(1) }),
  ]),
)

/**
 * Messages that grow: docs.slack.dev/reference/methods/chat.startStream, chat.appendStream, chat.stopStream. Chunks may have text and blocks
 * (docs.slack.dev/changelog/2026/04/16/block-kit-new-blocks). Tasks and plans are refused here.
 */
export const streamMethods = {
  'chat.startStream': apiMethod({
    scopes: ['chat:write'],
    rate: 2,
    args: z.object({
      channel: z.string(),
      thread_ts: slackTimestamp,
      recipient_user_id: z.string().optional(),
      recipient_team_id: z.string().optional(),
      ...textArgs,
    }),
    run: (args, context) => {
      const channel = requirePostable(context, args.channel)
      if (channel.kind !== 'im' && args.recipient_team_id === undefined) throw new ApiRefusal('missing_recipient_team_id')
      if (channel.kind !== 'im' && args.recipient_user_id === undefined) throw new ApiRefusal('missing_recipient_user_id')
      const posted = context.workspace.post(channel.id, {
        ...botAuthor(context),
        ...grown({ text: '', blocks: [] }, args, context),
        threadTs: threadOf(context, channel, args.thread_ts),
        stream: { startedAt: context.clock.elapsed(), recipient: args.recipient_user_id },
      })
      return { channel: channel.id, ts: posted.ts }
    },
  }),

  'chat.appendStream': apiMethod({
    scopes: ['chat:write'],
    rate: 4,
    args: z.object({ channel: z.string(), ts: slackTimestamp, ...textArgs }),
    run: (args, context) => {
      const message = requireStream(context, args.channel, args.ts)
      const content = grown(message, args, context)
      if (content.text === message.text && content.blocks.length === message.blocks.length) throw new ApiRefusal('no_text')
      context.workspace.edit(message, context.app.botUserId, content)
      return { channel: message.channel, ts: message.ts }
    },
  }),

  'chat.stopStream': apiMethod({
    scopes: ['chat:write'],
    rate: 2,
    args: z.object({
      channel: z.string(),
      ts: slackTimestamp,
      blocks: jsonValue.optional(),
      metadata: jsonValue.optional(),
      ...textArgs,
    }),
    run: (args, context) => {
      const message = requireStream(context, args.channel, args.ts)
      const content = parseContent({ blocks: args.blocks, metadata: args.metadata }, context)
      const streamed = grown(message, args, context)
      context.workspace.edit(message, context.app.botUserId, {
        text: streamed.text,
        blocks: [...streamed.blocks, ...(content.blocks ?? [])],
        metadata: content.metadata,
        stream: undefined,
      })
      return {
        channel: message.channel,
        ts: message.ts,
        message: messagePayload(context.workspace, context.app, message, { withMetadata: true }),
      }
    },
  }),
} as const satisfies ApiMethods

function requireStream(context: ApiContext, channelId: string, ts: string): SlackMessage {
  const channel = requireChannel(context, channelId)
  const message = context.workspace.find(channel.id, ts)
  if (message === undefined) throw new ApiRefusal('message_not_found')
  if (message.botId !== context.app.botId) throw new ApiRefusal('message_not_owned_by_app')
  if (!isStreaming(message, context)) throw new ApiRefusal('message_not_in_streaming_state')
  return message
}

type Content = Pick<SlackMessage, 'text' | 'blocks'>

/**
 * Returns the stream's next content. Text continues the last text, and blocks are added below. All chunks together may have as many blocks as a
 * message, besides those of `chat.stopStream` (docs.slack.dev/reference/methods/chat.stopStream, argument `blocks`). The limit of the whole text is
 * unknown (github.com/vercel/chat/issues/671), so the limit of blocks is used.
 */
function grown(shown: Content, args: JsonObject, context: ApiContext): Content {
  const { markdown_text: markdown, chunks } = args
  const parsed = chunksSchema.safeParse(chunks ?? [])
  if (!parsed.success) throw new ApiRefusal('invalid_chunks')
  const added = [...(typeof markdown === 'string' ? [{ type: 'markdown_text', text: markdown } as const] : []), ...parsed.data]
  const texts = added.flatMap(chunk => (chunk.type === 'markdown_text' ? [chunk.text] : []))
  if (texts.join('').length > SLACK_LIMITS.markdownText) throw new ApiRefusal('msg_too_long')
  let blocks: readonly unknown[] = shown.blocks
  for (const chunk of added) blocks = chunk.type === 'blocks' ? [...blocks, ...chunk.blocks] : withText(blocks, chunk.text)
  return { text: shown.text + texts.join(''), blocks: parseBlocks(blocks, () => context.workspace.newId('b')) }
}

function withText(blocks: readonly unknown[], text: string): readonly unknown[] {
  const last = markdownSchema.safeParse(blocks.at(-1))
  return last.success
    ? [...blocks.slice(0, -1), { ...last.data, text: last.data.text + text }]
    : [...blocks, { type: 'markdown', text }]
}
