import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { createGate } from '../emulators/gate.ts'
import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createToken, HttpClient, startServe } from '../support/http-client.ts'
import { until } from '../support/queue-harness.ts'
import { runClew } from '../support/run-clew.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

const ASKED = 'Make a pipeline that counts the metros each night.'
const LATER = 'Make it at 5, please.'
const renamed = (name: string) => `Call it ${name}.`

const SLOW = 'Make a pipeline that counts the metros slowly.'
/** Takes long enough that a worker can be killed meanwhile. */
const SLOWLY = {
  name: 'counted',
  description: '',
  sql: `SELECT count() AS metros FROM ${['a', 'b', 'c', 'd', 'e'].map(name => `{{ slow_count_metros }} AS ${name}`).join(' CROSS JOIN ')}`,
}

const drafted = (name: string, hour = 3) => ({
  name,
  description: 'How many metros there are.',
  arguments: [],
  inputs: [{ name: `${name}_metros`, description: '', source: 'SELECT code FROM network.dz_metros' }],
  operations: [{ name: 'counted', description: '', sql: `SELECT count() AS metros FROM {{ ${name}_metros }}` }],
  target: { operation: 'counted', table: name },
  schedule: `0 ${hour} * * *`,
  time_zone: 'UTC',
})

interface Shown {
  readonly plain: string
  readonly buttons: readonly string[]
  press(label: string): void
}

interface Chat {
  /** Asks in a new thread. @returns a function that continues the thread */
  ask(question: string): { say(text: string): void; shown(): readonly Shown[] }
  waitFor<T>(condition: () => T | false | undefined): Promise<T>
  /** Returns the texts of the files that Clew has sent to the person. */
  files(): readonly { readonly name: string; readonly text: string }[]
}

let world: ClewWorld
let discord: DiscordEmulator
let env: Readonly<Record<string, string>>
let bots: ClewProcess
let worker: ClewProcess

beforeAll(async () => {
  ;[discord, world] = await Promise.all([startDiscordEmulator({ rateLimits: 'relaxed' }), startClewWorld({})])
  world.intercept(drafter())
  env = {
    ...world.env,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
    CLEW_SPECULATION: '0',
  }
  const { writer } = await world.engine.engine.endpoint(AbortSignal.timeout(60_000))
  env = { ...env, CLEW_WRITER_URL: writer.url.replace('//', `//${writer.username}:${writer.password}@`) }
  expect((await runClew(['discord-commands'], env)).status).toBe(0)
  expect((await runClew(['migrate'], env)).status).toBe(0)
  ;[bots, worker] = await Promise.all([startClew('bots', 'connected', env), startWorker()])
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterAll(async () => {
  await Promise.all([bots?.stop(), worker?.stop()])
  await world?.close()
  await discord?.close()
})

const startWorker = () => startClew('worker', 'worker started', env)

/**
 * Returns a model that drafts.
 * @param held the first call of this step is answered only after `until`
 */
function drafter(held?: { readonly step: string; readonly until: Promise<void>; readonly onHeld: () => void }) {
  let isHeld = false
  return (call: ScriptedCall): ModelScript | undefined => {
    const after = held !== undefined && !isHeld && call.step === held.step ? { after: held.until } : {}
    if ('after' in after) {
      isHeld = true
      held?.onHeld()
    }
    if (call.step === 'classify')
      return answer(
        { intent: 'pipeline_draft', standalone_question: null, catalog_request: null, table: null, reply: null },
        after,
      )
    if (call.step !== 'draft_pipeline') return undefined
    const question = fenced(promptOf(call), 'question')
    if (question === SLOW) return answer({ ...drafted('slow_count'), operations: [SLOWLY] }, after)
    const before = fenced(promptOf(call), 'draft')
    const name = /^Call it (\w+)\.$/.exec(question)?.[1] ?? /^name: (\w+)$/m.exec(before)?.[1] ?? 'metros_a_night'
    return answer(drafted(name, question === LATER || before.includes('0 5 * * *') ? 5 : 3), after)
  }
}

/** Returns the tables of temporary jobs. */
async function trialTables(): Promise<readonly string[]> {
  const sql = "SELECT name FROM system.tables WHERE database = 'pipelines' AND comment LIKE '%trial_%'"
  const { rows } = await world.engine.warehouse.readOwn({ sql, database: 'default' }, AbortSignal.timeout(60_000))
  return rows.map(([name]) => String(name))
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
            })),
      }
    },
    waitFor: condition => slack.waitFor(condition, { timeoutMs: 60_000 }),
    files: () => slack.transcript(alice.directChannel()).flatMap(({ files }) => files.map(textOf)),
  }
}

function labelsOf(block: { readonly [key: string]: unknown }): string[] {
  const elements = block.type === 'actions' && Array.isArray(block.elements) ? block.elements : []
  return elements.map((element: { readonly text: { readonly text: string } }) => element.text.text)
}

const textOf = ({ name, content }: { readonly name: string; readonly content: Buffer }) => ({ name, text: content.toString() })

function discordChat(): Chat {
  const alice = discord.user('alice')
  let thread = ''
  const transcript = () =>
    alice.sees(thread) ? discord.transcript(thread, { as: 'alice' }).filter(message => message.isFromBot) : []
  return {
    ask(question) {
      const asked = alice.post('general', `${discord.botMention} ${question}`)
      thread = asked.id
      return {
        say: text => void alice.post(asked.id, text),
        shown: () =>
          transcript().map(message => ({
            plain: message.plain,
            buttons: message.buttons.map(({ label }) => label),
            press: label => void alice.press(message, { label }),
          })),
      }
    },
    waitFor: condition => discord.waitFor(condition, { timeoutMs: 60_000 }),
    files: () => transcript().flatMap(({ files }) => files.map(textOf)),
  }
}

