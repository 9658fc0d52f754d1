import { EventDeduplicator } from '../../src/bots/shared/event-deduplicator.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'

/** Returns a deduplicator of events that keeps its data in the memory of this process. */
export function memoryOnce(): EventDeduplicator {
  return new EventDeduplicator({ store: createMemoryStateStore({ now: Date.now }), retentionSeconds: 3_600 })
}
