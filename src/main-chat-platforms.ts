import { PEOPLE_LIMITS } from './access/known-people.ts'
import type { PeopleDirectory } from './access/people-directory.ts'
import type { ChatSurface } from './bots/chat-platform.ts'
import { DISCORD_LIMITS } from './bots/discord/discord-limits.ts'
import { createDiscordOutbox } from './bots/discord/discord-outbox.ts'
import { createDiscordPeople } from './bots/discord/discord-people.ts'
import { createDiscordSurface } from './bots/discord/discord-surface.ts'
import type { RecentQuestions } from './bots/recent-questions.ts'
import { SLACK_LIMITS } from './bots/slack/slack-limits.ts'
import { createSlackOutbox } from './bots/slack/slack-outbox.ts'
import { createSlackPeople } from './bots/slack/slack-people.ts'
import { createSlackSurface } from './bots/slack/slack-surface.ts'
import { type ChartDrawer, createChartDrawer } from './charts/chart-drawer.ts'
import { ConfigurationError } from './errors.ts'
import type { WiringContext } from './main-parts.ts'
import type { ChatDestination } from './queue/chat-destination.ts'
import type { HealthServer } from './telemetry/health-server.ts'

/** What the connections need beside their configuration. */
interface SurfaceParts {
  readonly server: HealthServer
  readonly recentQuestions: RecentQuestions
  /** Questions to offer to people, if the operator names any. */
  readonly examples: readonly string[]
}

export interface ChatPlatforms {
  /** Incoming connections, for the bots process. */
  surfaces(parts: SurfaceParts): readonly ChatSurface[]
  /** Outgoing halves by platform, for both processes. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** Who is in which group and channel, by platform. */
  readonly people: Readonly<Record<string, PeopleDirectory>>
}

/** Every chat platform whose variables are set. @throws ConfigurationError when none is */
export function wireChatPlatforms(context: WiringContext): ChatPlatforms {
  const { draw } = context.resources.add('chart drawer', createChartDrawer(), opened => opened.close())
  const platforms = [wireSlack(context, draw), wireDiscord(context, draw)].filter(platform => platform !== undefined)
  if (platforms.length === 0) {
    throw new ConfigurationError(
      'No chat platform is configured: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET (docs/slack.md tells how to get them), or DISCORD_TOKEN and DISCORD_APPLICATION_ID (docs/discord.md).',
    )
  }
  return {
    surfaces: parts => platforms.map(platform => platform.surface(parts)),
    destinations: Object.fromEntries(platforms.map(({ name, destination }) => [name, destination])),
    people: Object.fromEntries(platforms.map(({ name, people }) => [name, people])),
  }
}

interface Platform {
  readonly name: string
  surface(parts: SurfaceParts): ChatSurface
  readonly destination: ChatDestination
  readonly people: PeopleDirectory
}

function wireSlack({ config, logger }: WiringContext, drawChart: ChartDrawer['draw']): Platform | undefined {
  if (config.slack === undefined) return undefined
  const { receive, ...api } = config.slack
  const own = { ...api, logger: logger.child({ platform: 'slack' }) }
  return {
    name: 'slack',
    surface: ({ server: { serve }, recentQuestions, examples }) =>
      createSlackSurface({
        ...own,
        receive: receive.over === 'http' ? { ...receive, serve } : receive,
        recentQuestions,
        examples,
      }),
    destination: {
      outbox: createSlackOutbox({ ...own, allowedLinkHosts: config.linkHosts, drawChart }),
      progressEditsPerMinute: SLACK_LIMITS.progressEditsPerMinute,
      postIntervalMs: SLACK_LIMITS.postIntervalMs,
      streams: {
        startsPerMinute: SLACK_LIMITS.streamStartsPerMinute,
        appendsPerMinute: SLACK_LIMITS.streamAppendsPerMinute,
      },
    },
    people: createSlackPeople({ token: api.botToken, apiUrl: api.apiUrl, timeoutMs: PEOPLE_LIMITS.fetchMs, logger: own.logger }),
  }
}

function wireDiscord({ config, logger }: WiringContext, drawChart: ChartDrawer['draw']): Platform | undefined {
  if (config.discord === undefined) return undefined
  const own = { ...config.discord, logger: logger.child({ platform: 'discord' }) }
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
