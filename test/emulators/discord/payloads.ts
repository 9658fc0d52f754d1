import {
  CHANNEL_TYPE,
  type Channel,
  type DiscordUser,
  type Guild,
  MESSAGE_TYPE,
  type Member,
  type Message,
  type Role,
} from './discord-model.ts'
import type { JsonObject } from './json.ts'
import type { World } from './world.ts'

/** The identity of the application with the emulator's bot. */
export interface AppIdentity {
  readonly appId: string
  readonly botUserId: string
}

/** Discord documents this in resources/user, "User Structure". */
export function userPayload(user: DiscordUser): JsonObject {
  return {
    id: user.id,
    username: user.name,
    discriminator: user.isBot ? '0001' : '0',
    global_name: user.isBot ? null : user.displayName,
    avatar: null,
    bot: user.isBot,
    system: false,
    public_flags: 0,
  }
}

/** Discord documents this in resources/guild, "Guild Member Structure". The field `user` is left out. */
export function memberPayload(member: Member): JsonObject {
  return {
    nick: member.nick ?? null,
    avatar: null,
    roles: [...member.roles],
    joined_at: isoTime(member.joinedAt),
    premium_since: null,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
    communication_disabled_until: null,
  }
}

/** Discord documents this in topics/permissions, "Role Structure". */
export function rolePayload(role: Role): JsonObject {
  return {
    id: role.id,
    name: role.name,
    description: null,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: role.position,
    permissions: String(role.permissions),
    managed: role.botId !== undefined,
    mentionable: role.mentionable,
    flags: 0,
    ...(role.botId === undefined ? {} : { tags: { bot_id: role.botId } }),
  }
}

/** Returns a channel in the form in which the bot receives it. Discord documents this in resources/channel, "Channel Structure". */
export function channelPayload(world: World, app: AppIdentity, channel: Channel): JsonObject {
  const isCounted = (message: Message) => message.visibleTo === undefined && message.type !== MESSAGE_TYPE.threadStarter
  const messages = world.messages(channel.id).filter(isCounted)
  const lastMessage = messages.at(-1)?.id ?? null
  if (channel.type === CHANNEL_TYPE.direct) {
    const others = channel.recipients.filter(id => id !== app.botUserId).flatMap(id => world.users.get(id) ?? [])
    return { id: channel.id, type: channel.type, flags: 0, last_message_id: lastMessage, recipients: others.map(userPayload) }
  }
  const common = {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId ?? null,
    last_message_id: lastMessage,
    last_pin_timestamp: null,
    rate_limit_per_user: 0,
    flags: 0,
  }
  const { thread } = channel
  if (thread === undefined) {
    return {
      ...common,
      position: 0,
      topic: null,
      nsfw: false,
      permission_overwrites: channel.overwrites.map(overwrite => ({
        id: overwrite.id,
        type: overwrite.type,
        allow: String(overwrite.allow),
        deny: String(overwrite.deny),
      })),
    }
  }
  const joinedAt = thread.members.get(app.botUserId)
  return {
    ...common,
    owner_id: channel.ownerId,
    message_count: messages.filter(message => message.deletedAt === undefined).length,
    total_message_sent: messages.length,
    member_count: thread.members.size,
    thread_metadata: {
      archived: thread.archived,
      locked: thread.locked,
      auto_archive_duration: thread.autoArchiveMinutes,
      archive_timestamp: isoTime(thread.archiveChangedAt),
      create_timestamp: isoTime(thread.archiveChangedAt),
      ...(channel.type === CHANNEL_TYPE.privateThread ? { invitable: true } : {}),
    },
    ...(joinedAt === undefined
      ? {}
      : { member: { id: channel.id, user_id: app.botUserId, join_timestamp: isoTime(joinedAt), flags: 0 } }),
  }
}

/** Discord documents this in resources/guild, "Guild Structure". */
export function guildPayload(guild: Guild): JsonObject {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(rolePayload),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    vanity_url_code: null,
    description: null,
    banner: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: 'en-US',
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    safety_alerts_channel_id: null,
  }
}

/**
 * Returns a server in the form in which the bot receives it. Without the members intent, it contains only the bot's own member, as for large
 * servers. Discord documents this in events/gateway-events, "Guild Create".
 */
export function guildCreatePayload(world: World, app: AppIdentity, guild: Guild): JsonObject {
  const visible = [...world.channels.values()].filter(
    channel => channel.guildId === guild.id && world.canSee(app.botUserId, channel),
  )
  const bot = guild.members.get(app.botUserId)
  return {
    ...guildPayload(guild),
    joined_at: isoTime(bot?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: [app.botUserId].flatMap(id => memberWithUser(world, guild, id) ?? []),
    channels: visible.filter(channel => channel.thread === undefined).map(channel => channelPayload(world, app, channel)),
    threads: visible
      .filter(channel => channel.thread !== undefined && !channel.thread.archived)
      .map(channel => channelPayload(world, app, channel)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}

/** Returns a server's member with the field `user`. Returns undefined for a person who is not a member. */
export function memberWithUser(world: World, guild: Guild, userId: string): JsonObject | undefined {
  const member = guild.members.get(userId)
  const user = world.users.get(userId)
  return member === undefined || user === undefined ? undefined : { ...memberPayload(member), user: userPayload(user) }
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000+00:00')
}
