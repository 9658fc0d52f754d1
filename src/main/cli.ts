import { CommanderError } from 'commander'
import { errorCode } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import { EXIT } from './commands/command-context.ts'
import { createProgram } from './program/create-program.ts'

// Whoever reads the output may leave before its end, as in `clew … | head`.
process.stdout.on('error', error => {
  // `clew mcp` listens too, and ends by itself.
  if (process.stdout.listenerCount('error') > 1) return
  if (errorCode(error) !== 'EPIPE') process.stderr.write(`The output cannot be written: ${fileReason(error)}.\n`)
  process.exit(EXIT.failed)
})
process.stderr.on('error', () => undefined)

try {
  await createProgram().parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) throw error
  process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
}
