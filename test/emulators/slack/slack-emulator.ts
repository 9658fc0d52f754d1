import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import type { ApiMethod, ApiMethods } from './api-method.ts'
import { EmulatorClock } from './emulator-clock.ts'
import { ALL_SUBSCRIPTIONS, EventDispatcher, type EventSubscription } from './event-dispatcher.ts'
import { FaultInjection } from './fault-injection.ts'
import { HttpEvents } from './http-events.ts'
import { Interactions } from './interactions.ts'
import { accountMethods } from './methods/account.ts'
import { chatMethods } from './methods/chat.ts'
import { conversationsMethods } from './methods/conversations.ts'
import { createFileMethods, FileUploads } from './methods/files.ts'
import { streamMethods } from './methods/streams.ts'
import { threadMethods } from './methods/threads.ts'
import { viewMethods } from './methods/views.ts'
import { Person } from './person.ts'
import { readBody } from './request-body.ts'
import type { ChannelKind, MessageReference, SlackChannel, SlackUser } from './slack-model.ts'
import { type Deliverer, type Delivery, describeDelivery, SocketMode } from './socket-mode.ts'
import { describeWorkspace, type ShownMessage, transcriptOf } from './transcript.ts'
import { Triggers } from './triggers.ts'
import { Views } from './views.ts'
import { waitForChange } from './wait-for-change.ts'
import { type ApiCall, type TokenFailure, WebApi } from './web-api.ts'
import { Workspace } from './workspace.ts'

/** The scopes that the bot has by default. They are the scopes in Clew's manifest. */
export const DEFAULT_BOT_SCOPES = [
  'app_mentions:read',
  'assistant:write',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mpim:history',
  'mpim:read',
  'mpim:write',
  'reactions:write',
  'usergroups:read',
  'users:read',
] as const

export interface SlackEmulatorOptions {
  /** Additional people. `alice` (in Europe/Berlin) and `bob` (in America/New_York) always exist. */
  readonly users?: readonly (Partial<SlackUser> & { readonly name: string })[]
  /**
   * Channels besides `general` (alice, bob, the bot), `random` (alice, bob) and the private `secret` (alice, the bot). Members are given by name.
   */
  readonly channels?: readonly { readonly name: string; readonly kind?: ChannelKind; readonly members?: readonly string[] }[]
  readonly botScopes?: readonly string[]
  readonly subscriptions?: readonly EventSubscription[]
  /** Whether the app's manifest has `agent_view` (the default) or `assistant_view`. */
  readonly messaging?: 'agent' | 'assistant'
  /** Whether rate limits apply. Default: `enforced`. Tests that are not about rate limits use `relaxed`. */
  readonly rateLimits?: 'enforced' | 'relaxed'
  /**
   * Whether the emulator's clock moves by itself. `running` (the default): it follows real time, and `clock.advance` jumps ahead. `stopped`: it
   * moves only by `clock.advance`, for exact times.
   */
  readonly clock?: 'running' | 'stopped'
}

