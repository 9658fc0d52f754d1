import { ClewError } from '../base/errors.ts'

/**
 * The reason why there is no completion.
 * - `unavailable`: all retries failed.
 * - `rate_limited`: the endpoint accepts no further request soon enough.
 * - `no_quota`: the key has no quota left.
 * - `too_large`: the request is larger than the model takes.
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
  | 'no_quota'
  | 'too_large'
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
  /** The time that the endpoint asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    options: { kind: ModelErrorKind; status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, {
      code: `model_${options.kind}`,
      retryable: options.kind === 'unavailable' || options.kind === 'rate_limited' || options.kind === 'timeout',
      cause: options.cause,
    })
    this.kind = options.kind
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
  }
}

export function cancelledModelError(signal: AbortSignal): ModelError {
  return new ModelError('The model request was cancelled.', { kind: 'cancelled', cause: signal.reason })
}
