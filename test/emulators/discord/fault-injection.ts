import { createGate } from '../gate.ts'
import type { EmulatorClock } from '../slack/emulator-clock.ts'
import type { RouteName } from './routes.ts'

/**
 * A fault in one request. `lost_answer`: Discord executes the request, but the connection breaks before the answer. `stored_late`: the
 * connection breaks before the answer, and Discord executes the request later.
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

/** Faults that tests plan for the next API requests. Each fault is used for one request, in order. */
export class FaultInjection {
  readonly #planned = new Map<RouteName, Fault[]>()
  readonly #clock: EmulatorClock

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /** Answers the next request with 429. With scope `global`, a client must then pause all its requests. */
  rateLimit(route: RouteName, retryAfterSeconds: number, scope: 'user' | 'global' | 'shared' = 'user'): void {
    this.#plan(route, { kind: 'rate_limited', retryAfterSeconds, scope })
  }

  /** Answers the next request with this HTTP status and without JSON. */
  httpError(route: RouteName, status = 503): void {
    this.#plan(route, { kind: 'http_error', status })
  }

  /** Answers the next request with this error of Discord. */
  refuse(route: RouteName, error: { readonly status: number; readonly code: number; readonly message: string }): void {
    this.#plan(route, { kind: 'refused', ...error })
  }

  /** Answers the next request as an invalid form, but only if it contains embeds or components. */
  refuseRich(route: RouteName): void {
    this.#plan(route, { kind: 'refused_embeds' })
  }

  /** Executes the next request, but breaks the connection before the answer. */
  loseAnswer(route: RouteName): void {
    this.#plan(route, { kind: 'lost_answer' })
  }

  /** Breaks the connection of the next request at once. Executes the request only when the returned function is called. */
  storeLate(route: RouteName): () => void {
    const gate = createGate()
    this.#plan(route, { kind: 'stored_late', until: gate.opened })
    return gate.open
  }

  /** Delays the execution of the next request by this time on the emulator's clock. */
  delay(route: RouteName, milliseconds: number): void {
    this.#plan(route, { kind: 'delayed', milliseconds })
  }

  /** Holds the next request back until the returned function is called. */
  hold(route: RouteName): () => void {
    const gate = createGate()
    this.#plan(route, { kind: 'held', until: gate.opened })
    return gate.open
  }

  /** Takes the next planned fault for this request. Returns undefined if none is planned. */
  next(route: RouteName, isRich: boolean): Fault | undefined {
    const planned = this.#planned.get(route) ?? []
    const index = planned.findIndex(fault => isRich || fault.kind !== 'refused_embeds')
    return index < 0 ? undefined : planned.splice(index, 1)[0]
  }

  /** Resolves when a request that a fault delays or holds back may continue. */
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
