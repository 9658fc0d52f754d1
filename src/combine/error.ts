import { ClewError } from '../base/errors.ts'

/** Thrown when results of several sources cannot be combined at all, because this platform has no engine for it. */
export class CombineError extends ClewError {
  constructor(message: string, options: { cause: unknown }) {
    super(message, { code: 'no_engine', cause: options.cause })
  }
}
