import { App, LogLevel, SocketModeReceiver } from '@slack/bolt'
import type { SlackEmulator } from './slack-emulator.ts'

const SILENT = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
}

/** A real bolt app in Socket Mode, pointed at the emulator. It reconnects at once and stays silent. */
export function createBoltApp(slack: SlackEmulator): App {
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: SILENT,
    clientPingTimeout: 100,
    installerOptions: { clientOptions },
  })
  return new App({ token: slack.botToken, receiver, clientOptions, logger: SILENT })
}
