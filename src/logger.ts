import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

const REDACTED = '[redacted]'

/**
 * A structured logger (one JSON object a line) from which every registered secret is removed, wherever in a line it stands.
 * @param options.secrets exact values (keys, passwords, tokens) that must never be written; shorter than 6 characters are passed over
 * @param options.destination where lines go; standard error by default, so that standard output stays the program's own
 */
export function createLogger(options: {
  readonly level?: string
  readonly secrets?: readonly string[]
  readonly destination?: DestinationStream
}): Logger {
  const secrets = (options.secrets ?? [])
    .filter(secret => secret.length >= 6)
    .map(secret => JSON.stringify(secret).slice(1, -1))
    // The longest first: of one that begins like another, no rest may stay.
    .sort((left, right) => right.length - left.length)
  const target = options.destination ?? pino.destination(2)
  const destination: DestinationStream = {
    write: line => target.write(secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), line)),
  }
  return pino({ level: options.level ?? 'info', base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
