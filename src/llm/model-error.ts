import { ClewError } from '../errors.ts'

/**
 * Why a completion could not be had. `unavailable`, `rate_limited` and `timeout` come after the retries were spent; `refused` is the model's
 * own no; `no_recording` is the replaying model's; `truncated` ended at the token limit twice; `invalid_output` did not satisfy its schema after one repair; `empty` said nothing twice.
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
  /** The HTTP status, where there was one. */
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

/** The error of a request whose caller gave up. */
export function cancelledModelError(signal: AbortSignal): ModelError {
  return new ModelError('The model request was cancelled.', { kind: 'cancelled', cause: signal.reason })
}
