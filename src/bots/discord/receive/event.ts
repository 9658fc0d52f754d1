import { z } from 'zod'
import { SIZES } from '../../../base/sizes.ts'
import type { ChatEvent, ChatPlace } from '../../../chat/event.ts'
import { writtenText } from '../../shared/written-text.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { snowflakeOrder } from '../snowflake.ts'
import { plainTextOf } from '../text.ts'

/**
 * The bot's user, and the role of the same name that Discord creates in each server. A mention of either one addresses the bot.
 */
export interface DiscordIdentity {
  readonly user: string
  roleIn(guild: string): string | undefined
  isIn(guild: string): boolean
}

/** A channel's type in Discord, its name, and its parent channel if it is a thread. */
export interface DiscordChannel {
  readonly type: number
  readonly name: string | undefined
  readonly parent: string | undefined
}

export interface DiscordChannels {
  /** Returns the channel from the cache, or undefined if it is not there. Makes no request. */
  known(id: string): DiscordChannel | undefined
  /**
   * Returns the channel from the cache. If it is not there, asks Discord.
   * @throws ChatError if Discord does not answer
   */
  find(id: string): Promise<DiscordChannel | undefined>
}

/** Direct messages belong to no server. This text takes the place of their workspace id. */
export const DIRECT_WORKSPACE = 'discord'

/** Discord's channel types. Source: discord.com/developers/docs/resources/channel, "Channel Types". */
export const CHANNEL_TYPES = { text: 0, direct: 1, announcement: 5, threads: [10, 11, 12] as readonly number[] } as const

/**
 * The types of messages that people write: an ordinary message and a reply. Other types are notices, such as a message about a
 * new member. Source: discord.com/developers/docs/resources/message, "Message Types".
 */
const SPOKEN_TYPES: ReadonlySet<number> = new Set([0, 19])

export const snowflakeSchema = z.string().regex(/^\d{1,20}$/)
const userSchema = z.object({
  id: snowflakeSchema,
  username: z.string().default(''),
  global_name: z.string().nullish(),
  bot: z.boolean().optional(),
  system: z.boolean().optional(),
})

/**
 * The fields that Clew uses. Source: discord.com/developers/docs/events/gateway-events, "Message Create"; resources/message,
 * "Message Object".
 */
const messageSchema = z.object({
  id: snowflakeSchema,
  channel_id: snowflakeSchema,
  guild_id: snowflakeSchema.optional(),
  channel_type: z.number().optional(),
  type: z.number(),
  /** The text of a message. Text beyond the limit is cut off, so Clew does not see a mention there. */
  content: z
    .string()
    .transform(text => text.slice(0, SIZES.message + 1))
    .default(''),
  author: userSchema,
  webhook_id: snowflakeSchema.optional(),
  mention_everyone: z.boolean().default(false),
  mentions: z.array(userSchema).default([]),
  mention_roles: z.array(snowflakeSchema).default([]),
  referenced_message: z.object({ author: z.object({ id: snowflakeSchema }) }).nullish(),
})
type DiscordPost = z.infer<typeof messageSchema>

/** Translates a MESSAGE_CREATE payload into an event. The same message always gives the same event. */
export async function discordMessageEvent(
  payload: unknown,
  self: DiscordIdentity,
  channels: DiscordChannels,
): Promise<ChatEvent> {
  const parsed = messageSchema.safeParse(payload)
  if (!parsed.success) return { kind: 'unsupported', reason: 'malformed' }
  const post = parsed.data
  const notSpoken = notSpokenReason(post, self)
  if (notSpoken !== undefined) return { kind: 'unsupported', reason: notSpoken }
  const known = post.channel_type === undefined ? await channels.find(post.channel_id) : undefined
  const type = post.channel_type ?? known?.type
  const notOurs = notOursReason(post, self, type)
  if (notOurs !== undefined) return { kind: 'unsupported', reason: notOurs }
  const addressed = type === CHANNEL_TYPES.direct || mentionsBot(post, self)
  const text = textOf(post, self, channels)
  if (text === '' && !addressed) return { kind: 'unsupported', reason: 'no text' }
  const place = await chatPlaceOf({ ...post, type }, post.id, channels)
  if (place === undefined) return { kind: 'unsupported', reason: 'no channel' }
  return {
    kind: 'message',
    message: { place, messageId: post.id, order: snowflakeOrder(post.id), author: post.author.id, text, addressed },
  }
}

/**
 * Finds the place of a message: its direct conversation or its thread. Outside a thread, the place is the thread that will start
 * at the message `root`.
 * @returns undefined for an unknown thread
 */
