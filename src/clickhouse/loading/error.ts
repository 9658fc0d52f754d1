import { ClewError } from '../../base/errors.ts'

/** The content of a file cannot become a table. The message contains the file's name and the action to take. */
export class LoadError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'load', ...options })
  }
}
