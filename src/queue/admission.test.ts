import { describe, expect, it } from '@jest/globals'
import type { AccessDecision } from '../access/access-decision.ts'
import type { ChatMessage } from '../bots/chat-event.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { createAdmission } from './admission.ts'

const signal = new AbortController().signal
const place = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.0', isDirect: false } as const

function accepted(more: Partial<ChatMessage> = {}) {
  const message = { place, messageId: '1.1', order: 1, author: 'U1', text: 'How many?', addressed: true, ...more }
  return { message, runId: 'run_1', acceptedAt: 1 }
}
const granted = (isPrivate: boolean): AccessDecision => ({
  kind: 'granted',
  roles: ['viewer'],
  access: { grants: [{ tables: ['shop.*'], except: [] }], clickhouseRoles: [] },
  mayPublish: false,
  isPrivate,
})

/** Two processes that decide otherwise: the rules changed between their starts. */
function open(...decisions: readonly AccessDecision[]) {
  const store = createMemoryStateStore({ now: Date.now })
  return decisions.map(decision =>
    createAdmission({ store, desk: { decide: async () => decision, isMember: async () => false } }),
  )
}

describe('what is decided about a message', () => {
  it('goes with it, and makes it private where others may see less', async () => {
    const [admission] = open(granted(true))
    expect(await admission?.admit(accepted(), signal)).toMatchObject({ message: { isPrivate: true }, access: granted(true) })
  })

  it('stands, whichever process asks next, or at the same time', async () => {
    const [first, second] = open(granted(true), granted(false))
    await first?.admit(accepted(), signal)
    expect(await second?.admit(accepted(), signal)).toMatchObject({ message: { isPrivate: true }, access: granted(true) })
    const both = await Promise.all([first, second].map(each => each?.admit(accepted({ messageId: '1.2' }), signal)))
    expect(both[0]).toEqual(both[1])
  })

  it('is decided anew for each message', async () => {
    const [first, second] = open(granted(true), { kind: 'refused', reason: 'no_role' })
    await first?.admit(accepted(), signal)
    expect(await second?.admit(accepted({ messageId: '1.2' }), signal)).toMatchObject({ access: { kind: 'refused' } })
  })

  it('goes by the channel that a private conversation goes on from, as long as its author is there', async () => {
    const direct = { ...place, channel: 'D1', isDirect: true }
    const placesFor = async (isMember: boolean) => {
      const asked: string[] = []
      const desk = {
        decide: async ({ channel }: { readonly channel: string }) => {
          asked.push(channel)
          return granted(true)
        },
        isMember: async () => isMember,
      }
      const admission = createAdmission({ store: createMemoryStateStore({ now: Date.now }), desk })
      const message = accepted({ place: direct, continues: place })
      const [first, again] = [await admission.admit(message, signal), await admission.admit(message, signal)]
      expect(again).toEqual(first)
      return [...asked, first.message.continues]
    }
    expect(await placesFor(true)).toEqual(['C1', place])
    // Nor do they hear more of what is said there.
    expect(await placesFor(false)).toEqual(['D1', undefined])
  })

  it('never makes public what was asked in private', async () => {
    const [admission] = open(granted(false))
    expect((await admission?.admit(accepted({ isPrivate: true }), signal))?.message.isPrivate).toBe(true)
    expect((await admission?.admit(accepted({ messageId: '1.2' }), signal))?.message).not.toHaveProperty('isPrivate')
  })
})
