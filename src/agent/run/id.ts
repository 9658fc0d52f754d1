import { randomBytes } from 'node:crypto'

/**
 * Returns the id of a new run: `run_` and 16 hexadecimal digits. It must be short, because the marker of a message contains it
 * and has at most 25 characters.
 */
export function newRunId(): string {
  return `run_${randomBytes(8).toString('hex')}`
}
