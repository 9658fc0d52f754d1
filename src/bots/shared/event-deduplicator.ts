import { randomUUID } from 'node:crypto'
import type { StateStore } from '../../store/state-store.ts'

/** One delivery of an event that may be delivered again. */
export interface Claim {
  /** Whether this delivery owns the event. May be repeated after a failure. @throws StoreError */
  isOurs(signal: AbortSignal): Promise<boolean>
  /** Leaves the event to the next delivery. @throws StoreError */
  release(signal: AbortSignal): Promise<void>
}

/** Handles each event once, however often and wherever a platform delivers it. */
export class EventDeduplicator {
  readonly #store: StateStore
  readonly #retentionSeconds: number

  constructor(deps: { readonly store: StateStore; readonly retentionSeconds: number }) {
    this.#store = deps.store
    this.#retentionSeconds = deps.retentionSeconds
  }

  claim(id: string): Claim {
    const key = `once:{${id}}`
    const own = randomUUID()
    return {
      isOurs: async signal =>
        (await this.#store.setIfUnchanged(key, undefined, own, this.#retentionSeconds, signal)) ||
        // The claim may exist although its response was lost.
        (await this.#store.get(key, signal)) === own,
      release: signal => this.#store.delete(key, signal),
    }
  }
}
