import type { Channel, Mentions } from './discord-model.ts'
import type { World } from './world.ts'

/** The allowed mentions of a message, after validation. Discord documents them in resources/message, "Allowed Mentions Object". */
export interface AllowedMentions {
  readonly parse: readonly string[]
  readonly roles: readonly string[]
  readonly users: readonly string[]
  readonly repliedUser: boolean
}

/** The default for messages of bots and people. In replies by people, `replied_user` is on. */
export const ALLOW_ALL: AllowedMentions = { parse: ['users', 'roles', 'everyone'], roles: [], users: [], repliedUser: true }
/** The default for responses to interactions and for webhooks: only people may be mentioned. */
export const ALLOW_USERS: AllowedMentions = { parse: ['users'], roles: [], users: [], repliedUser: true }

/** Matches code in Markdown. A mention inside code notifies nobody. */
const CODE = /```[\s\S]*?```|(`+)(?!`)[\s\S]*?[^`]\1(?!`)|`[^`\n]+`/g

/**
 * Returns a text's mentions of existing people and roles that `allowed` permits. `@everyone`, `@here` and roles that are not mentionable need a
 * permission. A backslash before a mention is assumed not to prevent it.
 */
export function resolveMentions(
  world: World,
  channel: Channel,
  message: { readonly text: string; readonly authorId: string; readonly repliedTo?: string | undefined },
  allowed: AllowedMentions,
): Mentions {
  const text = message.text.replaceAll(CODE, ' ')
  const guild = world.guildOf(channel)
  const mayPingAll = guild !== undefined && world.may(message.authorId, channel, 'MENTION_EVERYONE')

  const users = captures(text, /<@!?(\d{1,20})>/g)
    .filter(id => world.users.has(id))
    .filter(id => allowed.parse.includes('users') || allowed.users.includes(id))
  const roles = captures(text, /<@&(\d{1,20})>/g)
    .filter(id => mayPingAll || guild?.roles.get(id)?.mentionable === true)
    .filter(id => guild?.roles.has(id) === true)
    .filter(id => allowed.parse.includes('roles') || allowed.roles.includes(id))
  const groups = mayPingAll && allowed.parse.includes('everyone') ? captures(text, /@(everyone|here)\b/g) : []
  const replied = message.repliedTo !== undefined && allowed.repliedUser ? [message.repliedTo] : []
  return { users: unique([...replied, ...users]), roles: unique(roles), everyone: groups.length > 0, groups: unique(groups) }
}

function captures(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(match => match[1] ?? [])
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)]
}
