import type { StateKey } from '../../store/signed-text.ts'
import type { StateStore } from '../../store/state-store.ts'
import { type AcceptedMessage, acceptedMessageSchema } from './accepted-message.ts'
import { type MessageAddress, runIdOfMessage } from './run-id-of-message.ts'

/** Keeps the accepted message of each run, so that a press on one of the run's buttons finds it. */
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

  /**
   * Stores the message without its interaction tokens, because these expire. If the run already has a message, that one stays.
   * @throws StoreError
   */
  async note({ message: { interaction: _, ...message }, ...accepted }: AcceptedMessage, signal: AbortSignal): Promise<void> {
    const text = JSON.stringify({ ...accepted, message } satisfies AcceptedMessage)
    await this.#store.setIfUnchanged(keyOf(accepted.runId), undefined, text, this.#retentionSeconds, signal)
  }

  /**
   * Finds a run's message. Undefined for an unknown or expired run.
   * @throws StoreError
   */
  async find(runId: string, signal: AbortSignal): Promise<AcceptedMessage | undefined> {
    const text = await this.#store.get(keyOf(runId), signal)
    // A message that another version of Clew stored in another form is treated as expired.
    return text === undefined ? undefined : acceptedMessageSchema.safeParse(JSON.parse(text)).data
  }
}

function keyOf(runId: string): string {
  return `run:{${runId}}:accepted`
}
