import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { EmulatorClock } from '../slack/emulator-clock.ts'
import { waitForChange } from '../slack/wait-for-change.ts'
import { type ChannelWish, channelOverwrites, DEFAULT_BOT_PERMISSIONS } from './channel-overwrites.ts'
import { Commands } from './commands.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { Channel, DiscordUser, Guild, Overwrite, Role } from './discord-model.ts'
import { EventDispatcher } from './event-dispatcher.ts'
import { FaultInjection } from './fault-injection.ts'
import { Gateway } from './gateway.ts'
import { KNOWN_INTENTS, PRIVILEGED_INTENTS, type PrivilegedIntent } from './intents.ts'
import type { Interaction, InteractionState } from './interaction.ts'
import { Interactions } from './interactions.ts'
import { userPayload } from './payloads.ts'
import { type PermissionName, permissionBits } from './permissions.ts'
import { Person, type PersonDeps } from './person.ts'
import { type ApiCall, RestApi } from './rest-api.ts'
import type { RouteName } from './routes.ts'
import { type ShownMessage, Transcript } from './transcript.ts'
import { World } from './world.ts'

export interface DiscordEmulatorOptions {
  /** Additional people. `alice`, `bob` and `olive` (the server's owner) always exist. */
  readonly users?: readonly (Partial<DiscordUser> & { readonly name: string })[]
  /** Additional channels. `general` (for everyone), `random` (without the bot) and `secret` (only alice and the bot) always exist. */
  readonly channels?: readonly ChannelWish[]
  readonly botPermissions?: readonly PermissionName[]
  /** The privileged intents that are switched on in Discord's developer portal. Default: only MESSAGE_CONTENT. */
  readonly privilegedIntents?: readonly PrivilegedIntent[]
  /** Whether rate limits apply. Default: `enforced`. Tests that are not about rate limits use `relaxed`. */
  readonly rateLimits?: 'enforced' | 'relaxed'
  /**
   * Whether the emulator's clock moves by itself. `running` (the default): it follows real time, and `clock.advance` jumps ahead. `stopped`: it
   * moves only by `clock.advance`, for exact times.
   */
  readonly clock?: 'running' | 'stopped'
  /** The heartbeat interval that the emulator sends in HELLO. Tests of dead connections set a short one. */
  readonly heartbeatIntervalMs?: number
}

