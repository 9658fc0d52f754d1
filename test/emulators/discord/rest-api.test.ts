import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { isObject } from './json.ts'
import { RestClient } from './rest-client.ts'

describe('REST', () => {
  let discord: DiscordEmulator
  let rest: RestClient
  let general: string
  let messages: string

  beforeEach(async () => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
    rest = new RestClient(discord)
    general = discord.channel('general').id
    messages = `/channels/${general}/messages`
  })
  afterEach(() => discord.close())

  const ids = (body: unknown) => (Array.isArray(body) ? body.map(item => (isObject(item) ? item.id : undefined)) : body)

  describe('who asks', () => {
    it('accepts the bot by its token, and nobody by another', async () => {
      expect(await rest.request('GET', '/users/@me')).toMatchObject({ status: 200, body: { id: discord.botUserId, bot: true } })
      for (const token of ['wrong', null]) {
        const answer = await rest.request('GET', '/users/@me', { token })
        expect(answer).toMatchObject({ status: 401, body: { code: 0, message: '401: Unauthorized' } })
      }
      discord.revokeToken()
      expect(await rest.request('GET', '/users/@me')).toMatchObject({ status: 401 })
    })

    it('blocks a client without a valid user agent', async () => {
      const answer = await rest.request('GET', '/users/@me', { headers: { 'user-agent': 'curl/8' } })
      expect(answer).toMatchObject({ status: 403, body: { code: 40333 } })
    })

    it('distinguishes unknown paths and methods', async () => {
      expect(await rest.request('GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 0 } })
      expect(await rest.request('PUT', '/users/@me')).toMatchObject({ status: 405, body: { code: 0 } })
    })

    it('returns the application and its privileged intents', async () => {
      const { body } = await rest.request('GET', '/applications/@me')
      expect(body).toMatchObject({ id: discord.appId, flags: 1 << 19 })
    })
  })

  describe("the bot's permissions", () => {
    it('exclude hidden and missing channels', async () => {
      const random = `/channels/${discord.channel('random').id}`
      expect(await rest.request('GET', random)).toMatchObject({ status: 403, body: { code: 50001 } })
      expect(await rest.request('POST', `${random}/messages`, { body: { content: 'x' } })).toMatchObject({
        body: { code: 50001 },
      })
      expect(await rest.request('GET', '/channels/1')).toMatchObject({ status: 404, body: { code: 10003 } })
      discord.deleteChannel('general')
      expect(await rest.request('GET', messages)).toMatchObject({ status: 404, body: { code: 10003 } })
    })

    it.each([
      ['SEND_MESSAGES', { content: 'x' }, false],
      ['EMBED_LINKS', { embeds: [{ title: 'x' }] }, false],
      ['ATTACH_FILES', {}, true],
    ] as const)('include %s', async (missing, body, hasFile) => {
      const all = ['VIEW_CHANNEL', 'SEND_MESSAGES', 'EMBED_LINKS', 'ATTACH_FILES', 'READ_MESSAGE_HISTORY'] as const
      const files = hasFile ? { files: [{ name: 'a.csv', content: Buffer.from('a') }] } : {}
      for (const [name, without] of [
        ['all', undefined],
        ['some', missing],
      ] as const) {
        const channel = discord.addChannel({ name, botPermissions: all.filter(permission => permission !== without) })
        const answer = await rest.request('POST', `/channels/${channel.id}/messages`, { body, ...files })
        expect(answer).toMatchObject(without === undefined ? { status: 200 } : { status: 403, body: { code: 50013 } })
      }
    })

    it('allow editing and deleting its own messages only, unless it moderates', async () => {
      const alice = discord.user('alice').post('general', 'mine')
      const own = await rest.post(general, { content: 'ours' })
      const edit = { body: { content: 'changed' } }
      expect(await rest.request('PATCH', `${messages}/${own.id}`, edit)).toMatchObject({
        status: 200,
        body: { content: 'changed' },
      })
      expect(await rest.request('PATCH', `${messages}/${alice.id}`, edit)).toMatchObject({ status: 403, body: { code: 50005 } })
      expect(await rest.request('DELETE', `${messages}/${own.id}`)).toMatchObject({ status: 204 })
      expect(await rest.request('DELETE', `${messages}/${own.id}`)).toMatchObject({ status: 404, body: { code: 10008 } })
      expect(await rest.request('DELETE', `${messages}/${alice.id}`)).toMatchObject({ status: 403, body: { code: 50013 } })
      discord.addRole({ name: 'moderators', permissions: 1n << 13n })
      discord.giveRole('clew', 'moderators')
      expect(await rest.request('DELETE', `${messages}/${alice.id}`)).toMatchObject({ status: 204 })
    })

    it('are gone when it is kicked', async () => {
      discord.kickBot()
      expect(await rest.request('GET', `/guilds/${discord.guild.id}`)).toMatchObject({ status: 404, body: { code: 10004 } })
      expect(await rest.request('POST', messages, { body: { content: 'x' } })).toMatchObject({ body: { code: 50001 } })
    })
  })

  describe('messages', () => {
    it('returns the message of the same nonce for a few minutes, if it is enforced', async () => {
      const body = { content: 'x', nonce: 'run-1', enforce_nonce: true }
      const first = await rest.post(general, body)
      const again = await rest.post(general, { ...body, content: 'y' })
      expect([again.id, again.content, again.nonce]).toEqual([first.id, 'x', 'run-1'])
      expect((await rest.post(general, { content: 'x', nonce: 'run-1' })).id).not.toBe(first.id)
      discord.clock.advance(DISCORD_LIMITS.nonceMs)
      expect((await rest.post(general, body)).id).not.toBe(first.id)
      expect(discord.transcript('general')).toHaveLength(3)
    })

    it('lists newest first, and before, after and around a message', async () => {
      const posted = []
      for (let index = 0; index < 7; index += 1) posted.push((await rest.post(general, { content: `${index}` })).id)
      const list = async (query: string) => ids((await rest.request('GET', `${messages}?${query}`)).body)
      const [first, second, third, fourth, fifth, sixth, seventh] = posted
      expect(await list('limit=3')).toEqual([seventh, sixth, fifth])
      expect(await list(`before=${third}`)).toEqual([second, first])
      expect(await list(`after=${third}&limit=2`)).toEqual([fifth, fourth])
      expect(await list(`around=${fourth}&limit=3`)).toEqual([fifth, fourth, third])
      expect(await rest.request('GET', `${messages}?limit=${DISCORD_LIMITS.pageSize}`)).toMatchObject({ status: 200 })
      for (const limit of [0, DISCORD_LIMITS.pageSize + 1]) {
        expect(await rest.request('GET', `${messages}?limit=${limit}`)).toMatchObject({ status: 400, body: { code: 50035 } })
      }
    })

    it("shows people's content only to an app with the intent, or if it is mentioned", async () => {
      const blind = await startDiscordEmulator({ privilegedIntents: [] })
      try {
        const path = `/channels/${blind.channel('general').id}/messages`
        blind.user('alice').post('general', 'among us')
        blind.user('alice').post('general', `${blind.botMention} for you`)
        const { body } = await new RestClient(blind).request('GET', path)
        expect(body).toMatchObject([{ content: `${blind.botMention} for you` }, { content: '' }])
      } finally {
        await blind.close()
      }
    })

    it('keeps, adds and drops files as an edit lists them', async () => {
      const file = (name: string) => ({ name, content: Buffer.from(name) })
      const { id } = await rest.post(general, { content: 'x' }, [file('one.csv')])
      const names = () => discord.transcript('general')[0]?.files.map(one => one.name)
      await rest.request('PATCH', `${messages}/${id}`, { body: { content: 'y' } })
      expect(names()).toEqual(['one.csv'])
      await rest.request('PATCH', `${messages}/${id}`, { body: {}, files: [file('two.csv')] })
      expect(names()).toEqual(['one.csv', 'two.csv'])
      await rest.request('PATCH', `${messages}/${id}`, { body: { attachments: [{ id: '0' }] }, files: [file('three.csv')] })
      expect(names()).toEqual(['three.csv'])
      const unknown = await rest.request('PATCH', `${messages}/${id}`, { body: { attachments: [{ id: '5' }] } })
      expect(unknown).toMatchObject({ status: 400, body: { code: 50035 } })
    })

    it('shows an uploaded image inside its embed and not below, and serves it', async () => {
      const image = { name: 'chart.png', content: Buffer.from('pixels') }
      const embeds = [{ title: 'x', image: { url: 'attachment://chart.png' } }]
      const posted = await rest.post(general, { embeds }, [image])
      expect(posted).toMatchObject({ attachments: [], embeds: [{ image: { url: expect.stringMatching(/chart\.png$/) } }] })
      const [shown] = discord.transcript('general')
      expect(shown).toMatchObject({ links: [], files: [{ name: 'chart.png', content: image.content }] })
      const [embed] = shown?.embeds ?? []
      const url = isObject(embed?.image) ? String(embed.image.url) : ''
      expect(await (await fetch(url)).text()).toBe('pixels')
      const missing = await rest.request('POST', messages, { body: { embeds } })
      expect(missing).toMatchObject({ status: 400, body: { code: 50035 } })
    })

    it('deletes several at once: two to a hundred, at most two weeks old', async () => {
      discord.addRole({ name: 'moderators', permissions: 1n << 13n })
      discord.giveRole('clew', 'moderators')
      const posted = [await rest.post(general, { content: 'a' }), await rest.post(general, { content: 'b' })].map(one => one.id)
      const remove = (list: readonly (string | undefined)[]) =>
        rest.request('POST', `${messages}/bulk-delete`, { body: { messages: list } })
      expect(await remove(posted.slice(1))).toMatchObject({ status: 400, body: { code: 50016 } })
      discord.clock.advance(DISCORD_LIMITS.bulkDelete.ageMs + 1)
      expect(await remove(posted)).toMatchObject({ status: 400, body: { code: 50034 } })
      const fresh = [await rest.post(general, { content: 'c' }), await rest.post(general, { content: 'd' })].map(one => one.id)
      expect(await remove(fresh)).toMatchObject({ status: 204 })
      expect(discord.transcript('general').map(message => message.id)).toEqual(posted)
    })

    it('types for 10 s, or until the message', async () => {
      const type = () => rest.request('POST', `/channels/${general}/typing`)
      expect(await type()).toMatchObject({ status: 204 })
      discord.clock.advance(DISCORD_LIMITS.typingMs - 1)
      expect(discord.typing('general')).toEqual(['clew'])
      discord.clock.advance(1)
      expect(discord.typing('general')).toEqual([])
      await type()
      await rest.post(general, { content: 'x' })
      expect(discord.typing('general')).toEqual([])
    })
  })

  describe('mentions', () => {
    const text = () => `@everyone @here ${discord.user('alice').mention} <@&${analysts()}> \`${discord.user('bob').mention}\``
    const analysts = () => [...discord.guild.roles.values()].find(role => role.name === 'analysts')?.id ?? ''
    beforeEach(() => {
      discord.addRole({ name: 'analysts', mentionable: true })
      discord.giveRole('bob', 'analysts')
    })

    it('pings by default whom it may; everyone needs a permission', async () => {
      const alice = discord.user('alice').id
      await rest.post(general, { content: text() })
      expect(discord.transcript('general').at(-1)?.pings).toEqual([alice, `&${analysts()}`])
      discord.addRole({ name: 'loud', permissions: 1n << 17n })
      discord.giveRole('clew', 'loud')
      await rest.post(general, { content: text() })
      expect(discord.transcript('general').at(-1)?.pings).toEqual([alice, `&${analysts()}`, 'everyone', 'here'])
    })

    it('pings nobody with an empty parse, else only those listed', async () => {
      const { id } = discord.user('alice')
      const said = discord.user('bob').post('general', 'hi')
      const message_reference = { message_id: said.id }
      await rest.post(general, { content: text(), message_reference, allowed_mentions: { parse: [] } })
      expect(discord.transcript('general').at(-1)).toMatchObject({ pings: [], notified: [], repliesTo: said.id })
      await rest.post(general, { content: text(), message_reference, allowed_mentions: { users: [id] } })
      expect(discord.transcript('general').at(-1)).toMatchObject({ pings: [id], notified: [id] })
      await rest.post(general, { content: 'x', message_reference, allowed_mentions: { parse: [], replied_user: true } })
      expect(discord.transcript('general').at(-1)).toMatchObject({ pings: [discord.user('bob').id] })
      await rest.post(general, { content: 'no mention', allowed_mentions: { users: [id] } })
      expect(discord.transcript('general').at(-1)).toMatchObject({ pings: [] })
    })

    it('drops earlier permissions in an edit, and notifies nobody', async () => {
      const { id } = await rest.post(general, { content: text(), allowed_mentions: { parse: [] } })
      await rest.request('PATCH', `${messages}/${id}`, { body: { content: text() } })
      expect(discord.transcript('general')[0]).toMatchObject({
        pings: [discord.user('alice').id, `&${analysts()}`],
        notified: [],
      })
      await rest.request('PATCH', `${messages}/${id}`, { body: { content: text(), allowed_mentions: { parse: [] } } })
      expect(discord.transcript('general')[0]?.pings).toEqual([])
    })

    it('pings nobody from an embed, but does from a second-version component', async () => {
      await rest.post(general, { embeds: [{ description: text() }] })
      expect(discord.transcript('general').at(-1)?.pings).toEqual([])
      await rest.post(general, { flags: 1 << 15, components: [{ type: 10, content: discord.user('alice').mention }] })
      expect(discord.transcript('general').at(-1)?.pings).toEqual([discord.user('alice').id])
    })
  })

  describe('threads', () => {
    const open = async () => {
      const said = discord.user('alice').post('general', 'a question')
      const answer = await rest.request('POST', `${messages}/${said.id}/threads`, { body: { name: 'a question' } })
      return { id: said.id, answer }
    }

    it('starts one from a message with the same id, and only one', async () => {
      const { id, answer } = await open()
      expect(answer).toMatchObject({ status: 201, body: { id, type: 11, parent_id: general, owner_id: discord.botUserId } })
      const again = await rest.request('POST', `${messages}/${id}/threads`, { body: { name: 'x' } })
      expect(again).toMatchObject({ status: 400, body: { code: 160004 } })
      expect(await rest.request('GET', `${messages}/${id}`)).toMatchObject({ body: { flags: 32, thread: { id } } })
    })

    it('accepts names of 1 to 100 characters and four archive times', async () => {
      const start = (body: object) => {
        const said = discord.user('alice').post('general', 'x')
        return rest.request('POST', `${messages}/${said.id}/threads`, { body })
      }
      expect(await start({ name: 'x'.repeat(100), auto_archive_duration: 1_440 })).toMatchObject({ status: 201 })
      expect(await start({ name: 'x'.repeat(101) })).toMatchObject({ status: 400, body: { errors: { name: {} } } })
      expect(await start({ name: '' })).toMatchObject({ status: 400, body: { errors: { name: {} } } })
      expect(await start({ name: 'x', auto_archive_duration: 5 })).toMatchObject({
        body: { errors: { auto_archive_duration: {} } },
      })
      expect(await rest.request('POST', `${messages}/1/threads`, { body: { name: 'x' } })).toMatchObject({
        body: { code: 10008 },
      })
    })

    it('reopens it on a message, but refuses edits while archived, and messages while locked', async () => {
      const { id } = await open()
      const posted = await rest.post(id, { content: 'x' })
      const path = `/channels/${id}/messages`
      discord.archiveThread(id)
      const edit = () => rest.request('PATCH', `${path}/${posted.id}`, { body: { content: 'y' } })
      expect(await edit()).toMatchObject({ status: 400, body: { code: 50083 } })
      await rest.post(id, { content: 'awake' })
      expect(discord.channel(id).thread?.archived).toBe(false)
      expect(await edit()).toMatchObject({ status: 200 })
      discord.archiveThread(id, { locked: true })
      expect(await rest.request('POST', path, { body: { content: 'z' } })).toMatchObject({ status: 400, body: { code: 160005 } })
    })

    it('is gone when deleted, or when its channel is', async () => {
      const { id } = await open()
      discord.deleteChannel('general')
      expect(await rest.request('POST', `/channels/${id}/messages`, { body: { content: 'x' } })).toMatchObject({
        body: { code: 10003 },
      })
    })

    it('cannot be started in a direct conversation', async () => {
      const said = discord.user('alice').directMessage('x')
      const path = `/channels/${said.channelId}/messages/${said.id}/threads`
      expect(await rest.request('POST', path, { body: { name: 'x' } })).toMatchObject({ status: 400, body: { code: 50024 } })
    })
  })

  describe('direct conversations', () => {
    it('opens one, always the same, and writes in it', async () => {
      const open = () => rest.request('POST', '/users/@me/channels', { body: { recipient_id: discord.user('bob').id } })
      const { body } = await open()
      expect(body).toMatchObject({ type: 1, recipients: [{ username: 'bob' }] })
      expect((await open()).body).toMatchObject({ id: isObject(body) ? body.id : undefined })
      await rest.post(isObject(body) ? String(body.id) : '', { content: 'hi' })
      expect(discord.directTranscript('bob')).toMatchObject([{ plain: 'hi', notified: [discord.user('bob').id] }])
    })

    it('cannot write to someone who refuses, or who shares no server', async () => {
      const path = `/channels/${discord.user('bob').directChannel().id}/messages`
      discord.user('bob').refuseDirectMessages()
      expect(await rest.request('POST', path, { body: { content: 'x' } })).toMatchObject({ status: 403, body: { code: 50007 } })
      discord.kickBot()
      expect(await rest.request('POST', path, { body: { content: 'x' } })).toMatchObject({ status: 403, body: { code: 50278 } })
    })
  })

  describe('members', () => {
    it('lists people in the server, with roles', async () => {
      const role = discord.addRole({ name: 'analysts' })
      discord.giveRole('bob', 'analysts')
      const path = `/guilds/${discord.guild.id}/members`
      const member = await rest.request('GET', `${path}/${discord.user('bob').id}`)
      expect(member).toMatchObject({ status: 200, body: { user: { username: 'bob' }, roles: [role.id] } })
      expect(await rest.request('GET', `${path}/1`)).toMatchObject({ status: 404, body: { code: 10013 } })
      expect(await rest.request('GET', path)).toMatchObject({ status: 403, body: { code: 50001 } })
    })
  })
})
