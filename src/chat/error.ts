import { ClewError } from '../base/errors.ts'

/**
 * Why a platform refused a call. Each kind has one right reaction.
 * - `rate_limited`: wait `retryAfterMs`, without counting an attempt
 * - `unavailable` (network, 5xx): retry
 * - `rejected`: send plain text instead of the rich message
 * - `removed` (somebody removed our message): post the message again, once
 * - `gone` (no thread or channel): stop
 * - `forbidden` (not in channel, archived): stop and log
 * - `authentication` (token revoked): alert, and wait for a new token
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
  /** Whether the rate limit applies to all calls with the token. If not, it applies to one place or kind of request. */
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