/** A running Discord emulator. `close` ends it and releases its port. */
export interface DiscordEmulator {
  /** The API's address for the option `rest.api` of discord.js: `http://127.0.0.1:<port>/api`. */
  readonly apiUrl: string
  readonly botToken: string
  readonly appId: string
  readonly botUserId: string
  /** A mention of the bot, as it is written in a message: `<@id>`. */
  readonly botMention: string
  /** The emulated Discord server with all its people. */
  readonly guild: Guild
  readonly clock: EmulatorClock
  readonly gateway: Gateway
  readonly faults: FaultInjection
  readonly world: World
  readonly commands: Commands
  /** Returns a person by name. @throws Error if nobody has this name */
  user(name: string): Person
  /** Adds a person to the server. With `isBot`, adds the bot of another app instead. */
  addUser(user: Partial<DiscordUser> & { readonly name: string }): Person
  addRole(role: Partial<Role> & { readonly name: string }): Role
  giveRole(user: string, role: string): void
  /** Returns a channel or thread by its id or name. @throws Error if it does not exist */
  channel(idOrName: string): Channel
  addChannel(wish: ChannelWish): Channel
  /** Deletes a channel with all its threads, or a single thread. */
  deleteChannel(channel: string): void
  archiveThread(thread: string, options?: { readonly locked?: boolean }): void
  /** Removes a message of anybody, as a moderator can. */
  removeMessage(message: { readonly id: string; readonly channelId: string }): void
  /** Removes several messages in one step, as a moderator can. */
  removeMessages(messages: readonly { readonly id: string; readonly channelId: string }[]): void
  /** Adds the preview of a link to a message, as Discord does. Apps get an update of the message, although the author edited nothing. */
  unfoldLink(message: { readonly id: string; readonly channelId: string }, url: string): void
  /** Takes away the bot's permission to see the channel. */
  hideFromBot(channel: string): void
  /** Removes the bot from the server. */
  kickBot(): void
  /** Makes the bot's token invalid. Requests then get status 401, and the gateway closes with code 4004. */
  revokeToken(): void
  /** Makes the revoked token valid again. */
  restoreToken(): void
  enforceRateLimits(enforce: boolean): void
  /** Returns the current messages of a channel or thread: with `as`, those that this person sees, and without it, those that everyone sees. */
  transcript(channel: string, options?: { readonly as?: string }): readonly ShownMessage[]
  /** Returns the messages in the direct conversation between a person and the bot. */
  directTranscript(user: string): readonly ShownMessage[]
  /** Returns the names of the people who are currently shown as typing in the channel. */
  typing(channel: string): readonly string[]
  /** Returns all interactions that people had with the app (commands, presses, forms), in order. */
  interactions(): readonly Interaction[]
  interactionState(interaction: Interaction): InteractionState
  redeliverInteraction(interaction: Interaction): void
  /** Returns the API requests so far, in order. With `route`, returns only those to this route. */
  calls(route?: RouteName): readonly ApiCall[]
  /**
   * Resolves when every connected client has acknowledged all events and its listeners have run. @throws Error after 10 s of real time
   */
  heard(): Promise<void>
  /**
   * Calls `probe` after every change (message, request, heartbeat, connection). Resolves with its first result that is not undefined or false.
   * An error of `probe` counts as "not yet". Meanwhile, clients are asked for heartbeats, so that `isAcknowledged` becomes true.
   * @throws Error with the whole transcript after `timeoutMs` (30 s) of real time; its cause is the last error of `probe`
   */
  waitFor<Result>(probe: () => Result | undefined | false, options?: { readonly timeoutMs?: number }): Promise<Result>
  /** Returns the whole transcript, with all requests and events, for the message of a failed test. */
  describe(): string
  close(): Promise<void>
}

const addressSchema = z.object({ port: z.number() })
const DEFAULT_TIMEOUT_MS = 30_000
const CDN_PATH = /^\/cdn\/attachments\/(\d+)\//

