import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  type DiscordEmulator,
  type DiscordEmulatorOptions,
  startDiscordEmulator,
} from '../../../test/emulators/discord/discord-emulator.ts'
import { createGate } from '../../../test/emulators/gate.ts'
import { tells } from '../../../test/support/tells.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { createLogger } from '../../base/logger.ts'
import type { ChatInbound, ChatMessage, ChatPress } from '../../chat/event.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import { DISCORD_LIMITS } from './limits.ts'
import { createDiscordOutbox } from './outbox.ts'
import { registerDiscordCommands } from './receive/commands.ts'
import { createDiscordCalls } from './rest.ts'
import { createDiscordSurface, type DiscordSurfaceOptions } from './surface.ts'

/** The events that Discord sends to a bot with Clew's intents. */
const EVENTS = [
  ...['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_DELETE_BULK', 'INTERACTION_CREATE'],
  ...['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE', 'CHANNEL_PINS_UPDATE', 'STAGE_INSTANCE_CREATE'],
  ...['THREAD_CREATE', 'THREAD_UPDATE', 'THREAD_DELETE', 'THREAD_LIST_SYNC', 'THREAD_MEMBERS_UPDATE'],
  ...['GUILD_CREATE', 'GUILD_UPDATE', 'GUILD_ROLE_CREATE', 'GUILD_ROLE_UPDATE', 'GUILD_ROLE_DELETE'],
]

let discord: DiscordEmulator
let lines: string[]
let surfaces: ChatSurface[]
const signal = new AbortController().signal

async function startDiscord(options: DiscordEmulatorOptions = {}): Promise<void> {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed', ...options })
}

beforeEach(async () => {
  await startDiscord()
  lines = []
  surfaces = []
})
afterEach(async () => {
  await Promise.all(surfaces.map(surface => surface.stop()))
  await discord.close()
})

function surfaceWith(options: Partial<DiscordSurfaceOptions> = {}): ChatSurface {
  const logger = createLogger({
    level: 'trace',
    destination: {
      write: line => {
        lines.push(line)
      },
    },
  })
  const surface = createDiscordSurface({
    apiUrl: discord.apiUrl,
    token: discord.botToken,
    applicationId: discord.appId,
    tells,
    logger,
    backoffMs: attempt => attempt * 20,
    // Without this option, Discord's client would wait 5 s before a second IDENTIFY.
    client: { ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) } },
    ...options,
  })
  surfaces.push(surface)
  return surface
}

/** Collects the events that a surface accepts, and waits for more. */
class Heard {
  readonly events: ChatInbound[] = []
  readonly #watchers = new Set<() => void>()

  readonly accept = async (event: ChatInbound): Promise<void> => {
    this.events.push(event)
    for (const watcher of [...this.#watchers]) watcher()
  }

  get messages(): readonly ChatMessage[] {
    return this.events.flatMap(event => (event.kind === 'message' ? [event.message] : []))
  }

  get presses(): readonly ChatPress[] {
    return this.events.flatMap(event => (event.kind === 'press' ? [event.press] : []))
  }

  ids(): readonly string[] {
    return [...new Set(this.messages.map(message => message.messageId))]
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const watcher = () => {
        if (!condition()) return
        this.#watchers.delete(watcher)
        resolve()
      }
      this.#watchers.add(watcher)
      watcher()
    })
  }
}

async function listen(options: Partial<DiscordSurfaceOptions> = {}): Promise<{ surface: ChatSurface; heard: Heard }> {
  const heard = new Heard()
  const surface = surfaceWith(options)
  await surface.start(heard.accept, signal)
  return { surface, heard }
}

const ask = (text: string, channel = 'general') => discord.user('alice').post(channel, `${discord.botMention} ${text}`)
const logged = (text: string) => lines.filter(line => line.includes(text))

