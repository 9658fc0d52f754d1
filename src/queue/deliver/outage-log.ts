import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'

/**
 * Logs once when a platform stops answering a kind of request, and once when it answers again. Without this log, nobody would see
 * that Clew is retrying, which may take more than a minute.
 */
export interface OutageLog {
  noteAnswered(request: string): void
  /** Notes a failed request. If the platform itself returned the error, it has answered, so this ends an outage. */
  noteFailed(request: string, error: unknown): void
}

export function createOutageLog(deps: {
  readonly platform: string
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}): OutageLog {
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
    noteFailed(request, error) {
      if (!(error instanceof ChatError) || error.kind === 'cancelled') return
      if (error.kind !== 'unavailable') return noteAnswered(request)
      if (unansweredSince.has(request)) return
      unansweredSince.set(request, now())
      const cause = error.cause === undefined ? undefined : errorMessage(error.cause)
      logger.warn({ platform, request, error: error.message, cause }, 'chat platform does not answer; it is asked again')
    },
  }
}
