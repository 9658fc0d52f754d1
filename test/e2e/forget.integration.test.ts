import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { answer } from '../emulators/model/model-scripts.ts'
import type { SentMessage } from '../emulators/slack/person.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'
import { type FinishedClew, runClew } from '../support/run-clew.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

const devices = { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] }
const links = { 'Count the links.': ['SELECT count() AS links FROM dz_links'] }
/** What each person asks, and is told, has rare words. */
const WORDS = { alice: ['quokka', 'zirkon', 'wolfram', 'turmalin', 'obsidian'], bob: ['pangolin', 'malachit', 'beryll'] } as const
const book = {
  'How many quokka devices are there?': { queries: devices, answer: 'There are {devices} zirkon devices [Q1].' },
  'And wolfram links?': {
    standalone: 'How many wolfram links are there?',
    queries: links,
    answer: 'There are {links} turmalin links [Q1].',
  },
  'How many pangolin links are there?': { queries: links, answer: 'There are {links} malachit links [Q1].' },
  'And beryll links?': {
    standalone: 'How many beryll links are there?',
    queries: links,
    answer: 'There are {links} of them [Q1].',
  },
}
const DRAFT = 'Make an obsidian pipeline that counts the metros.'
const draft = {
  name: 'metros_a_night',
  description: 'How many obsidian metros there are.',
  arguments: [],
  inputs: [{ name: 'found_metros', description: '', source: 'SELECT code FROM network.dz_metros' }],
  operations: [{ name: 'counted', description: '', sql: 'SELECT count() AS metros FROM {{ found_metros }}' }],
  target: { operation: 'counted', table: 'metros_a_night' },
  schedule: '0 3 * * *',
  time_zone: 'UTC',
}
const signal = AbortSignal.timeout(600_000)

let world: ClewWorld
let env: Readonly<Record<string, string>>
let alice: string
const processes: ClewProcess[] = []

beforeAll(async () => {
  world = await startClewWorld(book)
  world.intercept(call => {
    const question = fenced(promptOf(call), 'question')
    if (call.step === 'draft_pipeline') return answer(draft)
    if (call.step !== 'classify' || question !== DRAFT) return undefined
    return answer({ intent: 'pipeline_draft', standalone_question: DRAFT, catalog_request: null, table: null, reply: null })
  })
  const { writer } = await world.engine.engine.endpoint(signal)
  env = {
    ...world.env,
    CLEW_WRITER_URL: writer.url.replace('//', `//${writer.username}:${writer.password}@`),
    CLEW_SPECULATION: '0',
  }
  alice = `slack/${world.slack.user('alice').id}`
  expect((await runClew(['migrate'], env)).status).toBe(0)
  processes.push(...(await Promise.all([startClew('bots', 'connected', env), startClew('worker', 'worker started', env)])))
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
})

type ThreadOf = Pick<SentMessage, 'channel' | 'ts'>

/** Asks in a new thread, or in this one, and waits for a text in the answer. */
async function ask(who: 'alice' | 'bob', text: string, answered: string, thread?: ThreadOf): Promise<SentMessage> {
  const { slack } = world
  const sent = slack.user(who).post('data', `${slack.botMention} ${text}`, thread && { thread: thread.ts })
  await shown(thread ?? sent, answered)
  return sent
}

async function shown(thread: ThreadOf, text: string): Promise<void> {
  const find = () => world.replies(thread).some(({ plain }) => plain.includes(text) && !plain.includes('Writing the answer'))
  await world.slack.waitFor(find, { timeoutMs: 60_000 })
}

/** Presses a button of the answer with this text. */
function press(who: 'alice' | 'bob', thread: SentMessage, text: string, label: string): void {
  const found = world.replies(thread).find(({ plain }) => plain.includes(text))
  if (found !== undefined) world.slack.user(who).press(found, { label })
}

/** Returns those of the texts that stand in a file of Redis or of the engine. */
async function onDisk(texts: readonly string[]): Promise<readonly string[]> {
  const folders = [world.redis.directory, join(world.engine.engine.directory)]
  const found = new Set<string>()
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      // ClickHouse and Redis remove files at any moment.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
      for (const text of texts) if (bytes.includes(text)) found.add(text)
    }
  }
  return texts.filter(text => found.has(text))
}

