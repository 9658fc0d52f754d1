import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RunJson } from '../../src/console/runs-json.ts'
import type { ClewWorld } from '../support/clew-world.ts'
import { runClew } from '../support/run-clew.ts'
import { type ConsoleClient, type ConsoleWorld, startConsoleWorld } from './world.ts'

const COUNT = 'How many links are there?'
const SECRET = 'How many <b>secret</b> links are there?'
const BROKEN = 'Which colour do links have?'
const ASKED_BACK = 'How are the links?'
const query = { 'Count the links.': ['SELECT count() AS links FROM dz_links'] }
const book = {
  [COUNT]: { queries: query, answer: 'There are 64 links [Q1].' },
  [SECRET]: { queries: query, answer: 'There are 64 links [Q1].' },
  [BROKEN]: { queries: { 'Find the colour.': ['SELECT colour FROM dz_links'] } },
  [ASKED_BACK]: { clarification: { question: 'By what?', choices: ['By count', 'By speed'] } },
}

const rulesOf = ({ slack }: ClewWorld) => `version: 1
roles:
  asker: {tables: [network.*]}
  operator: {tables: [network.*], operate: true}
  narrow: {tables: [network.dz_devices], operate: true}
workspaces:
  - platform: slack
    workspace: ${slack.teamId}
    users: {${slack.user('alice').id}: asker, ${slack.user('bob').id}: asker, U1OPERATOR: operator, U1NARROW: narrow}
    channels: {${slack.channel('data').id}: asker}
`

let world: ConsoleWorld
let alice: ConsoleClient
let bob: ConsoleClient
let operator: ConsoleClient
let narrow: ConsoleClient
/** Runs of alice: in the channel, in her direct conversation, and at the console. */
let open: string
let direct: string
let turn: string
let broken: string

beforeAll(async () => {
  world = await startConsoleWorld(book, { rules: rulesOf, env: { CLEW_TRACE_CONTENT: '1' } })
  const { slack } = world.clew
  await world.clew.startBots(world.env)
  const signIn = (id: string) => world.signIn({ person: `slack/${id}`, workspace: slack.teamId })
  alice = await signIn(slack.user('alice').id)
  bob = await signIn(slack.user('bob').id)
  operator = await signIn('U1OPERATOR')
  narrow = await signIn('U1NARROW')
  open = await askInSlack(COUNT)
  direct = await askInSlack(SECRET, { isDirect: true })
  broken = await askInSlack(BROKEN)
  turn = await alice.ask(COUNT)
})
afterAll(() => world?.close())

interface Line {
  readonly id: string
  readonly question: string | null
  readonly person: string
  readonly outcome: string
  readonly hidden: boolean
}

async function list(
  client: ConsoleClient,
  query = '',
): Promise<{ readonly runs: readonly Line[]; readonly total: number; readonly at: number }> {
  const { status, body } = await client.get(`/console/api/runs${query}`)
  expect(status).toBe(200)
  return body as never
}

/** Asks in Slack as alice, waits for the reply, and returns the id of the run. */
async function askInSlack(text: string, { isDirect = false } = {}): Promise<string> {
  const { slack } = world.clew
  const person = slack.user('alice')
  const message = isDirect ? person.directMessage(text) : person.post('data', `${slack.botMention} ${text}`)
  await slack.waitFor(() => /64 links|could not/i.test(world.clew.replies(message)[0]?.plain ?? ''))
  const { runs } = await list(alice)
  return runs.find(run => run.question === text)?.id ?? ''
}

const run = async (client: ConsoleClient, id: string) =>
  (await client.get(`/console/api/runs/${id}`)) as never as { readonly status: number; readonly body: RunJson }

