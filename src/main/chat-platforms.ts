import type { PeopleDirectory } from '../access/people-directory.ts'
import { createChartDrawer } from '../charts/drawer.ts'
import type { ChatSurface } from '../chat/platform.ts'
import type { ChatDestination } from '../queue/deliver/chat-destination.ts'
import { notConfigured } from './required.ts'
import type { SlackSurfaceParts } from './slack.ts'
import type { WiringContext } from './store.ts'

export interface ChatPlatforms {
  /** Incoming connections, for the bots process. */
  surfaces(parts: SlackSurfaceParts): readonly ChatSurface[]
  /** Outgoing halves by platform, for both processes. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** Members of groups and channels, by platform. */
  readonly people: Readonly<Record<string, PeopleDirectory>>
}

/** Wires every configured chat platform and loads only its code. @throws ConfigurationError if there is none */
export async function wireChatPlatforms(context: WiringContext): Promise<ChatPlatforms> {
  const { slack, discord } = context.config
  const { draw } = context.resources.add('chart drawer', createChartDrawer(), opened => opened.close())
  const platforms: Platform[] = []
  if (slack !== undefined) platforms.push((await import('./slack.ts')).wireSlack(slack, context, draw))
  if (discord !== undefined) platforms.push((await import('./discord.ts')).wireDiscord(discord, context, draw))
  if (platforms.length === 0) throw notConfigured('chat')
  return {
    surfaces: parts => platforms.map(platform => platform.surface(parts)),
    destinations: Object.fromEntries(platforms.map(({ name, destination }) => [name, destination])),
    people: Object.fromEntries(platforms.map(({ name, people }) => [name, people])),
  }
}

interface Platform {
  readonly name: string
  surface(parts: SlackSurfaceParts): ChatSurface
  readonly destination: ChatDestination
  readonly people: PeopleDirectory
}
