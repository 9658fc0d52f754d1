import type { AuditLog } from '../../audit/log.ts'
import { type UntilRecorded, untilRecorded } from '../../audit/recorded-analyst.ts'
import { Breakers } from '../../base/breaker.ts'
import { ClewError, ConfigurationError, errorMessage } from '../../base/errors.ts'
import { endedAfter, endSoon, OUTPUT_CLOSED, Resources, shutdownSignal } from '../../base/lifecycle.ts'
import { createLogger, type Logger } from '../../base/logger.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { Observers } from '../../telemetry/observation.ts'
import { type Language, languageOf } from '../../words/language.ts'
import { wireAudit } from '../audit.ts'
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
  /** The run that the command has begun last, for messages about failures. */
  readonly run: { id: string | null }
  /** Those who watch the work of this process. */
  readonly observers: Observers
  readonly audit: AuditLog
  readonly recorded?: UntilRecorded
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
    /** Whether the command prints JSON. Then a failure is printed as JSON too. */
    readonly isJson?: boolean
  } = {},
): Promise<number> {
  const { signal, dispose } = shutdownSignal()
  const resources = new Resources()
  const run: CommandContext['run'] = { id: null }
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
    const shared = { config, logger, resources, observers: new Observers(), breakers: new Breakers() }
    const audit = wireAudit(shared)
    const recorded = config.audit.isRequired && { recorded: untilRecorded(audit) }
    const context = { ...shared, audit, ...recorded, signal, output, errorOutput, language, tell: say, run }
    return await endedAfter(signal, MAIN_LIMITS.commandStopMs, command(context))
  } catch (thrown) {
    // Whoever read the output has what they wanted.
    if (signal.reason === OUTPUT_CLOSED) return EXIT.answered
    const error = signal.aborted ? new ClewError('Stopped.', { code: 'stopped', cause: thrown }) : thrown
    if (options.isJson) process.stdout.write(`${JSON.stringify(failureJson(run.id, error))}\n`)
    if (!(error instanceof ClewError)) throw error
    const isOfRun = run.id !== null && !signal.aborted && !(error instanceof ConfigurationError)
    process.stderr.write(`${terminalText(error.message)}${isOfRun ? ` (${run.id})` : ''}\n`)
    return error instanceof ConfigurationError ? EXIT.usage : EXIT.failed
  } finally {
    await resources.close(logger)
    dispose()
    endSoon(logger)
  }
}

function failureJson(runId: string | null, error: unknown) {
  const kind = error instanceof ClewError ? error.code : 'fault'
  return { run_id: runId, error: { kind, message: errorMessage(error) } }
}

/** Writes a sentence for the person at the terminal, to standard error, so that it does not mix with the answer. */
export function tell({ errorOutput }: Pick<CommandContext, 'errorOutput'>, sentence: string): void {
  errorOutput.write(`${terminalText(sentence)}\n`)
}
