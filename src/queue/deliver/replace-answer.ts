import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import { targetOf } from '../../chat/platform.ts'
import type { Reply } from '../../chat/reply.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import { threadName } from '../thread-keys.ts'
import type { ChatDestination } from './chat-destination.ts'
import { requestInTime } from './outbox-call.ts'
import { FIRST_PART, REPOSTED_FIRST_PART } from './part-names.ts'
import { createRunLedger } from './run-ledger.ts'

/**
 * Replaces a shown reply, if possible. Leaves a reply of several messages and a private reply unchanged: the platform no longer
 * allows edits of a private reply. Never throws because of the platform.
 */
export type ReplaceAnswer = (accepted: AcceptedMessage, reply: Reply, signal: AbortSignal) => Promise<void>

export function createReplaceAnswer(deps: {
  readonly redis: RedisClient
  readonly destinations: Readonly<Record<string, Pick<ChatDestination, 'outbox'>>>
  readonly logger: Logger
}): ReplaceAnswer {
  return async ({ message, runId }, reply, signal) => {
    const outbox = deps.destinations[message.place.platform]?.outbox
    const [rendered, ...others] = (await outbox?.render(reply)) ?? []
    if (outbox === undefined || rendered === undefined || others.length > 0 || message.isPrivate === true) return
    const ledger = createRunLedger(deps.redis, { thread: threadName(message.place), runId, fence: undefined })
    const posted = (await ledger.posted(REPOSTED_FIRST_PART, signal)) ?? (await ledger.posted(FIRST_PART, signal))
    if (posted === undefined) return
    try {
      await outbox.prepare?.(targetOf(message), rendered, signal)
      await requestInTime(request => outbox.edit(targetOf(message), posted, rendered, request), signal)
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      deps.logger.info({ run: runId, kind: error.kind }, 'answer could not be replaced')
    }
  }
}
