import type { ReplyDestination } from '../queue/deliver/reply-destination.ts'
import { rightsOf, savedReply } from '../queue/deliver/reply-rights.ts'
import type { FinalReply } from '../queue/deliver/run-ledger.ts'
import type { StateStore } from '../store/state-store.ts'
import { outcomeOf, outcomeSchema } from './turn.ts'
import type { TurnEvents } from './turn-events.ts'

/**
 * Delivers turns over HTTP. The ledger keeps the final reply, and the client reads it from there, so nothing is posted. The
 * events of the run show its progress, so there is no placeholder either.
 */
export function createTurnDestination({
  events,
  store,
  retentionSeconds,
}: {
  readonly events: Pick<TurnEvents, 'end'>
  readonly store: StateStore
  readonly retentionSeconds: number
}): ReplyDestination {
  return {
    personOf: async () => ({}),
    tellsGivenUp: true,
    deliver: ({ accepted, ledger }) => ({
      ensurePlaceholder: async () => undefined,
      startProgress: () => ({ show: () => undefined, stop: async () => undefined }),
      savedReply: signal => savedReply(ledger, accepted, signal),
      async saveReply(reply, signal) {
        const { outcome, records } = await outcomeOf(reply, accepted.runId)
        // The result comes first, so the ledger never names one that is not there.
        for (const [key, packed] of records) await store.set(key, packed, retentionSeconds, signal)
        const final = { parts: [outcome], rights: rightsOf(accepted.access) } satisfies FinalReply
        await ledger.saveFinal(final, signal)
        return final
      },
      async showReply({ parts: [outcome] }, signal) {
        const { status } = outcomeSchema.parse(outcome)
        await ledger.assertLatest(signal)
        await events.end(accepted, status, signal)
      },
      withdraw: async () => undefined,
      removeCopies: async () => 0,
    }),
  }
}
