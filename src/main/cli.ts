import { CommanderError } from 'commander'
import { errorCode } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import { OUTPUT_CLOSED } from '../base/lifecycle.ts'
import { EXIT } from './commands/command-context.ts'
import { createProgram } from './program/create-program.ts'

// Whoever reads the output may leave before its end, as in `clew … | head`. Then the command ends by itself.
process.stdout.on('error', error => {
  if (errorCode(error) === OUTPUT_CLOSED) return
  process.stderr.write(`The output cannot be written: ${fileReason(error)}.\n`)
  process.exit(EXIT.failed)
})
process.stderr.on('error', () => undefined)
try {
  await createProgram().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
}
