import { randomBytes } from 'node:crypto'

/** A new run's id: `run_` and 16 hexadecimal digits. A message's marker contains it, which may have 25 characters. */
export function newRunId(): string {
  return `run_${randomBytes(8).toString('hex')}`
}
