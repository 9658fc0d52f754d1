import type { Guild, Overwrite } from './discord-model.ts'
import { type PermissionName, permissionBits } from './permissions.ts'

/** The permissions that the bot's role has by default. */
export const DEFAULT_BOT_PERMISSIONS: readonly PermissionName[] = [
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'SEND_MESSAGES_IN_THREADS',
  'CREATE_PUBLIC_THREADS',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'ADD_REACTIONS',
]

export interface ChannelWish {
  readonly name: string
  /** The names of the people or roles that see the channel. Default: everyone in the server. */
  readonly members?: readonly string[]
  /** The bot's permissions in the channel. Default: the permissions of the bot's role. */
  readonly botPermissions?: readonly PermissionName[]
}

/** Returns the permission overwrites for such a channel. `userId` returns the id of a person with this name. */
export function channelOverwrites(
  wish: ChannelWish,
  guild: Guild,
  deps: { readonly botUserId: string; readonly userId: (name: string) => string },
): readonly Overwrite[] {
  const view = permissionBits(['VIEW_CHANNEL'])
  const roles = [...guild.roles.values()].filter(role => role.botId === undefined)
  const shown = (wish.members ?? []).map((name): Overwrite => {
    const role = roles.find(candidate => candidate.name === name)
    return role === undefined
      ? { id: deps.userId(name), type: 1, allow: view, deny: 0n }
      : { id: role.id, type: 0, allow: view, deny: 0n }
  })
  const hidden: readonly Overwrite[] = wish.members === undefined ? [] : [{ id: guild.id, type: 0, allow: 0n, deny: view }]
  if (wish.botPermissions === undefined) return [...hidden, ...shown]
  const allow = permissionBits(wish.botPermissions)
  const own: Overwrite = { id: deps.botUserId, type: 1, allow, deny: permissionBits(DEFAULT_BOT_PERMISSIONS) & ~allow }
  return [...hidden, ...shown.filter(overwrite => overwrite.id !== deps.botUserId), own]
}
