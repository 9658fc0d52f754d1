import { ClewError } from '../base/errors.ts'

/**
 * A platform's refusal, by the reaction to it. `rate_limited`: wait `retryAfterMs`, at no attempt. `unavailable` (network, 5xx):
 * retry. `rejected`: send a plain form instead of the rich one. `removed` (somebody removed our message): post it again, once.
 * `gone` (no thread or channel): end. `forbidden` (not in channel, archived): end and log. `authentication` (token revoked):
 * alert, and wait for a new token.
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
  /** The limit applies to the whole token, not to one place or kind of request. */
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
