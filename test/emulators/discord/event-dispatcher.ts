import { CHANNEL_TYPE, type Channel, type Guild, type Message } from './discord-model.ts'
import type { Gateway, GatewayEvent } from './gateway.ts'
import type { Delivery } from './gateway-session.ts'
import { INTENTS } from './intents.ts'
import type { JsonObject } from './json.ts'
import { messagePayload } from './message-payload.ts'
import { type AppIdentity, channelPayload, guildCreatePayload, memberPayload, memberWithUser } from './payloads.ts'
import type { World, WorldChange } from './world.ts'

/** Turns changes in the emulated Discord into gateway events. Leaves out events that the bot may not see. */
export class EventDispatcher {
  readonly #world: World
  readonly #app: AppIdentity
  readonly #gateway: Gateway
  readonly #deliveries = new WeakMap<Message, Delivery[]>()

  constructor(deps: { world: World; app: AppIdentity; gateway: Gateway }) {
    this.#world = deps.world
    this.#app = deps.app
    this.#gateway = deps.gateway
  }

  /** Returns the deliveries of a message's MESSAGE_CREATE event. Each session of the bot gets one. */
  deliveriesOf(message: Message): readonly Delivery[] {
    return this.#deliveries.get(message) ?? []
  }

  dispatch(change: WorldChange): void {
    for (const event of this.#events(change)) {
      const deliveries = this.#gateway.dispatch(event)
      if (change.kind === 'message_created') {
        this.#deliveries.set(change.message, [...this.deliveriesOf(change.message), ...deliveries])
      }
    }
  }