describe('starting', () => {
  it.each([
    ['a wrong token', { token: 'a.b.c' }, /DISCORD_TOKEN.*refuses it.*Reset Token/],
    ['no token', { token: '' }, /DISCORD_TOKEN.*empty/],
  ])('names the variable and the expected value for %s', async (_, options, message) => {
    const surface = surfaceWith(options)
    const failure = await surface.start(async () => {}, signal).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(failure).toMatchObject({ message: expect.stringMatching(message) })
    expect(surface.connected()).toBe(false)
  })

  it('waits while Discord is away', async () => {
    // Discord's client makes four attempts in a row. Ten failures therefore make Clew itself try again too.
    for (let index = 0; index < 10; index += 1) discord.faults.httpError('GET /gateway/bot', 503)
    const { surface, heard } = await listen()
    expect(surface.connected()).toBe(true)
    const asked = ask('there?')
    await heard.until(() => heard.ids().includes(asked.id))
  })

  it('ends on request while it waits', async () => {
    for (let index = 0; index < 200; index += 1) discord.faults.httpError('GET /gateway/bot', 503)
    const stopping = new AbortController()
    const started = surfaceWith({ backoffMs: () => 50 }).start(async () => {}, stopping.signal)
    await discord.waitFor(() => discord.calls('GET /gateway/bot').length > 0)
    stopping.abort()
    await expect(started).rejects.toThrow()
  })

  it('works without the message-content intent, and says once what it misses', async () => {
    await discord.close()
    await startDiscord({ privilegedIntents: [] })
    const { surface, heard } = await listen()
    expect(surface.connected()).toBe(true)
    expect(logged('Message Content Intent')).toHaveLength(1)
    const asked = ask('how many?')
    await heard.until(() => heard.ids().includes(asked.id))
    const thread = discord.user('alice').startThread({ id: asked.id, channelId: asked.channelId }, 'thread')
    discord.user('alice').post(thread.id, 'and last week?')
    const again = ask('and this one?', thread.id)
    const whispered = discord.user('alice').directMessage('psst')
    await heard.until(() => heard.ids().includes(whispered.id))
    await discord.heard()
    expect(heard.messages.map(message => [message.messageId, message.text])).toEqual([
      [asked.id, 'how many?'],
      [again.id, 'and this one?'],
      [whispered.id, 'psst'],
    ])
  })

  it('receives messages from the minutes before it started', async () => {
    const missed = ask('anybody?')
    discord.user('alice').post('general', 'good morning')
    const { heard } = await listen()
    await heard.until(() => heard.ids().includes(missed.id))
    expect(heard.messages).toMatchObject([{ text: 'anybody?', place: { channel: missed.channelId, thread: missed.id } }])
  })
})

describe('a message', () => {
  it('is plain text, with names for mentions', async () => {
    const { heard } = await listen()
    const role = [...discord.guild.roles.values()].find(candidate => candidate.botId === discord.botUserId)
    const bob = discord.user('bob')
    const general = discord.channel('general').id
    const asked = [
      ask(`, is ${bob.mention} in <#${general}> since <t:1700000000:R>? <a:wave:123456789012345678> </ask:123456789012345678>`),
      discord.user('alice').post('general', `<@&${role?.id}> how many?`),
      discord.user('alice').post('general', `how many, <@!${discord.botUserId}>?`),
    ]
    await heard.until(() => asked.every(message => heard.ids().includes(message.id)))
    expect(heard.messages.map(message => message.text)).toEqual([
      'is @Bob Example in #general since 2023-11-14 22:13 UTC? :wave: /ask',
      'how many?',
      'how many, ?',
    ])
  })

  it('to another person is ignored, in a thread as well', async () => {
    const { heard } = await listen()
    const asked = ask('how many?')
    const alice = discord.user('alice')
    const bob = discord.user('bob')
    const thread = alice.startThread({ id: asked.id, channelId: asked.channelId }, 'thread').id
    const bobs = bob.post(thread, 'I know!')
    alice.post(thread, 'tell me', { replyTo: bobs, pingsAuthor: false })
    alice.post(thread, 'tell me', { replyTo: bobs })
    alice.post(thread, `${bob.mention} and ${discord.botMention} said so`)
    alice.post(thread, '@everyone look')
    const own = alice.post(thread, 'this one', { replyTo: alice.post(thread, 'mine') })
    await heard.until(() => heard.ids().includes(own.id))
    expect(heard.messages.map(message => [message.text, message.addressed])).toEqual([
      ['how many?', true],
      ['I know!', false],
      ['mine', false],
      ['this one', false],
    ])
  })

  it('differs from its deletion, single or in bulk', async () => {
    const { heard } = await listen()
    const [one, two, three] = [ask('1'), ask('2'), ask('3')]
    discord.user('alice').delete(one)
    discord.removeMessages([two, three])
    const direct = discord.user('alice').directMessage('4')
    discord.user('alice').delete(direct)
    await heard.until(() => heard.events.filter(event => event.kind === 'deletion').length === 4)
    const place = { platform: 'discord', workspace: discord.guild.id, channel: one.channelId }
    const deletions = heard.events.filter(event => event.kind === 'deletion')
    expect(deletions).toHaveLength(4)
    expect(new Set(deletions)).toEqual(
      new Set([
        ...[one, two, three].map(({ id }) => ({ kind: 'deletion', place, messageId: id })),
        {
          kind: 'deletion',
          place: { platform: 'discord', workspace: 'discord', channel: direct.channelId },
          messageId: direct.id,
        },
      ]),
    )
  })
})

