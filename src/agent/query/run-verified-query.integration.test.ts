import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ModelScript, ScriptedCall } from '../../../test/emulators/model/model-script.ts'
import { answer, status } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { openAnalyst } from '../../../test/support/open-analyst.ts'
import { promptOf } from '../../../test/support/scripted-analyst.ts'
import type { RunAccess } from '../../access/run-access.ts'
import { type VerifiedQuery, verifiedQueryOf, verifiedQuerySchema } from '../../domain/files.ts'
import type { AnalystDeps, Question } from '../analyst.ts'
import type { RunEvent } from '../run/event.ts'
import { newRunId } from '../run/id.ts'

const signal = AbortSignal.timeout(300_000)
const ORDINARY = ['classify', 'decompose', 'generate']
const ALL_BUT_PAY: RunAccess = { grants: [{ tables: ['*.*'], except: ['default.salaries'] }], clickhouseRoles: [] }

let engine: TestEngine
let model: ScriptedModel
let says: Readonly<Partial<Record<string, (call: ScriptedCall) => string | object | ModelScript>>> = {}
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  model = await startScriptedModel({
    onRequest: call => {
      const reply = (says[call.step] ?? DEFAULTS[call.step])?.(call) ?? 'Noted.'
      return typeof reply === 'function' ? (reply as ModelScript) : answer(reply)
    },
  })
  engine = await startTestEngine()
  for (const sql of [
    "CREATE TABLE sales (at DateTime('UTC'), shop String, amount UInt32) ENGINE = MergeTree ORDER BY at",
    "INSERT INTO sales VALUES ('2026-03-01 10:00:00', 'Berlin', 10), ('2026-03-02 10:00:00', 'Oslo', 20), ('2026-03-03 10:00:00', 'Berlin', 30)",
    'CREATE TABLE salaries (at Date, person String, amount UInt32) ENGINE = MergeTree ORDER BY at',
    "INSERT INTO salaries VALUES ('2026-03-01', 'Ann', 7061923)",
    "CREATE TABLE codes (code String) ENGINE = MergeTree ORDER BY code AS SELECT concat('code-', toString(number)) FROM numbers(5000)",
  ])
    await engine.warehouse.write({ sql }, signal)
}, 90_000)
afterEach(async () => {
  says = {}
  for (const close of closing.splice(0)) await close()
})
afterAll(async () => {
  await model?.close()
  await engine?.close()
})

const DEFAULTS: typeof says = {
  classify: () => ({
    ...{ intent: 'data_analysis', standalone_question: 'How much was sold?', catalog_request: null, table: null, reply: null },
  }),
  decompose: () => ({ data_questions: [{ question: 'The sum.', rationale: 'needed' }], clarification: null, error: null }),
  generate: () => ({ sql: 'SELECT sum(amount) AS amount FROM sales', explanation: 'Adds up.', assumptions: [] }),
  review_empty: () => ({ verdict: 'expected', reason: 'There is none.', suggestion: null }),
  synthesize: () => 'They sold 60 [Q1].',
}

const SHOP = { name: 'shop', type: 'text', example: 'Berlin', column: 'default.sales.shop' }
const IN_SHOP = verified('How much was sold in {shop}?', 'SELECT sum(amount) AS amount FROM sales WHERE shop = {shop}', [SHOP])

function verified(question: string, sql: string, parameters: readonly object[] = [], more: object = {}): VerifiedQuery {
  const entry = { question, sql, verified_by: 'Ann', verified_at: '2026-10-01', parameters, ...more }
  return verifiedQueryOf(verifiedQuerySchema.parse(entry))
}

async function open(verifiedQueries: readonly VerifiedQuery[], parts: Partial<AnalystDeps> = {}) {
  const opened = await openAnalyst({
    ...{ warehouse: engine.warehouse, baseUrl: model.baseUrl, databases: ['default'] },
    parts: { domain: { overview: '', full: '', terms: [], metrics: [], verifiedQueries }, ...parts },
  })
  closing.push(opened.close)
  return async (text: string, more: Partial<Question> & { readonly until?: AbortSignal } = {}) => {
    const { until = signal, ...question } = more
    const [before, events] = [model.calls.length, [] as RunEvent[]]
    const observe = (event: RunEvent) => void events.push(event)
    const asked = { runId: newRunId(), text, askedAt: Date.parse('2026-03-04T12:00:00Z'), observe, ...question }
    const { result } = await opened.analyst.ask(asked, until)
    return { result, events, calls: model.calls.slice(before) }
  }
}

