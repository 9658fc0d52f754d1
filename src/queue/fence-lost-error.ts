import { ClewError } from '../errors.ts'

/** Another worker drains this thread now: whoever gets this must show nothing more and leave the thread alone. */
export class FenceLostError extends ClewError {
  constructor(thread: string) {
    super(`Thread ${thread} is drained by another worker`, { code: 'fence_lost' })
  }
}
