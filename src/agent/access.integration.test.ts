import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { toAccessXml } from '../../test/support/access-xml.ts'
import { canonicalStatements } from '../../test/support/canonical-statements.ts'
import { type GrantedServer, startGrantedServer } from '../../test/support/granted-server.ts'
import { openAnalyst } from '../../test/support/open-analyst.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import type { RunAccess } from '../access/run-access.ts'
import { createLogger } from '../base/logger.ts'
import { CLICKHOUSE_LIMITS } from '../clickhouse/limits.ts'
import { openWarehouse } from '../clickhouse/open-warehouse.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import type { AnalystDeps, Question } from './analyst.ts'
import type { AskPerson } from './ask-back/interrupt.ts'
import { newRunId } from './run/id.ts'

/** Every row that the sales role may not see contains this word, and no other row contains it. */
const SECRET = 'zqsecretqz'
const HIDDEN = 'salaries'
const WORLD = [
  'CREATE DATABASE shop',
  "CREATE TABLE shop.orders (day Date, buyer String, amount UInt32) ENGINE = MergeTree ORDER BY day COMMENT 'Sold by the people of salaries'",
  "INSERT INTO shop.orders VALUES ('2026-03-01', 'Ada', 10), ('2026-03-02', 'Bo', 20)",
  'CREATE TABLE shop.salaries (person String, amount UInt32) ENGINE = MergeTree ORDER BY person',
  `INSERT INTO shop.salaries SELECT concat('${SECRET}', toString(number)), 70 FROM numbers(100)`,
  'CREATE VIEW shop.paid DEFINER = default SQL SECURITY DEFINER AS SELECT sum(amount) AS amount FROM shop.salaries',
  'CREATE TABLE shop.salaries_old (amount UInt32) ENGINE = MergeTree ORDER BY amount',
  'CREATE VIEW shop.broken DEFINER = default SQL SECURITY DEFINER AS SELECT amount AS x FROM shop.salaries_old',
  'DROP TABLE shop.salaries_old',
]
const ROLES = [
  'CREATE ROLE clew_sales',
  'GRANT SELECT ON shop.orders TO clew_sales',
  'GRANT SELECT ON shop.paid TO clew_sales',
  'GRANT SELECT ON shop.broken TO clew_sales',
  'CREATE ROLE clew_all',
  'GRANT SELECT ON shop.* TO clew_all',
  'GRANT clew_sales TO clew_reader',
  'GRANT clew_all TO clew_reader',
]
const SALES: RunAccess = {
  grants: [{ tables: ['shop.*'], except: [`shop.${HIDDEN}`] }],
  clickhouseRoles: ['clew_sales'],
}
const ALL: RunAccess = { grants: [{ tables: ['*.*'], except: [] }], clickhouseRoles: ['clew_all'] }
const DOMAIN = `# Metric definitions\n- pay: sum(pay) from shop.${HIDDEN}\n- turnover: sum(amount) from shop.orders`
const BY = { verified_by: 'Ann', verified_at: '2026-03-01' }
const VERIFIED = [
  { question: 'Who earns most of the sum?', sql: `SELECT person FROM shop.${HIDDEN}`, ...BY },
  { question: 'Who earns least of the sum?', sql: `SELECT person\nFROM\n${HIDDEN}`, ...BY },
  { question: 'What was sold, the sum?', sql: 'SELECT sum(amount) FROM shop.orders', ...BY },
]
const signal = AbortSignal.timeout(300_000)

let server: GrantedServer
let warehouse: Warehouse
let model: ScriptedModel
/** The scripted model's answers, by step. The model does whatever it is asked. */
let says: Readonly<Record<string, (call: ScriptedCall) => string | object>> = {}
const log: string[] = []
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  const statements = [...(await canonicalStatements('deploy/clickhouse/reader.sql')), ...ROLES]
  server = await startGrantedServer({ world: WORLD, usersXml: toAccessXml(statements, { user: 'clew_reader' }).xml })
  const { maxBytes, timeoutMs } = CLICKHOUSE_LIMITS.query
  warehouse = await openWarehouse(
    { url: server.url, database: 'shop', maxBytes, timeoutMs, logger: createLogger({ level: 'silent' }) },
    signal,
  )
  model = await startScriptedModel({
    onRequest: call => answer((says[call.step] ?? DEFAULTS[call.step] ?? (() => 'Noted.'))(call)),
  })
})
afterEach(async () => {
  says = {}
  log.length = 0
  for (const close of closing.splice(0)) await close()
})
afterAll(async () => {
  await warehouse?.close()
  await model?.close()
  await server?.close()
})

const classified = (given: object = {}) => ({
  ...{ intent: 'data_analysis', standalone_question: 'How much?', catalog_request: null, table: null, reply: null },
  ...given,
})
const writes = (sql: string) => ({ generate: () => ({ sql, explanation: 'Looks it up.', assumptions: [] }) })
const DEFAULTS: Readonly<Record<string, () => string | object>> = {
  classify: () => classified(),
  decompose: () => ({ data_questions: [{ question: 'The sum.', rationale: 'needed' }], clarification: null, error: null }),
  ...writes('SELECT sum(amount) AS amount FROM orders'),
  review_empty: () => ({ verdict: 'expected', reason: 'There is none.', suggestion: null }),
  synthesize: () => 'It is so [Q1].',
}

