import { ClewError } from '../../base/errors.ts'

/** A file's content cannot become a table. The message names the file and what to do. */
export class LoadError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'load', ...options })
  }
}
