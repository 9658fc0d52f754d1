import { asRun } from '../../base/watched-work.ts'
import { type CommandContext, runCommand } from '../commands/command-context.ts'
import { TERMINAL_PERSON } from '../terminal-person.ts'

interface How {
  /** Whether the process serves others. If not, its work is done for the person at the terminal. */
  readonly isService?: boolean
  /** The lowest level of the log. A person at a terminal reads the output, so the default is `error`; of a service it is `info`. */
  readonly logLevel?: string
  /** Whether the command itself reports unknown variables. */
  readonly isQuiet?: boolean
  /** Returns the environment. Default: that of this process. */
  readonly env?: () => Promise<NodeJS.ProcessEnv>
}

/**
 * Returns the action of a command: it loads the command's file, and no other command's, and runs the command with the context,
 * the arguments, and then the options. The command's exit code becomes that of this process.
 */
export function runs<Given extends unknown[]>(
  load: () => Promise<(context: CommandContext, ...given: Given) => Promise<number>>,
  { isService = false, logLevel = isService ? 'info' : 'error', isQuiet = false, env = async () => process.env }: How = {},
) {
  return async (...given: Given) => {
    const command = async (context: CommandContext) => (await load())(context, ...given)
    const forPerson = (context: CommandContext) =>
      asRun({ id: '', person: TERMINAL_PERSON, place: { platform: 'terminal', channel: '' } }, () => command(context))
    process.exitCode = await runCommand(await env(), isService ? command : forPerson, {
      logLevel,
      isQuiet,
      isJson: given.some(printsJson),
    })
  }
}

function printsJson(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'json' in given && given.json === true
}
