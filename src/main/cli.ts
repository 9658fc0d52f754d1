import { CommanderError } from 'commander'
import { errorCode } from '../base/errors.ts'
import { OUTPUT_CLOSED } from '../base/lifecycle.ts'
import { EXIT } from './commands/command-context.ts'
import { createProgram } from './program/create-program.ts'

// Also the last words of a command may find the output closed.
for (const output of [process.stdout, process.stderr])
  output.on('error', error => {
    if (errorCode(error) !== OUTPUT_CLOSED) throw error
  })
try {
  await createProgram().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
}