describe.each([
  ['Slack', slackChat],
  ['Discord', discordChat],
])('a pipeline drafted in %s', (surface, open) => {
  it('is revised twice in words, confirmed by a button, handed over, registered and run, and its rows are explained', async () => {
    const chat = open()
    const name = `metros_of_${surface.toLowerCase()}`
    const thread = chat.ask(ASKED)
    const seen = (text: string, button: string) =>
      chat.waitFor(() => thread.shown().find(({ plain, buttons }) => plain.includes(text) && buttons.includes(button)))
    const first = await seen('Draft of the pipeline metros_a_night', 'Hand over the file')
    expect(first.plain).toContain('It runs every day at 03:00 (UTC).')
    expect(first.plain).toMatch(/Tried on the first 1,000 rows of each input, it makes rows like these:/)
    expect(first.buttons).toEqual(['Hand over the file'])
    thread.say(renamed(name))
    await seen(`Draft of the pipeline ${name}`, 'Hand over the file')
    thread.say(LATER)
    const last = await seen('It runs every day at 05:00 (UTC).', 'Hand over the file')
    last.press('Hand over the file')
    const confirmed = await seen(`clew jobs register ${name}.yaml`, 'Download YAML')
    expect(confirmed.plain).toContain(`name: ${name}`)
    confirmed.press('Download YAML')
    const isFile = new RegExp(`^${name}.*\\.yaml$`)
    const file = await chat.waitFor(() => chat.files().find(each => isFile.test(each.name)))
    await registerAndRun(name, file.text)
    thread.say(`/lineage ${name}`)
    await chat.waitFor(() =>
      thread.shown().find(({ plain }) => plain.includes(`${name}, last run job_`) && plain.includes('COMPLETED')),
    )
  })
})

it('is drafted, revised, confirmed and handed over over HTTP and at the terminal', async () => {
  const [{ process: server, url }, { bearer }] = await Promise.all([startServe(env), createToken(env)])
  const http = new HttpClient(url, bearer)
  const overHttp = async (text: string) => http.ended(await http.ask(text, { thread: 'draft' }))
  const atTerminal = async (text: string): Promise<Turn> => {
    const { output } = await runClew(['ask', '--json', '--thread', 'draft', text], env)
    return { id: '', result: JSON.parse(output) }
  }
  try {
    for (const [name, ask] of Object.entries({ metros_over_http: overHttp, metros_at_terminal: atTerminal })) {
      expect(turnOf(await ask(ASKED)).result).toMatchObject({ draft: { name: 'metros_a_night', valid: true } })
      await ask(renamed(name))
      const revised = turnOf(await ask(LATER))
      expect(revised.result.interrupt?.choices).toHaveLength(1)
      const confirmed =
        revised.id === ''
          ? turnOf(await ask('1'))
          : turnOf(
              await http.ended(
                String((await http.send('POST', '/v1/turns', { choice: { turn: revised.id, index: 0 } })).body.id),
              ),
            )
      const { draft, answer: told } = confirmed.result
      expect(told).toContain(`clew jobs register ${name}.yaml`)
      await registerAndRun(name, draft?.definition ?? '')
      expect(turnOf(await ask(`/lineage ${name}`)).result.answer).toContain(`${name}_metros`)
    }
  } finally {
    await server.stop()
  }
})

type Turn = z.infer<typeof turnSchema>
const turnSchema = z.object({
  id: z.string(),
  result: z.object({
    answer: z.string(),
    interrupt: z.object({ choices: z.array(z.unknown()) }).nullable(),
    draft: z.object({ name: z.string(), definition: z.string(), valid: z.boolean() }).nullish(),
  }),
})
const turnOf = (given: unknown): Turn => turnSchema.parse(given)

/** Registers the file by hand, as whoever runs Clew does, and runs the job. */
async function registerAndRun(name: string, definition: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-draft-'))
  const file = join(folder, `${name}.yaml`)
  await writeFile(file, definition)
  for (const args of [
    ['register', file],
    ['run', name],
  ]) {
    const { status, errors } = await runClew(['jobs', ...args], env)
    expect([status, errors]).toEqual([0, expect.any(String)])
  }
  await rm(folder, { recursive: true })
}

describe.each(['classify', 'draft_pipeline', 'trial'])('a worker that is killed in the step %s of a draft', step => {
  it('leaves one draft, and no table', async () => {
    const gate = createGate()
    let isHeld = false
    const onHeld = () => {
      isHeld = true
    }
    world.intercept(drafter({ step, until: gate.opened, onHeld }))
    const chat = slackChat()
    const thread = chat.ask(step === 'trial' ? SLOW : ASKED)
    await until(`the draft is in the step ${step}`, async () => (step === 'trial' ? (await trialTables()).length > 0 : isHeld))
    await worker.kill()
    if (step === 'trial') expect(await trialTables()).not.toEqual([])
    gate.open()
    worker = await startWorker()
    const drafts = () => thread.shown().filter(({ plain }) => plain.includes('Draft of the pipeline'))
    await chat.waitFor(() => drafts().some(({ buttons }) => buttons.includes('Hand over the file')))
    expect(drafts()).toHaveLength(1)
    expect(await trialTables()).toEqual([])
  })
})
