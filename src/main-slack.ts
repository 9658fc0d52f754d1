import { PEOPLE_LIMITS } from './access/known-people.ts'
import type { Once } from './bots/once.ts'
import type { RecentQuestions } from './bots/recent-questions.ts'
import { SLACK_LIMITS } from './bots/slack/slack-limits.ts'
import { createSlackOutbox } from './bots/slack/slack-outbox.ts'
import { createSlackPeople } from './bots/slack/slack-people.ts'
import { createSlackSurface } from './bots/slack/slack-surface.ts'
import type { ChartDrawer } from './charts/chart-drawer.ts'
import type { Config } from './config.ts'
import type { WiringContext } from './main-store.ts'
import type { HealthServer } from './telemetry/health-server.ts'

/** The parts of a connection besides its configuration. */
export interface SlackSurfaceParts {
  readonly server: HealthServer
  readonly once: Once
  readonly recentQuestions: RecentQuestions
  /** Suggested questions, if the operator names any. */
  readonly examples: readonly string[]
}

export function wireSlack(
  slack: NonNullable<Config['slack']>,
  { config, logger }: WiringContext,
  drawChart: ChartDrawer['draw'],
) {
  const { receive, ...api } = slack
  const own = { ...api, logger: logger.child({ platform: 'slack' }) }
  return {
    name: 'slack',
    surface: ({ server: { serve }, once, recentQuestions, examples }: SlackSurfaceParts) =>
      createSlackSurface({
        ...own,
        receive: receive.over === 'http' ? { ...receive, serve } : receive,
        once,
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
