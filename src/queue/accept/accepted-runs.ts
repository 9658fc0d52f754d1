import type { StateKey } from '../../store/signed-text.ts'
import type { StateStore } from '../../store/state-store.ts'
import { type AcceptedMessage, acceptedMessageSchema } from './accepted-message.ts'
import { type MessageAddress, runIdOfMessage } from './run-id-of-message.ts'

/** The accepted message of each run, for presses on the run's buttons. */
export class AcceptedRuns {
  readonly #store: StateStore
  readonly #retentionSeconds: number
  readonly #key: StateKey

  constructor(deps: { readonly store: StateStore; readonly retentionSeconds: number; readonly key: StateKey }) {
    this.#store = deps.store
    this.#retentionSeconds = deps.retentionSeconds
    this.#key = deps.key
  }

  idOf(message: MessageAddress): string {
    return runIdOfMessage(this.#key, message)
  }

  /** Stores the message without its interaction tokens, which expire. The first note of a run stands. @throws StoreError */
  async note({ message: { interaction: _, ...message }, ...accepted }: AcceptedMessage, signal: AbortSignal): Promise<void> {
    const text = JSON.stringify({ ...accepted, message } satisfies AcceptedMessage)
    await this.#store.setIfUnchanged(keyOf(accepted.runId), undefined, text, this.#retentionSeconds, signal)
  }

  /** Undefined for an unknown or forgotten run. @throws StoreError */
  async find(runId: string, signal: AbortSignal): Promise<AcceptedMessage | undefined> {
    const text = await this.#store.get(keyOf(runId), signal)
    // An entry of another version counts as forgotten.
    return text === undefined ? undefined : acceptedMessageSchema.safeParse(JSON.parse(text)).data
  }
}

function keyOf(runId: string): string {
  return `run:{${runId}}:accepted`
}
