import { ApiRefusal } from '../api-refusal.ts'
import type { ApiContext, ApiRequest } from '../api-route.ts'
import type { Channel, Guild, Message } from '../discord-model.ts'
import type { PermissionName } from '../permissions.ts'

/** Returns the channel in the request's path. @throws ApiRefusal 10003 if it does not exist; 50001 if the bot does not see it */
export function channelOf(request: ApiRequest, context: ApiContext): Channel {
  const channel = context.world.channels.get(request.param('channel'))
  if (channel === undefined || channel.isDeleted) throw new ApiRefusal('unknownChannel')
  if (!context.world.canSee(context.app.botUserId, channel)) throw new ApiRefusal('missingAccess')
  return channel
}

/** Returns the message in the request's path. A message that only one person sees counts as unknown. @throws ApiRefusal 10008 */
export function messageOf(request: ApiRequest, context: ApiContext, channel: Channel): Message {
  const message = context.world.find(channel.id, request.param('message'))
  if (message === undefined || message.visibleTo !== undefined) throw new ApiRefusal('unknownMessage')
  return message
}

/** @throws ApiRefusal 50013 if the bot lacks the permission */
export function requirePermission(context: ApiContext, channel: Channel, permission: PermissionName): void {
  if (!context.world.may(context.app.botUserId, channel, permission)) throw new ApiRefusal('missingPermissions')
}

/** Returns the server in the request's path. @throws ApiRefusal 10004 if the bot is not a member of it */
export function guildOf(request: ApiRequest, context: ApiContext): Guild {
  const guild = context.world.guilds.get(request.param('guild'))
  if (guild === undefined || !guild.members.has(context.app.botUserId)) throw new ApiRefusal('unknownGuild')
  return guild
}
