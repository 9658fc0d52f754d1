import { Once } from '../../src/bots/shared/once.ts'
import { createMemoryStateStore } from '../../src/store/memory-state-store.ts'

/** For surfaces in one process. */
export function memoryOnce(): Once {
  return new Once({ store: createMemoryStateStore({ now: Date.now }), retentionSeconds: 3_600 })
}
