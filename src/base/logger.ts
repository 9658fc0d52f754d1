import { type DestinationStream, type Logger, pino } from 'pino'
import { BASE_LIMITS } from './limits.ts'

export type { Logger }

const REDACTED = '[redacted]'

/**
 * Creates a structured logger (one JSON object per line) that removes secrets from its lines.
 * @param options.secrets exact values (keys, passwords, tokens) to remove; values shorter than 6 characters are ignored
 * @param options.destination default: standard error, because standard output is for results
 */
export function createLogger(options: {
  readonly level?: string
  readonly secrets?: readonly string[]
  readonly destination?: DestinationStream
}): Logger {
  const secrets = (options.secrets ?? [])
    .filter(secret => secret.length >= 6)
    .map(secret => JSON.stringify(secret).slice(1, -1))
    // Longer secrets are removed first. If `abcdef` were removed before `abcdef123`, the `123` would remain in the log.
    .sort((left, right) => right.length - left.length)
  const target = options.destination ?? standardError()
  const destination: DestinationStream = {
    write: line => target.write(secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), line)),
  }
  return pino({ level: options.level ?? 'info', base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/**
 * Opens standard error. While its disk is full, lines wait for room, and the process works on. By itself, pino would end the
 * process, whose last write would then be repeated for ever.
 */
function standardError(): DestinationStream {
  const target = pino.destination({ dest: 2, maxLength: BASE_LIMITS.waitingLogBytes })
  const { flushSync } = target
  target.on('write', () => Object.assign(target, { flushSync }))
  // The process ends without the lines that still wait.
  return target.on('error', () => Object.assign(target, { flushSync: () => undefined }))
}
