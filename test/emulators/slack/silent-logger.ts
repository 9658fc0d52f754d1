import { LogLevel } from '@slack/bolt'

/** A logger for real clients, in tests of Slack's refusals and outages. */
export const SILENT_LOGGER = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
}
