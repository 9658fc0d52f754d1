import { webApi } from '@slack/bolt'
import { SILENT_LOGGER } from './silent-logger.ts'
import type { SlackEmulator } from './slack-emulator.ts'

/** Creates Slack's real WebClient with retries switched off, so that a test sees every refusal. */
export function createWebClient(slack: SlackEmulator, token: string = slack.botToken): webApi.WebClient {
  return new webApi.WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: SILENT_LOGGER,
  })
}
