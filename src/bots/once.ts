import { randomUUID } from 'node:crypto'
import type { StateStore } from '../store/state-store.ts'

/** One delivery of something that may be delivered again. */
export interface Claim {
  /** Whether no other delivery has it. Asking again, after a failure, comes to the same. @throws StoreError */
  isOurs(signal: AbortSignal): Promise<boolean>
  /** Leaves it to the next delivery. @throws StoreError */
  release(signal: AbortSignal): Promise<void>
}

/** Counts each event once, however often and to whichever process a platform delivers it. */
export class Once {
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
        // The claim may have been written although its answer was lost.
        (await this.#store.get(key, signal)) === own,
      release: signal => this.#store.delete(key, signal),
    }
  }
}
