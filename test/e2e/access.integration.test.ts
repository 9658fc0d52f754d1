import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { SlackChannel } from '../emulators/slack/slack-model.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

const book = {
  'How many links are there?': {
    queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are links, {links} [Q1].',
  },
  'And how many devices?': {
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are devices [Q1].',
  },
}
const GROUP = 'S0614TZR7'
const HIDDEN = 'dz_links'

let world: ClewWorld
let discord: DiscordEmulator
let folder: string
let channel: SlackChannel
const processes: ClewProcess[] = []

beforeAll(async () => {
  ;[world, discord] = await Promise.all([startClewWorld(book), startDiscordEmulator({ rateLimits: 'relaxed' })])
  const { slack } = world
  slack.addUser({ name: 'carol' })
  channel = slack.addChannel({ name: 'figures', members: ['alice', 'bob', 'carol', 'clew'] })
  slack.workspace.userGroups.set(GROUP, [slack.user('alice').id])
  const engineers = discord.world.addRole(discord.guild, { name: 'engineers' })
  discord.world.giveRole(discord.guild, discord.user('alice').id, engineers.id)
  folder = await mkdtemp(join(tmpdir(), 'clew-access-'))
  const file = join(folder, 'access.yaml')
  await writeFile(
    file,
    `version: 1
roles:
  viewer: {tables: [network.*], except: [network.dz_link*]}
  engineer: {tables: [network.*], publish: true}
workspaces:
  - platform: slack
    workspace: ${slack.teamId}
    users: {${slack.user('bob').id}: viewer}
    groups: {${GROUP}: engineer}
    channels: {${slack.channel('data').id}: viewer}
  - platform: discord
    workspace: ${discord.guild.id}
    users: {${discord.user('bob').id}: viewer}
    groups: {${engineers.id}: engineer}
`,
  )
  const env = {
    ...world.env,
    CLEW_ACCESS_FILE: file,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
  processes.push(...(await Promise.all([startClew('bots', 'connected', env), startClew('worker', 'worker started', env)])))
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
  await discord?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the messages of Clew that one person sees in a channel. */
function shown(where: string, as: string): readonly ShownMessage[] {
  return world.slack.transcript(where, { as }).filter(message => message.isFromBot)
}

/** Waits until one person sees a message of Clew with this text. */
function seen(where: string, as: string, text: string): Promise<ShownMessage> {
  const find = () => shown(where, as).find(({ plain }) => plain.includes(text) && !plain.includes('Writing the answer'))
  return world.slack.waitFor(find, { timeoutMs: 60_000 })
}

const direct = (name: string) => world.slack.user(name).directChannel()
const everything = (name: string) => JSON.stringify([shown('data', name), shown(direct(name), name)])
const prompts = () => world.model.calls.map(promptOf).join('\n')

describe('two people with different roles in one thread', () => {
  it('the one with more rights is answered in private, and may share the answer; the other may not press its buttons', async () => {
    const { slack } = world
    const question = slack.user('alice').post('data', `${slack.botMention} How many links are there?`)
    const answer = await seen(direct('alice'), 'alice', 'There are links')
    expect(everything('bob')).not.toContain('links')

    slack.user('alice').press(answer, { label: 'Post to channel' })
    const posted = await seen('data', 'bob', 'There are links')
    expect(posted.threadTs).toBe(question.ts)
    const refusals = () => shown('data', 'bob').filter(({ plain }) => plain.includes('you may not read')).length
    for (const [at, label] of ['Show SQL', 'Show sources'].entries()) {
      slack.user('bob').press(posted, { label })
      await slack.waitFor(() => refusals() === at + 1)
    }
    expect(everything('bob')).not.toContain(HIDDEN)
    expect(everything('bob')).not.toContain('row 1')
    slack.user('alice').press(posted, { label: 'Show sources' })
    await seen('data', 'alice', ': Q1, row 1, links')
    slack.user('alice').press(posted, { label: 'Show SQL' })
    await seen('data', 'alice', HIDDEN)
  })

  it('the one answered in private continues there, in the same conversation', async () => {
    const { slack } = world
    const before = world.model.calls.length
    const answer = await seen(direct('alice'), 'alice', 'There are links')
    slack.user('alice').directMessage('And how many devices?', { thread: { channel: answer.channel, ts: answer.threadTs ?? '' } })
    const next = await seen(direct('alice'), 'alice', 'There are devices')
    expect(next.threadTs).toBe(answer.threadTs)
    expect(fenced(world.model.calls.slice(before).map(promptOf).join('\n'), 'conversation')).toContain('There are links')
    expect(everything('bob')).not.toContain('devices')
  })

  it('the other continues without that material, and is answered in public', async () => {
    const { slack } = world
    const [root] = slack.transcript('data')
    const before = world.model.calls.length
    slack.user('bob').post('data', `${slack.botMention} And how many devices?`, { thread: root?.ts ?? '' })
    const answer = await seen('data', 'alice', 'There are devices')
    expect(answer.threadTs).toBe(root?.ts)
    const own = world.model.calls.slice(before).map(promptOf).join('\n')
    expect(own).toContain('dz_devices')
    expect(own).not.toContain(HIDDEN)
    expect(own).not.toContain('How many links')
  })

  it('the other gets no row outside their rights, whatever the model writes', async () => {
    const { slack } = world
    slack.user('bob').post('data', `${slack.botMention} How many links are there?`)
    const answer = await seen('data', 'bob', 'I could not answer this')
    expect(answer.plain).not.toMatch(/did you mean/i)
    expect(answer.plain).toContain('is not available')
  })
})

describe('somebody without a role', () => {
  it('is told so, without a model call', async () => {
    const { slack } = world
    const before = prompts()
    slack.user('carol').post(channel.id, `${slack.botMention} How many links are there?`)
    await seen(channel.id, 'carol', 'not among the people who may ask me')
    expect(prompts()).toBe(before)
  })

  it('counts as a reader: others are answered in private in their presence', async () => {
    const { slack } = world
    slack.user('bob').post(channel.id, `${slack.botMention} And how many devices?`)
    await seen(direct('bob'), 'bob', 'There are devices')
    expect(JSON.stringify(shown(channel.id, 'carol'))).not.toContain('devices')
  })
})

describe('on Discord', () => {
  it("a member with a role is answered in private, and may share the answer in the question's thread", async () => {
    const alice = discord.user('alice')
    const question = alice.post('general', `${discord.botMention} How many links are there?`)
    const find = (where: string, as: string) =>
      discord.transcript(where, { as }).find(message => message.isFromBot && message.plain.includes('There are links'))
    const answer = await discord.waitFor(() => find(alice.directChannel().id, 'alice'), { timeoutMs: 60_000 })
    expect(JSON.stringify(discord.transcript('general', { as: 'bob' }))).not.toContain('There are links')
    alice.press(answer, { label: 'Post to channel' })
    await discord.waitFor(() => discord.user('bob').sees(question.id) && find(question.id, 'bob'), { timeoutMs: 60_000 })
  })
})
