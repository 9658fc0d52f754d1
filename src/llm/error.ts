import { ClewError } from '../base/errors.ts'

/**
 * The reason why there is no completion.
 * - `unavailable`: all retries failed.
 * - `rate_limited`: the endpoint accepts no further request soon enough, or the key has no quota left.
 * - `timeout`: the model was too slow.
 * - `refused`: the model declined to answer.
 * - `no_recording`: the replaying model has no recording of the answer.
 * - `truncated`: the answer was cut off at a limit of its length.
 * - `invalid_output`: the answer did not match its schema even after one repair.
 * - `empty`: the answer had no text, even after one repeat.
 */
export type ModelErrorKind =
  | 'unavailable'
  | 'rate_limited'
  | 'timeout'
  | 'authentication'
  | 'bad_request'
  | 'refused'
  | 'truncated'
  | 'invalid_output'
  | 'empty'
  | 'no_recording'
  | 'cancelled'

export class ModelError extends ClewError {
  readonly kind: ModelErrorKind
  /** The HTTP status of the response. Undefined if no response arrived. */
  readonly status: number | undefined

  constructor(message: string, options: { kind: ModelErrorKind; status?: number; cause?: unknown }) {
    super(message, {
      code: `model_${options.kind}`,
      retryable: options.kind === 'unavailable' || options.kind === 'rate_limited' || options.kind === 'timeout',
      cause: options.cause,
    })
    this.kind = options.kind
    this.status = options.status
  }
}

export function cancelledModelError(signal: AbortSignal): ModelError {
  return new ModelError('The model request was cancelled.', { kind: 'cancelled', cause: signal.reason })
}