async function feedbackCount(): Promise<number> {
  return JSON.parse((await runClew(['feedback', '--json'], env)).output).length
}

async function auditOf(person: string): Promise<readonly { readonly run: string }[]> {
  const { output } = await runClew(['audit', '--json', '--person', person], env)
  return output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

describe('clew forget', () => {
  let runs: ReadonlySet<string>
  let bobs: readonly string[]
  let trial: FinishedClew

  beforeAll(async () => {
    const first = await ask('alice', 'How many quokka devices are there?', 'zirkon')
    await ask('alice', 'And wolfram links?', 'turmalin', first)
    await ask('bob', 'And beryll links?', 'of them', first)
    const other = await ask('bob', 'How many pangolin links are there?', 'malachit')
    press('alice', first, 'zirkon', 'Helpful')
    press('bob', other, 'malachit', 'Helpful')
    await until('both have said so', async () => (await feedbackCount()) === 2)
    await ask('alice', DRAFT, 'obsidian')
    bobs = [world.slack.user('bob').id, ...WORDS.bob]
    await until('all is in the audit log', async () => {
      const { output } = await runClew(['audit', '--json'], env)
      return output.split('\n').filter(line => line.includes('"kind":"answer"')).length === 5
    })
    runs = new Set((await auditOf(alice)).map(({ run }) => run).filter(run => run !== ''))
    trial = await runClew(['forget', '--person', alice], env)
  })

  it('shows what there is of a person first, and deletes nothing without being told', async () => {
    expect(trial).toMatchObject({ status: 1, errors: expect.stringContaining('Add --yes') })
    expect(trial.output).toMatch(/- questions: \d+/)
    expect(trial.output).toMatch(/- feedback: 1\n/)
    const words = [world.slack.user('alice').id, ...WORDS.alice]
    await until('all is on disk', async () => (await onDisk(words)).length === words.length)
  })

  it('leaves no byte of the person’s id, questions and answers in the files of Redis and ClickHouse, and all of another person', async () => {
    const { status, output, errors } = await runClew(['forget', '--person', alice, '--yes'], env)
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
    expect(output).toContain('Redis has written its files anew')
    expect(output).toMatch(/- names in audit lines: \d\d/)
    const keys = await (await world.redis.connect()).keys('*')
    expect(runs.size).toBe(3)
    expect(keys.filter(key => [...runs].some(run => key.includes(run)))).toEqual([])
    // The engine removes replaced parts later, and a file may move while the folders are read.
    const words = [world.slack.user('alice').id, ...WORDS.alice, ...bobs]
    await until('the files hold the other person alone', async () => (await onDisk(words)).join() === bobs.join(), 120_000)
  })

  it('keeps the shape of the audit log, and records that somebody was forgotten', async () => {
    const { output } = await runClew(['audit', '--json'], env)
    const lines = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const forgotten = lines.filter(({ person }) => person.startsWith('forgotten/'))
    expect(forgotten.filter(({ kind }) => kind === 'answer')).toHaveLength(3)
    expect(new Set(forgotten.map(({ channel }) => channel))).toEqual(new Set(['']))
    // A process may have read statistics meanwhile, which is audited too.
    expect(lines.find(({ kind }) => kind === 'forget')).toMatchObject({
      person: expect.stringMatching(/^terminal\//),
      subject: forgotten[0].person,
    })
  })

  it('leaves the conversation of others usable', async () => {
    const { slack } = world
    const other = slack.transcript('data').find(({ plain }) => plain.includes('pangolin'))
    if (other === undefined) throw new Error('the question of bob is gone')
    await ask('bob', 'And beryll links?', 'of them', other)
    expect(await feedbackCount()).toBe(1)
  })

  it('finds nothing the second time', async () => {
    const { output } = await runClew(['forget', '--person', alice, '--yes'], env)
    expect(output).toMatch(/^Deleted:\n- names in audit lines: 0\n/)
  })
})
