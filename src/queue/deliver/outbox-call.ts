import { setTimeout as wait } from 'node:timers/promises'
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { ClewError } from '../../base/errors.ts'
import { ChatError, type ChatErrorKind } from '../../chat/error.ts'
import { abortable } from '../../store/abortable.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * Thrown when the platform demands a pause that is too long to wait for in a worker. The message's thread is delayed, and the
 * worker takes other threads.
 */
export class ThreadMustWaitError extends ClewError {
  readonly waitMs: number

  constructor(waitMs: number, cause: unknown) {
    super(`The platform must be left alone for ${waitMs} ms`, { code: 'thread_must_wait', retryable: true, cause })
    this.waitMs = waitMs
  }
}

/**
 * Calls the platform. After a 429 (too many requests) with a short pause, waits and tries again. If the platform is unreachable,
 * tries again with growing pauses.
 * @param ask makes one attempt; each of its requests goes through `requestInTime`
 * @throws ThreadMustWaitError for a 429 with a long pause or an unreachable platform; ChatError for any other refusal
 */
export async function callOutbox<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await askAgain(ask, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof ChatError)) throw error
      if (error.kind === 'unavailable') throw new ThreadMustWaitError(DELIVERY_LIMITS.unavailableWaitMs, error)
      if (error.kind !== 'rate_limited') throw error
      const waitMs = error.retryAfterMs ?? DELIVERY_LIMITS.progressIntervalMs
      if (waitMs > DELIVERY_LIMITS.inlineWaitMs || waits >= DELIVERY_LIMITS.inlineWaits)
        throw new ThreadMustWaitError(waitMs, error)
      await wait(waitMs, undefined, { signal })
    }
  }
}

const REFUSALS: readonly ChatErrorKind[] = ['removed', 'gone', 'forbidden', 'rejected']

/** Makes a request that may fail: if the platform refuses it, the refusal is ignored. */
export async function callIfPossible(ask: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await callOutbox(() => requestInTime(ask, signal), signal)
  } catch (error) {
    if (!(error instanceof ChatError && REFUSALS.includes(error.kind))) throw error
  }
}

/** Makes one request with a time limit. If the platform does not answer in time, the error is `unavailable`. */
export async function requestInTime<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal,
  limitMs: number = DELIVERY_LIMITS.requestMs,
): Promise<Value> {
  const deadline = AbortSignal.timeout(limitMs)
  try {
    const either = AbortSignal.any([signal, deadline])
    return await abortable(ask(either), either)
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error
    throw unanswered(error)
  }
}

/** Returns the error of a request that has reached its time limit. */
export function unanswered(cause: unknown): ChatError {
  return new ChatError('The platform did not answer in time', { kind: 'unavailable', cause })
}

function askAgain<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { attempts, firstDelayMs, maxDelayMs } = DELIVERY_LIMITS.retries
  const policy = retry(
    handleWhen(error => error instanceof ChatError && error.kind === 'unavailable' && !signal.aborted),
    { maxAttempts: attempts, backoff: new ExponentialBackoff({ initialDelay: firstDelayMs, maxDelay: maxDelayMs }) },
  )
  return policy.execute(() => ask(), signal)
}
