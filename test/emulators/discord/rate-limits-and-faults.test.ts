import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { REST, Routes } from 'discord.js'
import { EmulatorClock } from '../slack/emulator-clock.ts'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import { RateLimits } from './rate-limits.ts'
import { type RestAnswer, RestClient } from './rest-client.ts'

const CREATE = 'POST /channels/{channel}/messages'

describe('rate limits and faults', () => {
  let discord: DiscordEmulator
  let rest: RestClient
  let general: string

  beforeEach(async () => {
    discord = await startDiscordEmulator({ clock: 'stopped' })
    rest = new RestClient(discord)
    general = discord.channel('general').id
  })
  afterEach(() => discord.close())

  const post = (channel = general): Promise<RestAnswer> =>
    rest.request('POST', `/channels/${channel}/messages`, { body: { content: 'x' } })
  const headers = (answer: RestAnswer) =>
    Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('x-ratelimit') || name === 'retry-after'))

  describe('rate limits', () => {
    const { requests, windowMs } = DISCORD_LIMITS.buckets.messageCreate

    it('allow five messages in 5 s per channel, and report it', async () => {
      const first = await post()
      expect(headers(first)).toEqual({
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '4',
        'x-ratelimit-reset': String((discord.clock.now() + windowMs) / 1_000),
        'x-ratelimit-reset-after': '5',
        'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]+$/),
      })
      for (let sent = 1; sent < requests; sent += 1) expect(await post()).toMatchObject({ status: 200 })
      discord.clock.advance(windowMs - 500)
      const refused = await post()
      expect(refused).toMatchObject({
        status: 429,
        body: { message: 'You are being rate limited.', retry_after: 0.5, global: false },
      })
      expect(headers(refused)).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-scope': 'user' })
      expect(await post(discord.channel('secret').id)).toMatchObject({ status: 200 })
      discord.clock.advance(500)
      expect(await post()).toMatchObject({ status: 200 })
      expect(discord.transcript('general')).toHaveLength(requests + 1)
    })

    it('allow fifty requests a second in total, except those with a token in the path', async () => {
      const { requests: all } = DISCORD_LIMITS.globalRate
      const interaction = '/interactions/1/none/callback'
      for (let sent = 0; sent < all; sent += 1) await rest.request('GET', '/users/@me')
      const refused = await rest.request('GET', '/users/@me')
      expect(refused).toMatchObject({ status: 429, body: { retry_after: 1, global: true } })
      expect(headers(refused)).toEqual({ 'retry-after': '1', 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' })
      expect(await rest.request('POST', interaction, { body: { type: 5 } })).toMatchObject({ status: 404 })
      discord.clock.advance(1_000)
      expect(await rest.request('GET', '/users/@me')).toMatchObject({ status: 200 })
    })

    it('block a client after 10,000 forbidden requests in 10 minutes', () => {
      const clock = new EmulatorClock('stopped')
      const limits = new RateLimits(clock)
      const rate = DISCORD_LIMITS.invalidRequests
      for (let count = 1; count < rate.requests; count += 1) limits.take('invalid', rate)
      expect(limits.isExhausted('invalid', rate)).toBe(false)
      limits.take('invalid', rate)
      expect(limits.isExhausted('invalid', rate)).toBe(true)
      clock.advance(rate.windowMs)
      expect(limits.isExhausted('invalid', rate)).toBe(false)
    })

    it('can be relaxed', async () => {
      discord.enforceRateLimits(false)
      for (let sent = 0; sent <= requests; sent += 1) expect(await post()).toMatchObject({ status: 200 })
    })

    it('are obeyed by discord.js, which waits as told', async () => {
      const client = new REST({ api: discord.apiUrl }).setToken(discord.botToken)
      discord.faults.rateLimit(CREATE, 0.05)
      await client.post(Routes.channelMessages(general), { body: { content: 'x' } })
      expect(discord.calls(CREATE).map(call => call.status)).toEqual([429, 200])
    })
  })

  describe('an injected fault', () => {
    it('429 has the given time and scope, and affects one request', async () => {
      discord.faults.rateLimit(CREATE, 30)
      discord.faults.rateLimit(CREATE, 1.5, 'global')
      discord.faults.rateLimit(CREATE, 2, 'shared')
      expect(await post()).toMatchObject({ status: 429, body: { retry_after: 30, global: false } })
      const global = await post()
      expect(global).toMatchObject({ status: 429, body: { retry_after: 1.5, global: true } })
      expect(headers(global)).toMatchObject({ 'retry-after': '2', 'x-ratelimit-global': 'true' })
      expect(headers(await post())).toMatchObject({ 'x-ratelimit-scope': 'shared' })
      expect(await post()).toMatchObject({ status: 200 })
      expect(discord.calls(CREATE).map(call => call.status)).toEqual([429, 429, 429, 200])
    })

    it('5xx stores nothing', async () => {
      discord.faults.httpError(CREATE, 502)
      expect(await post()).toMatchObject({ status: 502, body: undefined })
      expect(discord.transcript('general')).toEqual([])
    })

    it('a lost answer stores the message and breaks the connection', async () => {
      discord.faults.loseAnswer(CREATE)
      await expect(post()).rejects.toThrow()
      expect(discord.transcript('general')).toMatchObject([{ plain: 'x' }])
      expect(discord.calls(CREATE)).toMatchObject([{ status: 0 }])
    })

    it('a held request waits for its release, a delayed one for the clock', async () => {
      const release = discord.faults.hold(CREATE)
      const held = post()
      await discord.waitFor(() => discord.calls(CREATE).length === 1)
      expect(discord.transcript('general')).toEqual([])
      release()
      await held
      discord.faults.delay(CREATE, 60_000)
      const delayed = post()
      await discord.waitFor(() => discord.calls(CREATE).length === 2)
      expect(discord.transcript('general')).toHaveLength(1)
      discord.clock.advance(60_000)
      expect(await delayed).toMatchObject({ status: 200 })
    })

    it('refuses rich content once, and accepts plain text', async () => {
      discord.faults.refuseRich(CREATE)
      expect(await post()).toMatchObject({ status: 200 })
      const rich = () => rest.request('POST', `/channels/${general}/messages`, { body: { embeds: [{ title: 'x' }] } })
      expect(await rich()).toMatchObject({ status: 400, body: { code: 50035 } })
      expect(await rich()).toMatchObject({ status: 200 })
    })

    it('refuses with any error', async () => {
      discord.faults.refuse(CREATE, { status: 403, code: 50013, message: 'Missing Permissions' })
      expect(await post()).toMatchObject({ status: 403, body: { code: 50013 } })
    })

    it('also affects a route of an interaction', async () => {
      discord.commands.overwrite(undefined, [{ name: 'ask', description: 'Asks' }])
      discord.faults.httpError('POST /interactions/{interaction}/{token}/callback', 500)
      const used = discord.user('alice').command('general', 'ask')
      const path = `/interactions/${used.id}/${used.token}/callback`
      expect(await rest.request('POST', path, { body: { type: 5 } })).toMatchObject({ status: 500 })
      expect(await rest.request('POST', path, { body: { type: 5 } })).toMatchObject({ status: 204 })
    })
  })

  it('a failed wait shows the transcript', async () => {
    discord.user('alice').post('general', 'hello')
    await post()
    await expect(discord.waitFor(() => false, { timeoutMs: 1 })).rejects.toThrow(
      /#general .*\n.*alice: hello\n.*clew: x\nRequests: POST .* 200/,
    )
  })
})
