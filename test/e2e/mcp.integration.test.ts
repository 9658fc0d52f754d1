import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { MCP_LIMITS } from '../../src/mcp/limits.ts'
import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer, hang, status as statusOf } from '../emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../emulators/model/scripted-model.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { startEndlessPipeline } from '../support/endless-pipeline.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { createToken, startServe } from '../support/http-client.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { CLEW, runClew } from '../support/run-clew.ts'
import { promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'

const METROS = { 'Count all metros.': ['SELECT count() AS metros FROM metros'] }
const analyst = scriptedAnalyst({
  'How many metros are there?': { queries: METROS, answer: 'There are {metros} metros [Q1].' },
  'How many are there?': { clarification: { question: 'How many of what?', choices: ['Devices', 'Metros'] } },
  Metros: { standalone: 'How many metros are meant?', queries: METROS, answer: 'There are {metros} [Q1].' },
  'And again?': { intent: 'conversational', reply: 'Still two.' },
  'Wait for ever.': {},
})
const ACCESS = 'version: 1\nroles: {viewer: {tables: [shop.*], except: [shop.salaries]}, admin: {tables: ["*.*"]}}'
const GLOSSARY = '- {term: metro, means: A city with devices.}\n- {term: pay, means: The column amount of shop.salaries.}'
const ROWS = z.object({ rows: z.array(z.array(z.unknown())), truncated: z.boolean(), sql: z.string() })
const ANSWER = z.object({ thread: z.string(), answer: z.string() })

let engine: TestEngine
let model: ScriptedModel
let folder: string
let env: Readonly<Record<string, string>>
let serving: Readonly<Record<string, string>>
let url: string
let redis: TestRedis
const processes: ClewProcess[] = []
let intercept: ((call: ScriptedCall) => ModelScript | undefined) | undefined
const ending: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  ;[engine, model, folder, redis] = await Promise.all([
    startTestEngine({ database: 'shop' }),
    startScriptedModel({ onRequest: call => intercept?.(call) ?? answer(analyst(call)) }),
    mkdtemp(join(tmpdir(), 'clew-mcp-')),
    startTestRedis(),
  ])
  const { warehouse } = engine
  const statements = [
    'CREATE DATABASE shop',
    "CREATE TABLE shop.metros (code String, secret String) ENGINE = MergeTree ORDER BY code COMMENT 'Cities'",
    "INSERT INTO shop.metros VALUES ('fra', 'x'), ('ams', 'y')",
    'CREATE TABLE shop.salaries (amount UInt32) ENGINE = MergeTree ORDER BY amount',
    'INSERT INTO shop.salaries SELECT number FROM numbers(200)',
  ]
  for (const sql of statements) await warehouse.write({ sql, database: 'default' }, AbortSignal.timeout(60_000))
  await startEndlessPipeline(warehouse)
  const [access, glossary] = [join(folder, 'access.yaml'), join(folder, 'glossary.yaml')]
  await Promise.all([writeFile(access, ACCESS), writeFile(glossary, GLOSSARY)])
  env = {
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_DATABASE: 'shop',
    CLEW_PRIVATE_COLUMNS: 'shop.metros.secret',
    CLEW_ACCESS_FILE: access,
    CLEW_DOMAIN_DIR: folder,
    CLEW_MCP_RUN_QUERY: '1',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'scripted',
  }
  serving = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
  const [served, worker] = await Promise.all([startServe(serving), startClew('worker', 'worker started', serving)])
  processes.push(served.process, worker)
  url = served.url
})
afterEach(async () => {
  intercept = undefined
  for (const end of ending.splice(0).reverse()) await end()
})
afterAll(async () => {
  for (const client of shared.values()) await (await client).close()
  await Promise.all(processes.map(each => each.stop()))
  await redis?.close()
  await engine?.close()
  await model?.close()
  await rm(folder, { recursive: true, force: true })
})

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

/** Connects for one test. */
async function once(connecting: Promise<Client>): Promise<Client> {
  const client = await connecting
  ending.push(() => client.close())
  return client
}

/** Clients that several tests share, because each start takes a second. */
const shared = new Map<string, Promise<Client>>()

/** Returns a function that connects at its first call with some flags, and then returns the same client. */
function sharing(connect: (flags?: readonly string[]) => Promise<Client>): (flags?: readonly string[]) => Promise<Client> {
  return flags => {
    const key = `${connect.name} ${flags}`
    const client = shared.get(key) ?? connect(flags)
    shared.set(key, client)
    return client
  }
}

