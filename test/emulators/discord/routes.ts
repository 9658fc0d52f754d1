import { accountRoutes } from './routes/account.ts'
import { channelRoutes } from './routes/channels.ts'
import { commandRoutes } from './routes/commands.ts'
import { guildRoutes } from './routes/guilds.ts'
import { interactionRoutes } from './routes/interactions.ts'
import { messageRoutes } from './routes/messages.ts'
import { threadRoutes } from './routes/threads.ts'

/** All routes of the emulated API. A key is a method and a path, as in Discord's documentation. */
export const ROUTES = {
  ...accountRoutes,
  ...channelRoutes,
  ...commandRoutes,
  ...guildRoutes,
  ...interactionRoutes,
  ...messageRoutes,
  ...threadRoutes,
} as const

export type RouteName = keyof typeof ROUTES
