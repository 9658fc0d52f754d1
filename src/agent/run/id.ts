import { randomBytes } from 'node:crypto'

/** Returns the id of a new run: `run_` and 16 hexadecimal digits. The marker of a message has at most 25 characters and contains this id. */
export function newRunId(): string {
  return `run_${randomBytes(8).toString('hex')}`
}
