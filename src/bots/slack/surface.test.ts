import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createGate } from '../../../test/emulators/gate.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { memoryOnce } from '../../../test/support/memory-once.ts'
import { tells } from '../../../test/support/tells.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { createLogger } from '../../base/logger.ts'
import type { ChatMessage } from '../../chat/event.ts'
import type { ChatSurface } from '../../chat/platform.ts'
import { SLACK_LIMITS } from './limits.ts'
import { createSlackSurface, type SlackSurfaceOptions } from './surface.ts'

let slack: SlackEmulator
let lines: string[]
let surfaces: ChatSurface[]
const signal = new AbortController().signal

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  lines = []
  surfaces = []
})

afterEach(async () => {
  await Promise.all(surfaces.map(surface => surface.stop()))
  await slack.close()
})

type SocketOptions = Partial<SlackSurfaceOptions> & { readonly appToken?: string }

function surfaceWith({ appToken = slack.appToken, ...options }: SocketOptions = {}): ChatSurface {
  const logger = createLogger({ level: 'trace', destination: { write: line => void lines.push(line) } })
  const { apiUrl, botToken } = slack
  const receive = { over: 'socket', appToken } as const
  const surface = createSlackSurface({
    apiUrl,
    botToken,
    receive,
    once: memoryOnce(),
    tells,
    logger,
    backoffMs: attempt => attempt * 20,
    ...options,
  })
  surfaces.push(surface)
  return surface
}

async function listen(options: SocketOptions = {}): Promise<{ surface: ChatSurface; heard: ChatMessage[] }> {
  const heard: ChatMessage[] = []
  const surface = surfaceWith(options)
  await surface.start(async event => {
    if (event.kind === 'message') heard.push(event.message)
  }, signal)
  return { surface, heard }
}

const ask = (text: string) => slack.user('alice').post('general', `${slack.botMention} ${text}`)
const isTaken = (message: ReturnType<typeof ask>) => message.deliveries.every(delivery => delivery.state === 'acknowledged')

describe('starting', () => {
  it.each([
    ['a wrong bot token', { botToken: 'xoxb-wrong' }, /SLACK_BOT_TOKEN.*invalid_auth.*xoxb-/],
    ['a wrong app token', { appToken: 'xapp-wrong' }, /SLACK_APP_TOKEN.*invalid_auth.*xapp-/],
    ['no bot token', { botToken: '' }, /SLACK_BOT_TOKEN.*empty.*xoxb-/],
    ['no app token', { appToken: '' }, /SLACK_APP_TOKEN.*empty.*xapp-/],
    [
      'tokens that were swapped',
      { botToken: 'xapp-1-A0EMULATED1-emulated-app-token' },
      /SLACK_BOT_TOKEN.*not_allowed_token_type.*xoxb-/,
    ],
    ['a bot token in both places', { appToken: 'xoxb-emulated-bot-token' }, /SLACK_APP_TOKEN.*not_allowed_token_type.*xapp-/],
  ])('names the variable and the expected value for %s', async (_, options, message) => {
    const surface = surfaceWith(options)
    const failure = await surface.start(async () => {}, signal).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConfigurationError)
    expect(failure).toMatchObject({ message: expect.stringMatching(message) })
    expect(surface.connected()).toBe(false)
  })

  it('waits for a Slack that is away, busy or silent', async () => {
    slack.faults.httpError('auth.test', 503)
    slack.faults.loseAnswer('auth.test')
    slack.faults.httpError('apps.connections.open', 500)
    slack.faults.refuse('apps.connections.open', 'internal_error')
    slack.faults.loseAnswer('apps.connections.open')
    const { surface, heard } = await listen()
    expect(surface.connected()).toBe(true)
    const asked = ask('there?')
    await slack.waitFor(() => isTaken(asked))
    expect(heard).toHaveLength(2)
  })

  it('ends on request while it waits', async () => {
    const stopping = new AbortController()
    for (let index = 0; index < 50; index += 1) slack.faults.httpError('auth.test', 503)
    const started = surfaceWith({ backoffMs: () => 50 }).start(async () => {}, stopping.signal)
    stopping.abort()
    await expect(started).rejects.toThrow()
  })

  it('ends on request while it connects', async () => {
    for (let index = 0; index < 50; index += 1) slack.faults.httpError('apps.connections.open', 503)
    const later = new AbortController()
    const connecting = surfaceWith({ backoffMs: () => 50 }).start(async () => {}, later.signal)
    await slack.waitFor(() => slack.calls('apps.connections.open').length > 0)
    later.abort()
    await expect(connecting).rejects.toThrow()
  })
})

