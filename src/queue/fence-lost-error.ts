import { ClewError } from '../base/errors.ts'

/** The error that another worker now answers this thread. The process that gets it must show nothing more. */
export class FenceLostError extends ClewError {
  constructor(thread: string) {
    super(`Thread ${thread} is drained by another worker`, { code: 'fence_lost' })
  }
}
