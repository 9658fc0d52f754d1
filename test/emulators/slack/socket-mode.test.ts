import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { App } from '@slack/bolt'
import { WebSocket } from 'ws'
import { createBoltApp } from './bolt-app.ts'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import type { DisconnectReason } from './socket-mode.ts'

let slack: SlackEmulator
let apps: App[]

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
  apps = []
})

afterEach(async () => {
  for (const app of apps) await app.stop()
  await slack.close()
})

interface Heard {
  readonly id: string
  readonly text: string
  readonly retry: number | undefined
}

/** Starts an app that records the messages it gets. The app waits for `gate` before it acknowledges each one. */
async function listen(gate: () => Promise<void> = async () => {}): Promise<Heard[]> {
  const app = createBoltApp(slack, { reconnectMs: 1_500 })
  apps.push(app)
  const heard: Heard[] = []
  app.use(async ({ body, context, next }) => {
    const event = 'event' in body ? body.event : undefined
    const text = typeof event === 'object' && event !== null && 'text' in event ? String(event.text) : ''
    heard.push({ id: 'event_id' in body ? body.event_id : '', text, retry: context.retryNum })
    await gate()
    await next()
  })
  app.event('message', async () => {})
  await app.start()
  return heard
}

describe('redelivery', () => {
  it('comes after 3 s without acknowledgement: at once, then after 1 and 5 minutes, with the same event id', async () => {
    const silent = await connectSilently(slack)
    const { deliveries } = slack.user('alice').post('general', 'nobody acknowledges')
    const delivery = deliveries[0]
    const retriesAfter = (milliseconds: number) => {
      slack.clock.advance(milliseconds)
      return delivery?.attempts.map(attempt => attempt.retry)
    }

    expect(retriesAfter(2_900)).toEqual([0])
    expect(retriesAfter(100)).toEqual([0, 1])
    expect(retriesAfter(3_000)).toEqual([0, 1])
    expect(retriesAfter(60_000)).toEqual([0, 1, 2])
    expect(retriesAfter(3_000 + 300_000)).toEqual([0, 1, 2, 3])
    expect(retriesAfter(3_000)).toEqual([0, 1, 2, 3])
    expect(delivery?.state).toBe('given_up')
    await silent.received(4)
    expect(silent.envelopes.map(envelope => [envelope.retry_attempt, envelope.retry_reason])).toEqual([
      [0, ''],
      [1, 'timeout'],
      [2, 'timeout'],
      [3, 'timeout'],
    ])
    expect(new Set(silent.envelopes.map(envelope => envelope.payload.event_id)).size).toBe(1)
    silent.close()
  })

  it('reaches bolt with its number, and can be requested', async () => {
    const heard = await listen()
    const sent = slack.user('alice').post('general', 'twice')
    const delivery = await slack.waitFor(() => sent.deliveries.find(one => one.state === 'acknowledged'))
    slack.socket.redeliver(delivery)
    await slack.waitFor(() => delivery.attempts[1]?.ackMs !== undefined)
    expect(heard.map(event => [event.text, event.retry])).toEqual([
      ['twice', 0],
      ['twice', 1],
    ])
    expect(heard[0]?.id).toBe(heard[1]?.id)
  })

  it('includes events from the time without a connection', async () => {
    const sent = slack.user('alice').post('general', 'too early')
    expect(sent.deliveries[0]?.attempts).toMatchObject([
      { retry: 0, connection: undefined },
      { retry: 1, connection: undefined },
    ])
    const heard = await listen()
    slack.clock.advance(60_000)
    await slack.waitFor(() => sent.deliveries[0]?.state === 'acknowledged')
    expect(heard.map(event => event.text)).toEqual(['too early'])
  })
})

describe('the order of events', () => {
  it('can be reversed', async () => {
    const heard = await listen()
    slack.socket.hold()
    const first = slack.user('alice').post('general', 'first')
    slack.user('bob').post('general', 'reply', { thread: first })
    slack.socket.release(held => held.toReversed())
    await slack.waitFor(() => slack.socket.deliveries.every(delivery => delivery.state === 'acknowledged'))
    expect(heard.map(event => event.text)).toEqual(['reply', 'first'])
  })
})