/** A running Slack emulator. `close` ends it and releases its port. */
export interface SlackEmulator {
  /** The address of the Web API, for `clientOptions.slackApiUrl` and `SLACK_API_URL`: `http://127.0.0.1:<port>/api/`. */
  readonly apiUrl: string
  readonly botToken: string
  readonly appToken: string
  readonly teamId: string
  readonly appId: string
  readonly botId: string
  readonly botUserId: string
  /** A mention of the bot, as it is written in a message: `<@U…>`. */
  readonly botMention: string
  readonly clock: EmulatorClock
  readonly socket: SocketMode
  /** Events over HTTP. Once an address is set here, no event comes over Socket Mode any more. */
  readonly http: HttpEvents
  readonly faults: FaultInjection
  readonly workspace: Workspace
  /** Returns a person by name. @throws Error if nobody has this name */
  user(name: string): Person
  addUser(user: Partial<SlackUser> & { readonly name: string }): Person
  /** Returns a channel by its id or name. @throws Error if it does not exist */
  channel(idOrName: string): SlackChannel
  addChannel(channel: { readonly name: string; readonly kind?: ChannelKind; readonly members?: readonly string[] }): SlackChannel
  archive(channel: string): void
  /** Removes the bot from the channel. */
  removeBot(channel: string): void
  /** Removes a message of anybody, as an administrator can. */
  removeMessage(message: MessageReference): void
  /** From now on, answers every call with this token with this error. Undefined makes the token valid again. */
  failToken(token: ApiMethod['token'], failure: TokenFailure | undefined): void
  enforceRateLimits(enforce: boolean): void
  /**
   * Returns the current messages of a channel, or of one thread by its timestamp: with `as`, those that this person sees, and without
   * it, those that everyone sees.
   */
  transcript(channel: string, options?: { readonly as?: string; readonly thread?: string }): readonly ShownMessage[]
  /** Returns the app's status in a thread, as `assistant.threads.setStatus` set it. The app's next post in the thread removes it. */
  threadStatus(thread: MessageReference): string | undefined
  /** Returns the Web API calls so far, in order. With `method`, returns only the calls of this method. */
  calls(method?: string): readonly ApiCall[]
  /** Returns the scopes that allow a method. A token needs only one of them. Returns undefined if the method is not emulated. */
  scopesOf(method: string): readonly string[] | undefined
  /**
   * Calls `probe` after every change (message, call, acknowledgement, connection). Resolves with its first result that is not undefined or
   * false. An error of `probe` counts as "not yet".
   * @throws Error with the whole transcript after `timeoutMs` (30 s) of real time; its cause is the last error of `probe`
   */
  waitFor<Result>(probe: () => Result | undefined | false, options?: { readonly timeoutMs?: number }): Promise<Result>
  /** Returns the whole transcript, with all calls and deliveries, for the message of a failed test. */
  describe(): string
  close(): Promise<void>
}

const addressSchema = z.object({ port: z.number() })
const DEFAULT_TIMEOUT_MS = 30_000

