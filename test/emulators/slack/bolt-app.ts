import { App, SocketModeReceiver } from '@slack/bolt'
import { SILENT_LOGGER } from './silent-logger.ts'
import type { SlackEmulator } from './slack-emulator.ts'

/**
 * A real bolt app in Socket Mode, pointed at the emulator and silent.
 * @param options.reconnectMs after how long it opens a lost connection again, and also how late a pong may be before it gives a connection
 *   up: below about a second a busy machine makes it drop connections that are well. Socket Mode's own default is 5 s
 */
export function createBoltApp(slack: SlackEmulator, options: { readonly reconnectMs?: number } = {}): App {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: SILENT_LOGGER,
    clientPingTimeout: options.reconnectMs ?? 5_000,
    installerOptions: { clientOptions },
  })
  return new App({ token: slack.botToken, receiver, clientOptions, logger: SILENT_LOGGER })
}
