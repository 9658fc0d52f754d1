import { z } from 'zod'
import { type ApiMethods, apiMethod, requireMembership, slackTimestamp } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'

/** Small things that an app can do to a message or a thread beside posting. */
export const threadMethods = {
  'reactions.add': apiMethod({
    scopes: ['reactions:write'],
    rate: 3,
    args: z.object({ channel: z.string(), timestamp: slackTimestamp, name: z.string() }),
    run: (args, context) => {
      const channel = requireMembership(context, args.channel)
      if (channel.isArchived) throw new ApiRefusal('is_archived')
      if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(args.name)) throw new ApiRefusal('invalid_name')
      const message = context.workspace.find(channel.id, args.timestamp)
      if (message === undefined) throw new ApiRefusal('message_not_found')
      const user = context.app.botUserId
      if (message.reactions.some(reaction => reaction.name === args.name && reaction.user === user)) {
        throw new ApiRefusal('already_reacted')
      }
      context.workspace.react(message, args.name, user)
      return {}
    },
  }),

  /** docs.slack.dev/reference/methods/assistant.threads.setStatus; needs either scope since 2026. */
  'assistant.threads.setStatus': apiMethod({
    scopes: ['assistant:write', 'chat:write'],
    rate: 'none',
    args: z.object({ channel_id: z.string(), thread_ts: slackTimestamp, status: z.string() }),
    run: (args, context) => {
      const channel = requireMembership(context, args.channel_id)
      context.workspace.setStatus(channel.id, args.thread_ts, args.status)
      return {}
    },
  }),
} as const satisfies ApiMethods
