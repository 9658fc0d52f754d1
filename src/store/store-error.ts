import { ClewError, errorMessage } from '../errors.ts'

/**
 * What is wrong with Redis, by what to do: `unavailable` (away, loading, failing over, too slow) may work a moment later; `full` (at
 * `maxmemory` under `noeviction`) needs the operator; `failed` is a command that Redis refuses, a fault of the program.
 */
export type StoreErrorKind = 'unavailable' | 'full' | 'failed'

export class StoreError extends ClewError {
  readonly kind: StoreErrorKind

  constructor(message: string, options: { kind: StoreErrorKind; cause?: unknown }) {
    super(message, { code: `store_${options.kind}`, retryable: options.kind !== 'failed', cause: options.cause })
    this.kind = options.kind
  }
}

/** Redis names a refusal by the first word of its reply: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const UNAVAILABLE_REPLY = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|BUSY|UNBLOCKED)\b/

/** Turns whatever the Redis client threw into a StoreError: the one place that reads its texts. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = errorMessage(error)
  if (!isReply(error)) {
    return new StoreError(`Redis does not answer: ${message}`, { kind: 'unavailable', cause: error })
  }
  // Servers before 7 wrap a script's refusal: "ERR Error running script (…): -OOM command not allowed …".
  const texts = [message, ...previousMessages(error)]
  if (texts.some(text => /\bOOM\b/.test(text))) {
    return new StoreError('Redis is full: it is at its maxmemory and may not evict', { kind: 'full', cause: error })
  }
  if (texts.some(text => UNAVAILABLE_REPLY.test(text))) {
    return new StoreError(`Redis cannot serve now: ${message}`, { kind: 'unavailable', cause: error })
  }
  return new StoreError(`Redis refuses a command: ${message}`, { kind: 'failed', cause: error })
}

/** Whether Redis refuses the user or the password. */
export function isAuthenticationReply(error: unknown): boolean {
  return (
    isReply(error) &&
    /^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)|called without any password configured/.test(error.message)
  )
}

/** Whether a write met a replica, which happens for a moment when a failover has moved the primary elsewhere. */
export function isReadOnlyReply(error: Error): boolean {
  return error.message.startsWith('READONLY')
}

/** Whether the server has never seen a script, so that its text must be sent. */
export function isUnknownScriptReply(error: unknown): boolean {
  return isReply(error) && error.message.startsWith('NOSCRIPT')
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

/** A refused transaction (EXECABORT) carries the refusals of its commands. */
function previousMessages(error: Error): string[] {
  const previous = 'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors : []
  return previous.map(errorMessage)
}
