import { APIConnectionError, APIError } from 'openai'
import { connectionReason, errorMessage } from '../../base/errors.ts'

/** A failed HTTP request to the model's endpoint, as plain values instead of an error object. */
export interface EndpointFailure {
  /**
   * The HTTP status. If a stream with status 200 reports the error in an event, this is the number in that event. Undefined for a
   * network failure.
   */
  readonly status: number | undefined
  readonly code: string | undefined
  readonly param: string | undefined
  readonly message: string
  /** The time that the endpoint asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined
  readonly cause: unknown
}

/**
 * Reads an error of the SDK or of fetch.
 * @param now the current time, because `retry-after` may be a date
 */
export function readEndpointFailure(error: unknown, now: number): EndpointFailure {
  if (!(error instanceof APIError)) {
    return {
      status: undefined,
      code: undefined,
      param: undefined,
      message: errorMessage(error),
      retryAfterMs: undefined,
      cause: error,
    }
  }
  // Some gateways put the HTTP status of their provider into the event's `code`, as a number.
  const code: unknown = error.code
  return {
    status: error.status ?? (typeof code === 'number' ? code : undefined),
    code: typeof code === 'string' ? code : undefined,
    param: typeof error.param === 'string' ? error.param : undefined,
    message: error instanceof APIConnectionError ? connectionReason(error) : error.message,
    retryAfterMs: error.headers === undefined ? undefined : readRetryAfter(error.headers, now),
    cause: error,
  }
}

/**
 * Returns the requested pause in milliseconds, at least 0. It comes from OpenAI's header `retry-after-ms` if there is one.
 * Otherwise it comes from `retry-after`, in seconds or as a date (RFC 9110, 10.2.3).
 */
function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const value = headers.get('retry-after')
  const seconds = readNumber(value)
  if (seconds !== undefined) return seconds * 1000
  const date = value === null ? Number.NaN : Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function readNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
