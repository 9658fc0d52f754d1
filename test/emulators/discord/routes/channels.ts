import { ApiRefusal } from '../api-refusal.ts'
import type { ApiContext, ApiRequest, Route } from '../api-route.ts'
import { DISCORD_LIMITS } from '../discord-limits.ts'
import { CHANNEL_TYPE, type Channel } from '../discord-model.ts'
import { FormErrors } from '../form-errors.ts'
import { channelPayload } from '../payloads.ts'
import { channelOf, requirePermission } from './access.ts'

/** The routes for a channel or thread, without its messages. */
export const channelRoutes = {
  'GET /channels/{channel}': {
    handle(request, context) {
      return { status: 200, body: channelPayload(context.world, context.app, channelOf(request, context)) }
    },
  },
  'PATCH /channels/{channel}': {
    bucket: 'channelEdit',
    handle(request, context) {
      const channel = channelOf(request, context)
      if (channel.type === CHANNEL_TYPE.direct) throw new ApiRefusal('noDirectChannelAction')
      if (channel.thread === undefined) requirePermission(context, channel, 'MANAGE_CHANNELS')
      else checkThreadEdit(request, context, channel)
      const errors = new FormErrors()
      const name = errors.string(['name'], request.form.name, { least: 1, most: DISCORD_LIMITS.threadName })
      errors.refuseIfAny()
      context.world.updateChannel(channel, changed => {
        if (name !== undefined) changed.name = name
        if (changed.thread !== undefined) changeThread(request, context, changed.thread)
      })
      return { status: 200, body: channelPayload(context.world, context.app, channel) }
    },
  },
  'DELETE /channels/{channel}': {
    bucket: 'channelEdit',
    handle(request, context) {
      const channel = channelOf(request, context)
      const body = channelPayload(context.world, context.app, channel)
      if (channel.type === CHANNEL_TYPE.direct) return { status: 200, body }
      requirePermission(context, channel, channel.thread === undefined ? 'MANAGE_CHANNELS' : 'MANAGE_THREADS')
      context.world.deleteChannel(channel)
      return { status: 200, body }
    },
  },
  'POST /channels/{channel}/typing': {
    bucket: 'typing',
    handle(request, context) {
      const channel = channelOf(request, context)
      requirePermission(context, channel, channel.thread === undefined ? 'SEND_MESSAGES' : 'SEND_MESSAGES_IN_THREADS')
      context.world.startTyping(channel, context.app.botUserId)
      return { status: 204 }
    },
  },
} as const satisfies Record<string, Route>

/** Discord documents this in topics/threads, "Editing & Deleting Threads". */
function checkThreadEdit({ form }: ApiRequest, context: ApiContext, channel: Channel): void {
  const isModerator = context.world.may(context.app.botUserId, channel, 'MANAGE_THREADS')
  if (isModerator) return
  const isUnarchiveAlone = form.archived === false && Object.keys(form).length === 1
  if (isUnarchiveAlone && channel.thread?.locked !== true) return
  const isOwner = channel.ownerId === context.app.botUserId
  const needsModerator = form.locked !== undefined || form.rate_limit_per_user !== undefined || channel.thread?.locked === true
  if (!isOwner || needsModerator) throw new ApiRefusal('missingPermissions')
  if (channel.thread?.archived === true && form.archived !== false) throw new ApiRefusal('archivedThread')
}

function changeThread({ form }: ApiRequest, context: ApiContext, thread: NonNullable<Channel['thread']>): void {
  if (typeof form.archived === 'boolean') {
    thread.archived = form.archived
    thread.archiveChangedAt = context.clock.now()
  }
  if (typeof form.locked === 'boolean') thread.locked = form.locked
  if (typeof form.auto_archive_duration === 'number') thread.autoArchiveMinutes = form.auto_archive_duration
}
