import { ApiRefusal } from './api-refusal.ts'
import type { EmulatorClock } from './emulator-clock.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Workspace } from './workspace.ts'

/** The `trigger_id` of an interaction. With it, the app may open one form for that person within 3 s. */
export class Triggers {
  readonly #workspace: Workspace
  readonly #clock: EmulatorClock
  readonly #issued = new Map<string, { readonly user: string; readonly at: number; isUsed: boolean }>()

  constructor(options: { workspace: Workspace; clock: EmulatorClock }) {
    this.#workspace = options.workspace
    this.#clock = options.clock
  }

  issue(user: string): string {
    const id = `${this.#workspace.newTimestamp().replace('.', '')}.${this.#workspace.teamId}`
    this.#issued.set(id, { user, at: this.#clock.now(), isUsed: false })
    return id
  }

  /** @returns the person for whom the app may open a form @throws ApiRefusal as listed in docs.slack.dev/reference/methods/views.open */
  exchange(id: string): string {
    const trigger = this.#issued.get(id)
    if (trigger === undefined) throw new ApiRefusal('invalid_trigger_id')
    if (trigger.isUsed) throw new ApiRefusal('exchanged_trigger_id')
    if (this.#clock.now() - trigger.at > SLACK_LIMITS.triggerMs) throw new ApiRefusal('expired_trigger_id')
    trigger.isUsed = true
    return trigger.user
  }
}
