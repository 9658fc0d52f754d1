import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'

describe('people', () => {
  let discord: DiscordEmulator

  beforeEach(async () => {
    discord = await startDiscordEmulator()
  })
  afterEach(() => discord.close())

  it('see and write where their roles allow', () => {
    discord.addRole({ name: 'analysts' })
    discord.addChannel({ name: 'numbers', members: ['analysts'] })
    const [alice, bob] = [discord.user('alice'), discord.user('bob')]
    discord.giveRole('alice', 'analysts')
    alice.post('numbers', 'five')
    expect([alice.sees('numbers'), bob.sees('numbers'), discord.user('olive').sees('numbers')]).toEqual([true, false, true])
    expect(() => bob.post('numbers', 'x')).toThrow('bob does not see numbers')
    expect(discord.transcript('numbers', { as: 'alice' })).toMatchObject([{ plain: 'five', author: 'alice' }])
    expect(discord.transcript('numbers', { as: 'bob' })).toEqual([])
    expect(() => bob.post('secret', 'x')).toThrow('does not see')
  })

  it('see a thread where they see its channel', () => {
    const said = discord.user('alice').post('secret', 'psst')
    const thread = discord.user('alice').startThread(said, 'a secret')
    discord.user('alice').post(thread.id, 'more')
    expect(discord.user('bob').sees(thread.id)).toBe(false)
    expect(discord.transcript('a secret', { as: 'alice' })).toMatchObject([{ plain: 'more' }])
  })

  it('change and delete their own messages, moderators those of others', () => {
    const [alice, bob] = [discord.user('alice'), discord.user('bob')]
    const said = alice.post('general', 'one')
    expect(() => bob.edit(said, 'x')).toThrow('cannot change')
    expect(() => bob.delete(said)).toThrow('may not MANAGE_MESSAGES')
    alice.edit(said, 'two')
    expect(discord.transcript('general')).toMatchObject([
      { plain: 'two', isEdited: true, history: [{ plain: 'one' }, { plain: 'two' }] },
    ])
    discord.user('olive').delete(said)
    expect(discord.transcript('general')).toEqual([])
    expect(() => alice.edit(said, 'three')).toThrow('sees no message')
  })

  it('mention and reply, and notify those who see it', () => {
    const [alice, bob] = [discord.user('alice'), discord.user('bob')]
    const said = alice.post('general', 'hi')
    bob.post('general', `hello ${alice.mention}`)
    bob.post('general', 'you', { replyTo: said })
    bob.post('general', 'nobody', { replyTo: said, pingsAuthor: false })
    bob.post('general', '@everyone')
    discord.user('olive').post('general', '@everyone')
    alice.post('secret', bob.mention)
    const seen = discord.transcript('general').map(message => [message.plain, message.pings, message.notified.length])
    expect(seen).toEqual([
      ['hi', [], 0],
      ['hello @Alice Example', [alice.id], 1],
      ['you', [alice.id], 1],
      ['nobody', [], 0],
      ['@everyone', [], 0],
      ['@everyone', ['everyone'], 3],
    ])
    expect(discord.transcript('secret', { as: 'alice' })[0]).toMatchObject({ pings: [bob.id], notified: [] })
  })

  it("can be another app's bots", () => {
    const other = discord.addUser({ name: 'robot', isBot: true })
    other.post('general', `${discord.botMention} hi`)
    expect(discord.transcript('general')).toMatchObject([{ author: 'robot', isFromBot: true, pings: [discord.botUserId] }])
  })

  it('cannot write in a locked thread, but reopen an archived one', () => {
    const [alice, bob] = [discord.user('alice'), discord.user('bob')]
    const thread = alice.startThread(alice.post('general', 'x'), 'talk')
    discord.archiveThread('talk')
    bob.post('talk', 'awake')
    expect(discord.channel('talk').thread?.archived).toBe(false)
    discord.archiveThread(thread.id, { locked: true })
    expect(() => bob.post('talk', 'x')).toThrow('MANAGE_THREADS')
  })

  it('do not exist under an unknown name', () => {
    expect(() => discord.user('nobody')).toThrow('There is no user nobody')
    expect(() => discord.channel('nowhere')).toThrow('There is no channel nowhere')
  })
})
