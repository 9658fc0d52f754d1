import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { runClew } from '../support/run-clew.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'

const book = {
  'How slow is it?': {
    queries: {
      'Average round trip.': ['SELECT round(avg(rtt_us)) AS rtt FROM fact_link_telemetry'],
      'Count the metros.': ['SELECT count() AS metros FROM dz_metros'],
    },
    answer: 'It is slow [Q1].',
  },
  'How many are there?': { clarification: { question: 'How many of what?', choices: ['Devices', 'Metros'] } },
  Metros: {
    standalone: 'How many metros are there?',
    queries: { 'Count all metros.': ['SELECT count() AS metros FROM dz_metros'] },
    answer: 'There are metros [Q1].',
  },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
}

interface Shown {
  readonly plain: string
  readonly buttons: readonly string[]
  /** True if only one person sees the message. */
  readonly isPrivate: boolean
  press(label: string, as?: string): void
}

/** A thread in which the person alice asks questions. */
interface Thread {
  say(text: string): void
  /** Returns the messages of Clew in the thread, as one person sees them. */
  shown(as?: string): readonly Shown[]
}

interface Chat {
  ask(question: string): Thread
  waitFor<T>(condition: () => T | false | undefined): Promise<T>
}

let world: ClewWorld
let discord: DiscordEmulator
let worker: ClewProcess
let env: Readonly<Record<string, string>>
const processes: ClewProcess[] = []

beforeAll(async () => {
  ;[discord, world] = await Promise.all([startDiscordEmulator({ rateLimits: 'relaxed' }), startClewWorld(book)])
  env = {
    ...world.env,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
    // This limit is lower than the number of rows in the table of link samples.
    CLEW_COST_MAX_ROWS: '10000',
  }
  expect((await runClew(['discord-commands'], env)).status).toBe(0)
  ;[, worker] = await Promise.all([start('bots'), start('worker')])
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterEach(() => world.intercept(undefined))
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
  await discord?.close()
})

async function start(command: 'bots' | 'worker'): Promise<ClewProcess> {
  const started = await startClew(command, command === 'bots' ? 'connected' : 'worker started', env)
  processes.push(started)
  return started
}

function slackChat(): Chat {
  const { slack } = world
  const alice = slack.user('alice')
  return {
    ask(question) {
      const asked = alice.post('data', `${slack.botMention} ${question}`)
      return {
        say: text => void alice.post('data', text, { thread: asked }),
        shown: (as = 'alice') =>
          slack
            .transcript('data', { as })
            .filter(message => message.isFromBot && (message.threadTs === asked.ts || message.isEphemeral))
            .map(message => ({
              plain: message.plain,
              buttons: message.blocks.flatMap(labelsOf),
              isPrivate: message.isEphemeral,
              press: (label, by = 'alice') => void slack.user(by).press(message, { label }),
            })),
      }
    },
    waitFor: condition => slack.waitFor(condition, { timeoutMs: 60_000 }),
  }
}

function labelsOf(block: { readonly [key: string]: unknown }): string[] {
  const elements = block.type === 'actions' && Array.isArray(block.elements) ? block.elements : []
  return elements.map((element: { readonly text: { readonly text: string } }) => element.text.text)
}

function discordChat(): Chat {
  const alice = discord.user('alice')
  return {
    ask(question) {
      const asked = alice.post('general', `${discord.botMention} ${question}`)
      return {
        say: text => void alice.post(asked.id, text),
        shown: (as = 'alice') =>
          discord.user(as).sees(asked.id)
            ? discord
                .transcript(asked.id, { as })
                .filter(message => message.isFromBot)
                .map(message => ({
                  plain: message.plain,
                  buttons: message.buttons.map(({ label }) => label),
                  isPrivate: message.isEphemeral,
                  press: (label, by = 'alice') => void discord.user(by).press(message, { label }),
                }))
            : [],
      }
    },
    waitFor: condition =>
      discord.waitFor(
        () => {
          try {
            return condition()
          } catch {
            // The question's thread does not exist yet.
            return undefined
          }
        },
        { timeoutMs: 60_000 },
      ),
  }
}

/** Waits for a message of Clew with this text, and returns it. */
function seen(chat: Chat, thread: Thread, text: string, as?: string): Promise<Shown> {
  return chat.waitFor(() => thread.shown(as).find(({ plain }) => plain.includes(text) && !plain.includes('Writing the answer')))
}

function openly(thread: Thread): readonly Shown[] {
  return thread.shown().filter(message => !message.isPrivate)
}

