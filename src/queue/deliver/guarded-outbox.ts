import type { Breaker } from '../../base/breaker.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatOutbox, ChatTarget } from '../../chat/platform.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { type ChannelRateLimit, leftAlone } from './channel-rate-limit.ts'
import type { OutageLog } from './outage-log.ts'
import { unanswered } from './outbox-call.ts'
import type { TokenGate } from './token-gate.ts'
import type { TokenRateLimit } from './token-rate-limit.ts'

export interface OutboxGuards {
  readonly breaker: Breaker
  readonly platform: string
  readonly gate: TokenGate
  readonly outages: OutageLog
  /** Limits the requests of all processes with the same token. */
  readonly tokenRateLimit?: TokenRateLimit
  /** Spaces out the posts in a channel after the platform has refused a post there. */
  readonly channelRateLimit?: ChannelRateLimit
  readonly observe?: Observe | undefined
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/**
 * Wraps an outbox so that it does not send requests in vain. The platform refuses requests for a while after it refused our token
 * or asked for a pause. In that time, requests fail with the error that the platform would give. While the platform does not
 * answer at all, most requests fail as if it had asked for a pause.
 */
export function guardOutbox(outbox: ChatOutbox, guards: OutboxGuards): ChatOutbox {
  const { breaker, platform, gate, outages, tokenRateLimit, channelRateLimit, observe, now } = guards
  const { streams } = outbox

  async function guarded<Value>(
    request: string,
    asker: string,
    signal: AbortSignal,
    call: () => Promise<Value>,
    tellsOfToken = true,
  ): Promise<Value> {
    return breaker.run(async () => {
      if (!gate.mayAsk()) throw new ChatError('The platform has refused our token.', { kind: 'authentication' })
      const retryAfterMs = (await tokenRateLimit?.take(asker, signal)) ?? 0
      if (retryAfterMs > 0) throw leftAlone(retryAfterMs)
      const startedAt = now()
      const tell = (outcome: string) => observe?.({ kind: 'delivery', platform, request, outcome, durationMs: now() - startedAt })
      try {
        const value = await call()
        tell('ok')
        outages.noteAnswered(request)
        if (tellsOfToken) gate.noteTaken()
        return value
      } catch (caught) {
        const error = isOverdue(caught, signal) ? unanswered(caught) : caught
        tell(error instanceof ChatError ? error.kind : signal.aborted ? 'cancelled' : 'fault')
        outages.noteFailed(request, error)
        if (tellsOfToken && error instanceof ChatError && error.kind === 'authentication') gate.noteRefused(error.message)
        if (error instanceof ChatError && error.isGlobal) await tokenRateLimit?.pause(error.retryAfterMs ?? 0, signal)
        throw error
      }
    })
  }

  function paced<Value>(request: string, target: ChatTarget, signal: AbortSignal, call: () => Promise<Value>): Promise<Value> {
    return guarded(request, askerOf(target), signal, async () => {
      try {
        return await call()
      } catch (error) {
        if (error instanceof ChatError && error.kind === 'rate_limited')
          await channelRateLimit?.begin(target, error.retryAfterMs ?? 0, signal)
        throw error
      }
    })
  }

  return {
    render: reply => outbox.render(reply),
    prepare: async (target, part, signal) => outbox.prepare?.(target, part, signal),
    post: (target, part, marker, signal) => paced('post', target, signal, () => outbox.post(target, part, marker, signal)),
    edit: (target, posted, part, signal) =>
      guarded('edit', askerOf(target), signal, () => outbox.edit(target, posted, part, signal)),
    // `find` also fails if the app is not allowed to read the conversation. So its failure says nothing about the token.
    find: (target, marker, signal) => guarded('find', askerOf(target), signal, () => outbox.find(target, marker, signal), false),
    remove: (target, posted, signal) => guarded('remove', askerOf(target), signal, () => outbox.remove(target, posted, signal)),
    // `personOf` needs no guard, because it never fails, and returns even if the platform does not answer.
    personOf: (place, author, signal) => outbox.personOf(place, author, signal),
    answerPress: (press, reply, signal) =>
      guarded('answerPress', press.user, signal, () => outbox.answerPress(press, reply, signal)),
    ...(streams && {
      streams: {
        takes: target => streams.takes(target),
        render: answer => streams.render(answer),
        begin: (target, parts, marker, signal) =>
          paced('begin stream', target, signal, () => streams.begin(target, parts, marker, signal)),
        append: (target, posted, parts, signal) =>
          guarded('append', askerOf(target), signal, () => streams.append(target, posted, parts, signal)),
        end: (target, posted, signal) =>
          guarded('end stream', askerOf(target), signal, () => streams.end(target, posted, signal)),
      },
    }),
  }
}

/** Returns the name of a person for the rate limit. It is the same in all servers and direct conversations of a platform. */
function askerOf({ author, thread }: ChatTarget): string {
  return author ?? thread
}

/** Whether the request was aborted by its own time limit. False if the caller aborted it. */
function isOverdue(error: unknown, { reason }: AbortSignal): boolean {
  const isTimeout = typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError'
  return isTimeout && error instanceof ChatError && error.kind === 'cancelled'
}
