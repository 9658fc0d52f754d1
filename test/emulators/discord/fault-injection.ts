import { createGate } from '../gate.ts'
import type { EmulatorClock } from '../slack/emulator-clock.ts'
import type { RouteName } from './routes.ts'

/**
 * A fault of one request. With `lost_answer` Discord executes the request, but the connection breaks before the answer. With `stored_late` it also
 * executes the request later.
 */
export type Fault =
  | {
      readonly kind: 'rate_limited'
      readonly retryAfterSeconds: number
      readonly scope: 'user' | 'global' | 'shared'
    }
  | { readonly kind: 'http_error'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly code: number; readonly message: string }
  | { readonly kind: 'refused_embeds' }
  | { readonly kind: 'lost_answer' }
  | { readonly kind: 'stored_late'; readonly until: Promise<void> }
  | { readonly kind: 'delayed'; readonly milliseconds: number }
  | { readonly kind: 'held'; readonly until: Promise<void> }

/** Faults for the next API requests by route, each used once and in order. */
export class FaultInjection {
  readonly #planned = new Map<RouteName, Fault[]>()
  readonly #clock: EmulatorClock

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /** The next request answers 429; `global` stops all routes of a client that obeys. */
  rateLimit(route: RouteName, retryAfterSeconds: number, scope: 'user' | 'global' | 'shared' = 'user'): void {
    this.#plan(route, { kind: 'rate_limited', retryAfterSeconds, scope })
  }

  /** The next request answers with this HTTP status and no JSON. */
  httpError(route: RouteName, status = 503): void {
    this.#plan(route, { kind: 'http_error', status })
  }

  /** The next request is refused with this error. */
  refuse(route: RouteName, error: { readonly status: number; readonly code: number; readonly message: string }): void {
    this.#plan(route, { kind: 'refused', ...error })
  }

  /** The next request with embeds or components is an invalid form; one without passes and leaves the fault for later. */
  refuseRich(route: RouteName): void {
    this.#plan(route, { kind: 'refused_embeds' })
  }

  /** The next request takes effect, but its connection breaks before the answer. */
  loseAnswer(route: RouteName): void {
    this.#plan(route, { kind: 'lost_answer' })
  }

  /** The connection of the next request breaks at once. The request takes effect when the returned function is called. */
  storeLate(route: RouteName): () => void {
    const gate = createGate()
    this.#plan(route, { kind: 'stored_late', until: gate.opened })
    return gate.open
  }

  /** The next request takes effect after this time on the emulator's clock. */
  delay(route: RouteName, milliseconds: number): void {
    this.#plan(route, { kind: 'delayed', milliseconds })
  }

  /** The next request waits until the returned function is called. */
  hold(route: RouteName): () => void {
    const gate = createGate()
    this.#plan(route, { kind: 'held', until: gate.opened })
    return gate.open
  }

  /** Returns and consumes the fault of this request. */
  next(route: RouteName, isRich: boolean): Fault | undefined {
    const planned = this.#planned.get(route) ?? []
    const index = planned.findIndex(fault => isRich || fault.kind !== 'refused_embeds')
    return index < 0 ? undefined : planned.splice(index, 1)[0]
  }

  /** Resolves when a delayed or held request may continue. */
  async pause(fault: Fault | undefined): Promise<void> {
    if (fault?.kind === 'held' || fault?.kind === 'stored_late') await fault.until
    if (fault?.kind !== 'delayed') return
    await new Promise<void>(resolve => {
      this.#clock.schedule(fault.milliseconds, resolve)
    })
  }

  #plan(route: RouteName, fault: Fault): void {
    this.#planned.set(route, [...(this.#planned.get(route) ?? []), fault])
  }
}
