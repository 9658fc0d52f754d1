import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { answer } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { largeCatalog } from '../../test/retrieval/large-catalog.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { openAnalyst } from '../../test/support/open-analyst.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import type { RunAccess } from '../access/run-access.ts'
import type { TableSchema } from '../warehouse/schema.ts'
import type { Question } from './analyst.ts'
import { newRunId } from './run/id.ts'

/** So many tables do not fit into a prompt or a list. */
const TABLES = 600
const CREATED_AT_ONCE = 8
const ALL_BUT_PAY: RunAccess = { grants: [{ tables: ['*.*'], except: ['*.*salaries*'] }], clickhouseRoles: [] }
const signal = AbortSignal.timeout(300_000)

let engine: TestEngine
let model: ScriptedModel
let opened: Awaited<ReturnType<typeof openAnalyst>>
/** The SQL that the scripted model writes. */
let sql = ''

beforeAll(async () => {
  model = await startScriptedModel({ onRequest: call => answer(REPLIES[call.step]?.() ?? 'Noted.') })
  engine = await startTestEngine()
  const { tables, databases } = largeCatalog(TABLES)
  const write = (statement: string) => engine.warehouse.write({ sql: statement }, signal)
  for (const { name } of databases) await write(`CREATE DATABASE ${name}`)
  for (let start = 0; start < tables.length; start += CREATED_AT_ONCE) {
    await Promise.all(tables.slice(start, start + CREATED_AT_ONCE).map(table => write(createTable(table))))
  }
  await write("INSERT INTO logistics.shipments (shipment_id, status) SELECT number, 'lost' FROM numbers(3)")
  const names = databases.map(({ name }) => name)
  opened = await openAnalyst({ ...{ warehouse: engine.warehouse, baseUrl: model.baseUrl, databases: names } })
})
afterAll(async () => {
  await opened?.close()
  await model?.close()
  await engine?.close()
})

const REPLIES: Readonly<Record<string, () => string | object>> = {
  classify: () => ({
    ...{ intent: 'data_analysis', standalone_question: asked, catalog_request: null, table: null, reply: null },
  }),
  decompose: () => ({ data_questions: [{ question: asked, rationale: 'needed' }], clarification: null, error: null }),
  generate: () => ({ sql, explanation: 'Counts.', assumptions: [] }),
  review_empty: () => ({ verdict: 'expected', reason: 'There is none.', suggestion: null }),
  synthesize: () => 'It is so [Q1].',
}
let asked = ''

async function ask(text: string, query: string, more: Partial<Question> = {}) {
  asked = text
  sql = query
  const before = model.calls.length
  const { result } = await opened.analyst.ask({ runId: newRunId(), text, askedAt: Date.now(), ...more }, signal)
  return { result, calls: model.calls.slice(before) }
}

function createTable({ database, name, comment, columns, sortingKey }: TableSchema): string {
  const body = columns.map(column => `\`${column.name}\` ${column.type} COMMENT ${literal(column.comment)}`).join(', ')
  return `CREATE TABLE ${database}.${name} (${body}) ENGINE = MergeTree ORDER BY \`${sortingKey}\` COMMENT ${literal(comment)}`
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

describe('a catalog of more tables than a prompt holds', () => {
  it('is narrowed for each question, behind a constant system message', async () => {
    const lost = await ask(
      'How many shipments were lost?',
      "SELECT count() AS lost FROM logistics.shipments WHERE status = 'lost'",
    )
    expect(lost.result.queries[0]).toMatchObject({ error: null, rows: [['3']] })
    const open = await ask('How many support tickets are open?', 'SELECT count() AS tickets FROM support.tickets')
    expect(open.result.queries[0]).toMatchObject({ error: null, tables: ['support.tickets'] })
    for (const step of ['classify', 'decompose', 'generate']) {
      const [first, second] = [lost, open].map(({ calls }) => calls.find(call => call.step === step))
      if (first === undefined || second === undefined) throw new Error(`no call of ${step}`)
      const label = step === 'classify' ? 'tables' : 'schema'
      expect(fenced(promptOf(first), label)).toContain('logistics.shipments')
      expect(fenced(promptOf(second), label)).toContain('support.tickets')
      expect(second.body.messages[0]).toEqual(first.body.messages[0])
    }
  })

  it('shows the column values of the needed tables', async () => {
    const { calls } = await ask('How many shipments were lost?', 'SELECT count() AS lost FROM logistics.shipments')
    const generate = calls.find(({ step }) => step === 'generate')
    if (generate === undefined) throw new Error('no call of generate')
    const shown = fenced(promptOf(generate), 'schema')
    expect(shown).toContain('TABLE logistics.shipments -- MergeTree; 3 rows;')
    expect(shown).toContain('freight_cost Decimal(18, 2) -- always 0')
    expect(shown).toMatch(/^-- \d+ further tables exist/m)
  })

  it('finds a table that was just created', async () => {
    await opened.schemaSource.load(signal)
    await engine.warehouse.write(
      { sql: 'CREATE TABLE logistics.zeppelins (id UInt64) ENGINE = MergeTree ORDER BY id AS SELECT 1 AS id' },
      signal,
    )
    const { result } = await ask('How many rows are in zeppelins?', 'SELECT count() AS n FROM logistics.zeppelins')
    expect(result.queries[0]).toMatchObject({ error: null, rows: [['1']] })
  })

  it('shows only granted tables', async () => {
    const question = 'What is the annual salary of employees in hr.salaries?'
    const query = 'SELECT count() AS employees FROM hr.employees'
    const whole = await ask(question, query)
    expect(whole.calls.map(promptOf).join().replaceAll(question, '')).toContain('hr.salaries')
    const own = await ask(question, query, { access: ALL_BUT_PAY })
    expect(own.result.queries[0]?.tables).toEqual(['hr.employees'])
    const schemas = own.calls.map(call => fenced(promptOf(call), 'schema') + fenced(promptOf(call), 'tables'))
    expect(schemas.join()).toContain('hr.employees')
    expect(schemas.join()).not.toContain('salaries')
  })
})
