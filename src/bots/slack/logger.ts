import { format } from 'node:util'
import { LogLevel, type Logger as SlackLogger } from '@slack/logger'
import type { Logger } from '../../base/logger.ts'

/** Matches tokens by their prefixes, and the ticket in a Socket Mode address. */
const SECRETS = /\b(?:xox[a-z]|xapp|xoxe\.xox[a-z])-[\w.-]+|(?<=[?&]ticket=)[^&\s"']+/g

/**
 * Returns a logger that passes the lines of Slack's SDK to our logger. Drops debug lines, because they contain payloads, and
 * addresses with which anyone could connect.
 */
export function slackLogger(logger: Logger): SlackLogger {
  const line = (parts: readonly unknown[]) => ({ detail: format(...parts).replace(SECRETS, '[redacted]') })
  return {
    debug: () => {},
    info: (...parts) => logger.debug(line(parts), 'slack client'),
    warn: (...parts) => logger.warn(line(parts), 'slack client'),
    error: (...parts) => logger.error(line(parts), 'slack client'),
    setLevel: () => {},
    getLevel: () => LogLevel.INFO,
    setName: () => {},
  }
}
