import type { Reply } from '../../chat/reply.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { RecordWatcher } from '../record-watcher.ts'
import { threadName } from '../thread-keys.ts'
import type { ChatDestination } from './chat-destination.ts'
import { postOnce } from './post-once.ts'
import { createRunLedger } from './run-ledger.ts'

/** Shows the answer to a private question in the channel too, once. The private reply stays. */
export type PublishReply = (accepted: AcceptedMessage, reply: Reply, signal: AbortSignal) => Promise<void>

export function createPublishReply(deps: {
  readonly redis: RedisClient
  readonly destinations: Readonly<Record<string, Pick<ChatDestination, 'outbox' | 'untilTurn'>>>
  readonly watcher: RecordWatcher
}): PublishReply {
  return async ({ message, runId }, reply, signal) => {
    const { place } = message
    const destination = deps.destinations[place.platform]
    if (destination === undefined) throw new Error(`no way to ${place.platform} from this worker`)
    const ledger = createRunLedger(deps.redis, { thread: threadName(place), runId, fence: undefined })
    const target = { ...place, thread: message.publicThread ?? place.thread }
    for (const [index, rendered] of (await destination.outbox.render(reply)).entries()) {
      const wanted = { part: `public:${index + 1}`, marker: `${runId}-p${index + 1}`, rendered }
      await postOnce({ ...destination, ledger, watcher: deps.watcher, target }, wanted, signal)
    }
  }
}