/** Starts the built command as a client does. */
function overStdio(flags: readonly string[] = [], more: Readonly<Record<string, string>> = {}): Promise<Client> {
  const own = { PATH: process.env.PATH ?? '', ...env, ...more }
  return connected(
    new StdioClientTransport({ command: process.execPath, args: [CLEW, 'mcp', ...flags], env: own, stderr: 'ignore' }),
  )
}

/** Asks `clew serve`, with a token of the role that comes after `--as`. */
async function overHttp([, role = 'admin']: readonly string[] = [], address = url): Promise<Client> {
  const { bearer } = await createToken(serving, '--role', role, '--rate', '100000')
  const requestInit = { headers: { Authorization: `Bearer ${bearer}` } }
  return connected(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
  return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }))
}

function textOf({ content }: CallToolResult): string {
  return content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
}

describe.each([
  ['stdio', sharing(overStdio)],
  ['HTTP', sharing(overHttp)],
])('MCP over %s', (_, connect) => {
  it('answers with figures, SQL and rows, and tells the progress', async () => {
    const client = await connect()
    const told: string[] = []
    const result = await client.callTool({ name: 'ask', arguments: { question: 'How many metros are there?' } }, undefined, {
      onprogress: ({ message = '' }) => void told.push(message),
    })
    expect(result.structuredContent).toMatchObject({
      answer: expect.stringContaining('There are 2 metros [Q1].'),
      queries: [{ id: 'Q1', sql: expect.stringContaining('metros'), rows: [['2']], error: null }],
      figures: [{ text: '2', query: 'Q1' }],
      question_back: null,
    })
    expect(told).toEqual(
      expect.arrayContaining(['Q1: How many metros are there?', expect.stringMatching(/^Q1: 1 row in \d+ ms$/)]),
    )
  })

  it('asks back with choices, takes the choice in the same thread, and remembers the thread', async () => {
    const client = await connect()
    const asked = await call(client, 'ask', { question: 'How many are there?' })
    expect(asked.structuredContent).toMatchObject({
      question_back: {
        question: 'How many of what?',
        choices: [
          { number: 1, label: 'Devices' },
          { number: 2, label: 'Metros' },
        ],
      },
    })
    const { thread } = ANSWER.parse(asked.structuredContent)
    const chosen = ANSWER.parse((await call(client, 'ask', { question: '2', thread })).structuredContent)
    expect(chosen).toMatchObject({ thread, answer: expect.stringContaining('There are 2 [Q1].') })
    await call(client, 'ask', { question: 'And again?', thread })
    const last = model.callsOf('classify').at(-1)
    expect(last && promptOf(last)).toContain('How many metros are meant?')
  })

  it('lists sources, describes a table, and runs a query within its limit', async () => {
    const client = await connect()
    expect((await call(client, 'list_sources')).structuredContent).toMatchObject({
      sources: [
        {
          source: 'default',
          dialect: 'clickhouse',
          error: null,
          tables: [{ table: 'shop.metros', comment: 'Cities', rows: 2 }, { table: 'shop.salaries' }],
        },
      ],
    })
    expect(textOf(await call(client, 'describe_table', { table: 'metros' }))).toMatch(/`shop\.metros`[\s\S]*`code`/)
    const sql = 'SELECT amount FROM salaries ORDER BY amount'
    const all = ROWS.parse((await call(client, 'run_query', { sql })).structuredContent)
    expect([all.rows.length, all.truncated]).toEqual([MCP_LIMITS.queryRows, true])
    const few = ROWS.parse((await call(client, 'run_query', { sql, max_rows: 3, source: 'default' })).structuredContent)
    expect([few.rows, few.truncated]).toEqual([[[0], [1], [2]], true])
  })

  it.each([
    ['describe_table', { table: 'metro' }, 'shop.metros'],
    ['describe_table', { table: 'metros', source: 'crm' }, 'There is no source crm: there is only default.'],
    ['run_query', { sql: 'DROP TABLE shop.metros' }, 'SELECT'],
    ['run_query', { sql: 'SELECT secret FROM shop.metros' }, 'private'],
    ['run_query', { sql: 'SELECT nothing FROM shop.metros' }, 'nothing'],
    ['run_query', { sql: `SELECT '${'x'.repeat(17_000)}'` }, 'Too big'],
    ['ask', { question: 'x'.repeat(8_001) }, 'Too big'],
    ['ask', { question: 'How many?', thread: 'a/{b}' }, 'letters, digits'],
    ['lineage', { job: 'of the orders' }, 'Invalid'],
  ])('refuses %s of %j', async (name, given, why) => {
    const refused = await call(await connect(), name, given)
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining(why)])
  })

  it('shows nothing of a hidden table', async () => {
    const client = await connect(['--as', 'viewer'])
    const glossary = await client.readResource({ uri: 'clew://domain/glossary' })
    const told = [
      await call(client, 'list_sources'),
      await call(client, 'describe_table', { table: 'shop.salary' }),
      await call(client, 'run_query', { sql: 'SELECT count() FROM shop.metros' }),
      glossary,
    ]
    expect(JSON.stringify(told)).toContain('metro')
    expect(JSON.stringify(told)).not.toMatch(/salaries|amount/)
    expect((await call(client, 'run_query', { sql: 'SELECT amount FROM shop.salaries' })).isError).toBe(true)
  })

  it('offers the domain pack as resources', async () => {
    const client = await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('clew://domain/verified-questions')
    const { contents } = await client.readResource({ uri: 'clew://domain/glossary' })
    expect(contents).toMatchObject([{ text: expect.stringContaining('A city with devices.') }])
  })

  it('shows what a pipeline has made', async () => {
    const client = await connect()
    const { structuredContent } = await call(client, 'lineage', { job: 'daily' })
    expect(structuredContent).toMatchObject({ intent: 'lineage', answer: expect.stringContaining('daily_rows') })
  })

  it('stops a run that the client cancels, and goes on with the next', async () => {
    intercept = () => hang()
    const client = await connect()
    const before = model.callsOf('classify').length
    const cancelled = new AbortController()
    const asking = client.callTool({ name: 'ask', arguments: { question: 'Wait for ever.' } }, undefined, {
      signal: cancelled.signal,
    })
    const { left } = await model.arrival('classify', before)
    cancelled.abort()
    await expect(asking).rejects.toThrow()
    expect(await left).toBe(true)
    intercept = undefined
    expect((await call(client, 'ask', { question: 'And again?' })).structuredContent).toMatchObject({ answer: 'Still two.' })
  })

  it('tells why a question has no answer', async () => {
    intercept = () => statusOf(401)
    const failed = await call(await connect(), 'ask', { question: 'How many metros are there?' })
    expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringMatching(/model.*\(run_\w{16}\)$/)])
  })

  it('refuses more calls at a time than it serves', async () => {
    intercept = () => hang()
    const client = await connect()
    const cancelled = new AbortController()
    const given = { name: 'ask', arguments: { question: 'Wait for ever.' } }
    const before = model.callsOf('classify').length
    const running = Array.from({ length: MCP_LIMITS.callsAtOnce }, () =>
      client.callTool(given, undefined, { signal: cancelled.signal }),
    )
    await Promise.all(running.map((_, index) => model.arrival('classify', before + index)))
    expect(textOf(await call(client, 'list_sources'))).toContain('8 calls run already')
    cancelled.abort()
    await Promise.allSettled(running)
  })
})

