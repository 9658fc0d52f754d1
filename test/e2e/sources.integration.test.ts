import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ENGINE_PATHS, engineStateSchema } from '../../src/clickhouse/engine/options.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { runSql } from '../support/postgres.ts'
import { until } from '../support/queue-harness.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'
import { SURFACES, startTwoSources, type TwoSources } from '../support/two-sources.ts'

interface Scan {
  readonly source: string
  readonly columns: Readonly<Record<string, string>>
  readonly sql: string
}

const USAGE = 'Gigabytes of each customer.'
/** The queries of a plan. The first column of each result is the key. */
const SCANS: Readonly<Record<string, Scan>> = {
  [USAGE]: {
    source: 'telemetry',
    columns: { code: 'text', gigabytes: 'integer' },
    sql: 'SELECT code, sum(gigabytes) AS gigabytes FROM network.usage GROUP BY code ORDER BY code',
  },
  'Each use.': {
    source: 'telemetry',
    columns: { code: 'text', gigabytes: 'integer' },
    sql: 'SELECT code, gigabytes FROM network.usage',
  },
  'Each packet.': {
    source: 'telemetry',
    columns: { code: 'text', bytes: 'integer' },
    sql: 'SELECT code, bytes FROM network.packets',
  },
  'Fee of each customer.': {
    source: 'crm',
    columns: { code: 'text', fee: 'decimal' },
    sql: 'SELECT code, fee FROM shop.contracts',
  },
  'Fee of each account.': {
    source: 'crm',
    columns: { account: 'text', fee: 'decimal' },
    sql: 'SELECT account, fee FROM shop.contracts',
  },
  'Fee of each account, with its code as customers have it.': {
    source: 'crm',
    columns: { code: 'text', fee: 'decimal' },
    sql: "SELECT 'c' || ltrim(substr(account, 3), '0') AS code, fee FROM shop.contracts",
  },
  'Each invoice.': {
    source: 'crm',
    columns: { code: 'text', amount: 'decimal' },
    sql: 'SELECT code, amount FROM shop.invoices',
  },
}

interface Case {
  readonly name: string
  readonly question: string
  /** The sides of the join, by their data questions. */
  readonly left: string
  readonly right: string
  /** The column that is added up for each key. Absent: the joined rows are the result. */
  readonly total?: string
  readonly answer: string
  readonly shown: readonly string[]
  /** Texts that nobody may read in the answer. */
  readonly hidden?: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'keys that one source writes as the other does meet, and lost rows are told with both counts',
    question: 'What fee and what usage has each customer with an account?',
    left: USAGE,
    right: 'Fee of each account, with its code as customers have it.',
    answer: 'Customer c1 uses 30 {=B1} gigabytes [Q3].',
    shown: [
      'uses 30 gigabytes [Q3]',
      'Q3 joins Q1 (telemetry) and Q2 (crm) on code: 3 keys met, of 4 and 5.',
      '40 % of the rows of Q2 (crm) have no partner and are missing in it.',
    ],
  },
  {
    name: 'keys that are spelt differently meet nowhere, and that is said',
    question: 'What fee and what usage has each account?',
    left: 'Fee of each account.',
    right: USAGE,
    answer: 'No account has both a fee and a usage [Q3].',
    shown: ['0 keys met, of 5 and 4.', '100 % of the rows of Q1 (crm)', 'Perhaps the two sources write these keys differently.'],
    hidden: ['Nothing was found'],
  },
  {
    name: 'rows that a join has multiplied are never added up',
    question: 'What do all invoices of each customer come to, beside all of its usage?',
    left: 'Each use.',
    right: 'Each invoice.',
    total: 'amount',
    answer: 'Customer c1 has two uses [Q1].',
    shown: [
      'Missing: "The amount of each customer"',
      '(one key has up to 2 rows on one side and up to 2 on the other, so that some would count several times)',
    ],
    hidden: ['120'],
  },
  {
    name: 'an input that was cut gives no sum',
    question: 'What fee and how many packets has each customer?',
    left: 'Each packet.',
    right: 'Fee of each customer.',
    total: 'bytes',
    answer: 'Customer c1 pays 60 {=B1} [Q2].',
    shown: ['Missing: "The bytes of each customer" (the sources have more rows for it than can be combined).'],
  },
]
const AWAY: Case = {
  name: 'what is left is answered once a source is away, which is named',
  question: 'How much does each customer use, and what fee does its contract have?',
  left: USAGE,
  right: 'Fee of each customer.',
  answer: 'Customer c1 uses 30 {=B1} gigabytes [Q1].',
  shown: ['uses 30 gigabytes [Q1]', 'Missing: "Fee of each customer" (crm: this source cannot be reached now).'],
}
const FORBIDDEN = { question: 'What does each customer pay per gigabyte?', answer: AWAY.answer }
/** The texts that may not reach a person without the source: its name, its tables, their comments, and its description. */
const OF_CRM = ['crm', 'zqcontracts', 'shop.contracts', 'fees and invoices']