describe('a connection', () => {
  it.each(['warning', 'refresh_requested', 'too_many_websockets', 'drop'] as const)(
    'fault 6: reconnects after %s without a lost message',
    async kind => {
      const { surface, heard } = await listen()
      if (kind === 'drop') slack.socket.drop()
      else slack.socket.disconnect(kind)
      const asked = ask('lost?')
      await slack.waitFor(() => slack.socket.openedConnections() === 2 && slack.socket.connections().length === 1)
      // A missing acknowledgement shows that the connection is dead. If no connection can be opened, the third attempt comes after a minute.
      slack.clock.advance(kind === 'drop' ? 4_000 : 61_000)
      await slack.waitFor(() => isTaken(asked))
      expect(new Set(heard.map(message => message.messageId))).toEqual(new Set([asked.ts]))
      expect(surface.connected()).toBe(true)
      expect(slack.socket.openedConnections()).toBe(2)
    },
  )

  it('fault 6: waits longer each time Slack closes the connection at once', async () => {
    const waits: number[] = []
    await listen({
      backoffMs: attempt => {
        waits.push(attempt)
        return attempt * 5
      },
    })
    for (let count = 2; count <= 5; count += 1) {
      slack.socket.disconnect('too_many_websockets')
      await slack.waitFor(() => slack.socket.openedConnections() === count && slack.socket.connections().length === 1)
    }
    expect(waits).toEqual([0, 1, 2, 3, 4])
  })

  it('fault 7: survives a revoked token and a disabled Socket Mode without a storm of requests, and reconnects', async () => {
    const { surface, heard } = await listen({ backoffMs: attempt => attempt * 50 })
    slack.failToken('app', 'token_revoked')
    slack.socket.drop()
    await slack.waitFor(() => slack.calls('apps.connections.open').filter(call => call.outcome === 'token_revoked').length === 3)
    expect(surface.connected()).toBe(false)
    expect(lines.filter(line => line.includes('token_revoked') && line.includes('"level":50')).length).toBeGreaterThan(0)
    slack.failToken('app', undefined)
    await slack.waitFor(() => slack.socket.connections().length === 1)
    const asked = ask('back?')
    await slack.waitFor(() => isTaken(asked))
    expect(heard).toHaveLength(2)
  })

  it('survives malformed payloads', async () => {
    const { heard } = await listen()
    for (const payload of [
      {},
      { event: null },
      { event: { type: 'message', channel: 7 } },
      { type: 'event_callback', event: { type: 'message' } },
    ])
      slack.socket.deliver('events_api', payload)
    slack.socket.deliver('interactive', {})
    slack.socket.deliver('slash_commands', { command: '/nothing' })
    const asked = ask('alive?')
    await slack.waitFor(() => isTaken(asked))
    expect(heard).toHaveLength(2)
    expect(slack.socket.openedConnections()).toBe(1)
  })

  it('acknowledges a burst well within the time limit', async () => {
    const { heard } = await listen()
    const asked = Array.from({ length: 100 }, (_, index) => ask(`question ${index}`))
    await slack.waitFor(() => asked.every(isTaken))
    expect(heard).toHaveLength(200)
    const waits = asked.flatMap(message =>
      message.deliveries.flatMap(delivery => delivery.attempts.map(attempt => attempt.ackMs ?? Infinity)),
    )
    expect(Math.max(...waits)).toBeLessThan(3_000)
  })

  it("accepts others' events while one person floods", async () => {
    const gate = createGate()
    const authors: string[] = []
    const { id: flooder } = slack.user('alice')
    await surfaceWith().start(async event => {
      if (event.kind !== 'message') return
      authors.push(event.message.author)
      if (event.message.author === flooder) await gate.opened
    }, signal)
    const flood = Array.from({ length: 30 }, (_, index) => ask(`question ${index}`))
    const other = slack.user('bob').post('general', `${slack.botMention} how many?`)
    await slack.waitFor(() => isTaken(other))
    expect(authors.filter(author => author === flooder)).toHaveLength(SLACK_LIMITS.eventsOfOne)
    gate.open()
    await slack.waitFor(() => flood.every(isTaken))
  })

  it('finishes accepting an event on stop, and acknowledges it', async () => {
    const surface = surfaceWith()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let heard = () => {}
    const isHeard = new Promise<void>(resolve => {
      heard = resolve
    })
    await surface.start(() => {
      heard()
      return held
    }, signal)
    const asked = ask('last?')
    await isHeard
    const stopped = surface.stop()
    release()
    await stopped
    await slack.waitFor(() => asked.deliveries.some(delivery => delivery.state === 'acknowledged'))
    expect(surface.connected()).toBe(false)
    await slack.waitFor(() => slack.socket.connections().length === 0)
  })

  it('logs no token and no connection address', async () => {
    slack.faults.refuse('apps.connections.open', 'internal_error')
    await listen()
    slack.socket.drop()
    await slack.waitFor(() => slack.socket.openedConnections() === 2)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toMatch(/xoxb-|xapp-|ticket=[^[]/)
  })
})
