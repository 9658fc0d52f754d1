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
export async function wireChatPlatforms(context: WiringContext): Promise<ChatPlatforms> {
  const { config, logger, resources } = context
  const { draw } = resources.add('chart drawer', createChartDrawer(), opened => opened.close())
  const configured = Object.entries(config.chat.configured)
  const opened = await Promise.all(
    configured.map(async ([name, platform]) => {
      const own = logger.child({ platform: name })
      const parts = { linkHosts: config.linkHosts, drawChart: draw, logger: own }
      return { name, ...(await platform.open(parts)) }
    }),
  )
  return {
    surfaces: parts => opened.map(({ surface }) => surface(parts)),
    destinations: Object.fromEntries(opened.map(({ name, destination }) => [name, destination])),
    people: await wirePeople(context),
  }
}

/** Opens the look-up of people on every configured chat platform. */
export async function wirePeople({ config, logger }: WiringContext): Promise<ChatPlatforms['people']> {
  const opened = Object.entries(config.chat.configured).map(async ([name, platform]) => {
    const calls = { timeoutMs: ACCESS_LIMITS.fetchMs, logger: logger.child({ platform: name }) }
    return [name, await platform.people(calls)] as const
  })
  return Object.fromEntries(await Promise.all(opened))
}
