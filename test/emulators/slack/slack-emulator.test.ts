import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { App } from '@slack/bolt'
import { createBoltApp } from './bolt-app.ts'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'

let slack: SlackEmulator
let app: App

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  app = createBoltApp(slack)
})

afterEach(async () => {
  await app.stop()
  await slack.close()
})

describe('a bolt app in Socket Mode', () => {
  it('connects, receives a mention, answers in the thread and edits its answer', async () => {
    app.event('app_mention', async ({ event, client }) => {
      const placeholder = await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: 'Working…' })
      await client.chat.update({ channel: event.channel, ts: placeholder.ts ?? '', text: 'The answer is 42.' })
    })
    await app.start()

    const question = slack.user('alice').post('general', `${slack.botMention} how many?`)

    const answer = await slack.waitFor(() =>
      slack.transcript('general').find(message => message.isFromBot && message.history.length === 2),
    )
    expect(answer).toMatchObject({ threadTs: question.ts, plain: 'The answer is 42.' })
    expect(answer.history.map(version => version.text)).toEqual(['Working…', 'The answer is 42.'])
    expect(slack.calls('chat.postMessage')).toMatchObject([{ outcome: 'ok', args: { thread_ts: question.ts } }])
  })

  it('receives one mention as two events with two ids and the same ts', async () => {
    const heard: { id: unknown; type: string; ts: string }[] = []
    app.event('app_mention', async ({ event, body }) => void heard.push({ id: body.event_id, type: event.type, ts: event.ts }))
    app.event('message', async ({ event, body }) => void heard.push({ id: body.event_id, type: event.type, ts: event.ts }))
    await app.start()

    const sent = slack.user('bob').post('general', `${slack.botMention} hello`)
    await slack.waitFor(() => heard.length === 2 && sent.deliveries.every(delivery => delivery.state === 'acknowledged'))

    expect(new Set(heard.map(event => event.id)).size).toBe(2)
    expect(heard.map(event => event.type).sort()).toEqual(['app_mention', 'message'])
    expect(heard.map(event => event.ts)).toEqual([sent.ts, sent.ts])
    expect(sent.deliveries.map(delivery => delivery.attempts[0]?.ackMs)).toEqual([expect.any(Number), expect.any(Number)])
  })
})