/** Starts an emulated Slack workspace with one installed app, on a free port of 127.0.0.1. */
export async function startSlackEmulator(options: SlackEmulatorOptions = {}): Promise<SlackEmulator> {
  const clock = new EmulatorClock(options.clock ?? 'running')
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const watcher of [...watchers]) watcher()
  }

  const acknowledged = (delivery: Delivery) => {
    interactions.acknowledged(delivery)
    views.acknowledged(delivery)
  }
  const socket: SocketMode = new SocketMode({
    clock,
    appId: 'A0EMULATED1',
    onChange: changed,
    onResponse: acknowledged,
  })
  const http: HttpEvents = new HttpEvents({
    clock,
    onChange: changed,
    onResponse: acknowledged,
  })
  const deliverer: Deliverer = { deliver: (type, payload) => (http.isOn() ? http : socket).deliver(type, payload) }
  const workspace: Workspace = new Workspace({
    teamId: 'T0EMULATED1',
    teamName: 'emulated',
    clock,
    onChange: change => {
      dispatcher.dispatch(change)
      changed()
    },
  })
  const bot = workspace.addUser({ name: 'clew', isBot: true })
  const app = { appId: 'A0EMULATED1', botUserId: bot.id, botId: bot.botId ?? '' }
  const dispatcher = new EventDispatcher({
    workspace,
    app,
    deliverer,
    subscriptions: options.subscriptions ?? ALL_SUBSCRIPTIONS,
  })
  const triggers = new Triggers({ workspace, clock })
  const interactions = new Interactions({ workspace, app, deliverer, clock, triggers })
  const views = new Views({ workspace, app, deliverer, triggers })
  const faults = new FaultInjection(clock)
  const uploads = new FileUploads(workspace)

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500).end(`emulator failure: ${String(error)}`)
    })
  })
  socket.attach(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressSchema.parse(server.address())
  const origin = `http://127.0.0.1:${port}`
  interactions.listenAt(origin)

  const credentials = {
    botToken: 'xoxb-emulated-bot-token',
    appToken: 'xapp-1-A0EMULATED1-emulated-app-token',
    botScopes: options.botScopes ?? DEFAULT_BOT_SCOPES,
  }
  const methods: ApiMethods = {
    ...accountMethods,
    ...chatMethods,
    ...conversationsMethods,
    ...streamMethods,
    ...threadMethods,
    ...viewMethods,
    ...createFileMethods(uploads),
  }
  const webApi = new WebApi({
    methods,
    context: {
      workspace,
      app,
      socket,
      views,
      messaging: options.messaging ?? 'agent',
      clock,
      origin,
      websocketOrigin: `ws://127.0.0.1:${port}`,
    },
    credentials,
    faults,
    enforceRates: options.rateLimits !== 'relaxed',
    onChange: changed,
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (pathname.startsWith('/api/')) {
      await webApi.handle(pathname.slice('/api/'.length), request, response)
      return
    }
    if (pathname.startsWith('/response/')) {
      const answer = interactions.respond(pathname.slice('/response/'.length), await readBody(request))
      response.writeHead(answer.status).end(answer.body)
      return
    }
    if (pathname.startsWith('/upload/')) {
      const accepted = await uploads.receive(pathname.slice('/upload/'.length), request)
      response.writeHead(accepted ? 200 : 404).end(accepted ? 'OK' : 'not found')
      return
    }
    response.writeHead(404).end()
  }

  function requireUser(name: string): SlackUser {
    const user = [...workspace.users.values()].find(candidate => candidate.name === name || candidate.id === name)
    if (user === undefined) throw new Error(`There is no user ${name} in the emulated workspace`)
    return user
  }

  function requireChannel(idOrName: string): SlackChannel {
    const channel =
      workspace.channels.get(idOrName) ?? [...workspace.channels.values()].find(candidate => candidate.name === idOrName)
    if (channel === undefined) throw new Error(`There is no channel ${idOrName} in the emulated workspace`)
    return channel
  }

  function person(user: SlackUser): Person {
    return new Person(user, { workspace, dispatcher, interactions, views, resolve: requireChannel, botUserId: bot.id })
  }

  function addChannel(channel: { readonly name: string; readonly kind?: ChannelKind; readonly members?: readonly string[] }) {
    const members = (channel.members ?? []).map(name => requireUser(name).id)
    return workspace.addChannel({ ...channel, members })
  }

  workspace.addUser({ name: 'alice', realName: 'Alice Example', timeZone: 'Europe/Berlin' })
  workspace.addUser({ name: 'bob', realName: 'Bob Example', timeZone: 'America/New_York' })
  for (const user of options.users ?? []) workspace.addUser(user)
  addChannel({ name: 'general', members: ['alice', 'bob', 'clew'] })
  addChannel({ name: 'random', members: ['alice', 'bob'] })
  addChannel({ name: 'secret', kind: 'private', members: ['alice', 'clew'] })
  for (const channel of options.channels ?? []) addChannel(channel)

  function describe(): string {
    return [
      describeWorkspace(workspace),
      `Calls: ${webApi.calls.map(call => `${call.method} ${call.outcome}`).join(', ')}`,
      `Deliveries: ${[...socket.deliveries, ...http.deliveries].map(describeDelivery).join(', ')}`,
    ].join('\n')
  }

  return {
    apiUrl: `${origin}/api/`,
    botToken: credentials.botToken,
    appToken: credentials.appToken,
    teamId: workspace.teamId,
    ...app,
    botMention: `<@${bot.id}>`,
    clock,
    socket,
    http,
    faults,
    workspace,
    user: name => person(requireUser(name)),
    addUser: user => person(workspace.addUser(user)),
    channel: requireChannel,
    addChannel,
    archive: channel => {
      requireChannel(channel).isArchived = true
    },
    removeBot: channel => {
      requireChannel(channel).members.delete(bot.id)
    },
    removeMessage: reference => {
      const message = workspace.find(reference.channel, reference.ts)
      if (message !== undefined) workspace.delete(message)
    },
    failToken: (token, failure) => webApi.failToken(token, failure),
    enforceRateLimits: enforce => webApi.enforceRates(enforce),
    transcript: (channel, { as, thread } = {}) =>
      transcriptOf(workspace, requireChannel(channel).id, { as: as && requireUser(as).id, thread }),
    threadStatus: thread => workspace.status(thread.channel, thread.ts),
    calls: method => webApi.calls.filter(call => method === undefined || call.method === method),
    scopesOf: method => methods[method]?.scopes,
    waitFor: (probe, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) => waitForChange(watchers, probe, timeoutMs, describe),
    describe,
    close: async () => {
      clock.close()
      await Promise.all([socket.close(), http.close()])
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
