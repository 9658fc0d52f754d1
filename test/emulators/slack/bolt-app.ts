import { App, SocketModeReceiver } from '@slack/bolt'
import { SILENT_LOGGER } from './silent-logger.ts'
import type { SlackEmulator } from './slack-emulator.ts'

/** A real bolt app in Socket Mode, pointed at the emulator. It reconnects after 50 ms instead of 5 s, and stays silent. */
export function createBoltApp(slack: SlackEmulator): App {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: SILENT_LOGGER,
    clientPingTimeout: 50,
    installerOptions: { clientOptions },
  })
  return new App({ token: slack.botToken, receiver, clientOptions, logger: SILENT_LOGGER })
}
