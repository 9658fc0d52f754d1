import { ACCESS_LIMITS } from '../access/limits.ts'
import type { PeopleDirectory } from '../access/people-directory.ts'
import type { SurfaceParts } from '../bots/shared/platform-entry.ts'
import { createChartDrawer } from '../charts/drawer.ts'
import type { ChatSurface } from '../chat/platform.ts'
import type { ChatDestination } from '../queue/deliver/chat-destination.ts'
import type { WiringContext } from './store.ts'

export interface ChatPlatforms {
  /** Creates the parts that receive events. Only the bots process needs them. */
  surfaces(parts: SurfaceParts): readonly ChatSurface[]
  /** The part of each platform that sends messages. Bots and workers both need it. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** Functions that look up the members of groups and channels, by the name of their platform. */
  readonly people: Readonly<Record<string, PeopleDirectory>>
}

/** Opens every configured chat platform. The code of other platforms is not loaded. */
export async function wireChatPlatforms({ config, logger, resources }: WiringContext): Promise<ChatPlatforms> {
  const { draw } = resources.add('chart drawer', createChartDrawer(), opened => opened.close())
  const configured = Object.entries(config.chat.configured)
  const opened = await Promise.all(
    configured.map(async ([name, platform]) => {
      const own = logger.child({ platform: name })
      const parts = { linkHosts: config.linkHosts, drawChart: draw, logger: own }
      const people = await platform.people({ timeoutMs: ACCESS_LIMITS.fetchMs, logger: own })
      return { name, people, ...(await platform.open(parts)) }
    }),
  )
  return {
    surfaces: parts => opened.map(({ surface }) => surface(parts)),
    destinations: Object.fromEntries(opened.map(({ name, destination }) => [name, destination])),
    people: Object.fromEntries(opened.map(({ name, people }) => [name, people])),
  }
}
