import { LogLevel } from '@slack/bolt'

/** For the real clients in tests of what they do when Slack refuses or goes away. */
export const SILENT_LOGGER = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
}
