import { describe, expect, it } from '@jest/globals'
import type { AccessControl } from '../../access/control.ts'
import type { AccessDecision } from '../../access/decision.ts'
import type { ChatMessage } from '../../chat/event.ts'
import { createMemoryStateStore } from '../../store/memory-state-store.ts'
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

/** Opens an `Admission` for each decision, all over one store. They stand for processes before and after a change of the rules. */
function open(...decisions: readonly AccessDecision[]) {
  const store = createMemoryStateStore({ now: Date.now })
  return decisions.map(decision =>
    createAdmission({ store, accessControl: { decide: async () => decision, isMember: async () => false } }),
  )
}

describe('the decision about a message', () => {
  it('is stored with it, and makes it private if others may see less', async () => {
    const [admission] = open(granted(true))
    expect(await admission?.admit(accepted(), signal)).toMatchObject({ message: { isPrivate: true }, access: granted(true) })
  })

  it('stands for other processes, even if they ask at the same time', async () => {
    const [first, second] = open(granted(true), granted(false))
    await first?.admit(accepted(), signal)
    expect(await second?.admit(accepted(), signal)).toMatchObject({ message: { isPrivate: true }, access: granted(true) })
    const both = await Promise.all([first, second].map(each => each?.admit(accepted({ messageId: '1.2' }), signal)))
    expect(both[0]).toEqual(both[1])
  })

  it('follows the current rights if they are narrower when the message is answered', async () => {
    const fewer = { grants: [{ tables: ['shop.orders'], except: [] }], clickhouseRoles: [] }
    const asked: unknown[] = []
    const decisions = [granted(false), { ...granted(false), access: fewer }]
    const accessControl: Pick<AccessControl, 'decide' | 'isMember'> = {
      decide: async (_place, _user, _signal, before) => {
        asked.push(before)
        return decisions.shift() ?? { kind: 'refused', reason: 'no_role' }
      },
      isMember: async () => false,
    }
    const admission = createAdmission({ store: createMemoryStateStore({ now: Date.now }), accessControl })
    expect((await admission.admit(accepted(), signal)).access).toEqual(granted(false))
    expect((await admission.admit(accepted(), signal)).access).toMatchObject({ access: fewer })
    expect((await admission.admit(accepted(), signal)).access).toEqual({ kind: 'refused', reason: 'no_role' })
    const { grants, clickhouseRoles } = { grants: [{ tables: ['shop.*'], except: [] }], clickhouseRoles: [] }
    expect(asked).toEqual([undefined, { grants, clickhouseRoles }, { grants, clickhouseRoles }])
  })

  it('keeps a private answer private, and refuses a public one that may no longer be public', async () => {
    const [first, second] = open(granted(true), { kind: 'refused', reason: 'no_role' })
    await first?.admit(accepted(), signal)
    const refused = await second?.admit(accepted(), signal)
    expect(refused).toMatchObject({ message: { isPrivate: true }, access: { kind: 'refused' } })
    const [before, after] = open(granted(false), granted(true))
    await before?.admit(accepted({ messageId: '1.2' }), signal)
    const changed = await after?.admit(accepted({ messageId: '1.2' }), signal)
    expect(changed?.access).toEqual({ kind: 'refused', reason: 'changed' })
    expect(changed?.message).not.toHaveProperty('isPrivate')
    // Only the asker reads a direct conversation.
    const direct = accepted({ messageId: '1.3', place: { ...place, channel: 'D1', isDirect: true } })
    await before?.admit(direct, signal)
    expect((await after?.admit(direct, signal))?.access).toMatchObject({ kind: 'granted' })
  })

  it('is made anew for each message', async () => {
    const [first, second] = open(granted(true), { kind: 'refused', reason: 'no_role' })
    await first?.admit(accepted(), signal)
    expect(await second?.admit(accepted({ messageId: '1.2' }), signal)).toMatchObject({ access: { kind: 'refused' } })
  })

  it('follows the channel of a continued private conversation, while its author is a member', async () => {
    const direct = { ...place, channel: 'D1', isDirect: true }
    const placesFor = async (isMember: boolean) => {
      const asked: string[] = []
      const accessControl = {
        decide: async ({ channel }: { readonly channel: string }) => {
          asked.push(channel)
          return granted(true)
        },
        isMember: async () => isMember,
      }
      const admission = createAdmission({ store: createMemoryStateStore({ now: Date.now }), accessControl })
      const message = accepted({ place: direct, continues: place })
      const [first, again] = [await admission.admit(message, signal), await admission.admit(message, signal)]
      expect(again).toEqual(first)
      return [...asked, first.message.continues]
    }
    expect(await placesFor(true)).toEqual(['C1', 'C1', place])
    // The author is no longer in the channel C1, so only the rules of the direct conversation D1 count.
    expect(await placesFor(false)).toEqual(['D1', 'D1', undefined])
  })

  it('never makes a private question public', async () => {
    const [admission] = open(granted(false))
    expect((await admission?.admit(accepted({ isPrivate: true }), signal))?.message.isPrivate).toBe(true)
    expect((await admission?.admit(accepted({ messageId: '1.2' }), signal))?.message).not.toHaveProperty('isPrivate')
  })
})
