import { ClewError } from '../../base/errors.ts'

/** Thrown when this worker stops. Another worker continues with the messages. */
export class DrainStoppedError extends ClewError {
  constructor() {
    super('The worker is stopping', { code: 'drain_stopped', retryable: true })
  }
}