  /** Discord documents this in events/gateway-events, "Guild Create". */
  guildCreate(guild: Guild): GatewayEvent {
    return {
      event: 'GUILD_CREATE',
      guildId: guild.id,
      intents: INTENTS.guilds,
      payload: () => guildCreatePayload(this.#world, this.#app, guild),
    }
  }

  /** Whether an app may read a message's content. Discord documents this in events/gateway, "Message Content Intent". */
  canRead(message: Message, hasIntent: boolean): boolean {
    return (
      hasIntent ||
      message.guildId === undefined ||
      message.authorId === this.#app.botUserId ||
      message.body.mentions.users.includes(this.#app.botUserId)
    )
  }

  #events(change: WorldChange): readonly GatewayEvent[] {
    switch (change.kind) {
      case 'message_created':
        return this.#message('MESSAGE_CREATE', change.message)
      case 'message_updated':
        return this.#message('MESSAGE_UPDATE', change.message)
      case 'message_deleted':
        return this.#message('MESSAGE_DELETE', change.message, () => ({
          id: change.message.id,
          channel_id: change.message.channelId,
          ...guildField(change.message.visibleTo === undefined ? change.message.guildId : undefined),
        }))
      case 'messages_deleted':
        return this.#inChannel('MESSAGE_DELETE_BULK', change.channel, messageIntent(change.channel.guildId), {
          ids: change.messages.map(message => message.id),
          channel_id: change.channel.id,
          ...guildField(change.channel.guildId),
        })
      case 'channel_created':
      case 'channel_updated':
      case 'channel_deleted':
        return this.#channel(change.kind, change.channel)
      case 'member_added':
      case 'member_updated':
      case 'member_removed':
        return this.#member(change.kind, change.guild, change.userId)
      case 'guild_joined':
        return change.userId === this.#app.botUserId ? [this.guildCreate(change.guild)] : []
      case 'guild_left':
        return change.userId === this.#app.botUserId ? [left(change.guild)] : []
      case 'thread_joined':
        return change.userId === this.#app.botUserId ? this.#joined(change.channel) : []
      case 'typing':
        return change.userId === this.#app.botUserId ? [] : this.#typing(change.channel, change.userId, change.at)
    }
  }

  /**
   * A message that only one person sees comes without `guild_id`, like a direct message, and without `member`. Messages of webhooks also come
   * without `member`; answers to interactions are among them. Discord documents this in events/gateway-events, "Messages".
   */
  #message(event: string, message: Message, payload?: () => JsonObject): readonly GatewayEvent[] {
    const channel = this.#world.channels.get(message.channelId)
    if (channel === undefined) return []
    const isEphemeral = message.visibleTo !== undefined
    if (!isEphemeral && !this.#world.canSee(this.#app.botUserId, channel)) return []
    const guildId = isEphemeral ? undefined : message.guildId
    const hasMember = guildId !== undefined && message.interaction === undefined
    const member = hasMember ? this.#memberOf(channel, message.authorId) : undefined
    return [
      {
        event,
        guildId,
        intents: messageIntent(guildId),
        payload: ({ hasMessageContent }) =>
          payload?.() ?? {
            ...messagePayload(this.#world, this.#app, message, { canRead: this.canRead(message, hasMessageContent) }),
            channel_type: channel.type,
            ...guildField(guildId),
            ...(member === undefined ? {} : { member }),
          },
      },
    ]
  }

  #memberOf(channel: Channel, userId: string): JsonObject | undefined {
    const member = this.#world.guildOf(channel)?.members.get(userId)
    return member === undefined ? undefined : memberPayload(member)
  }

  #channel(kind: 'channel_created' | 'channel_updated' | 'channel_deleted', channel: Channel): readonly GatewayEvent[] {
    const isThread = channel.thread !== undefined
    const verb = { channel_created: 'CREATE', channel_updated: 'UPDATE', channel_deleted: 'DELETE' }[kind]
    const event = `${isThread ? 'THREAD' : 'CHANNEL'}_${verb}`
    if (channel.type === CHANNEL_TYPE.direct) return []
    if (kind === 'channel_deleted' && isThread) {
      const data = { id: channel.id, guild_id: channel.guildId, parent_id: channel.parentId, type: channel.type }
      return [{ event, guildId: channel.guildId, intents: INTENTS.guilds, payload: () => data }]
    }
    if (kind !== 'channel_deleted' && !this.#world.canSee(this.#app.botUserId, channel)) return []
    const data = channelPayload(this.#world, this.#app, channel)
    const added = kind === 'channel_created' && isThread ? { newly_created: true } : {}
    return [{ event, guildId: channel.guildId, intents: INTENTS.guilds, payload: () => ({ ...data, ...added }) }]
  }

  /**
   * The event THREAD_CREATE. It is also sent when the bot joins a thread, but then without `newly_created`. Discord documents this in
   * events/gateway-events, "Thread Create".
   */
  #joined(channel: Channel): readonly GatewayEvent[] {
    const data = channelPayload(this.#world, this.#app, channel)
    const members = {
      id: channel.id,
      guild_id: channel.guildId,
      member_count: channel.thread?.members.size ?? 0,
      added_members: [data.member],
    }
    return [
      ...this.#inChannel('THREAD_CREATE', channel, INTENTS.guilds, data),
      ...this.#inChannel('THREAD_MEMBERS_UPDATE', channel, INTENTS.guilds, members),
    ]
  }

  #member(kind: 'member_added' | 'member_updated' | 'member_removed', guild: Guild, userId: string): readonly GatewayEvent[] {
    const verb = { member_added: 'ADD', member_updated: 'UPDATE', member_removed: 'REMOVE' }[kind]
    const user = { id: userId, username: this.#world.users.get(userId)?.name ?? '' }
    const data = { ...(memberWithUser(this.#world, guild, userId) ?? { user }), guild_id: guild.id }
    const intents = userId === this.#app.botUserId && kind === 'member_updated' ? 0 : INTENTS.guildMembers
    return [{ event: `GUILD_MEMBER_${verb}`, guildId: guild.id, intents, payload: () => data }]
  }

  #typing(channel: Channel, userId: string, at: number): readonly GatewayEvent[] {
    const intents = channel.guildId === undefined ? INTENTS.directMessageTyping : INTENTS.guildMessageTyping
    return this.#inChannel('TYPING_START', channel, intents, {
      channel_id: channel.id,
      ...guildField(channel.guildId),
      user_id: userId,
      timestamp: Math.trunc(at / 1000),
    })
  }

  #inChannel(event: string, channel: Channel, intents: number, data: JsonObject): readonly GatewayEvent[] {
    if (!this.#world.canSee(this.#app.botUserId, channel)) return []
    return [{ event, guildId: channel.guildId, intents, payload: () => data }]
  }
}

function left(guild: Guild): GatewayEvent {
  return { event: 'GUILD_DELETE', guildId: guild.id, intents: INTENTS.guilds, payload: () => ({ id: guild.id }) }
}

function messageIntent(guildId: string | undefined): number {
  return guildId === undefined ? INTENTS.directMessages : INTENTS.guildMessages
}

function guildField(guildId: string | undefined): JsonObject {
  return guildId === undefined ? {} : { guild_id: guildId }
}
