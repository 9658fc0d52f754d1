import { PEOPLE_LIMITS } from '../access/known-people.ts'
import type { PeopleDirectory } from '../access/people-directory.ts'
import type { SurfaceParts } from '../bots/shared/platform-entry.ts'
import { createChartDrawer } from '../charts/drawer.ts'
import type { ChatSurface } from '../chat/platform.ts'
import type { ChatDestination } from '../queue/deliver/chat-destination.ts'
import { notConfigured } from './required-parts.ts'
import type { WiringContext } from './store.ts'

export interface ChatPlatforms {
  /** Incoming connections, for the bots process. */
  surfaces(parts: SurfaceParts): readonly ChatSurface[]
  /** Outgoing halves by platform, for both processes. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** Members of groups and channels, by platform. */
  readonly people: Readonly<Record<string, PeopleDirectory>>
}

/** Wires every configured chat platform and loads only its code. @throws ConfigurationError if there is none */
export async function wireChatPlatforms({ config, logger, resources }: WiringContext): Promise<ChatPlatforms> {
  const { draw } = resources.add('chart drawer', createChartDrawer(), opened => opened.close())
  const configured = Object.entries(config.chat.configured)
  if (configured.length === 0) throw notConfigured(config, 'chat')
  const opened = await Promise.all(
    configured.map(async ([name, platform]) => {
      const own = logger.child({ platform: name })
      const parts = { linkHosts: config.linkHosts, drawChart: draw, logger: own }
      const people = await platform.people({ timeoutMs: PEOPLE_LIMITS.fetchMs, logger: own })
      return { name, people, ...(await platform.open(parts)) }
    }),
  )
  return {
    surfaces: parts => opened.map(({ surface }) => surface(parts)),
    destinations: Object.fromEntries(opened.map(({ name, destination }) => [name, destination])),
    people: Object.fromEntries(opened.map(({ name, people }) => [name, people])),
  }
}
