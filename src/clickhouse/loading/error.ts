import { ClewError } from '../../base/errors.ts'

/** Thrown if a file's content cannot become a table. The message names the file and the action to take. */
export class LoadError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'load', ...options })
  }
}