describe('a connection', () => {
  it.each<DisconnectReason>(['warning', 'refresh_requested', 'too_many_websockets'])(
    'that Slack ends with %s is opened again',
    async reason => {
      const heard = await listen()
      slack.socket.disconnect(reason)
      await slack.waitFor(() => slack.socket.openedConnections() >= 2 && slack.socket.connections().length === 1)
      slack.user('alice').post('general', 'still there?')
      await slack.waitFor(() => heard.length === 1)
    },
  )

  it('that breaks is opened again', async () => {
    const heard = await listen()
    slack.socket.drop()
    await slack.waitFor(() => slack.socket.openedConnections() >= 2 && slack.socket.connections().length === 1)
    slack.user('alice').post('general', 'still there?')
    await slack.waitFor(() => heard.length === 1)
  })

  it('cannot be opened while Socket Mode is switched off', async () => {
    const heard = await listen()
    slack.socket.disconnect('link_disabled')
    await slack.waitFor(() => slack.calls('apps.connections.open').some(call => call.outcome === 'forbidden_team'))
    expect(slack.socket.connections()).toEqual([])
    slack.socket.enable()
    await slack.waitFor(() => slack.socket.connections().length === 1)
    slack.user('alice').post('general', 'still there?')
    await slack.waitFor(() => heard.length === 1)
  })

  it('answers pings, and alternates with the others', async () => {
    const first = await listen()
    const second = await listen()
    await slack.socket.ping()
    for (const text of ['one', 'two', 'three', 'four']) slack.user('alice').post('general', text)
    await slack.waitFor(() => first.length + second.length === 4)
    expect([first.length, second.length]).toEqual([2, 2])
  })

  it('past the tenth is refused with too_many_websockets', async () => {
    const open = await Promise.all(Array.from({ length: 10 }, () => connectSilently(slack)))
    const eleventh = await connectSilently(slack)
    expect(eleventh.disconnects).toEqual(['too_many_websockets'])
    expect(slack.socket.connections()).toHaveLength(10)
    for (const connection of [...open, eleventh]) connection.close()
  })

  it('with a late acknowledgement records its time, and gets the event again', async () => {
    let release = () => {}
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    const heard = await listen(() => gate)
    slack.user('alice').command('general', '/ask', 'slow?')
    const sent = slack.user('alice').post('general', 'slow')
    await slack.waitFor(() => heard.length === 2)
    slack.clock.advance(3_000)
    release()
    const command = await slack.waitFor(() => slack.socket.deliveries.find(delivery => delivery.type === 'slash_commands'))
    expect(command.state).toBe('given_up')
    // Bolt acknowledges an event before it calls the app's code. So the event is acknowledged although that code still waits.
    expect(sent.deliveries[0]).toMatchObject({ state: 'acknowledged', attempts: [{ retry: 0, ackMs: expect.any(Number) }] })
  })
})

interface SilentClient {
  readonly envelopes: {
    readonly retry_attempt: number
    readonly retry_reason: string
    readonly payload: { readonly event_id: string }
  }[]
  readonly disconnects: string[]
  /** Resolves when this number of messages has arrived. */
  received(count: number): Promise<void>
  close(): void
}

/** Connects a client that never sends anything. Resolves after the first message from Slack (hello or disconnect). */
async function connectSilently(emulator: SlackEmulator): Promise<SilentClient> {
  const opened = await fetch(`${emulator.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.appToken}` },
  })
  const socket = new WebSocket(((await opened.json()) as { url: string }).url)
  const client: SilentClient = {
    envelopes: [],
    disconnects: [],
    received: async count => {
      while (client.envelopes.length < count) await once(socket, 'message')
    },
    close: () => socket.close(),
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', data => {
      const message = JSON.parse(data.toString())
      if (message.type === 'disconnect') client.disconnects.push(message.reason)
      if (message.type === 'events_api') client.envelopes.push(message)
      resolve()
    })
  })
  return client
}