/** Starts an emulated Discord with one server and one bot on a free port of 127.0.0.1. */
export async function startDiscordEmulator(options: DiscordEmulatorOptions = {}): Promise<DiscordEmulator> {
  const clock = new EmulatorClock(options.clock ?? 'running')
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const watcher of [...watchers]) watcher()
  }
  let origin = ''
  let isRevoked = false
  const botToken = 'MTAwMDAwMDAwMDAwMDAwMDAx.RW11bA.ZW11bGF0ZWQtYm90LXRva2VuLW9mLWRpc2NvcmQ'
  const accepts = (token: string) => !isRevoked && token === botToken

  const world: World = new World({
    clock,
    onChange: change => {
      dispatcher.dispatch(change)
      changed()
    },
  })
  const privileged = options.privilegedIntents ?? ['MESSAGE_CONTENT']
  const allPrivileged = Object.values(PRIVILEGED_INTENTS).reduce((bits, bit) => bits | bit, 0)
  const allowedIntents = privileged.reduce((bits, name) => bits | PRIVILEGED_INTENTS[name], KNOWN_INTENTS & ~allPrivileged)
  const gateway: Gateway = new Gateway({
    clock,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? DISCORD_LIMITS.heartbeatIntervalMs,
    allowedIntents,
    accepts,
    revokeToken,
    onChange: changed,
    readyPayload: session => ({
      v: 10,
      user: { ...userPayload(bot), verified: true, mfa_enabled: false, flags: 0 },
      guilds: botGuilds().map(guild => ({ id: guild.id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: `${gatewayUrl()}/resume`,
      shard: session.shard,
      application: { id: app.appId, flags: 0 },
    }),
    afterReady: () => botGuilds().map(guild => dispatcher.guildCreate(guild)),
  })
  const appId = world.newId()
  const bot = world.addUser({ name: 'clew', isBot: true })
  const app = { appId, botUserId: bot.id }
  const dispatcher: EventDispatcher = new EventDispatcher({ world, app, gateway })
  const attachmentUrl = (id: string, filename: string) => `${origin}/cdn/attachments/${id}/${filename}`
  const interactions = new Interactions({ world, app, gateway, clock, attachmentUrl })
  const commands = new Commands({ world, appId })
  const faults = new FaultInjection(clock)

  const owner = world.addUser({ name: 'olive', displayName: 'Olive Owner' })
  const guild = world.addGuild('emulated', owner.id)
  const botRole = world.addRole(guild, {
    name: 'clew',
    permissions: permissionBits(options.botPermissions ?? DEFAULT_BOT_PERMISSIONS),
    botId: bot.id,
  })
  world.addMember(guild, bot.id, [botRole.id])

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(`emulator failure: ${String(error)}`)
    })
  })
  gateway.attach(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressSchema.parse(server.address())
  origin = `http://127.0.0.1:${port}`

  const transcript = new Transcript({ world, ownUploads: `${origin}/cdn/` })
  const api = new RestApi({
    context: {
      world,
      app,
      clock,
      gateway,
      dispatcher,
      interactions,
      commands,
      allowedIntents,
      gatewayUrl: gatewayUrl(),
      attachmentUrl,
    },
    accepts,
    faults,
    enforceRates: options.rateLimits !== 'relaxed',
    onChange: changed,
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    const attachmentId = CDN_PATH.exec(pathname)?.[1]
    if (attachmentId === undefined) return api.handle(request, response)
    const attachments = [...world.channels.keys()].flatMap(id => world.messages(id).flatMap(one => one.body.attachments))
    const found = attachments.find(attachment => attachment.id === attachmentId)
    if (found === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': found.contentType ?? 'application/octet-stream' }).end(found.content)
  }

  function gatewayUrl(): string {
    return `${origin.replace('http', 'ws')}/gateway`
  }

  function revokeToken(): void {
    isRevoked = true
    gateway.closeConnections(4004, 'Authentication failed')
  }

  function botGuilds(): readonly Guild[] {
    return [...world.guilds.values()].filter(one => one.members.has(bot.id))
  }

  function requireUser(name: string): DiscordUser {
    const user = [...world.users.values()].find(candidate => candidate.name === name || candidate.id === name)
    if (user === undefined) throw new Error(`There is no user ${name} in the emulated Discord`)
    return user
  }

  function requireChannel(idOrName: string): Channel {
    const named = [...world.channels.values()].find(one => one.name === idOrName && one.name !== '' && !one.isDeleted)
    const channel = world.channels.get(idOrName) ?? named
    if (channel === undefined) throw new Error(`There is no channel ${idOrName} in the emulated Discord`)
    return channel
  }

  function requireMessage({ id, channelId }: { readonly id: string; readonly channelId: string }) {
    const message = world.find(channelId, id)
    if (message === undefined) throw new Error(`There is no message ${id}`)
    return message
  }

  function wait<Result>(probe: () => Result | undefined | false, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<Result> {
    const asked = () => {
      if (!gateway.isHeard()) gateway.requestHeartbeats()
      return probe()
    }
    return waitForChange(watchers, asked, timeoutMs, describe)
  }

  function describe(): string {
    const requests = api.calls.map(call => `${call.route} ${call.status ?? 'open'} ${call.code ?? ''}`.trim())
    const events = gateway.deliveries().map(one => `${one.event}#${one.sequence}${one.isAcknowledged ? '' : '?'}`)
    return [transcript.describeAll(), `Requests: ${requests.join(', ')}`, `Events: ${events.join(', ')}`].join('\n')
  }

  const personDeps: PersonDeps = {
    world,
    dispatcher,
    interactions,
    commands,
    resolve: requireChannel,
    attachmentUrl,
    botUserId: bot.id,
  }

  function addUser(user: Partial<DiscordUser> & { readonly name: string }): Person {
    const added = world.addUser(user)
    world.addMember(guild, added.id)
    return new Person(added, personDeps)
  }

  function addChannel(wish: ChannelWish): Channel {
    const overwrites = channelOverwrites(wish, guild, { botUserId: bot.id, userId: name => requireUser(name).id })
    return world.addChannel(guild, wish.name, overwrites)
  }

  for (const user of [
    { name: 'alice', displayName: 'Alice Example' },
    { name: 'bob', displayName: 'Bob Example' },
    ...(options.users ?? []),
  ])
    addUser(user)
  addChannel({ name: 'general' })
  addChannel({ name: 'random', botPermissions: [] })
  addChannel({ name: 'secret', members: ['alice', 'clew'] })
  for (const channel of options.channels ?? []) addChannel(channel)
  return {
    apiUrl: `${origin}/api`,
    botToken,
    ...app,
    botMention: `<@${bot.id}>`,
    guild,
    clock,
    gateway,
    faults,
    world,
    commands,
    user: name => new Person(requireUser(name), personDeps),
    addUser,
    addRole: role => world.addRole(guild, role),
    giveRole: (user, role) => {
      const found = [...guild.roles.values()].find(candidate => candidate.name === role || candidate.id === role)
      if (found === undefined) throw new Error(`There is no role ${role}`)
      world.giveRole(guild, requireUser(user).id, found.id)
    },
    channel: requireChannel,
    addChannel,
    deleteChannel: channel => world.deleteChannel(requireChannel(channel)),
    archiveThread: (thread, { locked = false } = {}) =>
      world.updateChannel(requireChannel(thread), ({ thread: state }) => {
        if (state === undefined) throw new Error(`${thread} is no thread`)
        state.archived = true
        state.locked = locked
        state.archiveChangedAt = clock.now()
      }),
    removeMessage: message => world.delete(requireMessage(message)),
    removeMessages: messages => {
      const channel = requireChannel(messages[0]?.channelId ?? '')
      world.bulkDelete(channel, messages.map(requireMessage))
    },
    unfoldLink: (reference, url) => {
      const message = requireMessage(reference)
      const embeds = [...message.body.embeds, { type: 'link', url, title: url }]
      world.edit(message, { embeds }, { isSilent: true })
    },
    hideFromBot: channel => {
      const view = permissionBits(['VIEW_CHANNEL'])
      const hidden: Overwrite = { id: bot.id, type: 1, allow: 0n, deny: view }
      world.updateChannel(requireChannel(channel), found => {
        found.overwrites = [...found.overwrites.filter(overwrite => overwrite.id !== bot.id), hidden]
      })
    },
    kickBot: () => world.removeMember(guild, bot.id),
    revokeToken,
    restoreToken: () => {
      isRevoked = false
    },
    enforceRateLimits: enforce => api.enforceRates(enforce),
    transcript: (channel, { as } = {}) =>
      transcript.of(requireChannel(channel), as === undefined ? undefined : requireUser(as).id),
    directTranscript: name => {
      const { id } = requireUser(name)
      return transcript.of(world.directChannel(id, bot.id), id)
    },
    typing: channel => world.typing(requireChannel(channel)).map(id => requireUser(id).name),
    interactions: () => interactions.all(),
    interactionState: interaction => interactions.state(interaction),
    redeliverInteraction: interaction => interactions.redeliver(interaction),
    calls: route => api.calls.filter(call => route === undefined || call.route === route),
    heard: async () => {
      await wait(() => gateway.isHeard())
    },
    describe,
    waitFor: (probe, { timeoutMs } = {}) => wait(probe, timeoutMs),
    close: async () => {
      clock.close()
      await gateway.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