describe('a message that is a verified question', () => {
  it('is answered from its SQL, with one model call', async () => {
    says = { synthesize: () => 'They sold 20 [Q1].' }
    const { result, events, calls } = await (await open([IN_SHOP]))('how much was sold in oslo')
    expect(calls.map(({ step }) => step)).toEqual(['synthesize'])
    expect(promptOf(calls[0] ?? missing())).toContain("WHERE shop = 'Oslo'")
    expect(result).toMatchObject({
      ...{ intent: 'data_analysis', standalone_question: 'how much was sold in oslo', confidence: 'HIGH', interrupt: null },
      citations: { checked: 1, unsupported: [] },
    })
    expect(result.queries).toMatchObject([
      {
        ...{ id: 'Q1', question: 'how much was sold in oslo', rows: [['20']], error: null, attempts: 1 },
        sql: "SELECT sum(amount) AS amount FROM sales WHERE shop = 'Oslo'",
        explanation: 'A query that Ann has verified for this question, with shop: Oslo.',
        definitions: { verified: { verified_by: 'Ann', parameters: [{ name: 'shop', value: 'Oslo' }] }, metrics: [] },
        data_until: '2026-03-03T10:00:00.000Z',
      },
    ])
    expect(result.answer).toMatch(
      /^They sold 20 \[Q1\]\.\n\nVerified by \*Ann\* on 2026-10-01, and asked here with shop \*Oslo\*\. Data up to 2026-03-03 10:00 UTC, [\d,]+ days ago\.$/,
    )
    expect(result.steps.map(({ step }) => step).sort()).toEqual(
      ['data_age', 'execute', 'schema', 'synthesize', 'validate', 'verified_query'].sort(),
    )
    expect(result.steps.filter(({ tokens_in: tokens }) => tokens !== null).map(({ step }) => step)).toEqual(['synthesize'])
    expect(events).toMatchObject([
      { kind: 'question_understood', question: 'how much was sold in oslo' },
      { kind: 'data_question_planned', id: 'Q1' },
      { kind: 'query_finished', id: 'Q1', ok: true, table: expect.stringContaining('20') },
      { kind: 'step_started', step: 'synthesize' },
      { kind: 'answer_grown' },
    ])
  })

  it('may name a value that only the warehouse has, not the catalog', async () => {
    says = { synthesize: () => 'There is 1 [Q1].' }
    const code = { name: 'code', type: 'text', example: 'code-1', column: 'default.codes.code' }
    const ask = await open([verified('How many have code {code}?', 'SELECT count() AS n FROM codes WHERE code = {code}', [code])])
    const { result, calls } = await ask('How many have code CODE-4321?')
    expect(calls).toHaveLength(1)
    expect(result.queries[0]?.sql).toContain("'code-4321'")
    says = {}
    expect((await ask('How many have code code-5000?')).calls.map(({ step }) => step).sort()).toEqual([...ORDINARY, 'synthesize'])
  })

  it("may name a period in the asker's time zone", async () => {
    const period = { name: 'period', type: 'period', example: 'March 2026' }
    const sql = 'SELECT sum(amount) AS amount FROM sales WHERE at >= {period.from} AND at < {period.to}'
    const ask = await open([
      verified('How much was sold in {period}?', sql, [period]),
      verified('How much was sold {period}?', sql, [period]),
    ])
    says = { synthesize: () => 'They sold 60 [Q1].' }
    expect((await ask('How much was sold in 2026-03?')).result.queries[0]?.rows).toEqual([['60']])
    says = { synthesize: () => 'They sold 30 [Q1].' }
    const { result, calls } = await ask('How much was sold yesterday?', { timeZone: 'Pacific/Kiritimati' })
    expect(calls).toHaveLength(1)
    expect(result.queries[0]).toMatchObject({ rows: [['30']], sql: expect.stringContaining("'2026-03-04 00:00:00'") })
  })

  it.each([
    ['fails', 'SELECT sum(amout) FROM sales', {}],
    ['fails as it runs', "SELECT throwIf(amount > 5, 'too much') + 1 FROM sales", {}],
    ['is refused', 'SELECT count() FROM system.users', {}],
    ['finds nothing', "SELECT sum(amount) FROM sales WHERE shop = 'Rome'", {}],
    ['would cost too much', 'SELECT count() FROM codes WHERE code > 1', { budget: { maxRows: 1_000, maxBytes: 0 } }],
  ])('is answered the ordinary way, unseen, if its SQL %s', async (_, sql, settings) => {
    const ask = await open([verified('How much was sold in all?', sql)], settings)
    const { result, events, calls } = await ask('How much was sold in all?')
    expect(calls.map(({ step }) => step).sort()).toEqual([...ORDINARY, 'synthesize'])
    expect(result).toMatchObject({ answer: 'They sold 60 [Q1].', standalone_question: 'How much was sold?', confidence: 'HIGH' })
    expect(result.queries).toMatchObject([{ attempts: 1, failed_attempts: [], definitions: null }])
    expect(events.filter(({ kind }) => kind === 'question_understood')).toHaveLength(1)
    const tried = result.steps.filter(({ cancelled }) => cancelled !== undefined)
    expect(tried.map(({ step }) => step)).toEqual(expect.arrayContaining(['verified_query', 'execute']))
    expect(tried.map(({ cancelled }) => cancelled)).toEqual(tried.map(() => expect.stringMatching(/^the verified query /)))
    expect(events.filter(({ kind }) => kind === 'data_question_planned')).toHaveLength(1)
  })

  it('is another question if it follows others and refers to them', async () => {
    const ask = await open([IN_SHOP, verified('How much was sold in all of them?', 'SELECT 1 AS amount')])
    const thread = 'slack/T/C/1'
    expect((await ask('How much was sold in Berlin?', { thread })).calls.map(({ step }) => step)).not.toContain('classify')
    expect((await ask('How much was sold in all of them?', { thread })).calls.map(({ step }) => step)).toContain('classify')
    expect((await ask('How much was sold in Oslo?', { thread })).calls.map(({ step }) => step)).not.toContain('classify')
  })
})

