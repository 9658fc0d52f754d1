import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { Interaction } from './interaction.ts'
import type { JsonObject } from './json.ts'
import { RestClient } from './rest-client.ts'

const EPHEMERAL = 64

describe('interactions', () => {
  let discord: DiscordEmulator
  let rest: RestClient

  beforeEach(async () => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
    rest = new RestClient(discord)
    const question = { name: 'question', description: 'What to find out', type: 3, required: true, max_length: 20 }
    const depth = { name: 'depth', description: 'How deep', type: 4, choices: [{ name: 'one', value: 1 }] }
    const show = { name: 'show', description: 'Shows', type: 1, options: [question] }
    discord.commands.overwrite(undefined, [
      { name: 'ask', description: 'Asks', options: [question, depth] },
      { name: 'lineage', description: 'Lineage', options: [show], contexts: [0] },
      { name: 'Explain', type: 3 },
    ])
  })
  afterEach(() => discord.close())

  const ask = () => discord.user('alice').command('general', 'ask', { question: 'how many?' })
  const respond = (to: Interaction, type: number, data?: JsonObject, query = '') =>
    rest.request('POST', `/interactions/${to.id}/${to.token}/callback${query}`, { body: { type, data }, token: null })
  const webhook = (to: Interaction, method: string, path = '', body?: JsonObject) =>
    rest.request(method, `/webhooks/${discord.appId}/${to.token}${path}`, {
      token: null,
      ...(body === undefined ? {} : { body }),
    })
  const seenBy = (name: string) => discord.transcript('general', { as: name }).map(message => message.plain)
  const buttons = (...ids: readonly string[]) => [
    { type: 1, components: ids.map(id => ({ type: 2, style: 1, label: id.toUpperCase(), custom_id: id })) },
  ]

  describe('the callback', () => {
    it('is accepted within 3 s and once', async () => {
      const late = ask()
      discord.clock.advance(DISCORD_LIMITS.acknowledgementMs)
      expect(discord.interactionState(late)).toBe('waiting')
      discord.clock.advance(1)
      expect(discord.interactionState(late)).toBe('failed')
      expect(await respond(late, 5)).toMatchObject({ status: 404, body: { code: 10062 } })

      const used = ask()
      discord.clock.advance(DISCORD_LIMITS.acknowledgementMs)
      expect(await respond(used, 4, { content: 'Five' })).toMatchObject({ status: 204 })
      expect(await respond(used, 4, { content: 'Six' })).toMatchObject({ status: 400, body: { code: 40060 } })
      expect(seenBy('bob')).toEqual(['Five'])
    })

    it('is refused for an unknown interaction', async () => {
      const used = ask()
      expect(await respond({ ...used, token: 'other' }, 4)).toMatchObject({ status: 404, body: { code: 10062 } })
      expect(await respond({ ...used, id: '1' }, 4)).toMatchObject({ status: 404, body: { code: 10062 } })
    })

    it('cannot update a missing message, or have an invalid form', async () => {
      const used = ask()
      expect(await respond(used, 7, { content: 'x' })).toMatchObject({ status: 400, body: { code: 50035, errors: { type: {} } } })
      expect(await respond(used, 4, { content: 'x'.repeat(2_001) })).toMatchObject({ status: 400, body: { code: 50035 } })
      expect(await respond(used, 4, {})).toMatchObject({ status: 400, body: { code: 50006 } })
      expect(await respond(used, 4, { content: 'x'.repeat(2_000) })).toMatchObject({ status: 204 })
    })

    it('returns the message on request', async () => {
      const { body } = await respond(ask(), 4, { content: 'Five' }, '?with_response=true')
      expect(body).toMatchObject({ interaction: { type: 2 }, resource: { type: 4, message: { content: 'Five', type: 20 } } })
    })

    it('works where the bot sees nothing, since the token suffices', async () => {
      discord.commands.overwrite(discord.guild.id, [{ name: 'here', description: 'Here' }])
      const used = discord.user('bob').command('random', 'here')
      expect(await respond(used, 4, { content: 'Even here' })).toMatchObject({ status: 204 })
      expect(discord.transcript('random', { as: 'bob' })).toMatchObject([{ plain: 'Even here' }])
    })
  })

  describe('the webhook of the token', () => {
    it('is unknown before the callback and invalid after 15 minutes', async () => {
      const used = ask()
      expect(await webhook(used, 'POST', '', { content: 'x' })).toMatchObject({ status: 404, body: { code: 10015 } })
      await respond(used, 5)
      discord.clock.advance(DISCORD_LIMITS.interactionTokenMs)
      expect(await webhook(used, 'PATCH', '/messages/@original', { content: 'in time' })).toMatchObject({ status: 200 })
      discord.clock.advance(1)
      for (const [method, path] of [
        ['POST', ''],
        ['PATCH', '/messages/@original'],
        ['GET', '/messages/@original'],
      ] as const) {
        const answer = await webhook(used, method, path, method === 'GET' ? undefined : { content: 'too late' })
        expect(answer).toMatchObject({ status: 401, body: { code: 50027 } })
      }
      expect(seenBy('bob')).toEqual(['in time'])
    })

    it('edits, gets and deletes the original and follow-ups', async () => {
      const used = ask()
      await respond(used, 4, { content: 'one' })
      const { body } = await webhook(used, 'POST', '', { content: 'two' })
      const second = String((body as JsonObject).id)
      await webhook(used, 'PATCH', '/messages/@original', { content: 'ONE' })
      await webhook(used, 'PATCH', `/messages/${second}`, { content: 'TWO' })
      expect(seenBy('bob')).toEqual(['ONE', 'TWO'])
      expect(await webhook(used, 'GET', `/messages/${second}`)).toMatchObject({
        body: { content: 'TWO', webhook_id: discord.appId },
      })
      expect(await webhook(used, 'DELETE', '/messages/@original')).toMatchObject({ status: 204 })
      expect(await webhook(used, 'PATCH', '/messages/@original', { content: 'x' })).toMatchObject({
        status: 404,
        body: { code: 10008 },
      })
      const other = discord.user('alice').post('general', 'x')
      expect(await webhook(used, 'PATCH', `/messages/${other.id}`, { content: 'x' })).toMatchObject({ body: { code: 10008 } })
    })

    it('turns the first follow-up into the deferred answer, which stays as private as it was', async () => {
      const used = ask()
      await respond(used, 5, { flags: EPHEMERAL })
      expect(discord.transcript('general', { as: 'alice' })).toMatchObject([{ isLoading: true, isEphemeral: true }])
      await webhook(used, 'POST', '', { content: 'first' })
      await webhook(used, 'POST', '', { content: 'second' })
      expect(seenBy('alice')).toEqual(['first', 'second'])
      expect(seenBy('bob')).toEqual(['second'])
    })

    it('allows editing a private message by the token only', async () => {
      const used = ask()
      await respond(used, 4, { content: 'secret', flags: EPHEMERAL })
      const id = discord.transcript('general', { as: 'alice' })[0]?.id
      const path = `/channels/${used.channel.id}/messages/${id}`
      expect(await rest.request('PATCH', path, { body: { content: 'x' } })).toMatchObject({ status: 404, body: { code: 10008 } })
      expect(await webhook(used, 'PATCH', '/messages/@original', { content: 'changed' })).toMatchObject({ status: 200 })
      expect(seenBy('alice')).toEqual(['changed'])
      expect(seenBy('bob')).toEqual([])
    })

    it('pings users by default, and nobody else', async () => {
      const used = ask()
      discord.addRole({ name: 'analysts', mentionable: true })
      const role = [...discord.guild.roles.values()].at(-1)?.id
      const alice = discord.user('alice')
      await respond(used, 4, { content: `${alice.mention} <@&${role}> @everyone` })
      expect(discord.transcript('general')[0]?.pings).toEqual([alice.id])
    })
  })

  describe('presses', () => {
    const posted = async () => {
      const { id } = await rest.post(discord.channel('general').id, { content: 'Pick', components: buttons('a', 'b') })
      return { id, channelId: discord.channel('general').id }
    }

    it('update their message', async () => {
      const message = await posted()
      const pressed = discord.user('bob').press(message, { customId: 'b' })
      expect(await respond(pressed, 7, { content: 'Picked', components: [] })).toMatchObject({ status: 204 })
      expect(discord.transcript('general')).toMatchObject([{ id: message.id, plain: 'Picked', buttons: [] }])
    })

    it('can be acknowledged silently and answered in private', async () => {
      const pressed = discord.user('bob').press(await posted(), { label: 'A' })
      await respond(pressed, 6)
      await webhook(pressed, 'POST', '', { content: 'only you', flags: EPHEMERAL })
      expect(seenBy('bob')).toEqual(['Pick', 'only you'])
      expect(seenBy('alice')).toEqual(['Pick'])
      await webhook(pressed, 'PATCH', '/messages/@original', { content: 'Pick again' })
      expect(seenBy('alice')).toEqual(['Pick again'])
    })

    it('fail without such a button, if it is disabled, or if the message belongs to somebody else', async () => {
      const message = await posted()
      const { alice, bob } = { alice: discord.user('alice'), bob: discord.user('bob') }
      expect(() => bob.press(message, { label: 'C' })).toThrow('No such button')
      const disabled = [{ type: 1, components: [{ type: 2, style: 1, label: 'A', custom_id: 'a', disabled: true }] }]
      await rest.request('PATCH', `/channels/${message.channelId}/messages/${message.id}`, { body: { components: disabled } })
      expect(() => bob.press(message, { label: 'A' })).toThrow('disabled')
      const used = ask()
      await respond(used, 4, { content: 'secret', flags: EPHEMERAL, components: buttons('x') })
      const hidden = { id: used.original?.id ?? '', channelId: message.channelId }
      expect(() => bob.press(hidden, { label: 'X' })).toThrow('sees no message')
      expect(alice.press(hidden, { label: 'X' }).source?.id).toBe(hidden.id)
    })

    it('open a modal and return its text', async () => {
      const bob = discord.user('bob')
      const pressed = bob.press(await posted(), { label: 'A' })
      const input = (custom_id: string) => ({ type: 4, custom_id, style: 1, label: custom_id, max_length: 5 })
      const label = { type: 18, label: 'Other', component: { type: 4, custom_id: 'other', style: 2, required: false } }
      const modal = { custom_id: 'm', title: 'Why?', components: [{ type: 1, components: [input('why')] }, label] }
      expect(await respond(pressed, 9, { ...modal, title: 'x'.repeat(46) })).toMatchObject({ status: 400, body: { code: 50035 } })
      expect(await respond(pressed, 9, { ...modal, components: [] })).toMatchObject({ status: 400, body: { code: 50035 } })
      expect(await respond(pressed, 9, { ...modal, title: 'x'.repeat(45) })).toMatchObject({ status: 204 })
      expect(() => bob.submitModal(pressed, { why: 'longer' })).toThrow('takes 0 to 5')
      expect(() => bob.submitModal(pressed, {})).toThrow('takes 0 to 5')
      expect(() => discord.user('alice').submitModal(pressed, { why: 'x' })).toThrow('No modal')
      const submitted = bob.submitModal(pressed, { why: 'wrong' })
      expect(await respond(submitted, 9, modal)).toMatchObject({ status: 400, body: { code: 50035 } })
      expect(await respond(submitted, 7, { content: 'Thanks' })).toMatchObject({ status: 204 })
      expect(seenBy('alice')).toEqual(['Thanks'])
    })
  })

  describe('commands in the client', () => {
    it('accept the registered options', () => {
      const alice = discord.user('alice')
      expect(() => alice.command('general', 'nothing')).toThrow('no command')
      expect(() => alice.command('general', 'ask')).toThrow('question is required')
      expect(() => alice.command('general', 'ask', { question: 'x', colour: 'red' })).toThrow('no option colour')
      expect(() => alice.command('general', 'ask', { question: 5 })).toThrow('takes a string')
      expect(() => alice.command('general', 'ask', { question: 'x', depth: 2 })).toThrow('no choice')
      expect(() => alice.command('general', 'ask', { question: 'x'.repeat(21) })).toThrow('20 characters')
      expect(() => alice.command('general', 'lineage hide', { question: 'x' })).toThrow('no subcommand')
      expect(alice.command('general', 'lineage show', { question: 'x' }).commandName).toBe('lineage show')
    })

    it('are offered in direct conversations unless their contexts say otherwise', () => {
      const alice = discord.user('alice')
      expect(alice.command(alice.directChannel(), 'ask', { question: 'x' }).channel.type).toBe(1)
      expect(() => alice.command(alice.directChannel(), 'lineage show', { question: 'x' })).toThrow('not offered')
    })

    it('can act on a message', async () => {
      const said = discord.user('bob').post('general', 'what is this?')
      const used = discord.user('alice').messageCommand(said, 'Explain')
      await respond(used, 4, { content: 'It is a question', flags: EPHEMERAL })
      expect(seenBy('alice')).toEqual(['what is this?', 'It is a question'])
      expect(discord.transcript('general', { as: 'alice' }).map(message => message.type)).toEqual([0, 23])
    })
  })
})
