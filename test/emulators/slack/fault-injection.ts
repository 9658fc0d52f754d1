import { z } from 'zod'
import { createGate } from '../gate.ts'
import { jsonValue } from './api-method.ts'
import type { EmulatorClock } from './emulator-clock.ts'
import type { JsonObject } from './message-payload.ts'

/**
 * A fault in one call. `lost_answer`: Slack executes the call, but the connection breaks before the answer. `stored_late`: the connection breaks
 * before the answer, and Slack executes the call later.
 */
export type Fault =
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'http_error'; readonly status: number }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'lost_answer' }
  | { readonly kind: 'stored_late'; readonly until: Promise<void> }
  | { readonly kind: 'delayed'; readonly milliseconds: number }
  | { readonly kind: 'held'; readonly until: Promise<void> }

const INVALID_BLOCKS: Fault = { kind: 'refused', error: 'invalid_blocks' }
const blocksSchema = jsonValue.pipe(z.array(z.looseObject({ type: z.string() })))
const chunksSchema = jsonValue.pipe(z.array(z.looseObject({ blocks: blocksSchema.default([]) })))

/** Faults that tests plan for the next Web API calls. Each fault is used for one call of its method, in order. */
export class FaultInjection {
  readonly #planned = new Map<string, Fault[]>()
  readonly #clock: EmulatorClock
  #unknownBlocks: readonly string[] | 'all' = []

  constructor(clock: EmulatorClock) {
    this.#clock = clock
  }

  /** Answers the next call with status 429 and the header `Retry-After`. */
  rateLimit(method: string, retryAfterSeconds: number): void {
    this.#plan(method, { kind: 'rate_limited', retryAfterSeconds })
  }

  /** Answers the next call with this HTTP status and without JSON. */
  httpError(method: string, status = 503): void {
    this.#plan(method, { kind: 'http_error', status })
  }

  /** Answers the next call with `ok: false` and this error code. */
  refuse(method: string, error: string): void {
    this.#plan(method, { kind: 'refused', error })
  }

  /** Executes the next call, but breaks the connection before the answer. */
  loseAnswer(method: string): void {
    this.#plan(method, { kind: 'lost_answer' })
  }

  /** Breaks the connection of the next call at once. Executes the call only when the returned function is called. */
  storeLate(method: string): () => void {
    const gate = createGate()
    this.#plan(method, { kind: 'stored_late', until: gate.opened })
    return gate.open
  }

  /** Delays the execution of the next call by this time on the emulator's clock. */
  delay(method: string, milliseconds: number): void {
    this.#plan(method, { kind: 'delayed', milliseconds })
  }

  /** Holds the next call back until the returned function is called. */
  hold(method: string): () => void {
    const gate = createGate()
    this.#plan(method, { kind: 'held', until: gate.opened })
    return gate.open
  }

  /** From now on, refuses messages with these types of blocks. This imitates a Slack that does not know them yet. */
  refuseBlocks(types: readonly string[] | 'all'): void {
    this.#unknownBlocks = types
  }

  next(method: string, args: JsonObject): Fault | undefined {
    return this.#planned.get(method)?.shift() ?? (this.#hasUnknownBlocks(args) ? INVALID_BLOCKS : undefined)
  }

  #hasUnknownBlocks(args: JsonObject): boolean {
    const blocks = blocksSchema.safeParse(args.blocks)
    const chunks = chunksSchema.safeParse(args.chunks)
    const all = [...(blocks.data ?? []), ...(chunks.data ?? []).flatMap(chunk => chunk.blocks)]
    const unknown = this.#unknownBlocks
    return all.some(({ type }) => unknown === 'all' || unknown.includes(type))
  }

  /** Resolves when a call that a fault delays or holds back may continue. */
  async pause(fault: Fault | undefined): Promise<void> {
    if (fault?.kind === 'held' || fault?.kind === 'stored_late') await fault.until
    if (fault?.kind !== 'delayed') return
    await new Promise<void>(resolve => {
      this.#clock.schedule(fault.milliseconds, resolve)
    })
  }

  #plan(method: string, fault: Fault): void {
    this.#planned.set(method, [...(this.#planned.get(method) ?? []), fault])
  }
}
