/**
 * The base of every failure that Clew raises on purpose.
 *
 * `code` is stable and is what callers branch on, never the message. `retryable` says whether the same call may succeed later
 * without a change of input. The message is one sentence a person can act on: it names the thing and, where there is one, the way out.
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

/** A configuration that cannot work: a missing or malformed variable, a missing binary, an unsuitable server. Exit status 2. */
export class ConfigurationError extends ClewError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'configuration', ...options })
  }
}

/** Whatever was thrown, as a sentence. Vendors throw strings, objects and errors alike. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') return error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** The `code` by which Node names a system error (`ECONNREFUSED`), whichever realm the error comes from. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What the system said of a connection, as a sentence's end, with the address: SDKs say "Connection error.", and fetch below them "fetch failed". */
export function connectionReason(error: unknown): string {
  let reason: unknown = error
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause
  // One for each address of a host.
  const said = reason instanceof AggregateError ? [...new Set(reason.errors.map(errorMessage))].join(', ') : errorMessage(reason)
  // fetch repeats an address that it does not take, with its password.
  return `${(said || errorCode(reason) || errorMessage(error)).replace(/\/\/[^@/\s]*@/g, '//').replace(/(?<![.\s])[.\s]+$/, '')}.`
}
