import { ClewError } from '../base/errors.ts'

/** Another worker drains this thread now. A process with this error must show nothing more. */
export class FenceLostError extends ClewError {
  constructor(thread: string) {
    super(`Thread ${thread} is drained by another worker`, { code: 'fence_lost' })
  }
}
