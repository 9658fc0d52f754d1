import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { App } from '@slack/bolt'
import { createBoltApp } from './bolt-app.ts'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import type { Delivery } from './socket-mode.ts'

let slack: SlackEmulator

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
})

afterEach(() => slack.close())

/** Summarizes the events that the app has received so far. */
function events(deliveries: readonly Delivery[] = slack.socket.deliveries) {
  return deliveries.map(delivery => delivery.payload.event as { readonly [key: string]: unknown })
}

describe("a person's post", () => {
  it('in a direct conversation is one message, even with a mention', () => {
    const sent = slack.user('alice').directMessage(`${slack.botMention} hello`)
    expect(events(sent.deliveries)).toMatchObject([{ type: 'message', channel_type: 'im', user: slack.user('alice').id }])
  })

  it('in a thread contains the thread and its author', () => {
    const question = slack.user('alice').post('general', 'question')
    const reply = slack.user('bob').post('general', 'a thought', { thread: question })
    expect(events(reply.deliveries)).toMatchObject([
      { type: 'message', thread_ts: question.ts, parent_user_id: slack.user('alice').id, channel_type: 'channel' },
    ])
  })

  it('with a file has a subtype', () => {
    const sent = slack.user('alice').post('general', 'look', { files: [{ name: 'data.csv', content: 'a\n1' }] })
    expect(events(sent.deliveries)).toMatchObject([{ subtype: 'file_share', files: [{ name: 'data.csv' }] }])
  })

  it('in a channel without the bot is not delivered', () => {
    expect(slack.user('alice').post('random', `${slack.botMention} hello`).deliveries).toEqual([])
    slack.removeBot('general')
    expect(slack.user('alice').post('general', 'hello').deliveries).toEqual([])
  })

  it('by another bot has a bot_id', () => {
    const other = slack.addUser({ name: 'otherbot', isBot: true })
    expect(events(other.post('general', 'beep').deliveries).at(-1)).toMatchObject({
      type: 'message',
      bot_id: expect.stringMatching(/^B/),
    })
  })
})

describe("a person's change", () => {
  it('of a text is message_changed, and a mention again if it names the bot', () => {
    const sent = slack.user('alice').post('general', 'hello')
    slack.user('alice').edit(sent, `${slack.botMention} hello`)
    expect(events().slice(1)).toMatchObject([
      { subtype: 'message_changed', hidden: true, message: { ts: sent.ts }, previous_message: { text: 'hello' } },
      { type: 'app_mention', ts: sent.ts, edited: { user: slack.user('alice').id } },
    ])
  })

  it('by deletion is message_deleted, but message_changed to a tombstone for a thread with replies', () => {
    const lone = slack.user('alice').post('general', 'lone')
    slack.user('alice').delete(lone)
    const parent = slack.user('alice').post('general', 'parent')
    slack.user('bob').post('general', 'reply', { thread: parent })
    slack.user('alice').delete(parent)
    expect(events().at(1)).toMatchObject({ subtype: 'message_deleted', deleted_ts: lone.ts, previous_message: { text: 'lone' } })
    expect(events().at(-1)).toMatchObject({ subtype: 'message_changed', message: { subtype: 'tombstone', ts: parent.ts } })
    expect(slack.transcript('general').map(message => message.text)).toEqual(['This message was deleted.', 'reply'])
  })

  it('of membership is delivered, with a notice in the channel', () => {
    const carol = slack.addUser({ name: 'carol' })
    carol.join('general')
    expect(events()).toMatchObject([
      { type: 'member_joined_channel', user: carol.id },
      { type: 'message', subtype: 'channel_join', text: `<@${carol.id}> has joined the channel` },
    ])
  })
})

describe("a person's interaction", () => {
  let app: App

  beforeEach(async () => {
    app = createBoltApp(slack)
  })

  afterEach(() => app.stop())

  it('by slash command is acknowledged with a text for its author, and answered at its response_url', async () => {
    app.command('/ask', async ({ ack, respond, command }) => {
      await ack(`Looking into: ${command.text}`)
      await respond({ response_type: 'in_channel', text: '42' })
    })
    await app.start()
    const delivery = slack.user('alice').command('general', '/ask', 'how many?')
    await slack.waitFor(() => slack.transcript('general').some(message => message.text === '42'))
    expect(delivery.state).toBe('acknowledged')
    expect(slack.transcript('general', { as: 'alice' }).map(message => message.text)).toEqual(['Looking into: how many?', '42'])
    expect(slack.transcript('general', { as: 'bob' }).map(message => message.text)).toEqual(['42'])
  })

  it('by button is found by its action_id, and its message can be replaced', async () => {
    app.action('stop', async ({ ack, respond, body }) => {
      await ack()
      await respond({ replace_original: true, text: `Stopped by ${body.user.id}`, blocks: [] })
    })
    await app.start()
    await app.client.chat.postMessage({
      channel: slack.channel('general').id,
      text: 'Working…',
      blocks: [
        {
          type: 'actions',
          elements: [{ type: 'button', action_id: 'stop', value: 'run-1', text: { type: 'plain_text', text: 'Stop' } }],
        },
      ],
    })
    const [message] = slack.transcript('general')
    if (message === undefined) throw new Error('nothing was posted')
    expect(() => slack.user('bob').press(message, { actionId: 'other' })).toThrow(/stop=Stop/)

    const delivery = slack.user('bob').press(message, { actionId: 'stop' })
    await slack.waitFor(() => slack.transcript('general')[0]?.plain === `Stopped by ${slack.user('bob').id}`)
    expect(delivery.payload).toMatchObject({
      type: 'block_actions',
      actions: [{ action_id: 'stop', value: 'run-1' }],
      container: { message_ts: message.ts },
    })
  })

  it('has a response_url that works five times and for half an hour', async () => {
    const url = String(slack.user('alice').command('general', '/ask', 'x').payload.response_url)
    const respond = async (address: string) => {
      const response = await fetch(address, { method: 'POST', body: JSON.stringify({ text: 'again' }) })
      return `${response.status} ${await response.text()}`
    }
    for (let use = 0; use < 5; use += 1) expect(await respond(url)).toBe('200 ok')
    expect(await respond(url)).toBe('404 used_url')
    const late = String(slack.user('alice').command('general', '/ask', 'x').payload.response_url)
    slack.clock.advance(1_800_001)
    expect(await respond(late)).toBe('404 expired_url')
  })
})
