import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { FORM_FIELD } from '../../src/bots/slack/receive/forms.ts'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { runClew } from '../support/run-clew.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

const ASKED = 'Tell us here when a link loses more than 2 %.'
const LOSS = 'SELECT link, max(loss) AS watched FROM network.alarms WHERE at <= now() + INTERVAL 1 HOUR GROUP BY link'

interface Shown {
  readonly plain: string
  readonly buttons: readonly string[]
  press(label: string): void
  /** Presses, and submits the form that opens. */
  fill(label: string, words: string): Promise<void>
}

interface Chat {
  /** Asks in a new thread. Returns what Clew says there, and what only the asker sees. */
  ask(question: string): { shown(): readonly Shown[]; say(text: string): void }
  waitFor<T>(condition: () => T | false | undefined): Promise<T>
}

let world: ClewWorld
let discord: DiscordEmulator
let env: Readonly<Record<string, string>>
const processes: ClewProcess[] = []
const { signal } = new AbortController()

beforeAll(async () => {
  ;[discord, world] = await Promise.all([startDiscordEmulator({ rateLimits: 'relaxed' }), startClewWorld({})])
  world.intercept(subscriber)
  const { warehouse } = world.engine
  await warehouse.write(
    { sql: 'CREATE TABLE network.alarms (at DateTime, link String, loss Float64) ENGINE = MergeTree ORDER BY at' },
    signal,
  )
  env = {
    ...world.env,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
    CLEW_SPECULATION: '0',
  }
  expect((await runClew(['discord-commands'], env)).status).toBe(0)
  processes.push(...(await Promise.all([startClew('bots', 'connected', env), startClew('worker', 'worker started', env)])))
  await discord.waitFor(() => discord.gateway.connected() === 1)
}, 120_000)
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
  await discord?.close()
})

/** A model that sets up the alert, and answers every other question from the same query. */
function subscriber(call: ScriptedCall): ModelScript | undefined {
  const question = fenced(promptOf(call), 'question')
  switch (call.step) {
    case 'classify': {
      const intent = question === ASKED || question.startsWith('every day at 9:') ? 'subscription' : 'data_analysis'
      return answer({ intent, standalone_question: null, catalog_request: null, table: null, reply: null })
    }
    case 'subscribe':
      return answer({
        kind: 'alert',
        question: 'Loss of each link?',
        schedule: question.includes('instead') ? { unit: 'days', every: 1, at: ['09:00'] } : { unit: 'minutes', every: 1440 },
        condition: { kind: 'threshold', operator: 'above', value: 2, minutes: 0 },
      })
    case 'decompose':
      return answer({
        data_questions: [{ question, tables: ['network.alarms'] }],
        clarification: null,
        datasource: null,
        error: null,
      })
    case 'generate':
      return answer({ sql: LOSS, explanation: 'The most loss of each link.', assumptions: [] })
    case 'review_empty':
      return answer({ verdict: 'expected', reason: 'There is none.' })
    case 'synthesize':
      return answer('These are all links [Q1].')
    default:
      return undefined
  }
}

function slackChat(): Chat {
  const { slack } = world
  const alice = slack.user('alice')
  return {
    ask(question) {
      const asked = alice.post('data', `${slack.botMention} ${question}`)
      return {
        say: text => void alice.post('data', text, { thread: asked }),
        shown: () =>
          slack
            .transcript('data', { as: 'alice' })
            .filter(message => message.isFromBot && message.threadTs === asked.ts)
            .map(message => ({
              plain: message.plain,
              buttons: message.blocks.flatMap(labelsOf),
              press: label => void alice.press(message, { label }),
              fill: async (label, words) => {
                alice.press(message, { label })
                await slack.waitFor(() => alice.modal() !== undefined)
                alice.submitModal({ [FORM_FIELD]: words })
              },
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
      const { id } = alice.post('general', `${discord.botMention} ${question}`)
      return {
        say: text => void alice.post(id, text),
        shown: () =>
          (alice.sees(id) ? discord.transcript(id, { as: 'alice' }) : [])
            .filter(message => message.isFromBot)
            .map(message => ({
              plain: message.plain,
              buttons: message.buttons.map(({ label }) => label),
              press: label => void alice.press(message, { label }),
              fill: async (label, reason) => {
                const pressed = alice.press(message, { label })
                await discord.waitFor(() => pressed.modal !== undefined)
                alice.submitModal(pressed, { reason })
              },
            })),
      }
    },
    waitFor: condition => discord.waitFor(condition, { timeoutMs: 60_000 }),
  }
}

describe.each([
  ['Slack', slackChat],
  ['Discord', discordChat],
])('an alert in %s', (_, open) => {
  it('is confirmed by a button, opens, is acknowledged, asked why, and resolves', async () => {
    const chat = open()
    const { warehouse } = world.engine
    const { shown, say } = chat.ask(ASKED)
    const seen = (text: string, button?: string) =>
      chat.waitFor(() =>
        shown().find(({ plain, buttons }) => plain.includes(text) && (button === undefined || buttons.includes(button))),
      )
    ;(await seen('Nothing is set up yet.', 'Set it up')).press('Set it up')
    const [id = ''] = /sub_[0-9a-f]{12}/.exec((await seen('It is set up as')).plain) ?? []
    const runNow = async () => expect((await runClew(['subscriptions', 'run', id], env)).status).toBe(0)

    await warehouse.write({ sql: "INSERT INTO network.alarms VALUES (now(), 'lhr-fra', 5), (now(), 'lhr-ams', 1)" }, signal)
    await runNow()
    const alert = await seen('The alert is open: the figure is above 2.', 'Why?')
    expect(alert.plain).toContain('lhr-fra')
    expect(alert.plain).not.toContain('lhr-ams')
    expect(alert.buttons).toEqual(expect.arrayContaining(['Acknowledge', 'Snooze for a day', 'Why?', 'Show SQL']))
    alert.press('Acknowledge')
    await seen('Acknowledged: it stays quiet')
    alert.press('Why?')
    const answered = await seen('These are all links', 'Repeat this…')
    expect(alert.buttons).not.toContain('Repeat this…')
    await answered.fill('Repeat this…', 'every day at 9')
    ;(await seen('Nothing is set up yet.', 'Leave it')).press('Leave it')
    await seen('Nothing was set up.')

    await warehouse.write({ sql: 'TRUNCATE TABLE network.alarms' }, signal)
    await runNow()
    await seen('Resolved: the condition holds no longer.')
    const { output } = await runClew(['subscriptions', 'show', id, '--json'], env)
    expect(JSON.parse(output)).toMatchObject({
      id,
      status: 'active',
      alert: { state: 'quiet' },
      history: [
        { outcome: 'told', firing: 1 },
        { outcome: 'told', firing: 0 },
      ],
    })
    say(`/subscriptions`)
    await seen(`${id} Alert, every 24 hours`)
    say(`/subscriptions edit ${id} every day at 9 instead`)
    ;(await seen(`Shall this take the place of ${id}`, 'Set it up')).press('Set it up')
    await chat.waitFor(() => shown().filter(({ plain }) => plain.includes(`It is set up as ${id}`)).length === 2)
    const revised = JSON.parse((await runClew(['subscriptions', 'show', id, '--json'], env)).output)
    expect(revised).toMatchObject({ recurrence: { schedule: { at: ['09:00'] } }, history: [{ firing: 1 }, { firing: 0 }] })
    say(`/subscriptions delete ${id}`)
    await seen('is deleted.')
    expect((await runClew(['subscriptions', 'list'], env)).output).toBe('There are no subscriptions.\n')
  }, 120_000)
})
