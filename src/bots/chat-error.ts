import { ClewError } from '../errors.ts'

/**
 * A platform's refusal, by what to do: `rate_limited` waits `retryAfterMs` and spends no attempt; `unavailable` (network, 5xx) is tried again;
 * `rejected` (the rich form was refused) is sent again plain; `removed` (somebody has removed our message) is shown anew, once; `gone` (thread or channel no
 * longer there) ends as done; `forbidden` (not in channel, archived) ends with a log line; `authentication` (token revoked) is an alert, and waits until
 * it is replaced.
 */
export type ChatErrorKind =
  | 'rate_limited'
  | 'unavailable'
  | 'rejected'
  | 'removed'
  | 'gone'
  | 'forbidden'
  | 'authentication'
  | 'cancelled'

export class ChatError extends ClewError {
  readonly kind: ChatErrorKind
  readonly retryAfterMs: number | undefined
  /** A rate limit of everything that is done with the token, not of one place or kind of request. */
  readonly isGlobal: boolean

  constructor(message: string, options: { kind: ChatErrorKind; retryAfterMs?: number; isGlobal?: boolean; cause?: unknown }) {
    super(message, {
      code: `chat_${options.kind}`,
      retryable: options.kind === 'rate_limited' || options.kind === 'unavailable',
      cause: options.cause,
    })
    this.kind = options.kind
    this.retryAfterMs = options.retryAfterMs
    this.isGlobal = options.isGlobal ?? false
  }
}
