import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ClickHouseAuditStore } from '../../src/audit/clickhouse-store.ts'
import type { AuditFilter } from '../../src/audit/store.ts'
import { StateDatabase } from '../../src/pipelines/state-database.ts'
import type { SentMessage } from '../emulators/slack/person.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'
import { CLEW, runClew } from '../support/run-clew.ts'

const DEVICES = 'How many devices are there?'
const LINKS = 'Wie viele Links gibt es?'
const book = {
  [DEVICES]: {
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are {devices} devices [Q1].',
  },
  [LINKS]: {
    language: 'de',
    queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'Es gibt {links} Links [Q1].',
  },
}
const CLOSED = 60_000
const signal = AbortSignal.timeout(600_000)

let world: ClewWorld
/** Processes with this environment may write to ClickHouse. */
let writing: Readonly<Record<string, string>>
const processes: ClewProcess[] = []

beforeAll(async () => {
  world = await startClewWorld(book)
  const { url, username, password } = (await world.engine.engine.endpoint(signal)).writer
  writing = { ...world.env, CLEW_WRITER_URL: url.replace('//', `//${username}:${password}@`) }
  processes.push(await startClew('bots', 'connected', world.env))
})
afterEach(async () => {
  for (const worker of processes.splice(1)) await worker.stop()
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.stop()))
  await world?.close()
})

async function startWorker(env: Readonly<Record<string, string>>): Promise<ClewProcess> {
  const worker = await startClew('worker', 'worker started', env)
  processes.push(worker)
  return worker
}

function ask(question: string, as = 'alice'): SentMessage {
  return world.slack.user(as).post('data', `${world.slack.botMention} ${question}`)
}

/** Waits until the thread of a question has this text. */
async function shown(question: SentMessage, text: string): Promise<void> {
  const find = () => world.replies(question).some(({ plain }) => plain.includes(text) && !plain.includes('Writing the answer'))
  await world.slack.waitFor(find, { timeoutMs: CLOSED })
}

async function auditOf(env: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const { status, output, errors } = await runClew(['audit', '--json', ...options], env)
  expect({ status, errors }).toEqual({ status: 0, errors: '' })
  return output
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

/** Runs a query as an agent's tool does, in a process that must record it. */
async function countOverMcp() {
  const client = new Client({ name: 'agent', version: '1' })
  const env = { ...writing, REDIS_URL: '', CLEW_REQUIRE_AUDIT: '1', CLEW_MCP_RUN_QUERY: '1' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLEW, 'mcp'], env, stderr: 'ignore' }))
  const sql = 'SELECT count() AS devices FROM dz_devices'
  const result = await client.callTool({ name: 'run_query', arguments: { sql } })
  await client.close()
  return result
}

/** Waits until the audit log has an answer of this person. */
async function audited(env: Readonly<Record<string, string>>, person: string) {
  let lines: Awaited<ReturnType<typeof auditOf>> = []
  await until('the answer is in the audit log', async () => {
    lines = await auditOf(env, '--person', person)
    return lines.some(({ kind }) => kind === 'answer')
  })
  return lines
}