async function open(parts: Partial<AnalystDeps> = {}) {
  const logger = createLogger({ level: 'warn', destination: { write: line => void log.push(line) } })
  const opened = await openAnalyst({
    ...{ warehouse, baseUrl: model.baseUrl, databases: ['shop'] },
    parts: { domain: { overview: DOMAIN, full: DOMAIN, terms: [], metrics: [], verifiedQueries: VERIFIED }, logger, ...parts },
  })
  closing.push(opened.close)
  return async (text: string, more: Partial<Question> = {}, own = signal) => {
    const before = model.calls.length
    const events: unknown[] = []
    const question = { runId: newRunId(), text, askedAt: Date.parse('2026-03-04T12:00:00Z'), access: SALES, ...more }
    const { result, afterwards } = await opened.analyst.ask({ ...question, observe: event => events.push(event) }, own)
    await afterwards(signal)
    const prompts = model.calls.slice(before).map(promptOf)
    return { result, prompts, all: JSON.stringify([result, events, prompts]).toLowerCase() }
  }
}

describe('a run that may see only some tables', () => {
  it('does not know other tables: no prompt and no answer names one, although comments and the domain pack do', async () => {
    const { result, prompts, all } = await (await open())('How much was sold?')
    expect(result.queries[0]).toMatchObject({ error: null, tables: ['shop.orders'], rows: [['30']] })
    expect(prompts.join()).toContain('What was sold, the sum?')
    expect(all).not.toContain(HIDDEN)
    expect(all).not.toContain(SECRET)
  })

  it('ends before a query is written, if it may see none', async () => {
    const ask = await open()
    const before = model.calls.length
    const access = { grants: [{ tables: ['other.*'], except: [] }], clickhouseRoles: ['clew_sales'] }
    await expect(ask('How much was sold?', { access })).rejects.toMatchObject({ code: 'run_no_source' })
    expect(model.calls.slice(before).map(({ step }) => step)).not.toContain('generate')
  })

  it('has more tables for people with more rights', async () => {
    says = writes(`SELECT max(person) AS person FROM ${HIDDEN}`)
    const { result, prompts } = await (await open())('Who?', { access: ALL })
    expect(result.queries[0]?.rows).toEqual([[`${SECRET}99`]])
    expect(prompts.join()).toContain('Who earns most of the sum?')
  })

  it.each([
    `SELECT * FROM ${HIDDEN}`,
    `SELECT * FROM shop.${HIDDEN}`,
    `SELECT amount FROM orders UNION ALL SELECT amount FROM ${HIDDEN}`,
    `SELECT amount, (SELECT max(person) FROM ${HIDDEN}) AS who FROM orders`,
    `SELECT amount FROM orders WHERE amount IN ${HIDDEN}`,
    `WITH ${HIDDEN} AS (SELECT * FROM ${HIDDEN}) SELECT * FROM ${HIDDEN}`,
    "SELECT * FROM merge('shop', '.*')",
    `SELECT * FROM remote('127.0.0.1', shop.${HIDDEN})`,
    `SELECT dictGet('shop.${HIDDEN}', 'person', toUInt64(1)) FROM orders`,
    "SELECT name FROM system.tables WHERE database = 'shop'",
    'SELECT * FROM information_schema.tables',
    'SHOW TABLES',
    `DESCRIBE TABLE ${HIDDEN}`,
  ])('never reads other tables, whatever SQL the model writes: %s', async sql => {
    says = writes(sql)
    const { result, all } = await (await open())('How much?')
    expect(result.queries[0]?.error).not.toBeNull()
    expect(all).not.toContain(SECRET)
    expect(log.join()).not.toContain('the server denied')
  })

  it.each([
    ['a similar name', 'SELECT * FROM salarys'],
    ['an unknown name', 'SELECT * FROM wages'],
  ])('learns the name of no other table from %s', async (_, sql) => {
    says = writes(sql)
    const { all } = await (await open())('How much?')
    expect(all).toContain('orders')
    expect(all).not.toContain(HIDDEN)
  })

  it('describes a forbidden table like one that does not exist', async () => {
    const ask = await open()
    const about = async (table: string) => {
      says = { classify: () => classified({ intent: 'catalog', catalog_request: 'describe', table }) }
      return (await ask(`Describe ${table}.`)).result.answer.replaceAll(table, '…')
    }
    expect(await about(HIDDEN)).toBe(await about('invented'))
    expect(await about('salarie')).not.toContain(HIDDEN)
    says = { classify: () => classified({ intent: 'catalog', catalog_request: 'list' }) }
    const { answer: list } = (await ask('What tables are there?')).result
    expect(list).toContain('orders')
    expect(list).not.toContain(HIDDEN)
  })

  it('reads a view over hidden tables, and learns nothing about them from its cost or its failure', async () => {
    says = writes('SELECT amount FROM paid')
    const asked: string[] = []
    const askPerson: AskPerson = async request => {
      asked.push(JSON.stringify(request))
      return 'run'
    }
    const paid = await (await open({ budget: { maxRows: 50, maxBytes: 0 } }))('How much is paid?', { askPerson })
    expect(paid.result.queries[0]).toMatchObject({ rows: [['7000']], tables: ['shop.paid'] })
    expect(asked.join()).toContain('paid')
    expect(`${asked.join()}${paid.all}`).not.toContain(HIDDEN)

    says = writes('SELECT x FROM broken')
    const broken = await (await open())('What is broken?')
    expect(broken.result.queries[0]?.error).not.toBeNull()
    expect(broken.all).not.toContain(HIDDEN)
  })

  it('looks up values in its own tables only', async () => {
    says = writes("SELECT amount FROM orders WHERE buyer = 'Adda'")
    const { result, all } = await (await open())('How much did Adda buy?')
    expect(result.queries[0]?.look_up[0]).toMatchObject({ column: 'shop.orders.buyer' })
    expect(all).not.toContain(HIDDEN)
    expect(all).not.toContain(SECRET)
  })

  it('does not use an answer that somebody with other rights got in the same thread', async () => {
    const ask = await open()
    const thread = 'slack/T/C/1'
    says = { ...writes(`SELECT max(person) AS person FROM ${HIDDEN}`), synthesize: () => `It is ${SECRET}99 [Q1].` }
    await ask('Who is paid?', { access: ALL, thread })
    says = {}
    const other = await ask('And how much is that?', { thread })
    expect(other.all).not.toContain(SECRET)
    expect(other.prompts.join()).not.toContain('Who is paid?')
    const same = await ask('And how much is that?', { access: ALL, thread })
    expect(same.prompts.join()).toContain(SECRET)
  })

  it('resumes with the current rights, and with nothing that it read with others', async () => {
    const ask = await open()
    const runId = newRunId()
    const dying = new AbortController()
    const synthesize = (call: ScriptedCall) => {
      dying.abort()
      return fenced(promptOf(call), 'results')
    }
    says = { ...writes(`SELECT max(person) AS person FROM ${HIDDEN}`), synthesize }
    await expect(ask('How much?', { access: ALL, runId }, dying.signal)).rejects.toBeDefined()
    says = {}
    const { all, result } = await ask('How much?', { runId })
    expect(result.queries[0]).toMatchObject({ error: null, tables: ['shop.orders'] })
    expect(all).not.toContain(SECRET)
    const choice = { value: 'run', steps: [] }
    await expect(ask('Run it', { access: ALL, runId, choice })).rejects.toMatchObject({ code: 'run_access' })
  })
})