describe.each([
  ['Slack', slackChat],
  ['Discord', discordChat],
])("Clew's question in %s", (_, open) => {
  it("is answered by its asker's button once, and the run continues", async () => {
    const chat = open()
    const thread = chat.ask('How slow is it?')
    const asked = await seen(chat, thread, 'Q1 (Average round trip) would read')
    expect(asked.buttons).toEqual(['Run it', 'Ask for less', 'Stop'])
    // Slack may add the numbers of the list itself, so they are optional here.
    expect(asked.plain).toMatch(/(?:1\. )?Run it\s+(?:2\. )?Ask for less\s+(?:3\. )?Stop/)
    const before = world.model.calls.length

    asked.press('Stop', 'bob')
    await seen(chat, thread, 'Only the person who asked can answer this.', 'bob')
    // Two people press at the same moment. If they press different buttons, either press may be handled first.
    asked.press('Run it')
    asked.press('Run it')
    await seen(chat, thread, 'This was answered already: Run it.')
    const answer = await seen(chat, thread, 'It is slow')
    expect(answer.buttons).toContain('Show SQL')
    expect(world.model.calls.slice(before).map(call => call.step)).toEqual(['synthesize'])
    const closed = await chat.waitFor(() => openly(thread).find(({ plain }) => plain.includes('✓ Run it')))
    expect(closed.buttons).toEqual([])
    expect(openly(thread)).toHaveLength(2)
  })

  it('is answered in words', async () => {
    const chat = open()
    const thread = chat.ask('How slow is it?')
    await seen(chat, thread, 'would read')
    thread.say('No, thanks.')
    const answer = await seen(chat, thread, 'Partly answered.')
    expect(answer.plain).toContain('"Average round trip" (the query would read more than it may, and you had it stopped)')
    expect(answer.buttons).not.toContain('Run it')
    expect(openly(thread)).toHaveLength(2)
  })

  it("about a meaning counts the choice as the asker's words", async () => {
    const chat = open()
    const thread = chat.ask('How many are there?')
    const asked = await seen(chat, thread, 'How many of what?')
    asked.press('Metros')
    await seen(chat, thread, 'There are metros')
    const classified = world.model.callsOf('classify').at(-1)
    expect(fenced(classified === undefined ? '' : promptOf(classified), 'conversation')).toContain('How many of what?')
  })

  it('is closed by a different message', async () => {
    const chat = open()
    const thread = chat.ask('How slow is it?')
    const asked = await seen(chat, thread, 'would read')
    expect(asked.buttons).toHaveLength(3)
    thread.say('Thanks!')
    await seen(chat, thread, 'You are welcome')
    const closed = await chat.waitFor(() =>
      openly(thread).find(({ plain, buttons }) => plain.includes('would read') && buttons.length === 0),
    )
    expect(closed.plain).not.toContain('✓')
  })
})

describe("Clew's question", () => {
  it('is continued by another worker if one dies behind the press', async () => {
    const chat = slackChat()
    const thread = chat.ask('How slow is it?')
    const asked = await seen(chat, thread, 'would read')
    const before = world.model.calls.length
    const gate = createGate()
    const analyst = scriptedAnalyst(book)
    world.intercept(call => (call.step === 'synthesize' ? answer(analyst(call), { after: gate.opened }) : undefined))
    asked.press('Run it')
    await world.model.arrival('synthesize', world.model.callsOf('synthesize').length)
    await worker.kill()
    world.intercept(undefined)
    gate.open()
    worker = await start('worker')
    await seen(chat, thread, 'It is slow')
    expect(world.model.calls.slice(before).map(call => call.step)).toEqual(['synthesize', 'synthesize'])
    expect(openly(thread)).toHaveLength(2)
  })

  it('stays private if the question was private', async () => {
    const alice = discord.user('alice')
    alice.command('general', 'ask', { question: 'How slow is it?', private: true })
    const shownTo = (as: string) => discord.transcript('general', { as }).filter(message => message.isEphemeral)
    const wait = { timeoutMs: 60_000 }
    const asked = await discord.waitFor(() => shownTo('alice').find(({ plain }) => plain.includes('would read')), wait)
    alice.press(asked, { label: 'Run it' })
    const answer = await discord.waitFor(() => shownTo('alice').find(({ plain }) => plain.includes('It is slow')), wait)
    expect(answer.isEphemeral).toBe(true)
    expect(shownTo('bob')).toEqual([])
  })
})
