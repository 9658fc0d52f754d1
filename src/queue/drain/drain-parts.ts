import type { Logger } from '../../base/logger.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { Admission } from '../accept/admission.ts'
import { createDeadLetters } from '../dead-letters.ts'
import type { ChatDestination } from '../deliver/chat-destination.ts'
import { createDelivery } from '../deliver/delivery.ts'
import { createEditBudget } from '../deliver/edit-budget.ts'
import { createRunLedger } from '../deliver/run-ledger.ts'
import { createRecordWatcher } from '../record-watcher.ts'
import { createRunCancellation } from '../run-cancellation.ts'
import type { AnswerMessage, SettleMessageDeps } from './settle-message.ts'
import { createThreadMessages } from './thread-messages.ts'

export interface DrainPartsDeps {
  /** A Redis connection that waits for Redis to come back after a failure. */
  readonly redis: RedisClient
  readonly admission: Admission
  readonly answer: AnswerMessage
  readonly destinations: Readonly<Record<string, ChatDestination>>
  /** A request that timed out may still take effect within this time. Only tests set it. */
  readonly landingMs?: number
  /** The time between two progress edits. Only tests set it. */
  readonly progressIntervalMs?: number
  readonly now: () => number
  readonly logger: Logger
}

/** Creates the services that answering a message needs, for a worker or a lone process. The caller closes them. */
export function openDrainParts(deps: DrainPartsDeps): { readonly deps: SettleMessageDeps; close(): Promise<void> } {
  const { redis, admission, answer, destinations, now, logger } = deps
  const watcher = createRecordWatcher(redis)
  const budget = createEditBudget(redis)
  const landing = deps.landingMs === undefined ? {} : { landingMs: deps.landingMs }
  const interval = deps.progressIntervalMs === undefined ? {} : { progressIntervalMs: deps.progressIntervalMs }
  const parts = {
    messages: createThreadMessages(redis),
    cancellation: createRunCancellation(redis, watcher),
    admission,
    answer,
    deliveryOf(accepted, to, token) {
      const ledger = createRunLedger(redis, { ...token, ...landing, runId: accepted.runId })
      return createDelivery({ ...landing, ...interval, accepted, ...to, ledger, watcher, budget, now })
    },
    destinationOf: ({ message }) => destinations[message.place.platform],
    deadLetters: createDeadLetters(redis),
    now,
    logger,
  } satisfies SettleMessageDeps
  return { deps: parts, close: () => watcher.close() }
}