const asked = (question: string) => [...CASES, AWAY].find(each => each.question === question)

function subQuery(key: string, question: string): object {
  const { source, columns } = SCANS[question] ?? fail(question)
  const promised = Object.entries(columns).map(([name, type]) => ({ name, type }))
  return { key, source, question, columns: promised, restrict: null }
}

function planOf(question: string): object {
  const { left, right, total } = asked(question) ?? fail(question)
  const keyOf = (side: string) => Object.keys(SCANS[side]?.columns ?? {})[0]
  const measures = [{ name: 'total', function: 'sum', column: total }]
  const post = {
    key: 'total',
    input: 'both',
    question: `The ${total} of each customer.`,
    steps: [{ kind: 'aggregate', by: ['code'], measures }],
  }
  return {
    sub_queries: [subQuery('one', left), subQuery('other', right)],
    combines: [
      { kind: 'join', key: 'both', join: 'inner', left: 'one', right: 'other', on: [{ left: keyOf(left), right: keyOf(right) }] },
    ],
    posts: total === undefined ? [] : [post],
    ...NOTHING_ASKED,
  }
}

const NOTHING_ASKED = { clarification: null, datasource: null, error: null }

function play(call: ScriptedCall) {
  const prompt = promptOf(call)
  const question = fenced(prompt, 'question')
  switch (call.step) {
    case 'classify':
      return answer({
        intent: 'data_analysis',
        standalone_question: null,
        catalog_request: null,
        table: null,
        reply: null,
        language: 'en',
      })
    case 'plan_sources':
      return answer(planOf(question))
    case 'decompose':
      return answer({ data_questions: [{ question: USAGE, tables: [] }], ...NOTHING_ASKED })
    case 'generate': {
      const { sql } = SCANS[fenced(prompt, 'data question')] ?? SCANS[USAGE] ?? fail(question)
      return answer({ sql, explanation: 'Looks it up.', assumptions: [], chart: null })
    }
    case 'synthesize':
      return answer(asked(question)?.answer ?? FORBIDDEN.answer)
    default:
      return undefined
  }
}

function fail(question: string): never {
  throw new Error(`no script for: ${question}`)
}

let world: TwoSources
let worker: ClewProcess

beforeAll(async () => {
  world = await startTwoSources()
  world.intercept(play)
  worker = await world.startWorker()
}, 120_000)
afterAll(() => world?.close())

/** Counts the queries that each server was sent for the first case, by the servers' own records. */
async function ran(): Promise<readonly number[]> {
  const received = await world.engine.receivedQueries()
  const [row] = await runSql(
    world.postgres.adminUrl,
    "SELECT sum(calls) AS calls FROM pg_stat_statements WHERE query LIKE '%ltrim%' AND query NOT LIKE '%pg_stat_statements%'",
  )
  return [received.filter(({ sql }) => sql.includes('sum(gigabytes)')).length, Number(row?.calls)]
}

