/** Discord documents this in events/gateway, "List of Intents". */
export const INTENTS = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  guildMessageTyping: 1 << 11,
  directMessages: 1 << 12,
  directMessageTyping: 1 << 14,
  messageContent: 1 << 15,
} as const

/** The intents that must be switched on in Discord's developer portal, under "Privileged Gateway Intents". */
export const PRIVILEGED_INTENTS = {
  GUILD_PRESENCES: INTENTS.guildPresences,
  GUILD_MEMBERS: INTENTS.guildMembers,
  MESSAGE_CONTENT: INTENTS.messageContent,
} as const
export type PrivilegedIntent = keyof typeof PRIVILEGED_INTENTS

/** All bits that Discord defines for intents. */
export const KNOWN_INTENTS = [...Array(17).keys(), 20, 21, 24, 25].reduce((bits, shift) => bits | (1 << shift), 0)
