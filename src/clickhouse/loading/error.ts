import { ClewError } from '../../base/errors.ts'

/** Thrown if the content of a file cannot become a table. The message names the file and says what to do. */
export class LoadError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'load', ...options })
  }
}