describe('the server', () => {
  it('denies a role every table without a grant, even if the guard lets a query pass', async () => {
    await expect(
      warehouse.read({ sql: `SELECT * FROM shop.${HIDDEN}`, roles: SALES.clickhouseRoles }, signal),
    ).rejects.toMatchObject({ kind: 'denied' })
  })

  it('gets the roles with every read of a table', async () => {
    // The rules grant this table but the server's role does not, so the server refuses each query of the table.
    const access = { grants: ALL.grants, clickhouseRoles: ['clew_sales'] }
    says = writes(`SELECT max(person) AS who FROM ${HIDDEN}`)
    const { result } = await (await open())('Who?', { access })
    expect(result.queries[0]?.failed_attempts.map(({ kind }) => kind)).toEqual(['denied'])
    expect(log.join()).toContain('the server denied what the guard allowed')
  })
})

describe('whatever the grants', () => {
  it('no query of a table without a grant returns a row, and no answer names the table', async () => {
    const ask = await open()
    const grants = fc.record({
      tables: fc.array(fc.constantFrom('shop.orders', 'shop.p*', 'shop.*', '*.o*', 'other.*'), { minLength: 1, maxLength: 2 }),
      except: fc.array(fc.constantFrom(`shop.${HIDDEN}`, 'shop.sal*', '*.*aries'), { minLength: 1, maxLength: 2 }),
    })
    const sql = fc.constantFrom(
      'SELECT * FROM orders',
      'SELECT * FROM paid',
      'SELECT * FROM salary',
      "SELECT * FROM merge('shop', '^s')",
      'SELECT count() FROM orders AS o LEFT JOIN paid AS p ON o.amount = p.amount',
    )
    const property = fc.asyncProperty(grants, sql, async (given, written) => {
      says = writes(written)
      const asked = ask('How much?', { access: { grants: [given], clickhouseRoles: ['clew_all'] } })
      const { all } = await asked.catch(error => ({ all: `${error}` }))
      expect(all).not.toContain(SECRET)
      expect(all).not.toContain(HIDDEN)
    })
    await fc.assert(property, { numRuns: 5, endOnFailure: true })
  })

  it('without any granted table, the model is asked only for words', async () => {
    says = { classify: () => classified({ intent: 'catalog', catalog_request: 'list' }) }
    const { result, prompts } = await (await open())('What is there?', { access: { grants: [], clickhouseRoles: [] } })
    expect(result.answer).toContain('no tables')
    expect(prompts.map(prompt => fenced(prompt, 'schema'))).not.toContain('orders')
  })
})
