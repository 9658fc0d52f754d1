import { describe, expect, it } from '@jest/globals'
import { ChatError } from '../bots/chat-error.ts'
import type { ChatOutbox, ChatTarget } from '../bots/chat-platform.ts'
import { createLogger } from '../logger.ts'
import { guardOutbox } from './guarded-outbox.ts'
import { DELIVERY_LIMITS } from './limits.ts'
import { TokenGate } from './token-gate.ts'

const target: ChatTarget = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.1', isDirect: false }
const { signal } = new AbortController()

/** An outbox that refuses our token in the calls that are listed. */
function world(refused: Set<string>) {
  let now = 0
  const calls: string[] = []
  const call = async (name: string) => {
    calls.push(name)
    if (refused.has(name)) throw new ChatError('token_revoked', { kind: 'authentication' })
  }
  const outbox = {
    render: () => [],
    post: async () => {
      await call('post')
      return { id: 'm1' }
    },
    edit: () => call('edit'),
    find: async () => {
      await call('find')
      return []
    },
    remove: () => call('remove'),
    timeZoneOf: async () => undefined,
    answerPress: () => call('answerPress'),
  } satisfies ChatOutbox
  const gate = new TokenGate({ platform: 'slack', now: () => now, logger: createLogger({ level: 'silent' }) })
  const guarded = guardOutbox(outbox, { gate })
  const post = () => guarded.post(target, {}, 'm', signal)
  const later = (milliseconds: number) => {
    now += milliseconds
  }
  return { gate, guarded, post, calls, later }
}

describe('guardOutbox', () => {
  it('fault 7: asks once a minute while the token is refused, and opens with the first call that is taken', async () => {
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

  it('does not take a right that is missing to read for a refused token', async () => {
    const { gate, guarded, post } = world(new Set(['find']))
    await expect(guarded.find(target, 'm', signal)).rejects.toMatchObject({ kind: 'authentication' })
    expect(gate.isOpen()).toBe(true)
    await post()
  })
})
