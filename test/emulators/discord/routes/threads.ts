import { ApiRefusal } from '../api-refusal.ts'
import type { ApiRequest, Route } from '../api-route.ts'
import { DISCORD_LIMITS } from '../discord-limits.ts'
import { CHANNEL_TYPE } from '../discord-model.ts'
import { FormErrors } from '../form-errors.ts'
import { channelPayload } from '../payloads.ts'
import { channelOf, guildOf, messageOf, requirePermission } from './access.ts'

/** The routes for starting, joining and listing threads. */
export const threadRoutes = {
  'POST /channels/{channel}/messages/{message}/threads': {
    bucket: 'thread',
    handle(request, context) {
      const { world, app } = context
      const channel = channelOf(request, context)
      if (channel.type !== CHANNEL_TYPE.text) throw new ApiRefusal('wrongChannelType')
      const message = messageOf(request, context, channel)
      requirePermission(context, channel, 'CREATE_PUBLIC_THREADS')
      if (message.threadId !== undefined) throw new ApiRefusal('threadExists')
      const wish = readThread(request)
      const thread = world.addThread(channel, { ...wish, ownerId: app.botUserId, message })
      return { status: 201, body: channelPayload(world, app, thread) }
    },
  },
  'POST /channels/{channel}/threads': {
    bucket: 'thread',
    handle(request, context) {
      const { world, app } = context
      const channel = channelOf(request, context)
      if (channel.type !== CHANNEL_TYPE.text) throw new ApiRefusal('wrongChannelType')
      const isPrivate = (request.form.type ?? CHANNEL_TYPE.privateThread) === CHANNEL_TYPE.privateThread
      requirePermission(context, channel, isPrivate ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS')
      const thread = world.addThread(channel, { ...readThread(request), ownerId: app.botUserId, isPrivate })
      return { status: 201, body: channelPayload(world, app, thread) }
    },
  },
  'PUT /channels/{channel}/thread-members/@me': {
    bucket: 'thread',
    handle(request, context) {
      const channel = channelOf(request, context)
      const { thread } = channel
      if (thread === undefined) throw new ApiRefusal('wrongChannelType')
      if (thread.archived) throw new ApiRefusal('archivedThread')
      context.world.joinThread(channel, context.app.botUserId)
      return { status: 204 }
    },
  },
  'DELETE /channels/{channel}/thread-members/@me': {
    bucket: 'thread',
    handle(request, context) {
      const { thread } = channelOf(request, context)
      if (thread === undefined) throw new ApiRefusal('wrongChannelType')
      thread.members.delete(context.app.botUserId)
      return { status: 204 }
    },
  },
  'GET /guilds/{guild}/threads/active': {
    handle(request, context) {
      const { world, app } = context
      const guild = guildOf(request, context)
      const threads = [...world.channels.values()].filter(
        channel => channel.guildId === guild.id && channel.thread?.archived === false && world.canSee(app.botUserId, channel),
      )
      return { status: 200, body: { threads: threads.map(thread => channelPayload(world, app, thread)), members: [] } }
    },
  },
} as const satisfies Record<string, Route>

/** Discord documents this in resources/channel, "Start Thread from Message". */
function readThread({ form }: ApiRequest): { readonly name: string; readonly autoArchiveMinutes: number | undefined } {
  const errors = new FormErrors()
  const name = errors.string(['name'], form.name, { least: 1, most: DISCORD_LIMITS.threadName, required: true }) ?? ''
  const minutes = form.auto_archive_duration ?? undefined
  const allowed = DISCORD_LIMITS.autoArchiveMinutes
  const autoArchiveMinutes = allowed.find(one => one === minutes)
  if (minutes !== undefined && autoArchiveMinutes === undefined) errors.choices(['auto_archive_duration'], allowed)
  const slowmode = form.rate_limit_per_user
  if (typeof slowmode === 'number' && (slowmode < 0 || slowmode > DISCORD_LIMITS.slowmodeSeconds)) {
    errors.add(
      ['rate_limit_per_user'],
      'NUMBER_TYPE_MAX',
      `int value should be less than or equal to ${DISCORD_LIMITS.slowmodeSeconds}.`,
    )
  }
  errors.refuseIfAny()
  return { name, autoArchiveMinutes }
}
