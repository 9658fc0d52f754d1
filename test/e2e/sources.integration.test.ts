import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { type PostgresServer, runSql, startPostgres } from '../support/postgres.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

const JOINED = 'What is the fee per gigabyte of each customer with a contract?'
const TWICE = 'What do all invoices and all usage of each customer come to?'
const AWAY = 'How much does each customer use, and what fee does its contract have?'
const HIDDEN = 'What does each customer pay per gigabyte?'
const SQL: Readonly<Record<string, string>> = {
  'Usage of each customer.': 'SELECT code, sum(gigabytes) AS gigabytes FROM network.usage GROUP BY code ORDER BY code',
  'Each use.': 'SELECT code, gigabytes FROM network.usage',
  'Fee of each customer.': 'SELECT code, fee FROM shop.contracts',
  'Each invoice.': 'SELECT code, amount FROM shop.invoices',
}
const ANSWERS: Readonly<Record<string, string>> = {
  [JOINED]: 'Customer c1 pays 2 {=B1} per gigabyte [Q3].',
  [TWICE]: 'Customer c1 has the first use [Q1].',
  [AWAY]: 'Customer c1 uses 30 {=B1} gigabytes [Q1].',
}
const column = (name: string, type: string) => ({ name, type })
const scan = (key: string, source: string, question: string, name: string, type: string) => ({
  key,
  source,
  question,
  columns: [column('code', 'text'), column(name, type)],
  restrict: null,
})
const join_ = (left: string, right: string) => ({
  kind: 'join',
  key: 'both',
  join: 'inner',
  left,
  right,
  on: [{ left: 'code', right: 'code' }],
})
const plans: Readonly<Record<string, object>> = {
  [JOINED]: {
    sub_queries: [
      scan('usage', 'telemetry', 'Usage of each customer.', 'gigabytes', 'integer'),
      scan('fees', 'crm', 'Fee of each customer.', 'fee', 'decimal'),
    ],
    combines: [join_('fees', 'usage')],
    posts: [
      {
        key: 'rate',
        input: 'both',
        question: 'The fee per gigabyte of each customer.',
        steps: [
          {
            kind: 'project',
            columns: [
              { kind: 'column', name: 'code', column: 'code' },
              { kind: 'ratio', name: 'rate', of: 'fee', by: 'gigabytes' },
            ],
          },
          { kind: 'sort', by: [{ column: 'code', descending: false }] },
        ],
      },
    ],
  },
  [TWICE]: {
    sub_queries: [
      scan('uses', 'telemetry', 'Each use.', 'gigabytes', 'integer'),
      scan('invoices', 'crm', 'Each invoice.', 'amount', 'decimal'),
    ],
    combines: [join_('uses', 'invoices')],
    posts: [
      {
        key: 'total',
        input: 'both',
        question: 'Usage and invoices of each customer.',
        steps: [
          {
            kind: 'aggregate',
            by: ['code'],
            measures: [
              { name: 'gigabytes', function: 'sum', column: 'gigabytes' },
              { name: 'amount', function: 'sum', column: 'amount' },
            ],
          },
        ],
      },
    ],
  },
}
const planOf = (question: string) => ({
  combines: [],
  posts: [],
  clarification: null,
  datasource: null,
  error: null,
  ...(plans[question] ?? plans[JOINED]),
})

let world: ClewWorld
let discord: DiscordEmulator
let postgres: PostgresServer
let folder: string
const processes: ClewProcess[] = []