describe('a message that asks a verified question in other words', () => {
  const chooses = (verified: unknown, more: object = {}) => {
    const classified = { intent: 'data_analysis', standalone_question: null, catalog_request: null, table: null, reply: null }
    says = { classify: () => ({ ...classified, verified, ...more }), synthesize: () => 'They sold 20 [Q1].' }
  }
  const isNeeded = ({ cancelled }: { readonly cancelled?: string }) => cancelled === undefined

  it('is answered from its SQL, with the values that the classify step names', async () => {
    chooses({ number: 2, values: [{ name: 'shop', value: 'oslo' }] }, { language: 'de' })
    const ask = await open([verified('How much was sold in all?', 'SELECT 1 AS amount'), IN_SHOP])
    const { result, events, calls } = await ask('Was haben die in Oslo denn verkauft?')
    const prompt = promptOf(calls.find(({ step }) => step === 'classify') ?? missing())
    expect(prompt).toContain('1. How much was sold in all?\n2. How much was sold in {shop}?\n   {shop} is one name')
    expect(result).toMatchObject({
      standalone_question: 'Was haben die in Oslo denn verkauft?',
      confidence: 'HIGH',
      language: 'de',
    })
    expect(result.queries).toMatchObject([
      {
        ...{ id: 'Q1', question: 'How much was sold in Oslo?', rows: [['20']] },
        sql: "SELECT sum(amount) AS amount FROM sales WHERE shop = 'Oslo'",
        definitions: { verified: { reading: 'How much was sold in Oslo?', parameters: [{ name: 'shop', value: 'Oslo' }] } },
      },
    ])
    expect(result.note).toContain('Beantwortet als *How much was sold in Oslo?*, geprüft von *Ann* am 2026-10-01.')
    const needed = result.steps.filter(({ tokens_in: tokens, ...step }) => tokens !== null && isNeeded(step))
    expect(needed.map(({ step }) => step)).toEqual(['classify', 'synthesize'])
    expect(events.filter(({ kind }) => kind === 'data_question_planned')).toMatchObject([
      { question: 'How much was sold in Oslo?' },
    ])
  })

  it('may leave the rest of the question to the conversation', async () => {
    const ask = await open([IN_SHOP])
    const thread = 'slack/T/C/2'
    says = { synthesize: () => 'They sold 40 [Q1].' }
    await ask('How much was sold in Berlin?', { thread })
    chooses({ number: 1, values: [{ name: 'shop', value: 'Oslo' }] }, { standalone_question: 'How much was sold in Oslo?' })
    const { result } = await ask('And in Oslo?', { thread })
    expect(result.queries).toMatchObject([{ rows: [['20']], definitions: { verified: { verified_by: 'Ann' } } }])
    expect(result.note).toMatch(/^Answered as \*How much was sold in Oslo\?\*, which \*Ann\* verified on 2026-10-01\. Data up to/)
  })

  it.each([
    ['a value that the data lack', { number: 1, values: [{ name: 'shop', value: 'Rome' }] }],
    ['SQL for a value', { number: 1, values: [{ name: 'shop', value: "Oslo' OR 1 = 1 --" }] }],
    ['no value', { number: 1, values: [] }],
    ['a query that was not offered', { number: 2, values: [{ name: 'shop', value: 'Oslo' }] }],
    ['another form', { number: 'first', values: 'Oslo' }],
  ])('is answered the ordinary way if the classify step names %s', async (_, choice) => {
    chooses(choice)
    says = { ...says, synthesize: () => 'They sold 60 [Q1].' }
    const { result } = await (await open([IN_SHOP]))('What did they sell in Oslo?')
    expect(result).toMatchObject({ answer: 'They sold 60 [Q1].', queries: [{ rows: [['60']], definitions: null }] })
    const needed = result.steps.filter(({ tokens_in: tokens, ...step }) => tokens !== null && isNeeded(step))
    expect(needed.map(({ step }) => step)).toEqual(expect.arrayContaining(['generate', 'synthesize']))
  })

  it('is asked again of nobody if the text was a verified question without an answer', async () => {
    chooses({ number: 1, values: [] })
    says = { ...says, synthesize: () => 'They sold 60 [Q1].' }
    const ask = await open([verified('How much was sold in all?', "SELECT sum(amount) AS amount FROM sales WHERE shop = 'Rome'")])
    const { result, calls } = await ask('How much was sold in all?')
    expect(promptOf(calls.find(({ step }) => step === 'classify') ?? missing())).not.toContain('Verified questions')
    expect(result.queries).toMatchObject([{ rows: [['60']] }])
  })
})

