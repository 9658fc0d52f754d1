import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { createDiscordOutbox } from '../../src/bots/discord/outbox.ts'
import { createGate } from '../emulators/gate.ts'
import { startAnsweringBot } from '../support/answering-bot.ts'
import { createDiscordWorld } from '../support/discord-platform-world.ts'
import { until } from '../support/queue-harness.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'

const EDIT = 'PATCH /channels/{channel}/messages/{message}'
const PAUSE_S = 2

let redis: TestRedis

beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(() => redis.close())

it('fault 16: a global limit met by one process is obeyed by all, and every answer arrives after it', async () => {
  const world = await createDiscordWorld()
  const { discord } = world
  const api = { apiUrl: discord.apiUrl, token: discord.botToken, applicationId: discord.appId }
  const [first, others] = [createGate(), createGate()]
  const bot = await startAnsweringBot(world, {
    platform: 'discord',
    redis,
    workers: 3,
    outbox: () => createDiscordOutbox({ ...api, logger: pino({ level: 'silent' }) }),
    destination: { progressEditsPerMinute: 6000, requestsPerSecond: 25 },
    answer: async ({ message }) => {
      await (message.text === 'first' ? first : others).opened
      return { kind: 'answer', markdown: `answer to ${message.text}` }
    },
  })
  try {
    const questions = ['first', 'second', 'third', 'fourth', 'fifth'].map(text => world.say(text, { mentions: ['bot'] }))
    await world.waitFor(() => questions.every(({ place }) => world.seen(place).length === 1))
    discord.faults.rateLimit(EDIT, PAUSE_S, 'global')
    first.open()
    const connection = await redis.connect()
    await until('the limit is known to all', async () => (await connection.exists('clew:pace:{discord}:paused')) === 1)
    const refused = discord.calls(EDIT).find(({ status }) => status === 429)
    const before = discord.calls().length
    others.open()
    for (const { place } of questions) await bot.untilDone(place)
    const times = discord
      .calls()
      .slice(before)
      .map(({ at }) => at - (refused?.at ?? 0))
    expect(times.length).toBeGreaterThanOrEqual(questions.length)
    // The timers of Redis and of the emulator may differ by a few milliseconds.
    expect(Math.min(...times)).toBeGreaterThan(PAUSE_S * 1000 - 50)
    expect(questions.map(({ place }) => world.seen(place).map(({ text }) => text))).toEqual(
      ['first', 'second', 'third', 'fourth', 'fifth'].map(text => [`answer to ${text}`]),
    )
    expect(discord.calls().filter(({ status }) => status === 429)).toHaveLength(1)
  } finally {
    await bot.close()
    await world.close()
  }
})
