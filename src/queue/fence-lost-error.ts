import { ClewError } from '../base/errors.ts'

/** Thrown when another worker has taken over this thread. The process that gets this error must show nothing more. */
export class FenceLostError extends ClewError {
  constructor(thread: string) {
    super(`Thread ${thread} is drained by another worker`, { code: 'fence_lost' })
  }
}
