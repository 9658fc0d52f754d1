import { CommanderError } from 'commander'
import { EXIT } from './commands/command-context.ts'
import { createProgram } from './program/create-program.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
}
