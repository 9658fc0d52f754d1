import { Command, Help } from 'commander'
import { fileReason } from '../../base/file-reason.ts'
import { packageVersion } from '../../base/package-files.ts'
import { addAskCommands, addDefineCommands, addLookAfterCommands, addServeCommands, addSetUpCommands } from './commands.ts'

/**
 * Declares the program `clew`, with the groups of commands that `clew --help` shows. It throws CommanderError where commander
 * would end the process: for a wrong command line, and after a help.
 */
export function createProgram(): Command {
  const program = new Command('clew')
    .description('Answers questions about data in files, Postgres and ClickHouse, with every claim cited to the query behind it.')
    .version(packageVersion())
    .option('--env <file>', 'read variables from this file too, such as the .env of `clew init`; those that are set count first')
    .helpCommand(false)
    // A flag is off unless it is given, which needs no word.
    .configureHelp({
      optionDescription: option => (option.defaultValue === false ? option.description : new Help().optionDescription(option)),
    })
    .exitOverride()
    .hook('preAction', () => readEnvironmentFile(program))
  addAskCommands(program.commandsGroup('Ask:'))
  addHelpCommand(program)
  addSetUpCommands(program.commandsGroup('Set up:'))
  addDefineCommands(program.commandsGroup('Define and test:'))
  addLookAfterCommands(program.commandsGroup('Look after it:'))
  addServeCommands(program.commandsGroup('Serve others:'))
  hintAtHelp(program, 'clew')
  return program
}

/** Adds the variables of the file of --env to those of this process. */
function readEnvironmentFile(program: Command): void {
  const { env: file } = program.opts<{ env?: string }>()
  if (file === undefined) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    program.error(`The file of --env, ${file}, cannot be read: ${fileReason(error)}.`)
  }
}

/** Adds `clew help`, which knows the commands of a command too, unlike commander's own. */
function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('display help for command')
    .argument('[command...]', 'a command of a command too: jobs run')
    .action(async (names: string[]) => {
      let command = program
      for (const [index, name] of names.entries()) {
        if (command.commands.length === 0) break
        const known = command.commands.find(candidate => candidate.name() === name)
        // An unknown command is run, so that the same error is reported.
        if (known === undefined) return void (await program.parseAsync(names.slice(0, index + 1), { from: 'user' }))
        command = known
      }
      command.outputHelp()
    })
}

/** Adds a hint to an error message: the command that shows the help. */
function hintAtHelp(command: Command, path: string): void {
  const words = ['ask', 'lineage'].includes(command.name()) ? '; a question stands in quotes' : ''
  command.showHelpAfterError(
    command.commands.length > 0 ? `(${path} --help lists the commands)` : `(${path} --help tells more${words})`,
  )
  for (const child of command.commands) hintAtHelp(child, `${path} ${child.name()}`)
}
