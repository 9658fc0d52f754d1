import { randomBytes } from 'node:crypto'

/** A new run's id, `run_` and 16 hexadecimal digits: chat platforms allow a message's marker, which holds it, 25 characters. */
export function newRunId(): string {
  return `run_${randomBytes(8).toString('hex')}`
}
