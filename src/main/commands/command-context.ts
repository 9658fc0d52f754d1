import { Breakers } from '../../base/breaker.ts'
import { ClewError, ConfigurationError, errorMessage } from '../../base/errors.ts'
import { endedAfter, endSoon, Resources, shutdownSignal } from '../../base/lifecycle.ts'
import { createLogger, type Logger } from '../../base/logger.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { Observers } from '../../telemetry/observation.ts'
import { type Language, languageOf } from '../../words/language.ts'
import { type Config, readConfig } from '../config.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { unknownVariables } from './unknown-variables.ts'

/** The exit codes. `answered`: success. `failed`: failure. `usage`: wrong arguments or a wrong configuration. */
export const EXIT = { answered: 0, failed: 1, usage: 2 } as const

export interface CommandContext {
  readonly config: Config
  readonly logger: Logger
  readonly resources: Resources
  /** Aborts at the first SIGINT or SIGTERM of the process. */
  readonly signal: AbortSignal
  readonly output: NodeJS.WriteStream
  readonly errorOutput: NodeJS.WriteStream
  /** The language of the terminal, from its locale. */
  readonly language: Language
  readonly tell?: (sentence: string) => void
  /** Those who watch the work of this process. */
  readonly observers: Observers
  /** The breakers of this process. */
  readonly breakers: Breakers
}

/**
 * Reads the configuration, runs a command, and closes its resources. Reports an expected failure in one sentence on standard
 * error. Then ends the process soon, even if an open handle would keep it alive.
 * @returns the exit code
 */
export async function runCommand(
  env: Readonly<Record<string, string | undefined>>,
  command: (context: CommandContext) => Promise<number>,
  options: {
    readonly logLevel?: string
    /** Whether the command itself reports unknown variables. If not, `runCommand` reports them. */
    readonly isQuiet?: boolean
  } = {},
): Promise<number> {
  const { signal, dispose } = shutdownSignal()
  const resources = new Resources()
  let logger = createLogger({})
  try {
    const config = readConfig(env)
    // People at a terminal read sentences. Log lines are shown only if they ask for them.
    logger = createLogger({
      level: env.CLEW_LOG_LEVEL?.trim() ? config.logLevel : (options.logLevel ?? config.logLevel),
      secrets: config.secrets,
    })
    const { stdout: output, stderr: errorOutput } = process
    const say = (sentence: string) => tell({ errorOutput }, sentence)
    if (!options.isQuiet) unknownVariables(env, config.variables).forEach(say)
    const language = languageOf(env.LC_ALL || env.LC_MESSAGES || env.LANG) ?? 'en'
    const watched = { observers: new Observers(), breakers: new Breakers() }
    const context = { config, logger, resources, signal, output, errorOutput, language, tell: say, ...watched }
    return await endedAfter(signal, MAIN_LIMITS.commandStopMs, command(context))
  } catch (error) {
    if (signal.aborted) {
      process.stderr.write('Stopped.\n')
      return EXIT.failed
    }
    if (!(error instanceof ClewError)) throw error
    process.stderr.write(`${terminalText(errorMessage(error))}\n`)
    return error instanceof ConfigurationError ? EXIT.usage : EXIT.failed
  } finally {
    await resources.close(logger)
    dispose()
    endSoon(logger)
  }
}

/** Writes a sentence for the person at the terminal, to standard error, so that it does not mix with the answer. */
export function tell({ errorOutput }: Pick<CommandContext, 'errorOutput'>, sentence: string): void {
  errorOutput.write(`${terminalText(sentence)}\n`)
}