describe('the list of runs', () => {
  it('has the own runs whole, of chats and of the console, and nobody else’s', async () => {
    const { runs, total } = await list(alice)
    expect(runs.map(({ id }) => id)).toEqual([turn, broken, direct, open])
    expect(total).toBe(4)
    const person = `slack/${world.clew.slack.user('alice').id}`
    expect(runs[3]).toMatchObject({
      ...{
        person,
        question: COUNT,
        outcome: 'answered',
        kind: 'data_analysis',
        confidence: 'HIGH',
        queries: 1,
        failed_queries: 0,
      },
      ...{
        model_calls: expect.any(Number),
        tokens_in: expect.any(Number),
        ms: expect.any(Number),
        hidden: false,
        platform: 'slack',
      },
    })
    expect(runs[1]).toMatchObject({ outcome: 'failed', failed_queries: expect.any(Number) })
    expect(Object.keys(runs[0] ?? {})).not.toContain('rights')
    expect((await list(bob)).runs).toEqual([])
  })

  it('shows an operator everybody’s lines, but questions of open runs with the own rights only', async () => {
    const questions = async (client: ConsoleClient) =>
      Object.fromEntries((await list(client)).runs.map(({ id, question, hidden }) => [id, hidden ? null : question]))
    expect(await questions(operator)).toEqual({ [open]: COUNT, [broken]: BROKEN, [direct]: null, [turn]: null })
    expect(await questions(narrow)).toEqual({ [open]: null, [broken]: null, [direct]: null, [turn]: null })
  })

  it('filters, and searches only questions that the viewer sees', async () => {
    const ids = async (client: ConsoleClient, query: string) => (await list(client, query)).runs.map(({ id }) => id)
    expect(await ids(alice, '?outcome=failed')).toEqual([broken])
    expect(await ids(alice, '?text=SECRET+links')).toEqual([direct])
    expect(await ids(operator, '?text=secret')).toEqual([])
    expect(await ids(operator, '?text=links+many')).toEqual([open])
    expect(await ids(alice, `?channel=slack/${world.clew.slack.channel('data').id}`)).toEqual([broken, open])
    expect(await ids(alice, '?confidence=LOW')).toEqual([broken])
    expect(await ids(alice, '?from=2000-01-01&to=2001-01-01')).toEqual([])
    expect(await ids(alice, '?limit=2')).toEqual([turn, broken])
    expect(await ids(alice, `?limit=2&before=${broken}`)).toEqual([direct, open])
    expect((await alice.get('/console/api/runs?from=soon')).body).toMatchObject({
      code: 'invalid_request',
      mistakes: [{ path: 'from' }],
    })
  })
})