describe('a connection', () => {
  it.each([
    ['Discord asks to reconnect', () => discord.gateway.requestReconnect()],
    ['it breaks', () => discord.gateway.dropConnections()],
    ['the session is invalid', () => discord.gateway.invalidateSessions({ resumable: false })],
    ['the session may be resumed', () => discord.gateway.invalidateSessions({ resumable: true })],
    [
      'the session is forgotten',
      () => {
        discord.gateway.forgetSessions()
        discord.gateway.dropConnections()
      },
    ],
  ])('fault 13: recovers from %s without a lost message', async (_, breakIt) => {
    const { surface, heard } = await listen()
    const alice = discord.user('alice')
    const started = alice.post('general', 'a topic')
    const thread = alice.startThread(started, 'topic').id
    const before = [ask('before'), ask('before', thread), alice.directMessage('before')]
    await heard.until(() => before.every(message => heard.ids().includes(message.id)))
    breakIt()
    // Discord accepts one IDENTIFY every 5 s, so the test moves the clock forward.
    discord.clock.advance(5_000)
    const during = [ask('during'), alice.post(thread, 'during'), alice.directMessage('during')]
    await heard.until(() => during.every(message => heard.ids().includes(message.id)))
    await discord.waitFor(() => surface.connected())
    const after = ask('after')
    await heard.until(() => heard.ids().includes(after.id))
  })

  it('is replaced if it is dead but not closed', async () => {
    await discord.close()
    await startDiscord({ heartbeatIntervalMs: 300 })
    const { heard } = await listen()
    discord.gateway.freezeConnections()
    const lost = ask('lost?')
    await heard.until(() => heard.ids().includes(lost.id))
  })

  it('fault 7: survives a revoked token without a storm of requests', async () => {
    const { surface } = await listen({ backoffMs: attempt => attempt * 30 })
    const before = discord.calls('GET /gateway/bot').length
    discord.revokeToken()
    await discord.waitFor(() => discord.calls('GET /gateway/bot').length === before + 3)
    expect(surface.connected()).toBe(false)
    expect(logged('"level":50').length).toBeGreaterThan(0)
  })

  it('survives malformed payloads', async () => {
    const { heard } = await listen()
    const { id: guildId } = discord.guild
    const { id: channelId } = discord.channel('general')
    const places = [{}, { guild_id: guildId }, { guild_id: guildId, channel_id: channelId }, { channel_id: '1' }]
    const wrong = [
      {},
      { id: 7 },
      { id: 'x', channel_id: [], author: null },
      { id: '1', author: {}, ids: null, embeds: 7, data: [] },
    ]
    for (const event of EVENTS)
      for (const place of places)
        for (const data of wrong) discord.gateway.dispatch({ event, guildId, intents: 0, payload: () => ({ ...place, ...data }) })
    const asked = ask('alive?')
    await heard.until(() => heard.ids().includes(asked.id))
    expect(discord.gateway.connected()).toBe(1)
  })

  it('receives a burst', async () => {
    const { heard } = await listen()
    const asked = Array.from({ length: 200 }, (_, index) => ask(`question ${index}`))
    await heard.until(() => heard.ids().length === 200)
    const orders = asked.map(({ id }) => heard.messages.find(message => message.messageId === id)?.order ?? 0)
    expect(orders).toEqual([...orders].sort((one, other) => one - other))
  })

  it("accepts others' events while one person floods, and acknowledges the flood", async () => {
    await commands()
    const heard = new Heard()
    const gate = createGate()
    const surface = surfaceWith()
    const { id: flooder } = discord.user('alice')
    await surface.start(async event => {
      await heard.accept(event)
      if (event.kind === 'message' && event.message.author === flooder) await gate.opened
    }, signal)
    const used = Array.from({ length: 20 }, () => discord.user('alice').command('general', 'ask', { question: 'how many?' }))
    for (let index = 0; index < 20; index += 1) ask(`question ${index}`)
    const other = discord.user('bob').post('general', `${discord.botMention} how many?`)
    await heard.until(() => heard.ids().includes(other.id))
    await discord.waitFor(() => used.every(each => discord.interactionState(each) === 'acknowledged'))
    await heard.until(() => heard.messages.length > DISCORD_LIMITS.eventsOfOne)
    expect(heard.messages).toHaveLength(DISCORD_LIMITS.eventsOfOne + 1)
    gate.open()
    await heard.until(() => heard.messages.length === 41)
  })

  it('passes over a message from a server that the bot is not in', async () => {
    const { heard } = await listen()
    const forged = {
      ...{ id: '1500000000000000001', guild_id: '1500000000000000002', channel_id: '1500000000000000003', type: 0 },
      ...{ channel_type: 0, content: `${discord.botMention} how many?`, author: { id: discord.user('alice').id } },
    }
    for (const payload of [forged, { ...forged, channel_type: undefined }])
      discord.gateway.dispatch({ event: 'MESSAGE_CREATE', guildId: forged.guild_id, intents: 0, payload: () => payload })
    const asked = ask('there?')
    await heard.until(() => heard.ids().includes(asked.id))
    expect(heard.ids()).toEqual([asked.id])
    expect(discord.calls('GET /channels/{channel}')).toEqual([])
  })

  it('reads no more deleted messages together than Discord deletes', async () => {
    const { surface, heard } = await listen()
    const ids = Array.from({ length: 500 }, (_, index) => String(1_500_000_000_000_000_000n + BigInt(index)))
    const { id: guildId } = discord.guild
    const payload = () => ({ ids, guild_id: guildId, channel_id: discord.channel('general').id })
    discord.gateway.dispatch({ event: 'MESSAGE_DELETE_BULK', guildId, intents: 0, payload })
    await heard.until(() => heard.events.length > 0)
    await surface.stop()
    expect(heard.events).toHaveLength(DISCORD_LIMITS.deletedTogether)
  })

  it('finishes accepting an event on stop', async () => {
    const surface = surfaceWith()
    let release = () => {}
    let isHeard = () => {}
    const hearing = new Promise<void>(resolve => {
      isHeard = resolve
    })
    let isAccepted = false
    await surface.start(async () => {
      isHeard()
      await new Promise<void>(resolve => {
        release = resolve
      })
      isAccepted = true
    }, signal)
    ask('last?')
    await hearing
    const stopped = surface.stop()
    release()
    await stopped
    expect(isAccepted).toBe(true)
    expect(surface.connected()).toBe(false)
    await discord.waitFor(() => discord.gateway.connected() === 0)
  })

  it('logs no token', async () => {
    const { heard } = await listen()
    await commands()
    const used = discord.user('alice').command('general', 'ask', { question: 'how many?' })
    await heard.until(() => heard.messages.length === 1)
    discord.gateway.dropConnections()
    await discord.waitFor(() => discord.gateway.connected() === 1)
    expect(lines.join('')).not.toContain(discord.botToken)
    expect(lines.join('')).not.toContain(used.token)
  })
})

