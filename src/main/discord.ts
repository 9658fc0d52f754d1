import { PEOPLE_LIMITS } from '../access/known-people.ts'
import { DISCORD_LIMITS } from '../bots/discord/limits.ts'
import { createDiscordOutbox } from '../bots/discord/outbox.ts'
import { createDiscordPeople } from '../bots/discord/people.ts'
import { createDiscordSurface } from '../bots/discord/surface.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import type { Config } from './config.ts'
import type { WiringContext } from './store.ts'

export function wireDiscord(
  discord: NonNullable<Config['discord']>,
  { config, logger }: WiringContext,
  drawChart: ChartDrawer['draw'],
) {
  const own = { ...discord, logger: logger.child({ platform: 'discord' }) }
  return {
    name: 'discord',
    surface: () => createDiscordSurface(own),
    destination: {
      outbox: createDiscordOutbox({ ...own, allowedLinkHosts: config.linkHosts, drawChart }),
      progressEditsPerMinute: DISCORD_LIMITS.progressEditsPerMinute,
      requestsPerSecond: DISCORD_LIMITS.callsPerSecond,
    },
    people: createDiscordPeople({ ...own, timeoutMs: PEOPLE_LIMITS.fetchMs }),
  }
}
