import { PEOPLE_LIMITS } from './access/known-people.ts'
import { DISCORD_LIMITS } from './bots/discord/discord-limits.ts'
import { createDiscordOutbox } from './bots/discord/discord-outbox.ts'
import { createDiscordPeople } from './bots/discord/discord-people.ts'
import { createDiscordSurface } from './bots/discord/discord-surface.ts'
import type { ChartDrawer } from './charts/chart-drawer.ts'
import type { Config } from './config.ts'
import type { WiringContext } from './main-store.ts'

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
