import { ChatError } from '../bots/chat-error.ts'
import type { ChatOutbox } from '../bots/chat-platform.ts'
import type { SharedPace } from './shared-pace.ts'
import type { TokenGate } from './token-gate.ts'

/**
 * An outbox that asks nothing of a platform which has refused our token or wants to be left alone by all of us: such a call fails here as it
 * would fail there.
 */
export function guardOutbox(outbox: ChatOutbox, guards: { readonly gate: TokenGate; readonly pace?: SharedPace }): ChatOutbox {
  const { gate, pace } = guards

  async function guarded<Value>(signal: AbortSignal, call: () => Promise<Value>): Promise<Value> {
    if (!gate.mayAsk()) throw new ChatError('The platform has refused our token.', { kind: 'authentication' })
    const retryAfterMs = (await pace?.take(signal)) ?? 0
    if (retryAfterMs > 0) throw new ChatError('The platform is to be left alone.', { kind: 'rate_limited', retryAfterMs })
    try {
      const value = await call()
      gate.noteTaken()
      return value
    } catch (error) {
      if (error instanceof ChatError && error.kind === 'authentication') gate.noteRefused(error.message)
      if (error instanceof ChatError && error.isGlobal) await pace?.pause(error.retryAfterMs ?? 0, signal)
      throw error
    }
  }

  return {
    render: reply => outbox.render(reply),
    post: (target, part, marker, signal) => guarded(signal, () => outbox.post(target, part, marker, signal)),
    edit: (target, posted, part, signal) => guarded(signal, () => outbox.edit(target, posted, part, signal)),
    find: (target, marker, signal) => guarded(signal, () => outbox.find(target, marker, signal)),
    remove: (target, posted, signal) => guarded(signal, () => outbox.remove(target, posted, signal)),
    // It asks nothing where it can do without, and never fails.
    timeZoneOf: (place, author, signal) => outbox.timeZoneOf(place, author, signal),
    answerPress: (press, reply, signal) => guarded(signal, () => outbox.answerPress(press, reply, signal)),
  }
}
