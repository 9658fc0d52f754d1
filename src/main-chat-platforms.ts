import type { ChatSurface } from './bots/chat-platform.ts'
import { SLACK_LIMITS } from './bots/slack/slack-limits.ts'
import { createSlackOutbox } from './bots/slack/slack-outbox.ts'
import { createSlackSurface } from './bots/slack/slack-surface.ts'
import { ConfigurationError } from './errors.ts'
import type { WiringContext } from './main-parts.ts'
import type { ChatDestination } from './queue/delivery.ts'

export interface ChatPlatforms {
  /** Incoming connections, for the bots process. */
  surfaces(): readonly ChatSurface[]
  /** Outgoing halves by platform, for both processes. */
  readonly destinations: Readonly<Record<string, ChatDestination>>
}

/** Every chat platform whose variables are set. @throws ConfigurationError when none is */
export function wireChatPlatforms({ config, logger }: WiringContext): ChatPlatforms {
  const { slack } = config
  if (slack === undefined) {
    throw new ConfigurationError(
      'No chat platform is configured: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN (docs/slack.md tells how to get them).',
    )
  }
  const own = { ...slack, logger: logger.child({ platform: 'slack' }) }
  return {
    surfaces: () => [createSlackSurface(own)],
    destinations: {
      slack: {
        outbox: createSlackOutbox({ ...own, allowedLinkHosts: config.linkHosts }),
        progressEditsPerMinute: SLACK_LIMITS.progressEditsPerMinute,
      },
    },
  }
}