describe('a run', () => {
  it('has its steps with prompts and replies, its SQL and its rows', async () => {
    for (const id of [open, turn]) {
      const { body } = await run(alice, id)
      expect(body).toMatchObject({ hidden: false, may: { rerun: true }, feedback: null })
      expect(body.result).toMatchObject({ answer: expect.stringContaining('64 links'), chart: false, confidence: 'HIGH' })
      expect(body.result?.queries).toMatchObject([{ id: 'Q1', sql: expect.stringContaining('dz_links'), rows: [['64']] }])
      const generate = body.steps.find(({ step }) => step === 'generate')
      expect(generate).toMatchObject({
        query: 'Q1',
        model: 'scripted',
        content: { input: expect.stringContaining(COUNT), output: expect.stringContaining('dz_links') },
      })
    }
  })

  it('is unknown to others, and shows an operator no content of a private one', async () => {
    expect(await run(bob, open)).toMatchObject({ status: 404 })
    expect(await run(bob, turn)).toMatchObject({ status: 404 })
    expect((await run(operator, open)).body).toMatchObject({ hidden: false, result: { answer: expect.stringContaining('64') } })
    for (const [client, id] of [
      [operator, direct],
      [operator, turn],
      [narrow, open],
    ] as const) {
      const { body } = await run(client, id)
      expect(body).toMatchObject({ hidden: true, result: null, line: { question: null }, may: { rerun: false } })
      expect(body.steps.length).toBeGreaterThan(3)
      expect(JSON.stringify(body)).not.toMatch(/dz_links|64 links|How many/)
      expect(await client.get(`/console/api/runs/${id}/csv/Q1`)).toMatchObject({ status: 404 })
      expect(await client.send('POST', `/console/api/runs/${id}/queries/Q1/run`, { sql: 'SELECT 1' })).toMatchObject({
        status: 404,
      })
    }
    const failed = (await run(narrow, broken)).body.steps.filter(({ error }) => error !== null)
    expect(failed.length).toBeGreaterThan(0)
    expect(JSON.stringify(failed)).not.toContain('colour')
  })

  it('gives its rows as CSV', async () => {
    for (const id of [open, turn]) {
      const { headers, body } = await alice.get(`/console/api/runs/${id}/csv/Q1`)
      expect(headers.get('Content-Disposition')).toBe('attachment; filename="Q1-how-many-links-are-there.csv"')
      expect(body.text).toBe('links\r\n64\r\n')
    }
  })

  it('runs changed SQL with the rights of the viewer, behind the guard', async () => {
    const rerun = async (client: ConsoleClient, sql: string) =>
      (await client.send('POST', `/console/api/runs/${open}/queries/Q1/run`, { sql })).body
    expect(await rerun(alice, 'SELECT count() + 1 AS more FROM dz_links')).toMatchObject({
      kind: 'read',
      columns: [{ name: 'more' }],
      rows: [['65']],
    })
    expect(await rerun(alice, 'SELECT * FROM system.users')).toMatchObject({ kind: 'refused' })
    expect(await rerun(alice, 'DROP TABLE dz_links')).toMatchObject({ kind: 'refused' })
  })

  it('takes a verdict, and a proposal beside it', async () => {
    expect(await alice.send('POST', `/console/api/runs/${open}/feedback`, { helpful: false, reason: 'old' })).toMatchObject({
      status: 204,
    })
    const proposal = { sql: 'SELECT count() FROM dz_links', question: 'Count all links' }
    const proposed = await alice.send('POST', `/console/api/runs/${open}/propose`, proposal)
    expect(proposed).toMatchObject({ status: 201 })
    expect((await run(alice, open)).body.feedback).toEqual({ helpful: false, reason: 'old' })
    const given = JSON.parse((await runClew(['feedback', '--json'], world.env)).output)
    expect(given).toContainEqual(
      expect.objectContaining({
        runId: proposed.body.id,
        verdict: 'helpful',
        standaloneQuestion: 'Count all links',
        sql: [proposal.sql],
      }),
    )
  })

  it('is asked again by its asker alone, in the console', async () => {
    expect(await operator.send('POST', `/console/api/runs/${open}/retry`)).toMatchObject({
      status: 403,
      body: { code: 'not_asker' },
    })
    const { status, body } = await alice.send('POST', `/console/api/runs/${broken}/retry`)
    expect(status).toBe(202)
    await alice.ended(String(body.turn))
    expect(await alice.get(`/v1/turns/${body.turn}`)).toMatchObject({ status: 200, body: { text: BROKEN } })
  })

  it('leaves the list with its person', async () => {
    const { output } = await runClew(['forget', '--person', `slack/${world.clew.slack.user('alice').id}`, '--yes'], world.env)
    expect(output).toContain('Deleted')
    expect((await list(operator)).runs).toEqual([])
    expect(await alice.get('/console/api/session')).toMatchObject({ status: 401 })
    const redis = await world.clew.redis.connect()
    const left = await redis.keys('clew:*')
    for (const id of [open, direct, broken, turn]) expect(left.filter(key => key.includes(id))).toEqual([])
  })

  it('takes some opinions a minute, and no long reason', async () => {
    const give = (reason: string) => bob.send('POST', `/console/api/runs/${own}/feedback`, { helpful: false, reason })
    const own = await bob.ask(COUNT)
    expect(await give('x'.repeat(1_001))).toMatchObject({ status: 400 })
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 100) statuses.push((await give('again')).status)
    expect(statuses.at(-1)).toBe(429)
    expect(await bob.send('POST', `/console/api/runs/${own}/propose`, { sql: 'SELECT 1', question: 'One?' })).toMatchObject({
      status: 429,
    })
  })
})
