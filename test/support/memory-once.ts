import { EventDeduplicator } from '../../src/bots/shared/event-deduplicator.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'

/** Returns a deduplicator for surfaces that all run in one process. */
export function memoryOnce(): EventDeduplicator {
  return new EventDeduplicator({ store: createMemoryStateStore({ now: Date.now }), retentionSeconds: 3_600 })
}
