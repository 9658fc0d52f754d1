import type { Block, SlackFile, SlackMessage } from './slack-model.ts'
import type { Workspace } from './workspace.ts'

export type JsonObject = { readonly [key: string]: unknown }

/** The ids of the emulated app and its bot, as payloads contain them. */
export interface AppIdentity {
  readonly appId: string
  readonly botUserId: string
  readonly botId: string
}

const MARKUP = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g

/** Reverses the three escapes `&lt;`, `&gt;` and `&amp;`. See docs.slack.dev/messaging/formatting-message-text, "Escaping text". */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function markupElement(sigil: string, target: string, label: string | undefined): Block {
  if (sigil === '@') return { type: 'user', user_id: target }
  if (sigil === '#') return { type: 'channel', channel_id: target }
  if (sigil === '!' && target.startsWith('subteam^')) return { type: 'usergroup', usergroup_id: target.slice('subteam^'.length) }
  if (sigil === '!') return { type: 'broadcast', range: target }
  return { type: 'link', url: target, ...(label === undefined ? {} : { text: label }) }
}

/** Returns the `rich_text` block into which Slack's editor turns typed text. */
export function richTextOf(text: string, blockId: string): Block {
  const elements: Block[] = []
  let position = 0
  for (const match of text.matchAll(MARKUP)) {
    if (match.index > position) elements.push({ type: 'text', text: unescapeText(text.slice(position, match.index)) })
    elements.push(markupElement(match[1] ?? '', match[2] ?? '', match[3]))
    position = match.index + match[0].length
  }
  if (position < text.length) elements.push({ type: 'text', text: unescapeText(text.slice(position)) })
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] }
}

export function filePayload(file: SlackFile): JsonObject {
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    user: file.owner,
    size: file.content.length,
    mode: 'hosted',
    is_external: false,
    filetype: file.name.split('.').at(-1) ?? '',
  }
}

function threadFields(workspace: Workspace, message: SlackMessage): JsonObject {
  const replies = workspace.replies(message.channel, message.ts)
  const last = replies.at(-1)
  if (last !== undefined) {
    return {
      thread_ts: message.ts,
      reply_count: replies.length,
      reply_users: [...new Set(replies.map(reply => reply.user))],
      reply_users_count: new Set(replies.map(reply => reply.user)).size,
      latest_reply: last.ts,
      is_locked: false,
    }
  }
  if (message.threadTs === undefined) return {}
  const parent = workspace.find(message.channel, message.threadTs)
  return { thread_ts: message.threadTs, ...(parent === undefined ? {} : { parent_user_id: parent.user }) }
}

/** Returns a message in the form that `conversations.replies`, `chat.postMessage` and `message` events contain. */
export function messagePayload(
  workspace: Workspace,
  app: AppIdentity,
  message: SlackMessage,
  options: { readonly withMetadata: boolean },
): JsonObject {
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    user: message.subtype === 'tombstone' ? 'USLACKBOT' : message.user,
    ...(message.subtype === 'tombstone' ? { hidden: true } : {}),
    ts: message.ts,
    ...(message.clientMessageId === undefined ? {} : { client_msg_id: message.clientMessageId }),
    text: message.text,
    team: workspace.teamId,
    ...(message.botId === undefined ? {} : botFields(workspace, app, message.botId)),
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.files.length === 0 ? {} : { files: message.files.map(filePayload), upload: false }),
    ...threadFields(workspace, message),
    ...(message.edited === undefined ? {} : { edited: message.edited }),
    ...(message.reactions.length === 0 ? {} : { reactions: groupReactions(message) }),
    ...(options.withMetadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
  }
}

function botFields(workspace: Workspace, app: AppIdentity, botId: string): JsonObject {
  const bot = [...workspace.users.values()].find(user => user.botId === botId)
  const isOwn = botId === app.botId
  return {
    bot_id: botId,
    ...(isOwn ? { app_id: app.appId } : {}),
    bot_profile: { id: botId, name: bot?.name ?? 'bot', deleted: false, team_id: workspace.teamId },
  }
}

function groupReactions(message: SlackMessage): readonly JsonObject[] {
  const names = [...new Set(message.reactions.map(reaction => reaction.name))]
  return names.map(name => {
    const users = message.reactions.filter(reaction => reaction.name === name).map(reaction => reaction.user)
    return { name, users, count: users.length }
  })
}
