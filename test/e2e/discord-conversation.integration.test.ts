import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { ShownMessage } from '../emulators/discord/transcript.ts'
import { status } from '../emulators/model/model-scripts.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import type { ScriptedQuestion } from '../support/scripted-analyst.ts'

const book = {
  'How many devices are there?': {
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are devices [Q1].',
  },
  'How many devices are there per status?': {
    queries: {
      'Count the devices per status.': [
        "SELECT arrayElement(['a', 'b', 'c'], toUInt8(number + 1)) AS status, (number + 1) * 10 AS devices FROM numbers(3)",
      ],
    },
    answer: 'There are some of each [Q1].',
    chart: { kind: 'bar', label: 'status', values: ['devices'], series: null },
  },
  'Wer kennt die Farbe?': { language: 'de', queries: { 'Die Farbe finden.': ['SELECT colour FROM dz_links'] } },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
} satisfies Readonly<Record<string, ScriptedQuestion>>

let world: ClewWorld
let discord: DiscordEmulator
const processes: ClewProcess[] = []

beforeAll(async () => {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  world = await startClewWorld(book)
  const env = {
    ...world.env,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
  const register = () =>
    promisify(execFile)(process.execPath, ['bin/clew.mjs', 'discord-commands'], { env: { PATH: '', ...env } })
  expect((await register()).stdout).toBe('Registered: added /ask, /lineage, /subscriptions, /usage, /console.\n')
  expect((await register()).stdout).toBe('Nothing to do: the commands are registered.\n')
  processes.push(...(await Promise.all([startClew('bots', 'connected', env), startClew('worker', 'worker started', env)])))
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
  await discord?.close()
})

/** Waits until a message of Clew contains this text. Returns all messages of Clew in the channel or thread. */
function answered(channel: () => string, text: string, as = 'alice'): Promise<readonly ShownMessage[]> {
  return discord.waitFor(
    () => {
      const shown = discord.transcript(channel(), { as }).filter(message => message.isFromBot)
      return shown.some(({ plain }) => plain.includes(text) && !plain.includes('Writing the answer')) && shown
    },
    { timeoutMs: 60_000 },
  )
}

describe('a question in Discord', () => {
  it('is answered in its own thread, in the message with its progress, and so is a follow-up', async () => {
    const alice = discord.user('alice')
    const question = alice.post('general', `${discord.botMention} How many devices are there?`)
    const [first, ...others] = await answered(() => question.id, 'There are devices')
    expect(others).toEqual([])
    expect(first?.history.length).toBeGreaterThanOrEqual(2)
    expect(first?.isRich).toBe(true)
    expect(discord.channel(question.id).name).toBe('How many devices are there?')
    alice.post(question.id, 'Thanks!')
    expect(await answered(() => question.id, 'You are welcome')).toHaveLength(2)
  })

  it('in German has German text, buttons and results', async () => {
    const dora = discord.addUser({ name: 'dora', locale: 'de' })
    const question = dora.post('general', `${discord.botMention} Wer kennt die Farbe?`)
    const failed = (await answered(() => question.id, 'Das konnte ich nicht beantworten', 'dora')).at(-1)
    if (failed === undefined) throw new Error('no answer')
    expect(failed.plain).toContain('Was hilft')
    dora.press(failed, { label: 'Hilfreich' })
    await answered(() => question.id, 'Danke, schön, dass es geholfen hat.', 'dora')
    world.intercept(() => status(400))
    dora.post(question.id, 'Und wer noch?')
    const broken = await answered(() => question.id, 'Das Sprachmodell', 'dora')
    world.intercept(undefined)
    expect(JSON.stringify(broken.at(-1))).toContain('Noch einmal')
  })

  it('is answered with a chart, as a picture within the answer', async () => {
    const question = discord.user('alice').post('general', `${discord.botMention} How many devices are there per status?`)
    const [answer] = await answered(() => question.id, 'some of each')
    expect(answer?.files.map(({ name, content }) => [name, content.subarray(1, 4).toString()])).toEqual([['chart.png', 'PNG']])
    expect(answer?.embeds).toMatchObject([{ image: { url: expect.stringMatching(/chart\.png$/) } }])
  })

  it('is answered in a direct conversation, and by /ask in public or in private', async () => {
    const alice = discord.user('alice')
    alice.directMessage('Thanks!')
    await answered(() => alice.directChannel().id, 'You are welcome')

    alice.command('general', 'ask', { question: 'Thanks!' })
    const [echo] = await answered(() => discord.channel('general').id, '❓ Thanks!', 'bob')
    await answered(() => echo?.id ?? '', 'You are welcome', 'bob')

    alice.command('general', 'ask', { question: 'Thanks!', private: true })
    const seen = await answered(() => discord.channel('general').id, 'You are welcome')
    expect(seen.at(-1)).toMatchObject({ isEphemeral: true, isLoading: false })
    expect(discord.transcript('general', { as: 'bob' }).map(message => message.id)).not.toContain(seen.at(-1)?.id)
  })
})
