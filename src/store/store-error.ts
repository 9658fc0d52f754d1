import { ClewError, errorMessage } from '../base/errors.ts'

/**
 * The kinds of Redis errors.
 * - `unavailable`: Redis is away, loading, failing over or slow. The same call may work a moment later.
 * - `full`: Redis has reached `maxmemory` under `noeviction`. The operator must give it more memory.
 * - `failed`: Redis refuses the command, because this program has a bug.
 */
export type StoreErrorKind = 'unavailable' | 'full' | 'failed'

export class StoreError extends ClewError {
  readonly kind: StoreErrorKind

  constructor(message: string, options: { kind: StoreErrorKind; cause?: unknown }) {
    super(message, { code: `store_${options.kind}`, retryable: options.kind !== 'failed', cause: options.cause })
    this.kind = options.kind
  }
}

/**
 * Matches error replies that mean `unavailable`. The first word of a reply is the kind of error:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
const UNAVAILABLE_REPLY = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|BUSY|UNBLOCKED)\b/

/** Turns any error of the Redis client into a StoreError. Only this file looks at the texts of such errors. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  // A script's reply ends in its digest and line, which tell an operator nothing.
  const message = errorMessage(error).replace(/ script: [0-9a-f]{40}, on @user_script:\d+\.$/, '')
  if (!isReply(error)) {
    return new StoreError(`Redis does not answer: ${message}`, { kind: 'unavailable', cause: error })
  }
  // Redis before version 7 wraps the error of a script in another one: "ERR Error running script (…): -OOM command not allowed
  // …". So OOM is searched for anywhere in the text.
  const texts = [message, ...previousMessages(error)]
  if (texts.some(text => /\bOOM\b/.test(text))) {
    return new StoreError('Redis is full: it is at its maxmemory and may not evict', { kind: 'full', cause: error })
  }
  if (texts.some(text => UNAVAILABLE_REPLY.test(text))) {
    return new StoreError(`Redis cannot serve now: ${message}`, { kind: 'unavailable', cause: error })
  }
  return new StoreError(`Redis refuses a command: ${message}`, { kind: 'failed', cause: error })
}

/** Whether Redis has refused the user or the password. */
export function isAuthenticationReply(error: unknown): boolean {
  return (
    isReply(error) &&
    /^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)|called without any password configured/.test(error.message)
  )
}

/** Whether a replica has refused a write, which only the primary accepts. This is normal for a short time after a failover. */
export function isReadOnlyReply(error: Error): boolean {
  return error.message.startsWith('READONLY')
}

/** Whether Redis does not know the script with this digest. The caller then sends the script's text. */
export function isUnknownScriptReply(error: unknown): boolean {
  return isReply(error) && error.message.startsWith('NOSCRIPT')
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError'
}

/** Returns the messages of the commands in a refused transaction. The transaction's own error (EXECABORT) contains them. */
function previousMessages(error: Error): string[] {
  const previous = 'previousErrors' in error && Array.isArray(error.previousErrors) ? error.previousErrors : []
  return previous.map(errorMessage)
}