/** Returns the process of a worker's combining engine. */
async function engineOf({ pid }: ClewProcess): Promise<number> {
  const folders = await readdir(tmpdir())
  const folder = folders.find(name => name.startsWith(`clew-engine-${pid}-`)) ?? fail(`engine of ${pid}`)
  return engineStateSchema.parse(JSON.parse(await readFile(join(tmpdir(), folder, ENGINE_PATHS.state), 'utf8'))).pid
}

const textOf = (given: string) => given.slice(0, given.indexOf(' {'))
const expectCase = async (surface: (typeof SURFACES)[number], { question, answer: given, shown, hidden = [] }: Case) => {
  const text = await world.ask(surface, 'alice', question, textOf(given))
  for (const part of shown) expect(text).toContain(part)
  for (const part of hidden) expect(text).not.toContain(part)
}

describe.each(SURFACES)('a question over two sources, at %s', surface => {
  it.each(CASES)('$name', each => expectCase(surface, each))

  it('shows nothing of a source to a role without it', async () => {
    const before = world.model.calls.length
    const text = await world.ask(surface, 'bob', FORBIDDEN.question, 'uses 30')
    expect(text).toContain('uses 30 gigabytes [Q1]')
    const prompts = world.model.calls.slice(before).map(promptOf).join('\n')
    expect(prompts).toContain('network.usage')
    for (const part of OF_CRM) expect(`${prompts}\n${text}\n${JSON.stringify(world.shown('bob'))}`).not.toContain(part)
  })
})

describe('the SQL of a combined answer', () => {
  it('is shown of each source, and of the join', async () => {
    const { question } = CASES[0] ?? fail('')
    await world.ask('Slack', 'alice', question, 'uses 30')
    const message = world.shown('alice').findLast(({ plain }) => plain.includes('uses 30')) ?? fail(question)
    world.slack.user('alice').press(message, { label: 'Show SQL' })
    const sql = await world.slack.waitFor(() =>
      world.shown('alice').find(({ plain }) => plain.includes('Q2 (crm)') && plain.includes('JOIN')),
    )
    expect(sql.plain).toContain('shop.contracts')
    expect(sql.plain).toContain('network.usage')
  })
})

describe('a process that is killed between the scans and the combine', () => {
  const { question, answer: given } = CASES[0] ?? fail('')
  const text = textOf(given)
  const answers = () => world.shown('alice').filter(({ plain }) => plain.includes(text)).length

  /** Asks a question, and calls `kill` once the scans are on record and the combine waits for an engine that stands still. */
  async function askAndKill(kill: (engine: number) => Promise<void>): Promise<void> {
    // The first question starts the engine.
    await world.ask('Slack', 'alice', question, text)
    const [engine, runs, before, ranBefore] = [await engineOf(worker), await world.scansOfRuns(), answers(), await ran()]
    process.kill(engine, 'SIGSTOP')
    world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
    await world.slack.waitFor(() => world.shown('alice').some(({ plain }) => plain.includes('Combining the results …')))
    const isRecorded = async () => [...(await world.scansOfRuns())].some(([run, scans]) => !runs.has(run) && scans === 2)
    await until('both scans are on record', isRecorded)
    const asked = await ran()
    for (const [index, count] of asked.entries()) expect(count).toBeGreaterThan(ranBefore[index] ?? 0)
    await kill(engine)
    await world.slack.waitFor(() => answers() > before, { timeoutMs: 60_000 })
    expect(await ran()).toEqual(asked)
    expect(answers()).toBe(before + 1)
  }

  it('is a worker: another one takes the run over, and repeats no scan', async () => {
    await askAndKill(async engine => {
      await worker.kill()
      // The engine ends by itself, because nobody uses it any more.
      process.kill(engine, 'SIGCONT')
      worker = await world.startWorker()
    })
  })

  it('is the combining engine: another one combines the same rows', async () => {
    await askAndKill(async engine => void process.kill(engine, 'SIGKILL'))
  })
})

describe('with a source that is away', () => {
  beforeAll(() => world.postgres.shutDown())

  it.each(SURFACES)(`at %s, ${AWAY.name}`, surface => expectCase(surface, AWAY))
})
