/**
 * The base of every error that Clew throws on purpose. Callers branch on the stable `code`, never on the message. `retryable`
 * says whether the same call may succeed later. The message is one sentence with the problem and, if possible, the remedy.
 */
export class ClewError extends Error {
  readonly code: string
  readonly retryable: boolean

  constructor(message: string, options: { code: string; retryable?: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = options.code
    this.retryable = options.retryable ?? false
  }
}

/**
 * A configuration that cannot work: a missing or malformed variable, a missing binary, an unsuitable server. The exit code is 2.
 */
export class ConfigurationError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'configuration', ...options })
  }
}

/** Returns a message for anything that was thrown: a string, an object or an error. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') return error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** Returns a system error's `code`, such as `ECONNREFUSED`. Also works if the error comes from another JavaScript context. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Returns the system's reason for a failed connection, with the address, because SDKs only say "Connection error.". It is the end
 * of a sentence.
 */
export function connectionReason(error: unknown): string {
  let reason: unknown = error
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
  // A host may have several addresses. Each address that failed has its own error.
  const said = reason instanceof AggregateError ? [...new Set(reason.errors.map(errorMessage))].join(', ') : errorMessage(reason)
  // For an invalid address, `fetch` quotes the address with its password. So the password is removed.
  return `${(said || errorCode(reason) || errorMessage(error)).replace(/\/\/[^@/\s]*@/g, '//').replace(/(?<![.\s])[.\s]+$/, '')}.`
}
