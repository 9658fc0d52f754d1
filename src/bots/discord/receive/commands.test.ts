import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../../../../test/emulators/discord/discord-emulator.ts'
import { type CheckResult, runCheck } from '../../../base/check.ts'
import { checkDiscord, NEEDED_PERMISSIONS } from '../check-discord.ts'
import { type CallDiscord, createDiscordCalls } from '../rest.ts'
import { compareDiscordCommands, DISCORD_COMMANDS, isDifferent, registerDiscordCommands } from './commands.ts'

const PUT = 'PUT /applications/{application}/commands'

let discord: DiscordEmulator
let call: CallDiscord
const signal = new AbortController().signal

beforeEach(async () => {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken })
})
afterEach(() => discord.close())

const register = (commands: readonly unknown[] = DISCORD_COMMANDS) =>
  call(signal, rest => rest.put(`/applications/${discord.appId}/commands`, { body: commands }))

it('registers the commands in one request, and sends nothing if they are up to date', async () => {
  expect(await registerDiscordCommands(call, discord.appId, signal)).toEqual({
    missing: ['ask', 'lineage', 'subscriptions', 'usage', 'console'],
    changed: [],
    foreign: [],
  })
  expect(isDifferent(await registerDiscordCommands(call, discord.appId, signal))).toBe(false)
  expect(discord.calls(PUT)).toHaveLength(1)
  expect(discord.commands.list(undefined).map(command => command.name)).toEqual([
    'ask',
    'lineage',
    'subscriptions',
    'usage',
    'console',
  ])
})

it('reports differences, and corrects them', async () => {
  const [ask, lineage, subscriptions, usage, toConsole] = DISCORD_COMMANDS
  await register([
    { ...ask, description: 'Another' },
    { name: 'old', description: 'Old' },
  ])
  expect(await compareDiscordCommands(call, discord.appId, signal)).toEqual({
    missing: ['lineage', 'subscriptions', 'usage', 'console'],
    changed: ['ask'],
    foreign: ['old'],
  })
  await register([
    ask,
    { ...lineage, options: lineage?.options?.toReversed().sort(one => (one.required ? -1 : 1)) },
    subscriptions,
    usage,
    toConsole,
  ])
  expect(await registerDiscordCommands(call, discord.appId, signal)).toEqual({ missing: [], changed: ['lineage'], foreign: [] })
  expect(isDifferent(await compareDiscordCommands(call, discord.appId, signal))).toBe(false)
})

it('refuses another application', async () => {
  await expect(registerDiscordCommands(call, '1', signal)).rejects.toMatchObject({ kind: 'forbidden' })
})

async function check(
  options: { readonly token?: string; readonly applicationId?: string } = {},
): Promise<readonly CheckResult[]> {
  const own = { apiUrl: discord.apiUrl, token: discord.botToken, applicationId: discord.appId, ...options }
  return runCheck(
    { part: 'discord', timeoutMs: 5_000, advice: 'Correct DISCORD_API_URL.' },
    (report, ended) => checkDiscord(own, report, ended),
    signal,
  )
}
const states = (results: readonly CheckResult[]) => results.map(({ check: name, state }) => `${name}: ${state}`)

it('reports a correct setup, without opening a connection', async () => {
  await register()
  expect(states(await check())).toEqual([
    'bot token: ok',
    'application id: ok',
    'intents: ok',
    'interactions: ok',
    'commands: ok',
  ])
  expect(discord.calls().map(made => made.route)).not.toContain('GET /gateway/bot')
})

it('reports unregistered commands and a missing intent', async () => {
  await discord.close()
  discord = await startDiscordEmulator({ rateLimits: 'relaxed', privilegedIntents: [] })
  const results = await check()
  expect(states(results)).toEqual([
    'bot token: ok',
    'application id: ok',
    'intents: warning',
    'interactions: ok',
    'commands: warning',
  ])
  expect(results.map(result => result.advice).join(' ')).toMatch(/Message Content Intent.*clew discord-commands/)
})

it("distinguishes a wrong token, another application's token and an outage", async () => {
  expect(await check({ token: 'a.b.c' })).toMatchObject([{ state: 'failed', advice: expect.stringContaining('DISCORD_TOKEN') }])
  expect((await check({ applicationId: '12345678901234567' }))[1]).toMatchObject({
    state: 'failed',
    advice: expect.stringContaining(`DISCORD_APPLICATION_ID to ${discord.appId}`),
  })
  discord.faults.httpError('GET /applications/@me')
  expect(await check()).toMatchObject([{ state: 'failed', advice: expect.stringContaining('Try again') }])
})

it('reports a bot without servers', async () => {
  discord.world.guilds.clear()
  const found = (await check()).find(result => result.check === 'servers')
  expect(found).toMatchObject({ state: 'warning', advice: expect.stringContaining(`permissions=${NEEDED_PERMISSIONS}`) })
})

it('invites with the permissions in the guide', () => {
  expect(readFileSync('docs/discord.md', 'utf8')).toContain(`scope=bot+applications.commands&permissions=${NEEDED_PERMISSIONS}\n`)
})
