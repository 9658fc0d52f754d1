import { type Attachment, MESSAGE_FLAG, MESSAGE_TYPE, type Message } from './discord-model.ts'
import type { JsonObject } from './json.ts'
import { type AppIdentity, channelPayload, isoTime, memberPayload, userPayload } from './payloads.ts'
import type { World } from './world.ts'

function attachmentPayload(attachment: Attachment, isEphemeral: boolean): JsonObject {
  return {
    id: attachment.id,
    filename: attachment.filename,
    ...(attachment.description === undefined ? {} : { description: attachment.description }),
    ...(attachment.contentType === undefined ? {} : { content_type: attachment.contentType }),
    size: attachment.content.length,
    url: attachment.url,
    proxy_url: attachment.url,
    ephemeral: isEphemeral,
  }
}

/**
 * Returns a message in the form in which the bot receives it. If `canRead` is false, everything that the author wrote is empty, as for apps
 * without the message content intent. Discord documents this in resources/message, "Message Structure".
 */
export function messagePayload(
  world: World,
  app: AppIdentity,
  message: Message,
  options: { readonly canRead: boolean; readonly withReference?: boolean },
): JsonObject {
  const { body, interaction } = message
  const author = world.users.get(message.authorId)
  const guild = message.guildId === undefined ? undefined : world.guilds.get(message.guildId)
  const attachments = body.attachments.filter(attachment => !attachment.isEmbedded)
  const threadOf = message.threadId === undefined ? undefined : world.channels.get(message.threadId)
  const isEphemeral = message.visibleTo !== undefined
  return {
    id: message.id,
    channel_id: message.channelId,
    type: message.type,
    author: author === undefined ? null : userPayload(author),
    content: options.canRead ? body.content : '',
    timestamp: isoTime(message.createdAt),
    edited_timestamp: message.editedAt === undefined ? null : isoTime(message.editedAt),
    tts: false,
    mention_everyone: body.mentions.everyone,
    mentions: body.mentions.users.flatMap(id => {
      const user = world.users.get(id)
      const member = guild?.members.get(id)
      return user === undefined
        ? []
        : [{ ...userPayload(user), ...(member === undefined ? {} : { member: memberPayload(member) }) }]
    }),
    mention_roles: body.mentions.roles,
    attachments: options.canRead ? attachments.map(attachment => attachmentPayload(attachment, isEphemeral)) : [],
    embeds: options.canRead && (body.flags & MESSAGE_FLAG.suppressEmbeds) === 0 ? body.embeds : [],
    components: options.canRead ? body.components : [],
    pinned: false,
    flags: body.flags,
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...referencePayload(world, app, message, options),
    ...(threadOf === undefined || threadOf.isDeleted ? {} : { thread: channelPayload(world, app, threadOf) }),
    ...(interaction === undefined ? {} : { webhook_id: app.appId, application_id: app.appId }),
    ...(interaction === undefined ? {} : interactionMetadata(world, interaction)),
  }
}

function referencePayload(
  world: World,
  app: AppIdentity,
  message: Message,
  options: { readonly canRead: boolean; readonly withReference?: boolean },
): JsonObject {
  const { reference } = message
  if (reference === undefined) return {}
  const messageReference = {
    type: 0,
    channel_id: reference.channelId,
    ...(reference.messageId === undefined ? {} : { message_id: reference.messageId }),
    ...(message.guildId === undefined ? {} : { guild_id: message.guildId }),
  }
  if (options.withReference === false || reference.messageId === undefined) return { message_reference: messageReference }
  const referenced = world.find(reference.channelId, reference.messageId)
  return {
    message_reference: messageReference,
    referenced_message:
      referenced === undefined ? null : messagePayload(world, app, referenced, { ...options, withReference: false }),
  }
}

function interactionMetadata(world: World, interaction: NonNullable<Message['interaction']>): JsonObject {
  const user = world.users.get(interaction.userId)
  const shown = user === undefined ? {} : { user: userPayload(user) }
  return {
    interaction_metadata: {
      id: interaction.id,
      type: interaction.type,
      ...shown,
      authorizing_integration_owners: {},
      ...(interaction.originalMessageId === undefined ? {} : { original_response_message_id: interaction.originalMessageId }),
    },
    ...(interaction.commandName === undefined
      ? {}
      : { interaction: { id: interaction.id, type: interaction.type, name: interaction.commandName, ...shown } }),
  }
}

/** Whether Discord itself made the message, such as a join notice. Nobody can reply to such a message. */
export function isSystemType(type: number): boolean {
  const { default: plain, reply, command, contextMenuCommand } = MESSAGE_TYPE
  return ![plain, reply, command, contextMenuCommand].some(written => written === type)
}
