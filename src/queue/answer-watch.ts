import { ChatError } from '../bots/chat-error.ts'
import { errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'

/**
 * Tells in the log that a platform does not answer a kind of request, and when it answers again: once each, however many threads ask. Whoever asks tries
 * again for a while before the thread is put off, and that may take more than a minute of which nothing else tells.
 */
export interface AnswerWatch {
  noteAnswered(request: string): void
  /** Notes how a request failed; a refusal is an answer. @param signal that of the request */
  noteFailed(request: string, error: unknown, signal: AbortSignal): void
}

export function createAnswerWatch(deps: {
  readonly platform: string
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}): AnswerWatch {
  const { platform, now, logger } = deps
  const unansweredSince = new Map<string, number>()

  function noteAnswered(request: string): void {
    const since = unansweredSince.get(request)
    if (since === undefined) return
    unansweredSince.delete(request)
    logger.info({ platform, request, awayMs: now() - since }, 'chat platform answers again')
  }

  return {
    noteAnswered,
    noteFailed(request, error, signal) {
      if (!(error instanceof ChatError)) return
      if (error.kind === 'cancelled' && !isOverdue(signal)) return
      if (error.kind !== 'unavailable' && error.kind !== 'cancelled') return noteAnswered(request)
      if (unansweredSince.has(request)) return
      unansweredSince.set(request, now())
      const cause = error.cause === undefined ? undefined : errorMessage(error.cause)
      logger.warn({ platform, request, error: error.message, cause }, 'chat platform does not answer; it is asked again')
    },
  }
}

/** Whether a request was cut off because it took too long, and not because nobody wants it any more. */
function isOverdue({ reason }: AbortSignal): boolean {
  return typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError'
}
