import { type Channel, type Guild, MESSAGE_FLAG, type Mentions } from './discord-model.ts'

interface Audience {
  guildOf(channel: Channel): Guild | undefined
  audience(channel: Channel): readonly string[]
}

interface Notice {
  readonly authorId: string
  readonly visibleTo?: string | undefined
  readonly body: { readonly mentions: Mentions; readonly flags: number }
}

/**
 * Returns the people whom a new message notifies. They are the people whom it mentions and who see it. In a direct conversation, it is the other
 * person.
 */
export function notifiedBy(world: Audience, channel: Channel, draft: Notice): readonly string[] {
  const { mentions, flags } = draft.body
  if ((flags & MESSAGE_FLAG.suppressNotifications) !== 0 || (flags & MESSAGE_FLAG.loading) !== 0) return []
  const audience = draft.visibleTo === undefined ? world.audience(channel) : [draft.visibleTo]
  const members = world.guildOf(channel)?.members
  return audience
    .filter(id => id !== draft.authorId)
    .filter(
      id =>
        members === undefined ||
        mentions.everyone ||
        mentions.users.includes(id) ||
        mentions.roles.some(role => members.get(id)?.roles.has(role) === true),
    )
}
