import { randomUUID } from 'node:crypto'
import type { StateStore } from '../../store/state-store.ts'

/** A claim to handle one delivery of an event. A platform may deliver the same event several times. */
export interface Claim {
  /**
   * Whether this delivery should handle the event. After a failure, the caller may call again.
   * @throws StoreError
   */
  isOurs(signal: AbortSignal): Promise<boolean>
  /**
   * Gives the claim up, so that the next delivery handles the event.
   * @throws StoreError
   */
  release(signal: AbortSignal): Promise<void>
}

/** Makes sure that each event is handled once, even if several processes receive it. */
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
        // An earlier call may have stored our claim although its response was lost. So the stored claim is compared with ours.
        (await this.#store.get(key, signal)) === own,
      release: signal => this.#store.delete(key, signal),
    }
  }
}
