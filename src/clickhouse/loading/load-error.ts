import { ClewError } from '../../errors.ts'

/** A file whose content cannot become a table. The message names the file and the way out. */
export class LoadError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'load', ...options })
  }
}
