import { LogLevel } from '@slack/bolt'

/** A logger that writes nothing. Real clients get it in tests in which Slack refuses calls or is away. */
export const SILENT_LOGGER = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
}