export async function chatPlaceOf(
  at: { readonly channel_id: string; readonly guild_id?: string | undefined; readonly type: number | undefined },
  root: string,
  channels: DiscordChannels,
): Promise<ChatPlace | undefined> {
  const { channel_id: channel, guild_id: guild, type } = at
  if (type === CHANNEL_TYPES.direct || guild === undefined)
    return { platform: 'discord', workspace: DIRECT_WORKSPACE, channel, thread: channel, isDirect: true }
  if (type === undefined || !CHANNEL_TYPES.threads.includes(type))
    return { platform: 'discord', workspace: guild, channel, thread: root, isDirect: false }
  const parent = (channels.known(channel) ?? (await channels.find(channel)))?.parent
  return parent === undefined
    ? undefined
    : { platform: 'discord', workspace: guild, channel: parent, thread: channel, isDirect: false }
}

/** Whether messages in a channel of this type can start threads. */
export function hasThreads(type: number | undefined): boolean {
  return type === CHANNEL_TYPES.text || type === CHANNEL_TYPES.announcement
}

/** Returns why a message is not a person's text, such as `bot` or `own message`. Undefined if it is a person's text. */
function notSpokenReason({ type, author, webhook_id, guild_id }: DiscordPost, self: DiscordIdentity): string | undefined {
  if (!SPOKEN_TYPES.has(type)) return `message type ${type}`
  if (guild_id !== undefined && !self.isIn(guild_id)) return 'unknown server'
  if (author.id === self.user) return 'own message'
  return author.bot === true || author.system === true || webhook_id !== undefined ? 'bot' : undefined
}

/** Returns why a person's message is not for Clew, such as `not addressed`. Undefined if it is for Clew. */
function notOursReason(post: DiscordPost, self: DiscordIdentity, type: number | undefined): string | undefined {
  if (type === CHANNEL_TYPES.direct) return undefined
  if (type === undefined || post.guild_id === undefined) return 'no channel'
  if (!CHANNEL_TYPES.threads.includes(type)) {
    if (!mentionsBot(post, self)) return 'not addressed'
    return hasThreads(type) ? undefined : `no threads in a channel of type ${type}`
  }
  const first = /^\s*(?:<@([!&]?)(\d{1,20})>|@everyone|@here)/.exec(post.content)
  if (first !== null && !botMentions(post, self).has(`${first[1] === '&' ? '&' : ''}${first[2] ?? ''}`))
    return 'reply to another person'
  if (mentionsBot(post, self)) return undefined
  const repliedTo = post.referenced_message?.author.id
  const isReply = repliedTo !== undefined && repliedTo !== self.user && repliedTo !== post.author.id
  const others = post.mention_everyone || post.mention_roles.length > 0 || post.mentions.some(user => user.id !== post.author.id)
  return isReply || others ? 'reply to another person' : undefined
}

function mentionsBot(post: DiscordPost, self: DiscordIdentity): boolean {
  const mentions = botMentions(post, self)
  // Discord leaves a role out of `mentions` if people are not allowed to mention that role. The text still contains the mention,
  // so the text is searched too.
  return (
    post.mentions.some(user => mentions.has(user.id)) || [...mentions].some(mention => post.content.includes(`<@${mention}>`))
  )
}

function botMentions({ guild_id }: DiscordPost, self: DiscordIdentity): ReadonlySet<string> {
  const role = guild_id === undefined ? undefined : self.roleIn(guild_id)
  return new Set([self.user, ...(role === undefined ? [] : [`&${role}`])])
}

function textOf(post: DiscordPost, self: DiscordIdentity, channels: DiscordChannels): string {
  const users = new Map(post.mentions.map(user => [user.id, user.global_name ?? user.username]))
  const names = { users, channel: (id: string) => channels.known(id)?.name }
  return writtenText(post.content, sent => plainTextOf(sent, botMentions(post, self), names))
}

/**
 * The payloads for deleted messages. Source: discord.com/developers/docs/events/gateway-events, "Message Delete" and "Message
 * Delete Bulk".
 */
const deletionSchema = z.object({
  id: snowflakeSchema.optional(),
  ids: z
    .array(z.unknown())
    .transform(ids => ids.slice(0, DISCORD_LIMITS.deletedTogether))
    .pipe(z.array(snowflakeSchema))
    .default([]),
  channel_id: snowflakeSchema,
  guild_id: snowflakeSchema.optional(),
})

/** Translates a MESSAGE_DELETE or MESSAGE_DELETE_BULK payload into one event per deleted message. */
export function discordDeletionEvents(payload: unknown, channels: DiscordChannels): readonly ChatEvent[] {
  const parsed = deletionSchema.safeParse(payload)
  if (!parsed.success) return [{ kind: 'unsupported', reason: 'malformed' }]
  const { id, ids, channel_id: channel, guild_id: guild } = parsed.data
  const place = {
    platform: 'discord',
    workspace: guild ?? DIRECT_WORKSPACE,
    channel: channels.known(channel)?.parent ?? channel,
  } as const
  return [...(id === undefined ? [] : [id]), ...ids].map(messageId => ({ kind: 'deletion', place, messageId }))
}
