import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Forgery } from '../../../test/emulators/slack/http-events.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { ConfigurationError } from '../../errors.ts'
import { createLogger } from '../../logger.ts'
import { type HealthServer, startHealthServer } from '../../telemetry/health-server.ts'
import type { ChatInbound } from '../chat-event.ts'
import type { ChatSurface } from '../chat-platform.ts'
import { SLACK_EVENTS_PATH } from './slack-http.ts'
import { createSlackSurface } from './slack-surface.ts'

let slack: SlackEmulator
let server: HealthServer
let surface: ChatSurface
let heard: ChatInbound[]
let lines: string[]
const signal = new AbortController().signal

beforeEach(async () => {
  heard = []
  lines = []
  const logger = createLogger({ level: 'trace', destination: { write: line => void lines.push(line) } })
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  server = await startHealthServer({ port: 0, checks: {}, logger })
  slack.http.sendTo(address(SLACK_EVENTS_PATH))
  const { apiUrl, botToken } = slack
  const receive = { over: 'http', signingSecret: slack.http.signingSecret, serve: server.serve } as const
  surface = createSlackSurface({ apiUrl, botToken, receive, logger, backoffMs: () => 10 })
})

afterEach(async () => {
  await surface.stop()
  await slack.close()
  await server.close()
})

const address = (path: string) => `http://127.0.0.1:${server.port}${path}`
const start = (accept: (event: ChatInbound) => Promise<void> = async event => void heard.push(event)) =>
  surface.start(accept, signal)
const ask = () => slack.user('alice').directMessage('how many users?')

/** A direct message's event as Slack sends it. */
const EVENT = {
  type: 'event_callback',
  team_id: 'T0EMULATED1',
  event_id: 'Ev1',
  event: { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', ts: '1700000000.000100', text: 'how many users?' },
}

describe('Slack over HTTP', () => {
  it('takes what Slack signed', async () => {
    await start()
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(200)
    expect(heard).toMatchObject([{ kind: 'message', message: { text: 'how many users?' } }])
  })

  it.each<Forgery>(['wrong secret', 'old timestamp', 'changed body', 'unknown version', 'no signature', 'no timestamp'])(
    'refuses a request with %s, and accepts nothing of it',
    async forgery => {
      await start()
      expect(await slack.http.send(JSON.stringify(EVENT), forgery)).toBe(401)
      expect(heard).toEqual([])
    },
  )

  it('accepts nothing that asks for less than a signature', async () => {
    await start()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ ssl_check: '1', payload: JSON.stringify(EVENT) })
    expect((await fetch(address(SLACK_EVENTS_PATH), { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(address(SLACK_EVENTS_PATH))).status).toBe(405)
    expect(heard).toEqual([])
  })

  it('gives the challenge back by which Slack verifies the address', async () => {
    await start()
    expect(await slack.http.verifyUrl()).toBe(true)
  })

  it('shares its port with health, and serves nothing before it is started', async () => {
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(404)
    expect(surface.connected()).toBe(false)
    await start()
    expect((await fetch(address('/health'))).status).toBe(200)
    expect((await fetch(address('/slack/other'), { method: 'POST' })).status).toBe(404)
  })

  it('answers 500 to what could not be accepted, so that Slack sends it again', async () => {
    let isDown = true
    await start(async event => {
      if (isDown) throw new Error('the store is away')
      heard.push(event)
    })
    const [delivery] = ask().deliveries
    await slack.waitFor(() => delivery?.attempts.length === 2 && delivery.attempts[1]?.status === 500)
    expect(delivery?.attempts.map(attempt => attempt.status)).toEqual([500, 500])
    isDown = false
    slack.clock.advance(60_000)
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(heard).toHaveLength(1)
  })

  it('fault 1: takes an event that came too late to be acknowledged once more', async () => {
    let isFirst = () => {}
    const first = new Promise<void>(resolve => {
      isFirst = resolve
    })
    await start(async event => {
      heard.push(event)
      isFirst()
      // The first one never ends.
      if (heard.length === 1) await new Promise(() => {})
    })
    const [delivery] = ask().deliveries
    await first
    slack.clock.advance(3_000)
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(delivery?.attempts.map(attempt => attempt.status)).toEqual([undefined, 200])
    expect(heard[1]).toEqual(heard[0])
  })

  it('survives signed payloads that make no sense', async () => {
    await start()
    expect(await slack.http.send('no json')).toBe(400)
    const payloads = [{ event: { type: 'message', channel: 7 } }, { type: 'event_callback', event: { type: 'message' } }]
    for (const payload of payloads) expect(await slack.http.send(JSON.stringify(payload))).toBeGreaterThanOrEqual(200)
    expect(heard).toEqual([])
    const [delivery] = ask().deliveries
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(heard).toHaveLength(1)
  })

  it('finishes and acknowledges what it is accepting when stopped, and takes nothing more', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let isHeard = () => {}
    const accepting = new Promise<void>(resolve => {
      isHeard = resolve
    })
    await start(() => {
      isHeard()
      return held
    })
    const [delivery] = ask().deliveries
    await accepting
    const stopped = surface.stop()
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(503)
    release()
    await stopped
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(surface.connected()).toBe(false)
  })

  it('names the bot token when that does not work', async () => {
    slack.failToken('bot', 'token_revoked')
    const failure = await start().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(failure).toMatchObject({ message: expect.stringMatching(/SLACK_BOT_TOKEN.*token_revoked/) })
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(404)
  })

  it('writes no secret and no message into the log', async () => {
    await start()
    await slack.http.send(JSON.stringify(EVENT), 'wrong secret')
    await slack.http.send(JSON.stringify(EVENT))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(slack.http.signingSecret)
    expect(lines.join('')).not.toMatch(/xoxb-|how many users/)
  })
})
