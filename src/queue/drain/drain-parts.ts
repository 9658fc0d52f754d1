import type { RedisClient } from '../../store/redis/client.ts'
import { createDeadLetters } from '../dead-letters.ts'
import type { ChatDestination } from '../deliver/chat-destination.ts'
import { createDelivery } from '../deliver/delivery.ts'
import { createEditBudget } from '../deliver/edit-budget.ts'
import type { ReplyDestination } from '../deliver/reply-destination.ts'
import { createRunLedger } from '../deliver/run-ledger.ts'
import { createRecordWatcher } from '../record-watcher.ts'
import { createRunCancellation } from '../run-cancellation.ts'
import type { SettleMessageDeps } from './settle-message.ts'
import { createThreadMessages } from './thread-messages.ts'

export interface DrainPartsDeps
  extends Pick<SettleMessageDeps, 'admission' | 'answer' | 'accept' | 'whenUnreachable' | 'observe' | 'now' | 'logger'> {
  /** A Redis connection that waits for Redis to come back after a failure. */
  readonly redis: RedisClient
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** The destinations that are no chat platforms, by the name in a message's place. */
  readonly direct?: Readonly<Record<string, ReplyDestination>>
  /** A request that timed out may still take effect within this time. Only tests set it. */
  readonly landingMs?: number
  /** The time between two progress edits. Only tests set it. */
  readonly progressIntervalMs?: number
}

/** Creates the services that answering a message needs, for a worker or a lone process. The caller closes them. */
export function openDrainParts(deps: DrainPartsDeps): { readonly deps: SettleMessageDeps; close(): Promise<void> } {
  const {
    redis,
    admission,
    answer,
    accept,
    whenUnreachable,
    destinations,
    direct,
    landingMs,
    progressIntervalMs,
    observe,
    now,
    logger,
  } = deps
  const watcher = createRecordWatcher(redis)
  const budget = createEditBudget(redis)
  const posting = (destination: ChatDestination): ReplyDestination => ({
    personOf: destination.outbox.personOf,
    deliver: order => createDelivery({ ...order, destination, watcher, budget, landingMs, progressIntervalMs, now }),
  })
  const posted = Object.fromEntries(Object.entries(destinations).map(([platform, each]) => [platform, posting(each)]))
  const parts = {
    messages: createThreadMessages(redis),
    cancellation: createRunCancellation(redis, watcher),
    admission,
    answer,
    accept,
    whenUnreachable,
    ledgerOf: ({ runId }, token) => createRunLedger(redis, { ...token, landingMs, runId }),
    destinationOf: ({ message: { place } }) => direct?.[place.platform] ?? posted[place.platform],
    deadLetters: createDeadLetters(redis),
    observe,
    now,
    logger,
  } satisfies SettleMessageDeps
  return { deps: parts, close: () => watcher.close() }
}
