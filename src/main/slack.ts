import { PEOPLE_LIMITS } from '../access/known-people.ts'
import type { Once } from '../bots/shared/once.ts'
import { SLACK_LIMITS } from '../bots/slack/limits.ts'
import { createSlackOutbox } from '../bots/slack/outbox.ts'
import { createSlackPeople } from '../bots/slack/people.ts'
import { createSlackSurface } from '../bots/slack/surface.ts'
import type { ChartDrawer } from '../charts/drawer.ts'
import type { RecentQuestions } from '../chat/recent-questions.ts'
import type { HealthServer } from '../telemetry/health-server.ts'
import type { Config } from './config.ts'
import type { WiringContext } from './store.ts'

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
