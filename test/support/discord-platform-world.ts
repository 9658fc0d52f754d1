import { pino } from 'pino'
import { createDiscordOutbox } from '../../src/bots/discord/outbox.ts'
import { isMarkerAddress } from '../../src/bots/discord/post/payload.ts'
import { registerDiscordCommands } from '../../src/bots/discord/receive/commands.ts'
import { createDiscordCalls } from '../../src/bots/discord/rest.ts'
import { createDiscordSurface } from '../../src/bots/discord/surface.ts'
import type { ChatPlace } from '../../src/chat/event.ts'
import type { ChatInteractionsWorld } from '../../src/chat/interactions.contract.ts'
import type { SaidMessage, SeenMessage } from '../../src/chat/platform.contract.ts'
import { type DiscordEmulator, type DiscordEmulatorOptions, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { Interaction } from '../emulators/discord/interaction.ts'
import type { SentMessage } from '../emulators/discord/person.ts'
import type { ShownMessage } from '../emulators/discord/transcript.ts'
import { tells } from './tells.ts'

const CREATE = 'POST /channels/{channel}/messages'
const EDIT = 'PATCH /channels/{channel}/messages/{message}'

/** Creates an emulated Discord with a real client, for the tests that every chat platform must pass. */
export async function createDiscordWorld(
  options: DiscordEmulatorOptions = {},
): Promise<ChatInteractionsWorld & { readonly discord: DiscordEmulator }> {
  const discord = await startDiscordEmulator({
    rateLimits: 'relaxed',
    ...options,
    users: [{ name: 'robot', isBot: true }],
    channels: [{ name: 'data' }],
  })
  const logger = pino({ level: 'silent' })
  const own = { apiUrl: discord.apiUrl, token: discord.botToken, applicationId: discord.appId, logger }
  const connected = createDiscordSurface({ ...own, tells, backoffMs: () => 10 })
  const outbox = createDiscordOutbox(own)
  const alice = discord.user('alice')
  const bob = discord.user('bob')
  let pressed: Interaction | undefined
  const data = discord.channel('data').id
  const sent = new Map<string, SentMessage>()
  /** For each message, the number of calls of `accept` that have not succeeded yet. */
  const unsettled = new Map<string, number>()
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const watcher of [...watchers]) watcher()
  }

  const remember = (message: SentMessage, place: Omit<ChatPlace, 'platform' | 'workspace'>): SaidMessage => {
    sent.set(message.id, message)
    const workspace = place.isDirect ? 'discord' : discord.guild.id
    return { messageId: message.id, place: { platform: 'discord', workspace, ...place } }
  }
  const inData = (message: SentMessage) => remember(message, { channel: data, thread: message.id, isDirect: false })
  const reference = (message: SaidMessage) => ({
    id: message.messageId,
    channelId: sent.get(message.messageId)?.channelId ?? data,
  })
  /**
   * Returns the thread, and creates it as the author if it is missing. A reply needs the thread, and usually the bot creates it with its first
   * answer.
   */
  const threadOf = (thread: string) => {
    if (!discord.world.channels.has(thread)) alice.startThread({ id: thread, channelId: data }, 'a thread')
    return thread
  }

  return {
    discord,
    surface: {
      name: connected.name,
      connected: () => connected.connected(),
      stop: () => connected.stop(),
      start: (accept, signal) =>
        connected.start(async event => {
          if (event.kind !== 'message') return accept(event)
          const { messageId } = event.message
          unsettled.set(messageId, 1)
          await accept(event)
          unsettled.delete(messageId)
          changed()
        }, signal),
    },
    outbox,
    asker: { id: alice.id },
    say: (text, { mentions = [], replyTo } = {}) => {
      const names = mentions.map(whom => (whom === 'bot' ? discord.botMention : bob.mention))
      const words = [...names, text].join(' ')
      if (replyTo === undefined) return inData(alice.post('data', words))
      return remember(alice.post(threadOf(replyTo.place.thread), words), {
        channel: data,
        thread: replyTo.place.thread,
        isDirect: false,
      })
    },
    whisper: text => {
      const message = alice.directMessage(text)
      return remember(message, { channel: message.channelId, thread: message.channelId, isDirect: true })
    },
    changeOwn: (message, text) => alice.edit(reference(message), `${discord.botMention} ${text}`),
    deleteOwn: message => alice.delete(reference(message)),
    otherBotSays: text => inData(discord.user('robot').post('data', `${discord.botMention} ${text}`)),
    taken: message => {
      const deliveries = sent.get(message.messageId)?.deliveries ?? []
      const heard = deliveries.filter(delivery => delivery.isAcknowledged).length
      return { acknowledged: unsettled.has(message.messageId) ? 0 : heard, events: deliveries.length }
    },
    redeliver: () => {},
    waitFor: async condition => {
      await discord.heard()
      let watcher = () => {}
      const settled = new Promise<void>(resolve => {
        watcher = () => condition() && resolve()
        watchers.add(watcher)
        watcher()
      })
      await Promise.race([settled, discord.waitFor(condition)])
      watchers.delete(watcher)
    },
    describe: () => discord.describe(),
    seen: place =>
      (discord.world.channels.has(place.thread) ? discord.transcript(place.thread) : [])
        .filter(message => message.isFromBot)
        .map(seenMessage),
    alone: () =>
      [...discord.world.channels.values()]
        .flatMap(({ id }) => discord.transcript(id, { as: 'bob' }))
        .filter(({ isFromBot, isEphemeral, channelId }) => isFromBot && (isEphemeral || channelId === bob.directChannel().id))
        .map(seenMessage),
    other: { id: bob.id },
    press: ({ thread }, id, label) => {
      pressed = bob.press({ id, channelId: thread }, { label })
    },
    hasForm: () => pressed?.modal !== undefined,
    sendForm: text => {
      if (pressed !== undefined) bob.submitModal(pressed, { reason: text })
    },
    command: async (name, options) => {
      const call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken })
      await registerDiscordCommands(call, discord.appId, new AbortController().signal)
      const given = Object.entries(options).filter(([, value]) => value !== undefined)
      alice.command('data', name, Object.fromEntries(given))
    },
    everything: () =>
      [...discord.world.channels.values()]
        .filter(({ id, isDeleted, thread }) => !isDeleted && (id === data || thread !== undefined))
        .flatMap(({ id }) =>
          discord
            .transcript(id)
            .filter(({ isFromBot }) => isFromBot)
            .map(message => message.id),
        ),
    faults: {
      rateLimitNextEdit: seconds => discord.faults.rateLimit(EDIT, seconds),
      rateLimitNextPost: seconds => discord.faults.rateLimit(CREATE, seconds),
      loseNextPostAnswer: () => {
        // Without a thread, the first post would only find that the thread is missing. So the threads are created first.
        for (const said of sent.values()) threadOf(said.id)
        discord.faults.loseAnswer(CREATE)
      },
      storeNextPostLate: () => {
        for (const said of sent.values()) threadOf(said.id)
        return discord.faults.storeLate(CREATE)
      },
      refuseRichOnce: of => discord.faults.refuseRich(of === 'post' ? CREATE : EDIT),
      breakNextPost: () => discord.faults.httpError(CREATE),
      revokeToken: () => discord.revokeToken(),
      restoreToken: () => discord.restoreToken(),
      removeMessage: (place, id) => discord.removeMessage({ channelId: place.thread, id }),
      removeThread: place => discord.deleteChannel(place.thread),
      archive: place => discord.archiveThread(place.thread, { locked: true }),
      removeBot: place => discord.hideFromBot(place.channel),
    },
    close: async () => {
      await connected.stop()
      await discord.close()
    },
  }
}

function seenMessage(message: ShownMessage): SeenMessage {
  return {
    id: message.id,
    text: message.plain,
    isRich: message.isRich,
    pings: message.pings,
    // An embed may have an address, which is the link of its title. These embeds have no title, so the address is invisible.
    links: message.links.filter(link => !isMarkerAddress(link)),
    files: message.files.map(({ content }) => content.toString()),
  }
}
