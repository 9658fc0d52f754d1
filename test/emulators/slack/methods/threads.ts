import { z } from 'zod'
import { type ApiMethods, apiMethod, jsonValue, requireMembership, slackTimestamp } from '../api-method.ts'
import { ApiRefusal } from '../api-refusal.ts'
import { SLACK_LIMITS } from '../slack-limits.ts'

const promptsSchema = z
  .array(z.strictObject({ title: z.string().min(1), message: z.string().min(1) }))
  .min(1)
  .max(SLACK_LIMITS.suggestedPrompts)

/** The methods for reactions, statuses and other small actions on messages and threads. */
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

  /** One of the two scopes is enough since 2026. Slack documents this at docs.slack.dev/reference/methods/assistant.threads.setStatus. */
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

  /**
   * With `agent_view`, a call that contains a thread has no effect and causes no error. Slack documents this method at
   * docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts.
   */
  'assistant.threads.setSuggestedPrompts': apiMethod({
    scopes: ['assistant:write'],
    rate: 4,
    args: z.object({
      channel_id: z.string(),
      thread_ts: slackTimestamp.optional(),
      title: z.string().optional(),
      prompts: jsonValue.pipe(promptsSchema),
    }),
    run: (args, context) => {
      const channel = requireMembership(context, args.channel_id)
      if (args.thread_ts !== undefined && context.messaging === 'agent') return {}
      if (args.thread_ts !== undefined && context.workspace.find(channel.id, args.thread_ts) === undefined)
        throw new ApiRefusal('invalid_thread_ts')
      context.workspace.suggestPrompts(channel.id, args.prompts)
      return {}
    },
  }),
} as const satisfies ApiMethods
