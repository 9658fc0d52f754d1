import { randomUUID } from 'node:crypto'
import type { StateStore } from '../../store/state-store.ts'

/** A claim to one delivery of an event, because a platform may deliver an event several times. */
export interface Claim {
  /** Whether this delivery is the one that handles the event. After a failure, a caller may ask again. @throws StoreError */
  isOurs(signal: AbortSignal): Promise<boolean>
  /** Gives the event up, so that the next delivery of the event handles it. @throws StoreError */
  release(signal: AbortSignal): Promise<void>
}

/** Lets each event be handled once, however often and wherever a platform delivers it. */
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
        // An earlier call may have stored the claim, although the store's response was lost.
        (await this.#store.get(key, signal)) === own,
      release: signal => this.#store.delete(key, signal),
    }
  }
}
