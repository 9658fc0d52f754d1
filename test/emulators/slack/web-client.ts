import { webApi } from '@slack/bolt'
import { SILENT_LOGGER } from './silent-logger.ts'
import type { SlackEmulator } from './slack-emulator.ts'

/** Creates the real WebClient without retries, so that every refusal is visible. */
export function createWebClient(slack: SlackEmulator, token: string = slack.botToken): webApi.WebClient {
  return new webApi.WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: SILENT_LOGGER,
  })
}
