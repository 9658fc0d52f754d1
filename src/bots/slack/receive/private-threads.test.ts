import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type SlackEmulator, startSlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import { memoryOnce } from '../../../../test/support/memory-once.ts'
import { tells } from '../../../../test/support/tells.ts'
import type { ChatMessage } from '../../../chat/event.ts'
import type { ChatSurface, ChatTarget } from '../../../chat/platform.ts'
import { createSlackOutbox } from '../outbox.ts'
import { createSlackSurface } from '../surface.ts'

let slack: SlackEmulator
let surface: ChatSurface
let heard: ChatMessage[]
/** The question in a channel. `root` is the first message of the direct thread with the private answer. */
let asked: ChatTarget
let root: string
const signal = new AbortController().signal
const logger = pino({ level: 'silent' })

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  const { apiUrl, botToken, appToken, teamId } = slack
  heard = []
  surface = createSlackSurface({
    apiUrl,
    botToken,
    receive: { over: 'socket', appToken },
    once: memoryOnce(),
    tells,
    logger,
    backoffMs: () => 10,
  })
  await surface.start(async event => {
    if (event.kind === 'message') heard.push(event.message)
  }, signal)
  const alice = slack.user('alice')
  const { channel, ts: thread } = alice.post('general', 'how many?')
  asked = { platform: 'slack', workspace: teamId, channel, thread, isDirect: false, isPrivate: true, author: alice.id }
  const outbox = createSlackOutbox({ apiUrl, botToken, logger })
  await outbox.post(asked, (await outbox.render({ kind: 'answer', markdown: '42' }))[0] ?? {}, 'run-1', signal)
  root = slack.transcript(alice.directChannel()).find(({ threadTs }) => threadTs === undefined)?.ts ?? ''
})
afterEach(async () => {
  await surface.stop()
  await slack.close()
})

/** Writes a text in a direct conversation. @returns the message that Clew receives */
async function say(text: string, thread?: string): Promise<ChatMessage | undefined> {
  const { ts } = slack.user('alice').directMessage(text, thread === undefined ? {} : { thread: { channel: '', ts: thread } })
  return slack.waitFor(() => heard.find(({ messageId }) => messageId === ts))
}

describe('a message in a direct conversation', () => {
  it("continues the channel's question if it is under the private answer", async () => {
    const { platform, workspace, channel, thread, isDirect } = asked
    const reply = await say('and in Oslo?', root)
    expect(reply).toMatchObject({ text: 'and in Oslo?', place: { thread: root, isDirect: true } })
    expect(reply?.continues).toEqual({ platform, workspace, channel, thread, isDirect })
    await say('and in Rome?', root)
    expect(slack.calls('conversations.replies')).toHaveLength(1)
  })

  it('continues nothing if it is elsewhere, or under a similar message', async () => {
    const question = await say('what is new?')
    expect(question).not.toHaveProperty('continues')
    expect(await say('and then?', question?.messageId)).not.toHaveProperty('continues')
    expect(slack.calls('conversations.replies')).toHaveLength(0)

    const { channel, id } = { channel: slack.user('alice').directChannel(), id: slack.user('bob').id }
    const event_payload = { marker: `private ${id} ${asked.channel} ${asked.thread}` }
    const { workspace } = slack
    const others = { user: slack.botUserId, text: 'for bob', metadata: { event_type: 'clew_reply', event_payload } }
    const { ts } = workspace.post(channel, { ...others, botId: workspace.users.get(slack.botUserId)?.botId })
    expect(await say('me too', ts)).not.toHaveProperty('continues')
  })

  it('is delivered again after a failed look-up, and becomes its own conversation if the look-up never works', async () => {
    slack.faults.httpError('conversations.replies')
    const first = say('and in Oslo?', root)
    await slack.waitFor(() => slack.calls('conversations.replies').length === 1)
    slack.clock.advance(4_000)
    expect(await first).toHaveProperty('continues')
    expect(heard).toHaveLength(1)
    await surface.stop()

    slack.faults.refuse('conversations.replies', 'missing_scope')
    const { apiUrl, botToken, appToken } = slack
    surface = createSlackSurface({
      apiUrl,
      botToken,
      receive: { over: 'socket', appToken },
      once: memoryOnce(),
      tells,
      logger,
      backoffMs: () => 10,
    })
    await surface.start(async event => {
      if (event.kind === 'message') heard.push(event.message)
    }, signal)
    expect(await say('and in Rome?', root)).not.toHaveProperty('continues')
  })
})
