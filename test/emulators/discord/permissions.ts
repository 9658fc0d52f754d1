import type { Channel, Guild, Role } from './discord-model.ts'

/** The permissions that the emulator checks. Discord documents them in topics/permissions, "Bitwise Permission Flags". */
export const PERMISSIONS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
} as const

export type PermissionName = keyof typeof PERMISSIONS

/** Combines named permissions into one number, with one bit for each. */
export function permissionBits(names: readonly PermissionName[]): bigint {
  return names.reduce((bits, name) => bits | PERMISSIONS[name], 0n)
}

const ALL = permissionBits(['ADMINISTRATOR']) | ((1n << 53n) - 1n)

/**
 * Returns a member's permissions in a channel of the server. For a thread, `channel` must be the channel that the thread belongs to. Discord
 * documents this in topics/permissions, "Permission Overwrites" and "Implicit Permissions".
 */
export function permissionsIn(guild: Guild, userId: string, channel: Channel | undefined): bigint {
  const member = guild.members.get(userId)
  if (member === undefined) return 0n
  const roles = [guild.roles.get(guild.id), ...[...member.roles].map(id => guild.roles.get(id))].filter(isRole)
  const base = roles.reduce((bits, role) => bits | role.permissions, 0n)
  if (guild.ownerId === userId || (base & PERMISSIONS.ADMINISTRATOR) !== 0n) return ALL
  if (channel === undefined) return base

  const everyone = channel.overwrites.find(overwrite => overwrite.id === guild.id)
  let bits = (base & ~(everyone?.deny ?? 0n)) | (everyone?.allow ?? 0n)
  const ofRoles = channel.overwrites.filter(overwrite => overwrite.type === 0 && member.roles.has(overwrite.id))
  bits &= ~ofRoles.reduce((denied, overwrite) => denied | overwrite.deny, 0n)
  bits |= ofRoles.reduce((allowed, overwrite) => allowed | overwrite.allow, 0n)
  const own = channel.overwrites.find(overwrite => overwrite.type === 1 && overwrite.id === userId)
  bits = (bits & ~(own?.deny ?? 0n)) | (own?.allow ?? 0n)
  return (bits & PERMISSIONS.VIEW_CHANNEL) === 0n ? 0n : bits
}

function isRole(role: Role | undefined): role is Role {
  return role !== undefined
}