describe("an asker without rights to a verified query's table", () => {
  it('reads nothing of it, and learns nothing', async () => {
    const person = { name: 'person', type: 'text', example: 'Ann', column: 'default.salaries.person' }
    const paid = [
      verified('How much is {person} paid?', 'SELECT amount FROM salaries WHERE person = {person}', [person]),
      verified('How old is {person} in all?', 'SELECT 1 AS amount, {person}', [person]),
      verified('What was paid in all?', 'SELECT sum(amount) FROM\nsalaries'),
      verified('What was sold in all?', 'SELECT sum(amount) AS amount FROM sales', [], { data_time: 'default.salaries.at' }),
    ]
    const ask = await open(paid)
    for (const text of ['How much is Ann paid?', 'How old is Ann in all?', 'What was paid in all?', 'What was sold in all?']) {
      says = { synthesize: () => 'So it is [Q1].', rewrite: () => 'So it is [Q1].' }
      expect((await ask(text)).calls.map(({ step }) => step)).not.toContain('classify')
      says = {}
      const before = (await engine.receivedQueries()).length
      const { result, calls, events } = await ask(text, { access: ALL_BUT_PAY })
      expect(calls.map(({ step }) => step).sort()).toEqual([...ORDINARY, 'synthesize'])
      expect(JSON.stringify([result, events, calls.map(promptOf)])).not.toMatch(/salaries|7061923/)
      const received = (await engine.receivedQueries()).slice(before).map(({ sql }) => sql)
      expect(received.filter(sql => /FROM\s+(?:`?default`?\.)?`?salaries/.test(sql))).toEqual([])
    }
  })
})

describe('a run that died after a verified query', () => {
  it("continues with the query's result", async () => {
    const ask = await open([IN_SHOP])
    const runId = newRunId()
    const life = new AbortController()
    says = {
      synthesize: () => {
        life.abort(new Error('killed'))
        return status(500)
      },
    }
    await expect(ask('How much was sold in Berlin?', { runId, until: life.signal })).rejects.toThrow()
    const before = (await engine.receivedQueries()).length
    says = { synthesize: () => 'They sold 40 [Q1].' }
    const { result, calls } = await ask('How much was sold in Berlin?', { runId })
    expect(calls.map(({ step }) => step)).toEqual(['synthesize'])
    expect(result.queries[0]?.rows).toEqual([['40']])
    const received = (await engine.receivedQueries()).slice(before).map(({ sql }) => sql)
    expect(received.filter(sql => sql.includes("shop = 'Berlin'") && !/^(?:EXPLAIN|DESCRIBE)/.test(sql))).toEqual([])
  })
})

function missing(): never {
  throw new Error('the model was not asked')
}