describe('the audit log', () => {
  it('is a stream of Redis if ClickHouse may not be written, and tells so', async () => {
    const worker = await startWorker(world.env)
    expect(worker.log.find(line => line.includes('audit log opened'))).toContain('the latest 100,000 lines')
    await shown(ask(DEVICES), 'devices')
    const person = `slack/${world.slack.user('alice').id}`
    const lines = await audited(world.env, person)
    const about = { person, platform: 'slack', channel: world.slack.channel('data').id, run: expect.stringMatching(/^run_/) }
    const calls = lines.filter(({ kind }) => kind === 'model_call')
    expect(new Set(calls.map(({ step }) => step))).toEqual(new Set(['classify', 'decompose', 'generate', 'synthesize']))
    for (const call of calls) expect(call).toMatchObject({ ...about, subject: 'scripted', tokens_in: expect.any(Number) })
    const ran = lines.filter(({ kind, rows }) => kind === 'query' && rows === 1)
    expect(ran).toContainEqual(
      expect.objectContaining({
        ...about,
        source: 'default',
        outcome: 'ok',
        sql_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      }),
    )
    expect(lines.at(-1)).toMatchObject({ ...about, kind: 'answer', outcome: 'answered' })
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort())
    expect(JSON.stringify(lines)).not.toMatch(/devices|SELECT/)
  })

  it('is a table of ClickHouse once `clew migrate` has made it, and a command finds the lines of both', async () => {
    expect((await runClew(['migrate'], writing)).status).toBe(0)
    const asked = await runClew(['ask', DEVICES], writing)
    expect(asked).toMatchObject({ status: 0 })
    const { rows } = await world.engine.warehouse.readOwn(
      { sql: "SELECT DISTINCT person FROM clew.audit_log WHERE kind = 'answer'" },
      signal,
    )
    expect(rows).toEqual([[expect.stringMatching(/^terminal\/\w/)]])
    const all = await auditOf(writing)
    const state = new StateDatabase(world.engine.warehouse, 'clew')
    const table = new ClickHouseAuditStore({ state, close: async () => undefined })
    const latest = async (filter: Partial<AuditFilter>, cursor?: string) =>
      table.latest({ from: 0, to: Date.now(), ...filter }, cursor, signal)
    const { lines } = await latest({})
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).toSorted((one, other) => other - one))
    const queries = await latest({ kind: 'query', person: lines.find(({ kind }) => kind === 'answer')?.person })
    expect(queries.lines).toEqual(lines.filter(({ kind, person }) => kind === 'query' && person !== ''))
    const [first, ...rest] = lines
    expect((await latest({}, `${first?.at} ${first?.id}`)).lines).toEqual(rest)
    expect(new Set(all.filter(({ kind }) => kind === 'answer').map(({ platform }) => platform))).toEqual(
      new Set(['slack', 'terminal']),
    )
    const last = all.at(-1).at
    expect(await auditOf(writing, '--from', last)).toHaveLength(all.filter(({ at }) => at === last).length)
    expect(await auditOf(writing, '--to', '2026-01-01')).toEqual([])
    const told = { status: 0, output: '', errors: expect.stringMatching(/range is empty: --to is before --from/) }
    expect(await runClew(['audit', '--to', '2026-01-01'], writing)).toEqual(told)
    const none = { status: 0, output: '', errors: 'The audit log has no such lines.\n' }
    expect(await runClew(['audit', '--person', 'slack/U0NOBODY'], writing)).toEqual(none)
  })

  it('has every query that ran for a question, by the hash of its text', async () => {
    const { output } = await runClew(['ask', '--json', LINKS], writing)
    const { run_id, queries } = JSON.parse(output)
    const hashes = (await auditOf(writing)).filter(({ run }) => run === run_id).map(({ sql_sha256 }) => sql_sha256)
    expect(hashes).toContain(createHash('sha256').update(queries[0].sql).digest('hex'))
  })

  it('closes Clew where it is required and cannot be written; the question is answered once it can be', async () => {
    const worker = await startWorker({ ...writing, CLEW_REQUIRE_AUDIT: '1' })
    const before = ask(DEVICES)
    await shown(before, 'devices [')
    await world.engine.warehouse.write({ sql: 'RENAME TABLE clew.audit_log TO clew.away' }, signal)
    const refused = ask(LINKS)
    await shown(refused, 'Auditprotokoll')
    expect(
      world
        .replies(refused)
        .map(({ plain }) => plain)
        .join(),
    ).not.toMatch(/Es gibt|\| *links/)
    const [reply] = world.replies(refused)
    const [answered] = world.replies(before)
    if (answered !== undefined) world.slack.user('bob').press(answered, { label: 'Show SQL' })
    const shownToBob = () =>
      world.slack
        .transcript('data', { as: 'bob' })
        .filter(({ isEphemeral }) => isEphemeral)
        .map(({ plain }) => plain)
    await until('the press was tried', async () => worker.log.some(line => line.includes('press could not be answered')))
    expect(shownToBob()).toEqual([])
    expect(await countOverMcp()).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('the audit log') }] })
    await world.engine.warehouse.write({ sql: 'RENAME TABLE clew.away TO clew.audit_log' }, signal)
    if (reply !== undefined) world.slack.user('alice').press(reply, { label: 'Noch einmal' })
    await shown(refused, 'Es gibt')
    await world.slack.waitFor(() => shownToBob().join().includes('SELECT'), { timeoutMs: CLOSED })
    expect(await countOverMcp()).not.toMatchObject({ isError: true })
  })

  it('must have a place if it is required', async () => {
    const env = { ...world.env, REDIS_URL: '', CLICKHOUSE_URL: 'chdb:memory', CLEW_REQUIRE_AUDIT: '1' }
    const { status, errors } = await runClew(['ask', DEVICES], env)
    expect(status).toBe(2)
    expect(errors).toContain('set REDIS_URL, or CLEW_WRITER_URL')
  })
})
