import { App, SocketModeReceiver } from '@slack/bolt'
import { SILENT_LOGGER } from './silent-logger.ts'
import type { SlackEmulator } from './slack-emulator.ts'

/**
 * Creates a real, silent Bolt app in Socket Mode on the emulator.
 * @param options.reconnectMs the delay before a reconnect, and the time limit of a pong; below about a second, a busy machine loses healthy
 * connections; Socket Mode's default is 5 s
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
