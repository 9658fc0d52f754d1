import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client, Message } from 'discord.js'
import { WebSocket } from 'ws'
import { connectDiscordClient, createDiscordClient } from './discord-client.ts'
import { type DiscordEmulator, type DiscordEmulatorOptions, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { INTENTS } from './intents.ts'
import { isObject, type JsonObject } from './json.ts'
import { RestClient } from './rest-client.ts'

const ALL = INTENTS.guilds | INTENTS.guildMessages | INTENTS.directMessages | INTENTS.messageContent

/** A plain gateway connection without discord.js. It records what it receives, and never answers by itself. */
class RawGateway {
  readonly received: JsonObject[] = []
  readonly closed: Promise<number>
  readonly #socket: WebSocket
  readonly #watchers = new Set<() => void>()

  constructor(url: string) {
    this.#socket = new WebSocket(`${url}/?v=10&encoding=json`)
    this.#socket.on('error', () => undefined)
    this.#socket.on('message', data => {
      const payload: unknown = JSON.parse(data.toString())
      if (isObject(payload)) this.received.push(payload)
      for (const watcher of [...this.#watchers]) watcher()
    })
    this.closed = new Promise(resolve => {
      this.#socket.on('close', code => resolve(code))
    })
  }

  send(op: number, d: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  /** Calls `probe` after each received payload. Resolves with the first result that is not undefined. */
  until<Result>(probe: () => Result | undefined): Promise<Result> {
    return new Promise(resolve => {
      const look = () => {
        const found = probe()
        if (found === undefined) return
        this.#watchers.delete(look)
        resolve(found)
      }
      this.#watchers.add(look)
      look()
    })
  }

  /** Resolves with the first payload with this op code (for op 0, of this event). Payloads that have already arrived count too. */
  next(op: number, event?: string): Promise<JsonObject> {
    return this.until(() => this.received.find(payload => payload.op === op && (event === undefined || payload.t === event)))
  }

  /** Resolves when this number of events has arrived. */
  async countEvents(count: number): Promise<void> {
    await this.until(() => (this.events().length === count ? true : undefined))
  }

  events(): readonly unknown[] {
    return this.received.filter(payload => payload.op === 0).map(payload => payload.t)
  }

  close(code = 4000): void {
    this.#socket.close(code)
  }
}

describe('the gateway', () => {
  let discord: DiscordEmulator
  let open: RawGateway[]

  const start = async (options: DiscordEmulatorOptions = {}) => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed', clock: 'stopped', ...options })
  }
  beforeEach(() => {
    open = []
  })
  afterEach(async () => {
    for (const gateway of open) gateway.close()
    await discord.close()
  })

  const connect = async (): Promise<RawGateway> => {
    const gateway = new RawGateway(`${discord.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`)
    open.push(gateway)
    await gateway.next(10)
    return gateway
  }
  const identify = (intents: number, more: JsonObject = {}) => ({ token: discord.botToken, intents, properties: {}, ...more })
  const ready = async (intents = ALL, more: JsonObject = {}) => {
    const gateway = await connect()
    gateway.send(2, identify(intents, more))
    const { d } = await gateway.next(0, 'READY')
    return { gateway, session: isObject(d) ? String(d.session_id) : '' }
  }
  const resume = async (session: string, seq: number) => {
    const gateway = await connect()
    gateway.send(6, { token: discord.botToken, session_id: session, seq })
    return gateway
  }

  describe('at the start', () => {
    it('returns its address and the number of allowed session starts', async () => {
      await start()
      const rest = new RestClient(discord)
      const limit = (remaining: number) => ({ total: 1_000, remaining, max_concurrency: 1 })
      expect((await rest.request('GET', '/gateway/bot')).body).toMatchObject({ shards: 1, session_start_limit: limit(1_000) })
      await ready()
      expect((await rest.request('GET', '/gateway/bot')).body).toMatchObject({ session_start_limit: limit(999) })
    })

    it('says hello, acknowledges heartbeats, and sends READY with the servers', async () => {
      await start()
      const { gateway } = await ready()
      expect(gateway.received[0]).toMatchObject({ op: 10, d: { heartbeat_interval: DISCORD_LIMITS.heartbeatIntervalMs } })
      expect(await gateway.next(0, 'READY')).toMatchObject({
        s: 1,
        d: {
          user: { id: discord.botUserId },
          guilds: [{ id: discord.guild.id, unavailable: true }],
          resume_gateway_url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/gateway\/resume$/),
        },
      })
      const created = await gateway.next(0, 'GUILD_CREATE')
      const named = (name: string) => expect.objectContaining({ name })
      expect(created).toMatchObject({ s: 2, d: { id: discord.guild.id, channels: [named('general'), named('secret')] } })
      gateway.send(1, 2)
      await gateway.next(11)
      expect(discord.gateway.deliveries().every(delivery => delivery.isAcknowledged)).toBe(true)
    })
  })

  describe('closes', () => {
    it.each<[string, number, (gateway: RawGateway) => void]>([
      ['an unknown opcode', 4001, gateway => gateway.send(99, null)],
      ['what is no JSON', 4002, gateway => gateway.sendText('{')],
      ['more than 4,096 bytes', 4002, gateway => gateway.sendText(JSON.stringify({ op: 1, d: null, x: 'x'.repeat(4_096) }))],
      ['a presence before the identify', 4003, gateway => gateway.send(3, {})],
      ['a wrong token', 4004, gateway => gateway.send(2, { token: 'wrong', intents: ALL, properties: {} })],
      ['a resume with a wrong token', 4004, gateway => gateway.send(6, { token: 'wrong', session_id: 'x', seq: 1 })],
    ])('on %s', async (_name, code, act) => {
      await start()
      const gateway = await connect()
      act(gateway)
      expect(await gateway.closed).toBe(code)
    })

    it('for unknown or forbidden intents', async () => {
      await start({ privilegedIntents: [] })
      const unknown = await connect()
      unknown.send(2, identify(1 << 30))
      expect(await unknown.closed).toBe(4013)
      for (const intent of [INTENTS.messageContent, INTENTS.guildMembers, INTENTS.guildPresences]) {
        const gateway = await connect()
        gateway.send(2, identify(INTENTS.guilds | intent))
        expect(await gateway.closed).toBe(4014)
      }
      await ready(INTENTS.guilds | INTENTS.guildMessages)
    })

    it('for an impossible shard, and for a second identify', async () => {
      await start()
      const wrong = await connect()
      wrong.send(2, identify(ALL, { shard: [1, 1] }))
      expect(await wrong.closed).toBe(4010)
      const { gateway } = await ready()
      gateway.send(2, identify(ALL))
      expect(await gateway.closed).toBe(4005)
    })

    it('for the 121st event within a minute', async () => {
      await start()
      const { gateway } = await ready()
      for (let sent = 1; sent < DISCORD_LIMITS.gatewayEvents.events; sent += 1) gateway.send(3, {})
      gateway.send(1, 1)
      expect(await gateway.closed).toBe(4008)
    })

    it('neither for 120 of them, nor for more after a minute', async () => {
      await start()
      const { gateway } = await ready()
      for (let sent = 2; sent < DISCORD_LIMITS.gatewayEvents.events; sent += 1) gateway.send(3, {})
      gateway.send(1, 1)
      await gateway.next(11)
      discord.clock.advance(DISCORD_LIMITS.gatewayEvents.windowMs)
      for (let sent = 0; sent < 10; sent += 1) gateway.send(3, {})
      gateway.send(1, 2)
      await gateway.until(() => gateway.received.filter(payload => payload.op === 11)[1])
    })

    it('for another version', async () => {
      await start()
      const socket = new WebSocket(`${discord.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway/?v=9&encoding=json`)
      const code = await new Promise(resolve => socket.on('close', resolve))
      expect(code).toBe(4012)
    })

    it('for a client without heartbeats', async () => {
      await start({ heartbeatIntervalMs: 20 })
      const { gateway } = await ready()
      expect(await gateway.closed).toBe(4009)
    })
  })

  it('allows one session start per 5 s', async () => {
    await start()
    await ready()
    const early = await connect()
    early.send(2, identify(ALL))
    expect(await early.next(9)).toMatchObject({ d: false })
    discord.clock.advance(DISCORD_LIMITS.identify.windowMs)
    await ready()
  })

  describe('sends', () => {
    it('messages by intent, empty without the content intent except mentions and direct ones', async () => {
      await start()
      const { gateway } = await ready(INTENTS.guilds | INTENTS.guildMessages | INTENTS.directMessages)
      const alice = discord.user('alice')
      alice.post('general', 'among us', { files: [{ name: 'a.csv', content: 'a' }] })
      const own = await new RestClient(discord).post(discord.channel('general').id, { content: 'mine' })
      alice.post('general', 'a reply', { replyTo: own.id })
      alice.post('general', `${discord.botMention} for you`)
      alice.directMessage('psst')
      await gateway.countEvents(7)
      const contents = gateway.received.filter(one => one.t === 'MESSAGE_CREATE').map(one => isObject(one.d) && one.d.content)
      expect(contents).toEqual(['', 'mine', 'a reply', `${discord.botMention} for you`, 'psst'])
      expect(gateway.received.find(one => one.t === 'MESSAGE_CREATE')).toMatchObject({
        d: { attachments: [], author: { username: 'alice' } },
      })
    })

    it('nothing without its intent', async () => {
      await start()
      const { gateway } = await ready(INTENTS.guilds)
      discord.user('alice').post('general', 'x')
      discord.user('alice').directMessage('x')
      discord.addChannel({ name: 'new' })
      await gateway.next(0, 'CHANNEL_CREATE')
      expect(gateway.events()).toEqual(['READY', 'GUILD_CREATE', 'CHANNEL_CREATE'])
    })

    it('nothing from channels that the bot does not see', async () => {
      await start()
      const { gateway } = await ready()
      expect(discord.user('alice').post('random', 'x').deliveries).toEqual([])
      discord.hideFromBot('general')
      discord.user('alice').post('general', 'x')
      discord.user('alice').post('secret', 'y')
      expect(await gateway.next(0, 'MESSAGE_CREATE')).toMatchObject({ d: { content: 'y' } })
    })

    it('edits, unfolded links, deletions, threads and typing', async () => {
      await start()
      const { gateway } = await ready(ALL | INTENTS.guildMessageTyping)
      const alice = discord.user('alice')
      const said = alice.post('general', 'x https://example.com')
      discord.unfoldLink(said, 'https://example.com')
      expect(await gateway.next(0, 'MESSAGE_UPDATE')).toMatchObject({
        d: { id: said.id, edited_timestamp: null, embeds: [{ type: 'link' }] },
      })
      alice.edit(said, 'y')
      const thread = alice.startThread(said, 'a thread')
      expect(await gateway.next(0, 'THREAD_CREATE')).toMatchObject({ d: { id: said.id, newly_created: true, type: 11 } })
      alice.type('general')
      expect(await gateway.next(0, 'TYPING_START')).toMatchObject({ d: { user_id: alice.id } })
      expect(gateway.received.filter(one => one.t === 'MESSAGE_CREATE').at(-1)).toMatchObject({
        d: { type: 21, content: '', message_reference: { message_id: said.id }, referenced_message: { content: 'y' } },
      })
      const others = [alice.post(thread.id, '1'), alice.post(thread.id, '2')]
      discord.removeMessages(others)
      expect(await gateway.next(0, 'MESSAGE_DELETE_BULK')).toMatchObject({ d: { ids: others.map(one => one.id) } })
      alice.delete(said)
      expect(await gateway.next(0, 'MESSAGE_DELETE')).toMatchObject({ d: { id: said.id, guild_id: discord.guild.id } })
      discord.deleteChannel(thread.id)
      expect(await gateway.next(0, 'THREAD_DELETE')).toMatchObject({
        d: { id: thread.id, parent_id: discord.channel('general').id },
      })
      discord.kickBot()
      expect(await gateway.next(0, 'GUILD_DELETE')).toMatchObject({ d: { id: discord.guild.id } })
    })

    it('a thread again when the bot joins it, and a message about a thread from an old message', async () => {
      await start()
      const { gateway } = await ready()
      const alice = discord.user('alice')
      const thread = alice.startThread(alice.post('general', 'old'), 'named', { isOld: true })
      await new RestClient(discord).post(thread.id, { content: 'here' })
      await gateway.next(0, 'THREAD_MEMBERS_UPDATE')
      const created = gateway.received.filter(one => one.t === 'THREAD_CREATE')
      expect(created).toMatchObject([{ d: { newly_created: true } }, { d: { member: { user_id: discord.botUserId } } }])
      expect(created[1]?.d).not.toHaveProperty('newly_created')
      expect(gateway.received).toContainEqual(
        expect.objectContaining({
          d: expect.objectContaining({ type: 18, content: 'named', channel_id: discord.channel('general').id }),
        }),
      )
    })

    it('an ephemeral message as a direct one', async () => {
      await start()
      const { gateway } = await ready()
      discord.commands.overwrite(undefined, [{ name: 'ask', description: 'Asks' }])
      const used = discord.user('alice').command('general', 'ask')
      await gateway.next(0, 'INTERACTION_CREATE')
      const body = { type: 4, data: { content: 'secret', flags: 64 } }
      await new RestClient(discord).request('POST', `/interactions/${used.id}/${used.token}/callback`, { body, token: null })
      const { d } = await gateway.next(0, 'MESSAGE_CREATE')
      expect(d).toMatchObject({ content: 'secret', flags: 64 })
      expect(d).not.toHaveProperty('guild_id')
    })

    it('a duplicate event on request', async () => {
      await start()
      const { gateway } = await ready()
      const said = discord.user('alice').post('general', 'x')
      for (const delivery of said.deliveries) discord.gateway.redeliver(delivery)
      await gateway.countEvents(4)
      expect(gateway.received.slice(-2)).toMatchObject([
        { s: 3, d: { id: said.id } },
        { s: 4, d: { id: said.id } },
      ])
    })

    it("server events to the server's shard, direct messages to the first", async () => {
      await start()
      const shards = 3
      const own = Number((BigInt(discord.guild.id) >> 22n) % BigInt(shards))
      const gateways: RawGateway[] = []
      for (let shard = 0; shard < shards; shard += 1) {
        gateways.push((await ready(ALL, { shard: [shard, shards] })).gateway)
        discord.clock.advance(DISCORD_LIMITS.identify.windowMs)
      }
      discord.user('alice').post('general', 'x')
      discord.user('alice').directMessage('y')
      // Every shard gets READY. The shard of the server also gets the server and its message. The first shard also gets the direct message.
      const counts = gateways.map((_gateway, shard) => 1 + (shard === own ? 2 : 0) + (shard === 0 ? 1 : 0))
      await Promise.all(gateways.map((gateway, shard) => gateway.countEvents(counts[shard] ?? 0)))
      const heard = gateways.map(gateway => gateway.received.filter(one => one.t === 'MESSAGE_CREATE').length)
      expect(heard).toEqual(Array.from({ length: shards }, (_, shard) => Number(shard === own) + Number(shard === 0)))
    })
  })

  describe('resumes', () => {
    it('with the missed events, in order', async () => {
      await start()
      const { gateway, session } = await ready()
      discord.user('alice').post('general', 'heard')
      await gateway.next(0, 'MESSAGE_CREATE')
      gateway.close()
      await discord.waitFor(() => discord.gateway.connected() === 0)
      discord.user('alice').post('general', 'missed')
      discord.user('alice').post('general', 'missed too')
      const again = await resume(session, 3)
      await again.next(0, 'RESUMED')
      expect(again.received.slice(1)).toMatchObject([
        { s: 4, t: 'MESSAGE_CREATE', d: { content: 'missed' } },
        { s: 5, t: 'MESSAGE_CREATE', d: { content: 'missed too' } },
        { s: 6, t: 'RESUMED' },
      ])
    })

    it('no session that was closed with 1000, forgotten, too old or unknown', async () => {
      await start()
      const over = async (end: (session: { readonly gateway: RawGateway }) => void) => {
        const { gateway, session } = await ready()
        end({ gateway })
        await discord.waitFor(() => discord.gateway.connected() === 0)
        discord.clock.advance(DISCORD_LIMITS.identify.windowMs)
        return session
      }
      const closed = await over(({ gateway }) => gateway.close(1000))
      const forgotten = await over(({ gateway }) => {
        discord.gateway.forgetSessions()
        gateway.close()
      })
      const old = await over(({ gateway }) => gateway.close())
      discord.clock.advance(DISCORD_LIMITS.resumableMs)
      for (const session of [closed, forgotten, old, 'unknown']) {
        expect(await (await resume(session, 1)).next(9)).toMatchObject({ d: false })
      }
      const fresh = await over(({ gateway }) => gateway.close())
      expect(await (await resume(fresh, 1)).next(0, 'RESUMED')).toMatchObject({ t: 'RESUMED' })
      expect(await (await resume(fresh, 99)).closed).toBe(4007)
    })
  })

  describe('with discord.js', () => {
    let client: Client<true>
    let messages: Message[]
    beforeEach(async () => {
      await start({ clock: 'running' })
      client = await connectDiscordClient(discord)
      messages = []
      client.on('messageCreate', message => messages.push(message))
    })
    afterEach(() => client.destroy())

    const readAll = async (...texts: readonly string[]) => {
      await discord.waitFor(() => discord.gateway.connected() === 1)
      await discord.heard()
      expect(messages.map(message => message.content)).toEqual(texts)
      expect(discord.gateway.identified()).toBe(1)
    }

    it.each<[string, () => void]>([
      ['when told to reconnect', () => discord.gateway.requestReconnect()],
      ['when its session is called invalid but resumable', () => discord.gateway.invalidateSessions({ resumable: true })],
      ['when the socket drops', () => discord.gateway.dropConnections()],
      ['when it is closed with 4000', () => discord.gateway.closeConnections(4000)],
    ])('goes on with the same session %s, and misses nothing', async (_name, act) => {
      discord.user('alice').post('general', 'before')
      await discord.heard()
      act()
      discord.user('alice').post('general', 'after')
      await readAll('before', 'after')
    })

    it('starts a new session when the old one is invalid', async () => {
      discord.clock.advance(DISCORD_LIMITS.identify.windowMs)
      discord.gateway.invalidateSessions({ resumable: false })
      await discord.waitFor(() => discord.gateway.identified() === 2 && discord.gateway.connected() === 1)
      discord.user('alice').post('general', 'new')
      await discord.heard()
      expect(messages.map(message => message.content)).toEqual(['new'])
    })

    it('ends when its token is reset', async () => {
      const gone = new Promise(resolve => client.once('invalidated', () => resolve(undefined)))
      const failed = new Promise(resolve => client.once('shardDisconnect', event => resolve(event.code)))
      discord.revokeToken()
      expect(await Promise.race([failed, gone])).toBe(4004)
    })
  })

  it('reports a forbidden intent to discord.js', async () => {
    await start({ privilegedIntents: [], clock: 'running' })
    const client = createDiscordClient(discord)
    await expect(client.login(discord.botToken)).rejects.toThrow('disallowed intents')
    await client.destroy()
  })

  it('leaves a dead connection, which discord.js replaces', async () => {
    await start({ clock: 'running', heartbeatIntervalMs: 100 })
    const client = await connectDiscordClient(discord)
    discord.gateway.freezeConnections()
    discord.user('alice').post('general', 'into the void')
    const heard = new Promise<Message>(resolve => client.once('messageCreate', resolve))
    expect((await heard).content).toBe('into the void')
    expect(discord.gateway.identified()).toBe(1)
    await client.destroy()
  })

  it('refuses connections while it is down', async () => {
    await start()
    discord.gateway.refuseConnections(true)
    const gateway = new RawGateway(`${discord.apiUrl.replace('http', 'ws').replace('/api', '')}/gateway`)
    expect(await gateway.closed).toBe(1006)
    discord.gateway.refuseConnections(false)
    await ready()
  })
})
