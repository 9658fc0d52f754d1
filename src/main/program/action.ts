import { asRun } from '../../base/watched-work.ts'
import { type CommandContext, runCommand } from '../commands/command-context.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'

/** Whether a process serves others. If not, its work is done for the person at the terminal. */
interface How {
  readonly isService?: boolean
  /** The lowest level of the log. A person at a terminal reads the output, so the default is `error`; of a service it is `info`. */
  readonly logLevel?: string
  /** Whether the command itself reports unknown variables. */
  readonly isQuiet?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Returns the action of a command. The command's file is loaded when it runs, and no other command's. It gets the context, the
 * arguments, and then the options. Its exit code becomes that of this process.
 */
export function runs<Given extends unknown[]>(
  load: () => Promise<(context: CommandContext, ...given: Given) => Promise<number>>,
  how: How = {},
) {
  return (...given: Given) => run(async context => (await load())(context, ...given), how)
}

/** Runs one command, with the environment of this process unless another is given. */
export async function run(command: (context: CommandContext) => Promise<number>, how: How = {}): Promise<void> {
  const { isService = false, logLevel = isService ? 'info' : 'error', isQuiet = false, env = process.env } = how
  const forPerson = (context: CommandContext) =>
    asRun({ id: '', person: TERMINAL_PERSON, place: { platform: 'terminal', channel: '' } }, () => command(context))
  process.exitCode = await runCommand(env, isService ? command : forPerson, { logLevel, isQuiet })
}
