import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createGate } from '../../../../test/emulators/gate.ts'
import type { Forgery } from '../../../../test/emulators/slack/http-events.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../../test/emulators/slack/slack-emulator.ts'
import { memoryOnce } from '../../../../test/support/memory-once.ts'
import { tells } from '../../../../test/support/tells.ts'
import { runsOf } from '../../../../test/support/whole.ts'
import { ConfigurationError } from '../../../base/errors.ts'
import { createLogger } from '../../../base/logger.ts'
import type { ChatInbound } from '../../../chat/event.ts'
import type { ChatSurface } from '../../../chat/platform.ts'
import { type HealthServer, startHealthServer } from '../../../telemetry/health-server.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { createSlackSurface } from '../surface.ts'
import { SLACK_EVENTS_PATH } from './http.ts'

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
  surface = createSlackSurface({ apiUrl, botToken, receive, once: memoryOnce(), tells, logger, backoffMs: () => 10 })
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

const FORM = 'application/x-www-form-urlencoded'

/** The event of a direct message, in Slack's format. */
const EVENT = {
  type: 'event_callback',
  team_id: 'T0EMULATED1',
  event_id: 'Ev1',
  event: { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', ts: '1700000000.000100', text: 'how many users?' },
}

describe('Slack over HTTP', () => {
  it('accepts signed requests', async () => {
    await start()
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(200)
    expect(heard).toMatchObject([{ kind: 'message', message: { text: 'how many users?' } }])
  })

  it('ignores requests from another workspace, and logs them', async () => {
    await start()
    const other = { team_id: 'T0OTHER' }
    const installed = { ...other, enterprise_id: 'E1' }
    const foreign = [
      { ...EVENT, ...other },
      { ...EVENT, team_id: undefined },
      { ...EVENT, authorizations: [installed] },
    ]
    for (const event of foreign) expect(await slack.http.send(JSON.stringify(event))).toBe(200)
    const command = { ...other, command: '/ask', text: 'how many?', channel_id: 'C1', user_id: 'U1' }
    await slack.http.send(new URLSearchParams(command).toString(), undefined, FORM)
    const press = { type: 'block_actions', team: { id: 'T0OTHER' }, user: { id: 'U1', team_id: 'T0EMULATED1' }, actions: [] }
    await slack.http.send(new URLSearchParams({ payload: JSON.stringify(press) }).toString(), undefined, FORM)
    expect(heard).toEqual([])
    expect(lines.filter(line => line.includes('from another slack workspace'))).toHaveLength(foreign.length + 2)
    // In a channel that two workspaces share, an event from the other workspace may still be for Clew.
    const shared = { ...EVENT, ...other, event_id: 'Ev2', authorizations: [{ team_id: 'T0EMULATED1', enterprise_id: null }] }
    expect(await slack.http.send(JSON.stringify(shared))).toBe(200)
    expect(heard).toHaveLength(1)
  })

  it.each<Forgery>(['wrong secret', 'old timestamp', 'changed body', 'unknown version', 'no signature', 'no timestamp'])(
    'refuses a request with %s, and accepts nothing of it',
    async forgery => {
      await start()
      expect(await slack.http.send(JSON.stringify(EVENT), forgery)).toBe(401)
      expect(heard).toEqual([])
    },
  )

  it('accepts nothing without a valid signature', async () => {
    await start()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ ssl_check: '1', payload: JSON.stringify(EVENT) })
    expect((await fetch(address(SLACK_EVENTS_PATH), { method: 'POST', headers, body })).status).toBe(200)
    expect((await fetch(address(SLACK_EVENTS_PATH))).status).toBe(405)
    expect(heard).toEqual([])
  })

  it("returns Slack's challenge for verifying the address", async () => {
    await start()
    expect(await slack.http.verifyUrl()).toBe(true)
  })

  it('shares its port with health checks, and serves nothing before its start', async () => {
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(404)
    expect(surface.connected()).toBe(false)
    await start()
    expect((await fetch(address('/health'))).status).toBe(200)
    expect((await fetch(address('/slack/other'), { method: 'POST' })).status).toBe(404)
  })

  it('answers 500 to an event that cannot be accepted, so that Slack sends it again', async () => {
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

  it('fault 1: accepts an event again that was acknowledged too late', async () => {
    let isFirst = () => {}
    const first = new Promise<void>(resolve => {
      isFirst = resolve
    })
    await start(async event => {
      heard.push(event)
      isFirst()
      // The handler of the first event never returns.
      if (heard.length === 1) await new Promise(() => {})
    })
    const [delivery] = ask().deliveries
    await first
    slack.clock.advance(3_000)
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(delivery?.attempts.map(attempt => attempt.status)).toEqual([undefined, 200])
    expect(heard[1]).toEqual(heard[0])
  })

  it("accepts others' events while one person floods", async () => {
    const gate = createGate()
    const authors: string[] = []
    await start(async event => {
      if (event.kind !== 'message') return
      authors.push(event.message.author)
      if (event.message.author === 'UFLOODER') await gate.opened
    })
    const send = (user: string, index: number) =>
      slack.http.send(
        JSON.stringify({
          ...EVENT,
          event_id: `Ev${user}${index}`,
          event: { ...EVENT.event, user, ts: `1700000000.000${100 + index}` },
        }),
      )
    const flood = Array.from({ length: 30 }, (_, index) => send('UFLOODER', index))
    expect(await send('UOTHER', 100)).toBe(200)
    expect(authors.filter(author => author === 'UFLOODER').length).toBeLessThanOrEqual(SLACK_LIMITS.eventsOfOne)
    gate.open()
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
    expect(authors.filter(author => author === 'UFLOODER')).toHaveLength(30)
  })

  it('survives malformed signed payloads', async () => {
    await start()
    expect(await slack.http.send('no json')).toBe(400)
    const own = { team_id: slack.teamId }
    const payloads = [
      { ...own, event: { type: 'message', channel: 7 } },
      { ...own, type: 'event_callback', event: { type: 'message' } },
    ]
    for (const payload of payloads) expect(await slack.http.send(JSON.stringify(payload))).toBeGreaterThanOrEqual(200)
    expect(heard).toEqual([])
    const [delivery] = ask().deliveries
    await slack.waitFor(() => delivery?.state === 'acknowledged')
    expect(heard).toHaveLength(1)
  })

  it('survives any signed payload, and refuses one that is no object', async () => {
    await start()
    const sendForm = (form: string) => slack.http.send(form, undefined, FORM)
    for (const payload of ['null', '7', '"x"', '[]', '[null]', '']) {
      expect(await slack.http.send(payload)).toBe(400)
      expect(await sendForm(new URLSearchParams({ payload }).toString())).toBe(400)
    }
    for (const body of ['{"event":null}', '{"event":"x"}', '{"actions":null}', '{"ssl_check":"1"}']) await slack.http.send(body)
    for (const form of ['payload', 'command=%2Fask&team_id=T0EMULATED1', 'payload=%7B%22type%22%3A%22view_submission%22%7D'])
      await sendForm(form)
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: fc.constantFrom('event_callback', 'block_actions', 'view_submission'),
        event: fc.jsonValue(),
        ...{ view: fc.jsonValue(), actions: fc.jsonValue(), team_id: fc.constant('T0EMULATED1') },
      }),
    )
    await fc.assert(
      fc.asyncProperty(anything, async value => {
        const json = JSON.stringify(value)
        await slack.http.send(json)
        await sendForm(new URLSearchParams({ payload: json }).toString())
      }),
      { numRuns: runsOf(50) },
    )
    expect(heard).toEqual([])
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(200)
    expect(heard).toHaveLength(1)
  })

  it('counts a command once per use, however often it is delivered', async () => {
    await start()
    const command = (trigger: string) =>
      new URLSearchParams({
        team_id: slack.teamId,
        command: '/ask',
        text: 'how many users?',
        channel_id: slack.user('alice').directMessage('hello').channel,
        user_id: slack.user('alice').id,
        trigger_id: trigger,
      }).toString()
    const first = command('1.1.a')
    await slack.waitFor(() => heard.length === 1)
    heard.length = 0
    const sent = [first, first, first].map(body => slack.http.send(body, undefined, FORM))
    expect(await Promise.all(sent)).toEqual([200, 200, 200])
    expect(await slack.http.send(first, undefined, FORM)).toBe(200)
    expect(heard).toHaveLength(1)
    expect(await slack.http.send(command('2.2.b'), undefined, FORM)).toBe(200)
    expect(heard.filter(event => event.kind === 'message' && event.message.text === 'how many users?')).toHaveLength(2)
  })

  describe('before it knows the sender', () => {
    const sockets: Socket[] = []
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.destroy()
    })

    /** Sends the head of a request with this content length, but no body. */
    function begin(bytes: number, headers: readonly string[]) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      sockets.push(socket)
      const head = ['POST /slack/events HTTP/1.1', 'host: clew', 'content-type: application/json', `content-length: ${bytes}`]
      socket.write([...head, ...headers, '', ''].join('\r\n'))
      const status = text(socket).then(
        answer => Number(answer.split(' ')[1]),
        () => 0,
      )
      return { socket, status }
    }
    const looksSigned = () => [
      `x-slack-signature: v0=${'0'.repeat(64)}`,
      `x-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}`,
    ]

    it('reads no body without a signature, and closes the connection', async () => {
      await start()
      const unsigned = Array.from({ length: 200 }, () => begin(4_100_000, []).status)
      expect(new Set(await Promise.all(unsigned))).toEqual(new Set([401]))
    })

    it("reads no body larger than Slack's", async () => {
      await start()
      expect(await begin(SLACK_LIMITS.bodyBytes + 1, looksSigned()).status).toBe(413)
      const chunked = connect(server.port, '127.0.0.1')
      sockets.push(chunked)
      chunked.on('error', () => undefined)
      const head = ['POST /slack/events HTTP/1.1', 'host: clew', 'transfer-encoding: chunked', ...looksSigned(), '', '']
      chunked.write(head.join('\r\n'))
      const answered = text(chunked)
      const piece = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`
      for (let sent = 0; sent <= SLACK_LIMITS.bodyBytes && chunked.writable; sent += 100_000) chunked.write(piece)
      expect(await answered.catch(() => 'HTTP/1.1 413')).toContain('413')
    })

    it('keeps only the newest bodies, few and not for long, so that Slack gets through', async () => {
      await start()
      const slow = Array.from({ length: 200 }, () => begin(1_000, looksSigned()))
      const answers: number[] = []
      let isCrowdedOut = () => {}
      const crowdedOut = new Promise<void>(resolve => {
        isCrowdedOut = resolve
      })
      for (const { status } of slow) {
        void status.then(answer => {
          answers.push(answer)
          if (answers.length === slow.length - SLACK_LIMITS.bodies) isCrowdedOut()
        })
      }
      await crowdedOut
      expect(new Set(answers)).toEqual(new Set([503]))
      expect(await slack.http.send(JSON.stringify(EVENT))).toBe(200)
      const all = await Promise.all(slow.map(({ status }) => status))
      expect(all.filter(status => status === 408).length).toBeGreaterThanOrEqual(SLACK_LIMITS.bodies - 1)
    })

    it('limits their total size', async () => {
      await start()
      const most = Math.ceil(SLACK_LIMITS.bodiesBytes / 900_000)
      const large = Array.from({ length: most + 5 }, () => begin(1_000_000, looksSigned()))
      for (const { socket } of large) socket.write('x'.repeat(900_000))
      await Promise.all(large.map(({ socket }) => (socket.writableLength === 0 ? undefined : once(socket, 'drain'))))
      const all = await Promise.all(large.map(({ status }) => status))
      // The connection of a client that is still sending may be reset. The client then sees no status (0) instead of 503.
      expect(all.filter(status => status === 503 || status === 0).length).toBeGreaterThanOrEqual(5)
    })
  })

  it('finishes accepting an event on stop, acknowledges it, and takes no more', async () => {
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

  it('names the bot token if it does not work', async () => {
    slack.failToken('bot', 'token_revoked')
    const failure = await start().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(failure).toMatchObject({ message: expect.stringMatching(/SLACK_BOT_TOKEN.*token_revoked/) })
    expect(await slack.http.send(JSON.stringify(EVENT))).toBe(404)
  })

  it('logs no secret and no message', async () => {
    await start()
    await slack.http.send(JSON.stringify(EVENT), 'wrong secret')
    await slack.http.send(JSON.stringify(EVENT))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(slack.http.signingSecret)
    expect(lines.join('')).not.toMatch(/xoxb-|how many users/)
  })
})
