import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createAnalyst } from '../../src/main/create-analyst.ts'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createToken, HttpClient, startServe } from '../support/http-client.ts'
import { runClew } from '../support/run-clew.ts'

// The same turns on every surface. Each surface runs as it is shipped, against the same engine and the same scripted model.
const BOTH = 'Explain how many devices and links there are.'
const UNCLEAR = 'How many are there?'
const METROS = 'Metros'
const BROKEN = 'How heavy is the network?'
const TABLES = 'What tables are there?'
const count = (table: string) => `SELECT count() AS ${table} FROM dz_${table}`
const book = {
  [BOTH]: {
    queries: { 'Count the devices.': [count('devices')], 'Count the links.': [count('links')] },
    answer: 'There are **42 devices** [Q1] and 64 links [Q2].',
  },
  [UNCLEAR]: { clarification: { question: 'How many of what?', choices: ['Devices', METROS] } },
  [METROS]: {
    standalone: 'How many metros are there?',
    queries: { 'Count the metros.': [count('metros')] },
    answer: 'There are {count()} rows of metros [Q1].',
  },
  [BROKEN]: { queries: { 'The weight.': ['SELECT weight FROM dz_devices'] } },
  [TABLES]: { intent: 'catalog' },
}

/** The members on which all surfaces that give a whole result must agree. */
interface Told {
  readonly answer: string
  readonly intent: string
  readonly confidence: string | null
  readonly queries: readonly {
    readonly id: string
    readonly sql: string | null
    readonly rows: readonly unknown[]
    readonly error: string | null
  }[]
  readonly citations: unknown
  readonly figures: unknown
}

let world: ClewWorld
let discord: DiscordEmulator
let server: ClewProcess
let http: HttpClient
let agent: Client
let library: Awaited<ReturnType<typeof createAnalyst>>

beforeAll(async () => {
  ;[world, discord] = await Promise.all([startClewWorld(book), startDiscordEmulator({ rateLimits: 'relaxed' })])
  const env = { DISCORD_TOKEN: discord.botToken, DISCORD_APPLICATION_ID: discord.appId, DISCORD_API_URL: discord.apiUrl }
  const [started, made] = await Promise.all([startServe(world.env), createToken(world.env), world.startBots(env)])
  await world.startWorker(env)
  await discord.waitFor(() => discord.gateway.connected() === 1)
  ;({ process: server } = started)
  http = new HttpClient(started.url, made.bearer)
  agent = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${made.bearer}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL('/mcp', started.url), { requestInit }))
  library = await createAnalyst({ settings: world.env })
})
afterAll(async () => {
  await agent?.close()
  await library?.close()
  await server?.stop()
  await Promise.all([world?.close(), discord?.close()])
})

/** The surfaces that give a whole result. Each takes one message of a thread. */
const WHOLE: Readonly<Record<string, (thread: string, text: string) => Promise<Told>>> = {
  async 'clew ask --json'(thread, text) {
    const { output } = await runClew(['ask', '--json', '--thread', thread, text], world.env)
    return JSON.parse(output)
  },
  async 'clew serve'(thread, text) {
    const { result } = await http.ended(await http.ask(text, { thread }))
    return result as Told
  },
  async MCP(thread, text) {
    const { structuredContent } = await agent.callTool({ name: 'ask', arguments: { question: text, thread: `mcp-${thread}` } })
    return structuredContent as unknown as Told
  },
  'the library': (thread, text) => library.ask(text, { thread }),
}

/** The surfaces that show text to people. Each returns a reply with these words, once there is one. */
const SHOWN: Readonly<Record<string, (text: string, told: string) => Promise<unknown>>> = {
  Slack(text, told) {
    const message = world.slack.user('alice').post('data', `${world.slack.botMention} ${text}`)
    return world.slack.waitFor(() => world.replies(message).find(({ plain }) => words(plain).includes(told)))
  },
  Discord(text, told) {
    const { id } = discord.user('alice').post('general', `${discord.botMention} ${text}`)
    const hasThread = () => discord.transcript('general').some(message => message.id === id && message.threadId !== undefined)
    const replies = () => (hasThread() ? discord.transcript(id).filter(({ isFromBot }) => isFromBot) : [])
    return discord.waitFor(() => replies().find(({ plain }) => words(plain).includes(told)))
  },
}

function comparable({ answer, intent, confidence, queries, citations, figures }: Told): Told {
  const asked = queries.map(({ id, sql, rows, error }) => ({ id, sql, rows, error }))
  return { answer, intent, confidence, queries: asked, citations, figures }
}

/** The words and figures of a text, without the marks in which surfaces differ. */
function words(text: string): string {
  return text
    .replace(/^\d+\. /gm, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

describe.each([
  ['over data', [BOTH]],
  ['that is asked back, and its answer', [UNCLEAR, METROS]],
  ['that fails', [BROKEN]],
  ['about the catalog', [TABLES]],
])('a turn %s', (name, messages) => {
  it('has the same result on every surface', async () => {
    const told: (readonly Told[])[] = []
    for (const ask of Object.values(WHOLE)) {
      const thread = `t-${name.replace(/\W/g, '')}`
      const results: Told[] = []
      for (const message of messages) results.push(comparable(await ask(thread, message)))
      told.push(results)
    }
    const [first, ...others] = told
    for (const other of others) expect(other).toEqual(first)
    // A question back has its choices as buttons in a chat, so only its first line is text.
    const [line = ''] = (first?.[0]?.answer ?? '').split('\n')
    expect(words(line)).not.toBe('')
    for (const ask of Object.values(SHOWN)) await ask(messages[0] ?? '', words(line))
  })
})
