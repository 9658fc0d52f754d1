import { accountRoutes } from './routes/account.ts'
import { channelRoutes } from './routes/channels.ts'
import { commandRoutes } from './routes/commands.ts'
import { guildRoutes } from './routes/guilds.ts'
import { interactionRoutes } from './routes/interactions.ts'
import { messageRoutes } from './routes/messages.ts'
import { threadRoutes } from './routes/threads.ts'

/** Every route of the API, by method and path as in the documentation. */
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
