import { z } from 'zod'
import {
  type ApiContext,
  type ApiMethods,
  apiMethod,
  flag,
  requireChannel,
  requireMembership,
  slackTimestamp,
  wholeNumber,
} from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { type JsonObject, messagePayload } from '../message-payload.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'
import type { SlackChannel, SlackMessage } from '../slack-model.ts'

const pageArgs = {
  cursor: z.string().optional(),
  limit: wholeNumber.min(1).max(SLACK_LIMITS.pageSize).optional(),
  latest: z.string().optional(),
  oldest: z.string().optional(),
  inclusive: flag.optional(),
  include_all_metadata: flag.optional(),
}
const pageSchema = z.object(pageArgs)

const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history']
const READ_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read']

/** The methods `conversations.*`. Slack documents their refusals at docs.slack.dev/reference/methods. */
export const conversationsMethods = {
  'conversations.replies': apiMethod({
    scopes: HISTORY_SCOPES,
    rate: 3,
    args: z.object({ channel: z.string(), ts: slackTimestamp, ...pageArgs }),
    run: (args, context) => {
      const channel = requireMembership(context, args.channel)
      const parent = context.workspace.find(channel.id, args.ts)
      if (parent === undefined) throw new ApiRefusal('thread_not_found')
      const root = parent.threadTs ?? parent.ts
      const first = context.workspace.find(channel.id, root)
      const replies = context.workspace.replies(channel.id, root).filter(message => isWithin(message.ts, args))
      return page(context, first === undefined ? replies : [first, ...replies], args, SLACK_LIMITS.pageSize)
    },
  }),

  'conversations.history': apiMethod({
    scopes: HISTORY_SCOPES,
    rate: 3,
    args: z.object({ channel: z.string(), ...pageArgs }),
    run: (args, context) => {
      const channel = requireMembership(context, args.channel)
      const shown = context.workspace
        .messages(channel.id)
        .filter(message => message.deletedAt === undefined && message.visibleTo === undefined)
        .filter(
          message => message.threadTs === undefined || message.threadTs === message.ts || message.subtype === 'thread_broadcast',
        )
      const within = shown.filter(message => isWithin(message.ts, args))
      return page(context, within.toReversed(), args, SLACK_LIMITS.historyPage)
    },
  }),

  'conversations.info': apiMethod({
    scopes: READ_SCOPES,
    rate: 3,
    args: z.object({ channel: z.string(), include_num_members: flag.optional() }),
    run: (args, context) => ({ channel: channelPayload(context, requireChannel(context, args.channel)) }),
  }),

  'conversations.open': apiMethod({
    scopes: ['im:write', 'mpim:write'],
    rate: 3,
    args: z.object({ users: z.string().optional(), channel: z.string().optional(), return_im: flag.optional() }),
    run: (args, context) => {
      if (args.channel !== undefined) return { channel: { id: requireChannel(context, args.channel).id } }
      if (args.users === undefined) throw new ApiRefusal('users_list_not_supplied')
      const users = args.users.split(',').map(user => user.trim())
      if (users.some(user => !context.workspace.users.has(user))) throw new ApiRefusal('user_not_found')
      const members = [...users, context.app.botUserId]
      const [first] = users
      const opened =
        users.length === 1 && first !== undefined
          ? context.workspace.directChannel(first, context.app.botUserId)
          : context.workspace.addChannel({ name: `mpdm-${users.join('-')}`, kind: 'mpim', members })
      return { channel: { id: opened.id } }
    },
  }),

  'conversations.members': apiMethod({
    scopes: READ_SCOPES,
    rate: 4,
    args: z.object({ channel: z.string(), cursor: z.string().optional(), limit: wholeNumber.optional() }),
    run: (args, context) => ({
      members: [...requireChannel(context, args.channel).members],
      response_metadata: { next_cursor: '' },
    }),
  }),

  'users.conversations': apiMethod({
    scopes: READ_SCOPES,
    rate: 3,
    args: z.object({ user: z.string().optional(), types: z.string().optional(), exclude_archived: flag.optional() }),
    run: (args, context) => ({
      channels: [...context.workspace.channels.values()]
        .filter(channel => channel.members.has(args.user ?? context.app.botUserId))
        .filter(channel => channel.kind === 'public' || channel.members.has(context.app.botUserId))
        .filter(channel => args.exclude_archived !== true || !channel.isArchived)
        .map(channel => channelPayload(context, channel)),
      response_metadata: { next_cursor: '' },
    }),
  }),
} as const satisfies ApiMethods

function page(
  context: ApiContext,
  messages: readonly SlackMessage[],
  args: z.infer<typeof pageSchema>,
  defaultSize: number,
): JsonObject {
  const start = args.cursor === undefined || args.cursor === '' ? 0 : cursorPosition(args.cursor)
  const end = start + (args.limit ?? defaultSize)
  const hasMore = end < messages.length
  return {
    messages: messages
      .slice(start, end)
      .map(message =>
        messagePayload(context.workspace, context.app, message, { withMetadata: args.include_all_metadata ?? false }),
      ),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? Buffer.from(`next:${end}`).toString('base64') : '' },
  }
}

/** Whether a message is between `oldest` and `latest`. The first message of a thread is always returned. */
function isWithin(ts: string, args: z.infer<typeof pageSchema>): boolean {
  const at = Number(ts)
  const inclusive = args.inclusive ?? false
  if (args.oldest !== undefined && (inclusive ? at < Number(args.oldest) : at <= Number(args.oldest))) return false
  return args.latest === undefined || (inclusive ? at <= Number(args.latest) : at < Number(args.latest))
}

function cursorPosition(cursor: string): number {
  const position = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]
  if (position === undefined) throw new ApiRefusal('invalid_cursor')
  return Number(position)
}

function channelPayload(context: ApiContext, channel: SlackChannel): JsonObject {
  const { botUserId } = context.app
  return {
    id: channel.id,
    is_archived: channel.isArchived,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    context_team_id: context.workspace.teamId,
    ...(channel.kind === 'im'
      ? { user: [...channel.members].find(member => member !== botUserId) }
      : { name: channel.name, name_normalized: channel.name, is_member: channel.members.has(botUserId) }),
    num_members: channel.members.size,
  }
}