describe('/mcp of clew serve', () => {
  it('needs a token, and takes POST only', async () => {
    const ask = (method: string, headers: Readonly<Record<string, string>>) => fetch(new URL('/mcp', url), { method, headers })
    expect((await ask('POST', {})).status).toBe(401)
    const { bearer } = await createToken(serving, '--role', 'viewer')
    expect((await ask('GET', { Authorization: `Bearer ${bearer}`, Accept: 'text/event-stream' })).status).toBe(405)
  })

  it('counts queries as turns, within the rate of the token', async () => {
    const { bearer } = await createToken(serving, '--role', 'viewer', '--rate', '1')
    const requestInit = { headers: { Authorization: `Bearer ${bearer}` } }
    const client = await once(connected(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit })))
    const query = () => call(client, 'run_query', { sql: 'SELECT count() FROM metros' })
    expect((await query()).structuredContent).toMatchObject({ rows: [['2']] })
    expect(textOf(await query())).toBe('This token may start 1 turns a minute.')
  })
})

/** Connects to a `clew serve` of its own. */
async function overOwnServe(flags: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Client> {
  const own = await startServe({ ...serving, ...more }, flags)
  ending.push(() => own.process.stop())
  return once(overHttp([], own.url))
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

describe('/mcp of a clew serve with options', () => {
  it.each([
    [['--mcp-mode', 'ask'], {}, ['ask', 'lineage']],
    [['--mcp-mode', 'context', '--mcp-without', 'run_query'], {}, ['list_sources', 'describe_table']],
    [[], { CLICKHOUSE_URL: '', OPENAI_BASE_URL: '' }, ['ask', 'lineage']],
  ])('with %j and %j offers %j', async (flags, more, offered) => {
    expect(await toolsOf(await overOwnServe(flags, more))).toEqual(offered)
  })

  it('without the tool for pipelines answers no command about them', async () => {
    const client = await overOwnServe(['--mcp-without', 'lineage'])
    expect(await toolsOf(client)).not.toContain('lineage')
    const refused = await call(client, 'ask', { question: '/lineage daily' })
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('switched off')])
    const { structuredContent } = await call(client, 'ask', { question: 'How many metros are there?' })
    expect(structuredContent).toMatchObject({ answer: expect.stringContaining('There are 2 metros') })
  })

  it.each([
    [['--mcp-mode', 'thinking'], 'Allowed choices are ask, context'],
    [['--mcp-without', 'asking'], 'There is no tool asking. There are ask, lineage'],
  ])('with %j does not start', async (flags, why) => {
    const { status, errors } = await runClew(['serve', ...flags], serving)
    expect([status, errors]).toEqual([2, expect.stringContaining(why)])
  })
})

