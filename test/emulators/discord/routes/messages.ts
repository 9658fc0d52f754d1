import { ApiRefusal } from '../api-refusal.ts'
import type { ApiContext, ApiRequest, Route } from '../api-route.ts'
import { DISCORD_LIMITS } from '../discord-limits.ts'
import { CHANNEL_TYPE, type Channel, MESSAGE_FLAG, MESSAGE_TYPE, type Message } from '../discord-model.ts'
import { FormErrors } from '../form-errors.ts'
import { INTENTS } from '../intents.ts'
import { isObject, type JsonObject } from '../json.ts'
import { ALLOW_ALL } from '../mentions.ts'
import { type MessageFormOptions, readMessageForm } from '../message-form.ts'
import { isSystemType, messagePayload } from '../message-payload.ts'
import { snowflakeTime } from '../snowflakes.ts'
import { channelOf, messageOf, requirePermission } from './access.ts'

const CREATE_FLAGS = MESSAGE_FLAG.suppressEmbeds | MESSAGE_FLAG.suppressNotifications | MESSAGE_FLAG.componentsV2
const EDIT_FLAGS = MESSAGE_FLAG.suppressEmbeds | MESSAGE_FLAG.componentsV2

/** The routes for messages in channels, threads and direct conversations. They need the bot's token. */
export const messageRoutes = {
  'POST /channels/{channel}/messages': {
    bucket: 'messageCreate',
    handle(request, context) {
      const channel = channelOf(request, context)
      checkSend(context, channel)
      const reference = readReference(request.form, context, channel)
      const form = readMessageForm(request.form, request.files, {
        ...options(context, channel, CREATE_FLAGS),
        repliedTo: reference?.message?.authorId,
      })
      checkContent(context, channel, form.body)
      const isSame = (message: Message) => message.nonce !== undefined && String(message.nonce) === String(form.nonce)
      const earlier = form.enforcesNonce ? recentOwn(context).find(isSame) : undefined
      if (earlier !== undefined) return { status: 200, body: shown(earlier, context) }
      const message = context.world.post(channel, {
        authorId: context.app.botUserId,
        body: form.body,
        nonce: form.nonce,
        ...(reference === undefined ? {} : { type: MESSAGE_TYPE.reply, reference: reference.reference }),
      })
      return { status: 200, body: shown(message, context) }
    },
  },
  'GET /channels/{channel}/messages': {
    handle(request, context) {
      const channel = channelOf(request, context)
      const messages = page(request, context.world.messages(channel.id).filter(isListed))
      const mayRead = context.world.may(context.app.botUserId, channel, 'READ_MESSAGE_HISTORY')
      return { status: 200, body: mayRead ? messages.map(message => shown(message, context)) : [] }
    },
  },
  'GET /channels/{channel}/messages/{message}': {
    handle(request, context) {
      const channel = channelOf(request, context)
      requirePermission(context, channel, 'READ_MESSAGE_HISTORY')
      return { status: 200, body: shown(messageOf(request, context, channel), context) }
    },
  },
  'PATCH /channels/{channel}/messages/{message}': {
    bucket: 'messageEdit',
    handle(request, context) {
      const channel = channelOf(request, context)
      const message = messageOf(request, context, channel)
      if (message.authorId !== context.app.botUserId) throw new ApiRefusal('notTheAuthor')
      checkThread(context, channel, 'edit')
      const repliedTo = message.reference?.messageId
      const replied = repliedTo === undefined ? undefined : context.world.find(channel.id, repliedTo)
      const { body } = readMessageForm(request.form, request.files, {
        ...options(context, channel, EDIT_FLAGS),
        edited: message.body,
        repliedTo: replied?.authorId,
      })
      checkContent(context, channel, body)
      context.world.edit(message, body)
      return { status: 200, body: shown(message, context) }
    },
  },
  'DELETE /channels/{channel}/messages/{message}': {
    bucket: 'messageDelete',
    handle(request, context) {
      const channel = channelOf(request, context)
      const message = messageOf(request, context, channel)
      if (message.authorId !== context.app.botUserId) requirePermission(context, channel, 'MANAGE_MESSAGES')
      context.world.delete(message)
      return { status: 204 }
    },
  },
  'POST /channels/{channel}/messages/bulk-delete': {
    bucket: 'bulkDelete',
    handle(request, context) {
      const channel = channelOf(request, context)
      if (channel.type === CHANNEL_TYPE.direct) throw new ApiRefusal('noDirectChannelAction')
      requirePermission(context, channel, 'MANAGE_MESSAGES')
      const errors = new FormErrors()
      const ids = errors.list(['messages'], request.form.messages).map(String)
      errors.refuseIfAny()
      const { least, most, ageMs } = DISCORD_LIMITS.bulkDelete
      if (ids.length < least || ids.length > most || new Set(ids).size < ids.length) throw new ApiRefusal('wrongBulkCount')
      const now = context.clock.now()
      if (ids.some(id => now - snowflakeTime(id) > ageMs)) throw new ApiRefusal('tooOldToBulkDelete')
      const found = ids.flatMap(id => context.world.find(channel.id, id) ?? [])
      context.world.bulkDelete(channel, found)
      return { status: 204 }
    },
  },
} as const satisfies Record<string, Route>

