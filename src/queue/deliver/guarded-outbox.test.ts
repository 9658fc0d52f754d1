import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatOutbox, ChatTarget } from '../../chat/platform.ts'
import { abortable } from '../../store/abortable.ts'
import type { Observation } from '../../telemetry/observation.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import { chatBreaker } from './chat-breaker.ts'
import { guardOutbox } from './guarded-outbox.ts'
import { createOutageLog } from './outage-log.ts'
import { callOutbox } from './outbox-call.ts'
import { TokenGate } from './token-gate.ts'

const target: ChatTarget = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.1', isDirect: false }
const { signal } = new AbortController()

/** Builds an outbox that refuses our token in some calls and never answers others. */
function world(refused: Set<string>, unanswered = new Set<string>()) {
  let now = 0
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'info', destination })
  const calls: string[] = []
  const call = async (name: string, request = signal) => {
    calls.push(name)
    if (unanswered.has(name)) {
      const cancelled = () => Promise.reject(new ChatError('The call was cancelled.', { kind: 'cancelled' }))
      await abortable(new Promise(() => undefined), request).catch(cancelled)
    }
    if (refused.has(name)) throw new ChatError('token_revoked', { kind: 'authentication' })
  }
  const outbox = {
    render: async () => [],
    post: async (_target, _part, _marker, request) => {
      await call('post', request)
      return { id: 'm1' }
    },
    edit: () => call('edit'),
    find: async () => {
      await call('find')
      return []
    },
    remove: () => call('remove'),
    personOf: async () => ({}),
    answerPress: () => call('answerPress'),
  } satisfies ChatOutbox
  const told = { platform: 'slack', now: () => now, logger }
  const gate = new TokenGate(told)
  const breaker = chatBreaker('slack')
  const observed: Observation[] = []
  const observe = (each: Observation) => void observed.push(each)
  const guarded = guardOutbox(outbox, { breaker, gate, outages: createOutageLog(told), ...told, observe })
  const post = (request = signal) => guarded.post(target, {}, 'm', request)
  const later = (milliseconds: number) => {
    now += milliseconds
  }
  return { breaker, gate, guarded, post, calls, later, lines, observed }
}

describe('guardOutbox', () => {
  it('fault 7: asks once a minute while the token is refused, and opens with the first accepted call', async () => {
    const refused = new Set(['post'])
    const { gate, post, calls, later } = world(refused)
    for (let times = 0; times < 5; times += 1) await expect(post()).rejects.toMatchObject({ kind: 'authentication' })
    expect(calls).toHaveLength(1)
    later(DELIVERY_LIMITS.tokenWaitMs)
    await Promise.allSettled([post(), post(), post()])
    expect(calls).toHaveLength(2)
    expect(gate.isOpen()).toBe(false)

    refused.clear()
    later(DELIVERY_LIMITS.tokenWaitMs)
    await post()
    await post()
    expect(gate.isOpen()).toBe(true)
  })

  it('observes each request with its outcome, and none that it does not send', async () => {
    const refused = new Set(['post'])
    const { post, guarded, observed } = world(refused)
    await guarded.remove(target, { id: 'm1' }, signal)
    for (let times = 0; times < 3; times += 1) await expect(post()).rejects.toMatchObject({ kind: 'authentication' })
    const told = { kind: 'delivery', platform: 'slack', durationMs: 0 }
    expect(observed).toEqual([
      { ...told, request: 'remove', outcome: 'ok' },
      { ...told, request: 'post', outcome: 'authentication' },
    ])
  })

  it('does not mistake a missing right to read for a refused token', async () => {
    const { gate, guarded, post } = world(new Set(['find']))
    await expect(guarded.find(target, 'm', signal)).rejects.toMatchObject({ kind: 'authentication' })
    expect(gate.isOpen()).toBe(true)
    await post()
  })

  it('reports once that a kind of request gets no answer, and once that it does again', async () => {
    const unanswered = new Set(['post'])
    const { guarded, post, later, lines } = world(new Set(), unanswered)
    const stopped = new AbortController()
    const wanted = expect(post(stopped.signal)).rejects.toMatchObject({ kind: 'cancelled' })
    stopped.abort()
    await wanted
    expect(lines).toEqual([])

    for (let times = 0; times < 3; times += 1) {
      await expect(post(AbortSignal.timeout(1))).rejects.toMatchObject({ kind: 'unavailable' })
      await guarded.find(target, 'm', signal)
    }
    expect(lines).toMatchObject([{ level: 40, platform: 'slack', request: 'post' }])
    later(7000)
    unanswered.clear()
    await post()
    await post()
    expect(lines.slice(1)).toMatchObject([{ level: 30, platform: 'slack', request: 'post', awayMs: 7000 }])
  })

  it('leaves a platform alone that gives no answer, and lets requests wait as after a rate limit', async () => {
    const { breaker, guarded, post, calls, lines } = world(new Set(), new Set(['post']))
    for (let times = 1; times < DELIVERY_LIMITS.breakerFailures; times += 1) await post(AbortSignal.timeout(1)).catch(() => {})
    expect(breaker.state).toBe('closed')
    await post(AbortSignal.timeout(1)).catch(() => {})
    expect(breaker.state).toBe('open')

    const waiting = { kind: 'rate_limited', message: expect.stringContaining('slack cannot be reached') }
    await expect(guarded.find(target, 'm', signal)).rejects.toMatchObject(waiting)
    const refusal = await post().then(
      () => undefined,
      (error: ChatError) => error,
    )
    expect(refusal?.retryAfterMs).toBeGreaterThan(25_000)
    expect(refusal?.retryAfterMs).toBeLessThanOrEqual(30_000)
    // `callOutbox` does not try again, but delays the thread.
    await expect(callOutbox(() => post(), signal)).rejects.toMatchObject({ code: 'thread_must_wait', waitMs: expect.any(Number) })
    expect(calls).toHaveLength(DELIVERY_LIMITS.breakerFailures)
    // The refusals are no answers of the platform, so nothing says that it answers again.
    expect(lines).toHaveLength(1)
  })

  it.each(['rate_limited', 'authentication', 'gone', 'rejected'] as const)('does not count refusals (%s)', async kind => {
    const breaker = chatBreaker('slack')
    const fail = () => breaker.run(() => Promise.reject(new ChatError('no', { kind })))
    for (let times = 0; times < 2 * DELIVERY_LIMITS.breakerFailures; times += 1) await fail().catch(() => {})
    expect(breaker.state).toBe('closed')
  })
})