describe('clew mcp', () => {
  const context = ['list_sources', 'describe_table']
  it.each([
    [[], {}, ['ask', 'lineage', ...context, 'run_query']],
    [[], { CLEW_MCP_RUN_QUERY: '0' }, ['ask', 'lineage', ...context]],
    [[], { OPENAI_BASE_URL: '' }, [...context, 'run_query']],
    [['--mode', 'ask'], {}, ['ask', 'lineage']],
    [['--mode', 'context', '--without', 'run_query'], {}, context],
    [['--without', 'lineage,list_sources'], {}, ['ask', 'describe_table', 'run_query']],
  ])('with %j and %j offers %j', async (flags, more, offered) => {
    expect(await toolsOf(await once(overStdio(flags, more)))).toEqual(offered)
  })

  it.each([
    [['--mode', 'thinking'], {}, 'Allowed choices are ask, context'],
    [['--mode', 'ask'], { OPENAI_BASE_URL: '' }, 'No model is configured'],
    [['--without', 'asking'], {}, 'There are ask, lineage, list_sources'],
    [['--as', 'nobody'], {}, 'There is no role nobody'],
  ])('with %j and %j does not start', async (flags, more, why) => {
    const { status, output, errors } = await runClew(['mcp', ...flags], { ...env, ...more })
    expect([status, output, errors]).toEqual([2, '', expect.stringContaining(why)])
  })

  it('without the tool for pipelines answers no command about them', async () => {
    intercept = call => (call.step === 'classify' ? answer(analystReply) : undefined)
    const client = await once(overStdio(['--without', 'lineage']))
    const { structuredContent } = await call(client, 'ask', { question: 'lineage daily' })
    expect(structuredContent).toMatchObject({ intent: 'conversational', answer: 'A question like others.' })
  })

  it('keeps threads in Redis', async () => {
    const kept = { REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
    await call(await once(overStdio([], kept)), 'ask', { question: 'How many metros are there?', thread: 'kept' })
    await call(await once(overStdio([], kept)), 'ask', { question: 'And again?', thread: 'kept' })
    const last = model.callsOf('classify').at(-1)
    expect(last && promptOf(last)).toContain('How many metros are there?')
  })

  it('reads the sources that its role may use, and no others', async () => {
    const [sources, access] = [join(folder, 'sources.yaml'), join(folder, 'roles.yaml')]
    await writeFile(
      sources,
      'sources:\n  shop: {url: $SHOP_URL, databases: [shop], description: Sales}\n  jobs: {url: $SHOP_URL, databases: [pipelines], description: Pipelines}',
    )
    await writeFile(access, 'version: 1\nroles: {seller: {tables: [shop.*]}}')
    const more = { CLEW_SOURCES_FILE: sources, CLEW_ACCESS_FILE: access, SHOP_URL: engine.url, CLEW_PRIVATE_COLUMNS: '' }
    const sql = 'SELECT count() FROM p_load'
    const [all, seller] = await Promise.all([once(overStdio([], more)), once(overStdio(['--as', 'seller'], more))])
    expect((await call(all, 'list_sources')).structuredContent).toMatchObject({
      sources: [{ source: 'shop' }, { source: 'jobs', description: 'Pipelines' }],
    })
    expect((await call(all, 'run_query', { sql, source: 'jobs' })).structuredContent).toMatchObject({ rows: [['0']] })
    expect((await call(seller, 'list_sources')).structuredContent).toMatchObject({ sources: [{ source: 'shop' }] })
    expect(textOf(await call(seller, 'run_query', { sql, source: 'jobs' }))).toBe('There is no source jobs: there is only shop.')
  })

  it('ends when its input ends, and writes only messages to its output', async () => {
    const { status, output } = await runClew(['mcp'], { ...env, CLEW_LOG_LEVEL: 'trace' }, { input: 'not JSON\n' })
    expect([status, output]).toEqual([0, ''])
  })
})

const analystReply = {
  intent: 'conversational',
  language: null,
  standalone_question: 'lineage daily',
  catalog_request: null,
  table: null,
  reply: 'A question like others.',
}
