import { pino } from 'pino'
import { createSlackOutbox } from '../../src/bots/slack/outbox.ts'
import { FORM_FIELD } from '../../src/bots/slack/receive/forms.ts'
import { SLACK_EVENTS_PATH } from '../../src/bots/slack/receive/http.ts'
import { createSlackSurface, type SlackReceive } from '../../src/bots/slack/surface.ts'
import type { ChatPlace } from '../../src/chat/event.ts'
import type { ChatInteractionsWorld } from '../../src/chat/interactions.contract.ts'
import type { SaidMessage, SeenMessage } from '../../src/chat/platform.contract.ts'
import { startHealthServer } from '../../src/telemetry/health-server.ts'
import type { SentMessage } from '../emulators/slack/person.ts'
import { links, pings } from '../emulators/slack/rendered-message.ts'
import { type SlackEmulator, type SlackEmulatorOptions, startSlackEmulator } from '../emulators/slack/slack-emulator.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { memoryOnce } from './memory-once.ts'
import { tells } from './tells.ts'

/** Creates an emulated Slack with a real client, for the tests that every chat platform must pass. */
export async function createSlackWorld(
  over: SlackReceive['over'],
  options: SlackEmulatorOptions = {},
): Promise<ChatInteractionsWorld & { readonly slack: SlackEmulator }> {
  const slack = await startSlackEmulator({
    rateLimits: 'relaxed',
    ...options,
    users: [{ name: 'robot', isBot: true }],
    channels: [{ name: 'data', members: ['alice', 'bob', 'clew', 'robot'] }, ...(options.channels ?? [])],
  })
  const logger = pino({ level: 'silent' })
  const { apiUrl, botToken, appToken } = slack
  const server = await startHealthServer({ port: 0, checks: {}, logger })
  if (over === 'http') slack.http.sendTo(`http://127.0.0.1:${server.port}${SLACK_EVENTS_PATH}`)
  const receive =
    over === 'http'
      ? ({ over, signingSecret: slack.http.signingSecret, serve: server.serve } as const)
      : ({ over, appToken } as const)
  const surface = createSlackSurface({ apiUrl, botToken, receive, once: memoryOnce(), tells, logger, backoffMs: () => 10 })
  const outbox = createSlackOutbox({ apiUrl, botToken, logger })
  const alice = slack.user('alice')
  const bob = slack.user('bob')
  const sent = new Map<string, SentMessage>()

  const remember = (message: SentMessage, isDirect: boolean): SaidMessage => {
    sent.set(message.ts, message)
    const thread = message.threadTs ?? message.ts
    return {
      messageId: message.ts,
      place: { platform: 'slack', workspace: slack.teamId, channel: message.channel, thread, isDirect },
    }
  }
  const reference = (message: SaidMessage) => ({ channel: message.place.channel, ts: message.messageId })
  const inThread = (place: ChatPlace) =>
    slack.transcript(place.channel).filter(message => message.user === slack.botUserId && message.threadTs === place.thread)

  return {
    slack,
    surface,
    outbox,
    asker: { id: alice.id, timeZone: 'Europe/Berlin', language: 'en' },
    say: (text, { mentions = [], replyTo } = {}) => {
      const names = mentions.map(whom => (whom === 'bot' ? slack.botMention : bob.mention))
      return remember(
        alice.post('data', [...names, text].join(' '), replyTo === undefined ? {} : { thread: replyTo.place.thread }),
        false,
      )
    },
    whisper: text => remember(alice.directMessage(text), true),
    changeOwn: (message, text) => alice.edit(reference(message), `${slack.botMention} ${text}`),
    deleteOwn: message => alice.delete(reference(message)),
    otherBotSays: text => remember(slack.user('robot').post('data', `${slack.botMention} ${text}`), false),
    taken: message => {
      const deliveries = sent.get(message.messageId)?.deliveries ?? []
      return { acknowledged: deliveries.filter(delivery => delivery.state === 'acknowledged').length, events: deliveries.length }
    },
    redeliver: () => (over === 'http' ? slack.http.redeliver() : slack.clock.advance(4_000)),
    waitFor: async condition => void (await slack.waitFor(condition)),
    describe: () => slack.describe(),
    seen: place => inThread(place).map(seenMessage),
    alone: () =>
      ['data', bob.directChannel()]
        .flatMap(channel => slack.transcript(channel, { as: 'bob' }))
        .filter(({ isFromBot, isEphemeral, channel }) => isFromBot && (isEphemeral || channel === bob.directChannel()))
        .map(seenMessage),
    other: { id: bob.id },
    press: ({ channel }, id, label) => void bob.press({ channel, ts: id }, { label }),
    hasForm: () => bob.modal() !== undefined,
    sendForm: text => void bob.submitModal({ [FORM_FIELD]: text }),
    command: async (name, { job, question, deep }) => {
      const words = [job, question, deep === true ? '--deep' : undefined].filter(word => word !== undefined)
      alice.command('data', `/${name}`, words.join(' '))
    },
    everything: () =>
      slack
        .transcript('data')
        .filter(({ user }) => user === slack.botUserId)
        .map(({ ts }) => ts),
    faults: {
      rateLimitNextPost: seconds => slack.faults.rateLimit('chat.postMessage', seconds),
      rateLimitNextEdit: seconds => slack.faults.rateLimit('chat.update', seconds),
      storeNextPostLate: () => slack.faults.storeLate('chat.postMessage'),
      loseNextPostAnswer: () => slack.faults.loseAnswer('chat.postMessage'),
      refuseRichOnce: of => slack.faults.refuse(of === 'post' ? 'chat.postMessage' : 'chat.update', 'invalid_blocks'),
      breakNextPost: () => slack.faults.httpError('chat.postMessage'),
      revokeToken: () => slack.failToken('bot', 'token_revoked'),
      restoreToken: () => slack.failToken('bot', undefined),
      removeMessage: (place, id) => slack.removeMessage({ channel: place.channel, ts: id }),
      removeThread: place => {
        for (const { ts } of slack.transcript(place.channel).filter(({ threadTs }) => threadTs === place.thread))
          slack.removeMessage({ channel: place.channel, ts })
        slack.removeMessage({ channel: place.channel, ts: place.thread })
      },
      archive: place => slack.archive(place.channel),
      removeBot: place => slack.removeBot(place.channel),
    },
    close: async () => {
      await surface.stop()
      await slack.close()
      await server.close()
    },
  }
}

function seenMessage(message: ShownMessage): SeenMessage {
  return {
    id: message.ts,
    text: message.plain,
    isRich: message.blocks.length > 0,
    pings: pings(message),
    links: links(message),
    files: message.files.map(({ content }) => content.toString()),
  }
}