async function commands(): Promise<void> {
  const call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken })
  await registerDiscordCommands(call, discord.appId, signal)
}

describe('a command', () => {
  beforeEach(commands)
  const fromBot = (channel: string, as = 'alice') => discord.transcript(channel, { as }).filter(message => message.isFromBot)

  it('shows its question to everybody, and gets its answer in a thread below', async () => {
    // Only the first attempt to edit the message fails.
    discord.faults.httpError('PATCH /webhooks/{application}/{token}/messages/{message}')
    const { heard } = await listen()
    const used = discord.user('alice').command('general', 'ask', { question: '  how many *users*? @everyone' })
    await heard.until(() => heard.messages.length === 1)
    const [shown] = fromBot('general', 'bob')
    expect(shown).toMatchObject({ plain: '❓ how many *users*? @everyone', pings: [], isLoading: false })
    const { id: channel } = discord.channel('general')
    expect(heard.messages).toEqual([
      {
        place: { platform: 'discord', workspace: discord.guild.id, channel, thread: shown?.id, isDirect: false },
        messageId: shown?.id,
        order: expect.any(Number),
        author: discord.user('alice').id,
        text: 'how many *users*? @everyone',
        addressed: true,
        language: 'en',
        interaction: { id: used.id, token: used.token, response: 'message' },
      },
    ])
    const outbox = createDiscordOutbox({
      apiUrl: discord.apiUrl,
      token: discord.botToken,
      applicationId: discord.appId,
      logger: createLogger({ level: 'silent' }),
    })
    const place = heard.messages[0]?.place
    if (place === undefined) throw new Error('nothing was heard')
    await outbox.post(place, (await outbox.render({ kind: 'answer', markdown: '42' }))[0] ?? {}, 'run-1', signal)
    expect(discord.channel(place.thread).name).toBe('❓ how many users? @everyone')
    const reply = discord.user('bob').post(place.thread, 'really?')
    await heard.until(() => heard.ids().includes(reply.id))
    expect(heard.messages.at(-1)).toMatchObject({ place, addressed: false })
  })

  it('is one message, however often it is delivered', async () => {
    const { heard } = await listen()
    const used = discord.user('alice').command('general', 'ask', { question: 'how many?' })
    await heard.until(() => heard.messages.length === 1)
    discord.redeliverInteraction(used)
    await heard.until(() => heard.messages.length === 2)
    expect(heard.messages[1]).toEqual(heard.messages[0])
  })

  it.each([
    [{ job: 'cve_enrichment' }, 'lineage cve_enrichment'],
    [
      { job: 'cve_enrichment', question: 'why is vendor empty?', deep: true },
      'lineage cve_enrichment why is vendor empty? --deep',
    ],
  ])('/lineage %j is a message', async (options, text) => {
    const { heard } = await listen()
    discord.user('alice').command('general', 'lineage', options)
    await heard.until(() => heard.messages.length === 1)
    expect(heard.messages[0]).toMatchObject({ text, addressed: true })
  })

  it('accepts a question and a job up to their limits', async () => {
    const { heard } = await listen()
    const alice = discord.user('alice')
    const question = 'x'.repeat(DISCORD_LIMITS.question)
    const job = 'x'.repeat(DISCORD_LIMITS.jobName)
    expect(() => alice.command('general', 'ask', { question: `${question}x` })).toThrow()
    expect(() => alice.command('general', 'lineage', { job: `${job}x` })).toThrow()
    alice.command('general', 'ask', { question })
    await heard.until(() => heard.messages.length === 1)
    alice.command('general', 'lineage', { job })
    await heard.until(() => heard.messages.length === 2)
    expect(heard.messages).toMatchObject([{ text: question }, { text: `lineage ${job}` }])
  })

  it('is private if its user wants it, or if the bot may not write there', async () => {
    const { heard } = await listen()
    const alice = discord.user('alice')
    const wanted = alice.command('general', 'ask', { question: 'how many?', private: true })
    await heard.until(() => heard.messages.length === 1)
    const forced = alice.command('random', 'ask', { question: 'and here?' })
    await heard.until(() => heard.messages.length === 2)
    expect(heard.messages).toMatchObject([
      { isPrivate: true, messageId: wanted.id, place: { thread: wanted.id } },
      { isPrivate: true, messageId: forced.id, place: { thread: forced.id } },
    ])
    expect(fromBot('general')).toMatchObject([{ isEphemeral: true, isLoading: true }])
    expect(fromBot('general', 'bob')).toEqual([])
  })

  it('stays in the thread or direct conversation where it was used', async () => {
    const { heard } = await listen()
    const alice = discord.user('alice')
    const started = alice.post('general', 'a topic')
    const thread = alice.startThread(started, 'topic').id
    alice.command(thread, 'ask', { question: 'how many?' })
    await heard.until(() => heard.messages.length === 1)
    alice.command(alice.directChannel(), 'ask', { question: 'how many?' })
    await heard.until(() => heard.messages.length === 2)
    const direct = alice.directChannel().id
    expect(heard.messages.map(message => message.place)).toEqual([
      { platform: 'discord', workspace: discord.guild.id, channel: started.channelId, thread, isDirect: false },
      { platform: 'discord', workspace: 'discord', channel: direct, thread: direct, isDirect: true },
    ])
  })

  it('is acknowledged and accepted among many at once', async () => {
    // A bot usually makes at most 50 requests per second. This test's time limit is long, because the machine may be slow.
    const many = 60
    await discord.close()
    await startDiscord({ clock: 'stopped' })
    await commands()
    const { heard } = await listen({ responseMs: 20_000 })
    const used = Array.from({ length: many }, (_, index) =>
      discord.user('alice').command('general', 'ask', { question: `question ${index}` }),
    )
    await discord.waitFor(() => used.every(interaction => discord.interactionState(interaction) === 'acknowledged'), {
      timeoutMs: 20_000,
    })
    await heard.until(() => heard.ids().length === many)
    expect(new Set(heard.messages.map(message => message.text)).size).toBe(many)
  })

  it('that is unknown is refused', async () => {
    const call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken })
    await call(signal, rest =>
      rest.put(`/applications/${discord.appId}/commands`, { body: [{ name: 'old', description: 'Old' }] }),
    )
    const { heard } = await listen()
    discord.user('alice').command('general', 'old')
    await discord.waitFor(() => fromBot('general').length === 1)
    expect(fromBot('general')).toMatchObject([{ isEphemeral: true, plain: expect.stringContaining('I do not know') }])
    expect(heard.events).toEqual([])
  })

  it('tells its user alone what the user has used, and the way to the console', async () => {
    const { heard } = await listen()
    const { id } = discord.user('alice')
    discord.user('alice').command('general', 'usage')
    await discord.waitFor(() => fromBot('general').length === 1)
    discord.user('alice').command('general', 'console')
    await discord.waitFor(() => fromBot('general').length === 2)
    expect(fromBot('general')).toMatchObject([
      { isEphemeral: true, plain: `used by discord/${id} (en)` },
      { isEphemeral: true, plain: expect.stringMatching(`^link of discord/${id} in \\d+ \\(en\\)$`) },
    ])
    expect(heard.events).toEqual([])
  })

  it('that cannot be accepted is retried, and finally its user is told', async () => {
    let now = Date.now()
    let calls = 0
    const surface = surfaceWith({ now: () => now, backoffMs: () => 5 })
    await surface.start(async () => {
      calls += 1
      if (calls === 3) now += 60_000
      throw new Error('the store is away')
    }, signal)
    discord.user('alice').command('general', 'ask', { question: 'how many?' })
    await discord.waitFor(() => fromBot('general')[0]?.plain.includes('could not take this in'))
    expect(calls).toBeGreaterThanOrEqual(3)
  })
})

