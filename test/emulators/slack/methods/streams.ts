import { z } from 'zod'
import { type ApiContext, type ApiMethods, apiMethod, jsonValue, requireChannel, slackTimestamp } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import type { JsonObject } from '../message-payload.ts'
import { messagePayload } from '../message-payload.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'
import type { Block, SlackMessage } from '../slack-model.ts'
import { botAuthor, isStreaming, parseContent, requirePostable, threadOf } from './chat.ts'

const textArgs = { markdown_text: z.string().optional(), chunks: jsonValue.optional() }
const chunksSchema = z.array(z.object({ type: z.literal('markdown_text'), text: z.string() }))

/** Messages that grow: docs.slack.dev/reference/methods/chat.startStream, chat.appendStream, chat.stopStream. Of chunks only text is taken. */
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
      const text = chunkText(args)
      const posted = context.workspace.post(channel.id, {
        ...botAuthor(context),
        text,
        blocks: streamBlocks(text),
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
      const added = chunkText(args)
      if (added === '') throw new ApiRefusal('no_text')
      const text = grown(message, added)
      context.workspace.edit(message, context.app.botUserId, { text, blocks: streamBlocks(text) })
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
      const text = grown(message, chunkText(args))
      context.workspace.edit(message, context.app.botUserId, {
        text,
        blocks: [...streamBlocks(text), ...(content.blocks ?? [])],
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

function chunkText(args: JsonObject): string {
  const { markdown_text: markdown, chunks } = args
  const parsed = chunks === undefined ? undefined : chunksSchema.safeParse(chunks)
  if (parsed?.success === false) throw new ApiRefusal('invalid_chunks')
  const text = [typeof markdown === 'string' ? markdown : '', ...(parsed?.data ?? []).map(chunk => chunk.text)].join('')
  if (text.length > SLACK_LIMITS.markdownText) throw new ApiRefusal('msg_too_long')
  return text
}

/** The whole of a stream has a limit too, which is not told: github.com/vercel/chat/issues/671. That of blocks stands in for it. */
function grown(message: SlackMessage, added: string): string {
  const text = message.text + added
  if (text.length > SLACK_LIMITS.allBlockText) throw new ApiRefusal('msg_blocks_too_long')
  return text
}

function streamBlocks(text: string): readonly Block[] {
  return text === '' ? [] : [{ type: 'markdown', block_id: 'stream', text }]
}