beforeAll(async () => {
  ;[world, discord, postgres] = await Promise.all([
    startClewWorld({}),
    startDiscordEmulator({ rateLimits: 'relaxed' }),
    startPostgres(),
  ])
  const { engine, slack } = world
  const never = AbortSignal.timeout(60_000)
  await engine.warehouse.write(
    { sql: 'CREATE TABLE network.usage (code String, gigabytes UInt32) ENGINE = MergeTree ORDER BY code' },
    never,
  )
  await engine.warehouse.write({ sql: "INSERT INTO network.usage VALUES ('c1', 10), ('c1', 20), ('c2', 5), ('c9', 7)" }, never)
  await runSql(
    postgres.adminUrl,
    `CREATE SCHEMA shop; COMMENT ON SCHEMA shop IS 'zqcontracts';
    CREATE TABLE shop.contracts (code text PRIMARY KEY, fee numeric(18, 2));
    CREATE TABLE shop.invoices (code text, amount numeric(18, 2));
    INSERT INTO shop.contracts VALUES ('c1', 60), ('c2', 20), ('c3', 10);
    INSERT INTO shop.invoices VALUES ('c1', 30), ('c1', 30), ('c2', 20);
    GRANT USAGE ON SCHEMA shop TO clew_reader; GRANT SELECT ON ALL TABLES IN SCHEMA shop TO clew_reader`,
  )
  folder = await mkdtemp(join(tmpdir(), 'clew-sources-'))
  const [sources, access] = [join(folder, 'sources.yaml'), join(folder, 'access.yaml')]
  await writeFile(
    sources,
    `sources:
  telemetry: {url: $CLICKHOUSE_URL, databases: [network], description: "Usage of customers in gigabytes"}
  crm: {url: $CRM_URL, schemas: [shop], description: "Contracts, fees and invoices of customers", roles: [finance]}
`,
  )
  await writeFile(
    access,
    `version: 1
roles:
  finance: {tables: [network.*, crm/shop.*], publish: true}
  engineer: {tables: [network.*, crm/shop.*]}
workspaces:
  - platform: slack
    workspace: ${slack.teamId}
    users: {${slack.user('alice').id}: finance, ${slack.user('bob').id}: engineer}
  - platform: discord
    workspace: ${discord.guild.id}
    users: {${discord.user('alice').id}: finance}
`.replace('engineer: {tables: [network.*, crm/shop.*]}', 'engineer: {tables: [network.*]}'),
  )
  world.intercept(call => {
    const prompt = promptOf(call)
    const question = fenced(prompt, 'question')
    if (call.step === 'classify') {
      return answer({
        intent: 'data_analysis',
        standalone_question: null,
        catalog_request: null,
        table: null,
        reply: null,
        language: 'en',
      })
    }
    if (call.step === 'plan_sources') return answer(planOf(question))
    if (call.step === 'decompose')
      return answer({
        data_questions: [{ question: 'Usage of each customer.', tables: [] }],
        clarification: null,
        datasource: null,
        error: null,
      })
    if (call.step === 'generate') {
      return answer({
        sql: SQL[fenced(prompt, 'data question')] ?? SQL['Usage of each customer.'] ?? '',
        explanation: 'Looks it up.',
        assumptions: [],
        chart: null,
      })
    }
    return call.step === 'synthesize' ? answer(ANSWERS[question] ?? 'Customer c1 uses 30 {=B1} gigabytes [Q1].') : undefined
  })
  const env = {
    ...world.env,
    CLEW_SOURCES_FILE: sources,
    CLEW_ACCESS_FILE: access,
    CRM_URL: postgres.url,
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
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

const privately = (name: string) => world.slack.user(name).directChannel()
const shown = (as: string): readonly ShownMessage[] =>
  ['data', privately(as)].flatMap(where => world.slack.transcript(where, { as }).filter(message => message.isFromBot))

/** Asks in Slack, and waits for the answer with this text. */
async function ask(as: string, question: string, text: string): Promise<ShownMessage> {
  const before = new Set(shown(as).map(({ ts }) => ts))
  world.slack.user(as).post('data', `${world.slack.botMention} ${question}`)
  return world.slack.waitFor(
    () => shown(as).find(({ ts, plain }) => !before.has(ts) && plain.includes(text) && !plain.includes(' …')),
    {
      timeoutMs: 60_000,
    },
  )
}

describe('a question over two sources', () => {
  it('is answered in Slack with what was joined and lost, and shows the SQL of each source', async () => {
    const message = await ask('alice', JOINED, 'per gigabyte [Q3]')
    expect(message.plain).toContain('Q3 joins Q2 (crm) and Q1 (telemetry) on code: 2 keys met, of 3 and 3.')
    expect(message.plain).toContain('33.3 % of the rows have no partner and are missing in it.')
    world.slack.user('alice').press(message, { label: 'Show SQL' })
    const sql = await world.slack.waitFor(() =>
      shown('alice').find(({ plain }) => plain.includes('Q2 (crm)') && plain.includes('JOIN')),
    )
    expect(sql.plain).toContain('shop.contracts')
    expect(sql.plain).toContain('network.usage')
  })

  it('is answered in Discord alike', async () => {
    const alice = discord.user('alice')
    const question = alice.post('general', `${discord.botMention} ${JOINED}`)
    const find = (where: string) =>
      discord
        .transcript(where, { as: 'alice' })
        .find(({ isFromBot, plain }) => isFromBot && plain.includes('per gigabyte [Q3]') && !plain.includes(' …'))
    const message = await discord.waitFor(
      () => find(alice.directChannel().id) ?? (alice.sees(question.id) ? find(question.id) : undefined),
      {
        timeoutMs: 60_000,
      },
    )
    expect(message.plain).toContain('2 keys met, of 3 and 3.')
  })

  it('never adds up rows that a join has multiplied', async () => {
    const message = await ask('alice', TWICE, '[Q1]')
    expect(message.plain).toContain('Not answered')
    expect(message.plain).toContain('could not be combined')
  })

  it('shows nothing of a source to a role without it', async () => {
    const before = world.model.calls.length
    await ask('bob', HIDDEN, 'uses 30')
    const prompts = world.model.calls.slice(before).map(promptOf).join('\n')
    for (const hidden of ['crm', 'zqcontracts', 'shop.contracts', 'fees and invoices']) {
      expect(prompts).not.toContain(hidden)
      expect(JSON.stringify(shown('bob'))).not.toContain(hidden)
    }
  })

  it('is answered with what is left once a source is away, and names it', async () => {
    await postgres.shutDown()
    const message = await ask('alice', AWAY, 'uses 30')
    expect(message.plain).toContain('Not answered')
    expect(message.plain).toContain('crm')
  })
})