describe('a press', () => {
  let messageId: string
  let thread: string

  beforeEach(async () => {
    const outbox = createDiscordOutbox({
      apiUrl: discord.apiUrl,
      token: discord.botToken,
      applicationId: discord.appId,
      logger: createLogger({ level: 'silent' }),
    })
    const asked = ask('how many?')
    thread = asked.id
    const names = ['sql', 'helpful', 'unhelpful', 'stop'] as const
    const actions = names.map(action => ({ action, runId: 'run_1', label: action }))
    const place = { platform: 'discord', workspace: discord.guild.id, channel: asked.channelId, thread, isDirect: false } as const
    const part = await outbox.render({
      kind: 'answer',
      markdown: '42',
      actions: [...actions, { action: 'choose', runId: 'run_1', choice: 2, label: 'c' }],
    })
    messageId = (await outbox.post(place, part[0] ?? {}, 'run-1', signal)).id
  })
  const press = (label: string) => discord.user('bob').press({ id: messageId, channelId: thread }, { label })
  const seenBy = (name: string) => discord.transcript(thread, { as: name }).filter(message => message.isFromBot)

  it('is passed on and acknowledged in the way that its user expects', async () => {
    const { heard } = await listen()
    for (const label of ['sql', 'helpful', 'c']) {
      const pressed = press(label)
      await heard.until(() => heard.presses.some(({ pressId }) => pressId === pressed.id))
      expect(discord.interactionState(pressed)).toBe('acknowledged')
      expect(heard.presses.at(-1)).toEqual({
        place: {
          platform: 'discord',
          workspace: discord.guild.id,
          channel: discord.channel('general').id,
          thread,
          isDirect: false,
        },
        pressId: pressed.id,
        order: expect.any(Number),
        user: discord.user('bob').id,
        pressed: { action: label === 'c' ? 'choose' : label, runId: 'run_1', ...(label === 'c' ? { choice: 2 } : {}) },
        messageId,
        language: 'en',
        interaction: { id: pressed.id, token: pressed.token, response: label === 'sql' ? 'message' : 'update' },
      })
    }
    expect(seenBy('bob')).toMatchObject([{ plain: '42' }, { isEphemeral: true, isLoading: true }])
    expect(seenBy('alice')).toHaveLength(1)
  })

  it('on "unhelpful" counts at once, asks for a reason, and counts again with it', async () => {
    const { heard } = await listen()
    const pressed = press('unhelpful')
    await discord.waitFor(() => pressed.modal !== undefined)
    await heard.until(() => heard.presses.length === 1)
    expect(heard.presses[0]).toMatchObject({ pressId: pressed.id, pressed: { action: 'unhelpful', runId: 'run_1' } })
    expect(heard.presses[0]).not.toHaveProperty('text')
    discord.user('bob').submitModal(pressed, { reason: ' ' })
    const submitted = discord.user('bob').submitModal(pressed, { reason: ' wrong week\u202e ' })
    await heard.until(() => heard.presses.length === 2)
    expect(heard.presses[1]).toMatchObject({
      pressId: submitted.id,
      pressed: { action: 'unhelpful', runId: 'run_1' },
      messageId,
      text: 'wrong week',
      interaction: { response: 'update' },
    })
  })

  it("accepts a reason up to the form's limit", async () => {
    const { heard } = await listen()
    const pressed = press('unhelpful')
    await discord.waitFor(() => pressed.modal !== undefined)
    const reason = 'x'.repeat(DISCORD_LIMITS.modalReason)
    expect(() => discord.user('bob').submitModal(pressed, { reason: `${reason}x` })).toThrow()
    discord.user('bob').submitModal(pressed, { reason })
    await heard.until(() => heard.presses.length === 2)
    expect(heard.presses[1]?.text).toBe(reason)
  })

  it('that cannot be accepted is reported only to its user', async () => {
    let now = Date.now()
    const surface = surfaceWith({ now: () => now, backoffMs: () => 5 })
    await surface.start(async event => {
      if (event.kind !== 'press') return
      now += 60_000
      throw new Error('the store is away')
    }, signal)
    press('stop')
    await discord.waitFor(() => seenBy('bob').some(message => message.plain.includes('could not take this in')))
    expect(seenBy('alice')).toHaveLength(1)
  })
})