function options(context: ApiContext, channel: Channel, settableFlags: number): MessageFormOptions {
  return {
    world: context.world,
    channel,
    authorId: context.app.botUserId,
    attachmentUrl: context.attachmentUrl,
    defaultMentions: ALLOW_ALL,
    settableFlags,
  }
}

function shown(message: Message, context: ApiContext): JsonObject {
  const hasIntent = (context.allowedIntents & INTENTS.messageContent) !== 0
  return messagePayload(context.world, context.app, message, { canRead: context.dispatcher.canRead(message, hasIntent) })
}

function checkSend(context: ApiContext, channel: Channel): void {
  const { world, app } = context
  if (channel.type === CHANNEL_TYPE.direct) {
    const other = channel.recipients.map(id => world.users.get(id)).find(user => user?.id !== app.botUserId)
    const isMutual = [...world.guilds.values()].some(
      guild => guild.members.has(app.botUserId) && guild.members.has(other?.id ?? ''),
    )
    if (!isMutual) throw new ApiRefusal('noMutualGuild')
    if (other?.acceptsDirectMessages !== true) throw new ApiRefusal('cannotMessageUser')
    return
  }
  requirePermission(context, channel, channel.thread === undefined ? 'SEND_MESSAGES' : 'SEND_MESSAGES_IN_THREADS')
  checkThread(context, channel, 'send')
}

/**
 * Sending a message takes a thread out of the archive, unless the thread is locked. Edits in an archived thread are refused. Discord documents
 * this in topics/threads, "Locked Threads" and "Active & Archived Threads".
 */
function checkThread(context: ApiContext, channel: Channel, action: 'send' | 'edit'): void {
  const { thread } = channel
  if (thread === undefined) return
  if (action === 'edit' && thread.archived) throw new ApiRefusal('archivedThread')
  if (thread.locked && !context.world.may(context.app.botUserId, channel, 'MANAGE_THREADS')) throw new ApiRefusal('lockedThread')
}

function checkContent(context: ApiContext, channel: Channel, body: Message['body']): void {
  if (body.embeds.length > 0) requirePermission(context, channel, 'EMBED_LINKS')
  if (body.attachments.length > 0) requirePermission(context, channel, 'ATTACH_FILES')
}

/** Discord documents this in resources/message, "Message Reference Structure". */
function readReference(form: JsonObject, context: ApiContext, channel: Channel) {
  const given = form.message_reference
  if (!isObject(given)) return undefined
  const messageId = String(given.message_id)
  if (!context.world.may(context.app.botUserId, channel, 'READ_MESSAGE_HISTORY')) throw new ApiRefusal('replyNeedsHistory')
  const message = context.world.find(channel.id, messageId)
  const isOk = message !== undefined && message.visibleTo === undefined && !isSystemType(message.type)
  if (!isOk && given.fail_if_not_exists === false) return undefined
  const errors = new FormErrors()
  if (!isOk) errors.add(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message')
  errors.refuseIfAny()
  return { message, reference: { channelId: channel.id, messageId } }
}

/** Returns the messages that the bot posted in the past few minutes, in all channels. */
function recentOwn(context: ApiContext): readonly Message[] {
  const since = context.clock.now() - DISCORD_LIMITS.nonceMs
  return [...context.world.channels.values()]
    .flatMap(channel => context.world.messages(channel.id))
    .filter(message => message.authorId === context.app.botUserId && message.createdAt > since)
}

function isListed(message: Message): boolean {
  return message.deletedAt === undefined && message.visibleTo === undefined
}

/** Returns one page of messages, newest first. Discord documents this in resources/message, "Get Channel Messages". */
function page({ query }: ApiRequest, messages: readonly Message[]): readonly Message[] {
  const errors = new FormErrors()
  const limit = Number(query.get('limit') ?? DISCORD_LIMITS.defaultPage)
  if (!Number.isInteger(limit) || limit < 1 || limit > DISCORD_LIMITS.pageSize) {
    errors.add(['limit'], 'NUMBER_TYPE_MAX', `int value should be between 1 and ${DISCORD_LIMITS.pageSize}.`)
  }
  const [before, after, around] = ['before', 'after', 'around'].map(key => errors.snowflake([key], query.get(key)))
  errors.refuseIfAny()
  const newest = messages.toReversed()
  if (after !== undefined) {
    const later = messages.filter(message => BigInt(message.id) > BigInt(after))
    return later.slice(0, limit).toReversed()
  }
  if (around !== undefined) {
    const older = newest.filter(message => BigInt(message.id) < BigInt(around)).slice(0, Math.floor(limit / 2))
    const others = messages.filter(message => BigInt(message.id) >= BigInt(around)).slice(0, limit - older.length)
    return [...others.toReversed(), ...older]
  }
  const bound = before === undefined ? newest : newest.filter(message => BigInt(message.id) < BigInt(before))
  return bound.slice(0, limit)
}
