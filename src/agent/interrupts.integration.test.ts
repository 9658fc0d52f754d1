import { describe, expect, it } from '@jest/globals'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { AnalystSuite, dataQuestion, draft, never, plan, type Script } from '../../test/support/analyst-suite.ts'
import type { EngineAnalystSettings } from '../../test/support/engine-analyst.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import type { AnalystAnswer, Question } from './analyst.ts'
import type { GivenChoice } from './ask-back/interrupt.ts'
import { OpenQuestions } from './ask-back/open-questions.ts'
import { askInThread } from './ask-in-thread.ts'
import { newRunId } from './run/id.ts'
import { readRunState, runStateSchema } from './run-state.ts'

const ALL_VISITS = 'SELECT sum(visitors) AS visitors FROM shop.visits'
const ALL_CLICKS = 'SELECT sum(clicks) AS clicks FROM shop.visits'
const SALES = 'SELECT sum(amount) AS amount FROM shop.sales'
/** A budget that allows a third of `visits`, and all of `sales`. */
const budget = { maxRows: 45, maxBytes: 0 }

const WRITTEN: Readonly<Record<string, string>> = { 'Visitors.': ALL_VISITS, 'Clicks.': ALL_CLICKS, 'Sales.': SALES }
const DEFAULTS: Script = {
  classify: call => ({
    intent: 'data_analysis',
    standalone_question: fenced(promptOf(call), 'question'),
    catalog_request: null,
    table: null,
    reply: null,
  }),
  decompose: () => plan('Visitors.', 'Sales.'),
  generate: call => draft(WRITTEN[dataQuestion(call)] ?? SALES),
  synthesize: () => 'There were some [Q1].',
}
const suite = new AnalystSuite({
  defaults: DEFAULTS,
  statements: [
    "CREATE DATABASE shop COMMENT 'Orders of the web shop'",
    'CREATE DATABASE stores',
    'CREATE TABLE shop.visits (day Date, visitors UInt32, clicks UInt32) ENGINE = MergeTree ORDER BY day',
    "INSERT INTO shop.visits SELECT toDate('2026-01-01') + number, 1, 2 FROM numbers(90)",
    'CREATE TABLE shop.sales (day Date, amount UInt32) ENGINE = MergeTree ORDER BY day',
    "INSERT INTO shop.sales VALUES ('2026-03-01', 10)",
    'CREATE TABLE stores.sales (day Date, amount UInt32) ENGINE = MergeTree ORDER BY day',
    "INSERT INTO stores.sales VALUES ('2026-03-01', 700)",
  ],
})

async function open(settings: Partial<EngineAnalystSettings> = {}) {
  const opened = await suite.open({ databases: ['shop'], budget, ...settings })
  const ask = (question: Partial<Question> = {}, signal = never) =>
    opened.analyst.ask(
      { runId: newRunId(), text: 'How are we doing?', askedAt: Date.now(), askPerson: async () => undefined, ...question },
      signal,
    )
  return { ...opened, ask }
}

/** Returns a function that lists the steps of the model calls since `modelCalls` was called. */
function modelCalls() {
  const calls = suite.calls()
  return () =>
    calls()
      .map(({ step }) => step)
      .sort()
}

/** Returns how often a query ran. Checks do not count. */
const runs = async (sql: string) => (await suite.ran(sql)).length

function chosen(value: string, { waiting }: Pick<AnalystAnswer, 'waiting'>): GivenChoice {
  return { value, steps: waiting }
}

describe('a run that must not spend that much unasked', () => {
  it('ends with its question, and continues with the answer without repeating finished steps', async () => {
    const { ask } = await open()
    const runId = newRunId()
    const [first, sales] = [modelCalls(), await runs(SALES)]
    const asked = await ask({ runId })
    expect(asked.result).toMatchObject({
      run_id: runId,
      interrupt: {
        kind: 'need_confirm',
        question: 'Q1 (Visitors) would read about 360 bytes (90 rows) of `visits`; allowed are 45 rows.',
        choices: [{ value: 'run' }, { value: 'narrow' }, { value: 'stop' }],
      },
      queries: [],
      confidence: null,
      citations: null,
    })
    expect(asked.result.answer).toMatch(/allowed are 45 rows\.\n\n1\. Run it\n2\. Ask for less\n3\. Stop$/)
    expect(first()).toEqual(['classify', 'decompose', 'generate', 'generate'])
    expect([await runs(ALL_VISITS), (await runs(SALES)) - sales]).toEqual([0, 1])
    await asked.afterwards(never)

    const second = modelCalls()
    const { result, waiting } = await ask({ runId, choice: chosen('run', asked) })
    expect([result.interrupt, waiting]).toEqual([null, []])
    expect(result.queries.map(query => query.rows)).toEqual([[['90']], [['10']]])
    expect(second()).toEqual(['synthesize'])
    expect([await runs(ALL_VISITS), (await runs(SALES)) - sales]).toEqual([1, 1])
    expect(result.steps.filter(({ step }) => step === 'generate')).toHaveLength(2)
  })

  it('asks once about all expensive queries', async () => {
    suite.script = { decompose: () => plan('Visitors.', 'Clicks.', 'Sales.') }
    const { ask } = await open()
    const runId = newRunId()
    const asked = await ask({ runId })
    expect(asked.result.interrupt?.question).toBe(
      'Q1 (Visitors) would read about 360 bytes (90 rows) of `visits`; allowed are 45 rows.\n\nQ2 (Clicks) would read about 360 bytes (90 rows) of `visits`; allowed are 45 rows.',
    )
    const { result } = await ask({ runId, choice: chosen('run', asked) })
    expect(result.queries.map(query => query.rows)).toEqual([[['90']], [['180']], [['10']]])
  })

  it.each([
    ['stop', [false, true]],
    ['an unknown choice', undefined],
  ] as const)('obeys: %s', async (value, came) => {
    const { ask } = await open()
    const runId = newRunId()
    const asked = await ask({ runId })
    const { result } = await ask({ runId, choice: chosen(value, asked) })
    if (came === undefined) expect(result.interrupt).toEqual(asked.result.interrupt)
    else expect(result.queries.map(query => query.error === null)).toEqual(came)
  })

  it('asks again about another query, and does not reuse the first answer for it', async () => {
    const narrower = `${ALL_CLICKS} WHERE visitors = 1`
    let written = 0
    // This query fails, so that a second one is written.
    suite.script = {
      decompose: () => plan('Visitors.'),
      generate: () => draft(written++ === 0 ? 'SELECT sum(toUInt32(toString(day))) FROM shop.visits' : narrower),
    }
    const { ask } = await open()
    const runId = newRunId()
    const first = await ask({ runId })
    const choice = chosen('run', first)
    const second = await ask({ runId, choice })
    expect(second.waiting).toEqual([{ step: 'confirm', query: 'Q1', attempt: 2 }])
    // The same choice comes a second time, as after a crash.
    const calls = modelCalls()
    expect((await ask({ runId, choice })).waiting).toEqual(second.waiting)
    expect([calls(), await runs(narrower)]).toEqual([[], 0])
    const { result } = await ask({ runId, choice: chosen('run', second) })
    expect(result.queries.map(query => query.rows)).toEqual([[['180']]])
  })

  it('continues after a crash behind the answer, without a second question or model call', async () => {
    suite.script = { decompose: () => plan('Visitors.') }
    const { ask } = await open()
    const runId = newRunId()
    const asked = await ask({ runId })
    const choice = chosen('run', asked)
    const before = await runs(ALL_VISITS)
    const crash = new AbortController()
    const observe: Question['observe'] = event => event.kind === 'query_finished' && crash.abort()
    await expect(ask({ runId, choice, observe }, crash.signal)).rejects.toBeDefined()
    const calls = modelCalls()
    const { result } = await ask({ runId, choice })
    expect(result.queries.map(query => query.rows)).toEqual([[['90']]])
    expect([calls(), (await runs(ALL_VISITS)) - before]).toEqual([['synthesize'], 1])
  })

  it('expires after its time, and says so', async () => {
    const { ask } = await open()
    const choice = { value: 'run', steps: [{ step: 'confirm', query: 'Q1', attempt: 1 }] }
    await expect(ask({ choice })).rejects.toMatchObject({ code: 'run_forgotten' })
  })
})

describe('a question that several data sources could answer', () => {
  const datasource = { question: 'Sales of which?', databases: ['shop', 'stores', 'secrets', 'shop'] }
  const within = { databases: ['shop', 'stores'] }
  const isAsked = (call: ScriptedCall) => !fenced(promptOf(call), 'question').includes('(data source:')

  it('is asked back with a description of the sources, and limited to the chosen one', async () => {
    suite.script = {
      decompose: call => (isAsked(call) ? { ...plan(), datasource } : plan('Sales.')),
      generate: call => draft(promptOf(call).includes('shop.sales') ? SALES : 'SELECT sum(amount) AS amount FROM stores.sales'),
    }
    const { ask } = await open(within)
    const runId = newRunId()
    const asked = await ask({ runId, text: 'How much was sold?' })
    expect(asked.result.interrupt).toEqual({
      kind: 'need_datasource',
      question: 'Sales of which?',
      choices: [
        { value: 'shop', label: 'shop: Orders of the web shop' },
        { value: 'stores', label: 'stores' },
      ],
    })
    const { result } = await ask({ runId, choice: chosen('stores', asked) })
    expect(result.queries.map(query => query.rows)).toEqual([[['700']]])
    expect(result.standalone_question).toBe('How much was sold? (data source: stores)')
    const [, second] = suite.model.callsOf('decompose').slice(-2)
    expect(second && promptOf(second)).not.toContain('shop.sales')
  })

  it('may read nothing from another source', async () => {
    suite.script = { decompose: call => (isAsked(call) ? { ...plan(), datasource } : plan('Sales.')) }
    const { ask } = await open(within)
    const { result } = await ask({ askPerson: async () => 'stores' })
    expect(result.queries[0]?.failed_attempts.map(attempt => attempt.kind)).toEqual(['guard', 'guard', 'guard'])
  })

  it.each([
    ['one existing source', { question: 'Which?', databases: ['shop', 'secrets'] }],
    ['nothing', { question: 'Which?', databases: [] }],
  ])('is not asked back if there is only %s to choose', async (_, said) => {
    suite.script = { decompose: () => ({ ...plan('Sales.'), datasource: said }) }
    const { ask } = await open(within)
    expect((await ask()).result).toMatchObject({ interrupt: null, queries: [{ rows: [['10']] }] })
  })

  it('may need a confirmation after that', async () => {
    suite.script = { decompose: call => (isAsked(call) ? { ...plan(), datasource } : plan('Visitors.')) }
    const { ask } = await open(within)
    const runId = newRunId()
    const source = await ask({ runId })
    const cost = await ask({ runId, choice: chosen('shop', source) })
    expect(cost.result.interrupt?.kind).toBe('need_confirm')
    const { result } = await ask({ runId, choice: chosen('run', cost) })
    expect(result.queries.map(query => query.rows)).toEqual([[['90']]])
  })
})

describe('in a thread', () => {
  async function openThread(settings: Partial<EngineAnalystSettings> = {}) {
    const { analyst, store, conversations } = await open(settings)
    const questions = new OpenQuestions({ store, now: Date.now })
    const say = (text: string, author = 'ann', runId = newRunId()) =>
      askInThread(
        { analyst, questions },
        { thread: 't', id: runId, author, text, at: Date.now() },
        { runId, askPerson: async () => undefined },
        never,
      ).then(({ result }) => result)
    const turns = async () => (await conversations.load('t', never)).turns.map(turn => turn.question)
    return { say, turns, stateOf: (runId: string) => readRunState(runId, store, never) }
  }

  it('an answer in words counts only from the asker, and the thread remembers one turn', async () => {
    const { say, turns } = await openThread()
    const asked = await say('How are we doing?')
    expect(asked.interrupt?.kind).toBe('need_confirm')
    expect(await turns()).toEqual(['How are we doing?'])
    suite.script = { decompose: () => plan('Sales.') }
    expect(await say('yes', 'bob')).toMatchObject({ standalone_question: 'yes', queries: [{ rows: [['10']] }] })
    const result = await say('Yes, please!')
    expect([result.run_id, result.queries.map(query => query.rows)]).toEqual([asked.run_id, [[['90']], [['10']]]])
    expect(await turns()).toEqual(['yes', 'How are we doing?'])
    expect((await say('yes')).run_id).not.toBe(asked.run_id)
  })

  it('the state of a waiting run is one object, with its input, its results and its question', async () => {
    const { say, stateOf } = await openThread()
    const asked = await say('How are we doing?')
    const state = runStateSchema.parse(JSON.parse(JSON.stringify(await stateOf(asked.run_id))))
    expect(state).toMatchObject({
      version: 1,
      run_id: asked.run_id,
      request: { question: 'How are we doing?', conversation: { session_id: expect.stringMatching(/^session_/) } },
      investigation: null,
      question: { kind: 'need_confirm', asker: 'ann', steps: [{ query: 'Q1' }] },
    })
    const resultOf = (step: string) => state.checkpoints.find(checkpoint => checkpoint.step === step)?.value
    expect(resultOf('classify')).toMatchObject({ intent: 'data_analysis' })
    expect(state.log.map(({ step }) => step)).toEqual(expect.arrayContaining(['classify', 'decompose', 'generate', 'execute']))
    await say('yes')
    expect((await stateOf(asked.run_id))?.question).toBeNull()
    expect(await stateOf('run_unknown')).toBeUndefined()
  })

  it('words that led to another question still answer the first one when handled again after a crash', async () => {
    const { say } = await openThread()
    const drafts = ['SELECT sum(toUInt32(toString(day))) FROM shop.visits', ALL_CLICKS]
    suite.script = { decompose: () => plan('Visitors.'), generate: () => draft(drafts.shift() ?? ALL_VISITS) }
    const first = await say('How are we doing?')
    const second = await say('yes', 'ann', 'run_yes')
    expect([second.run_id, second.interrupt?.kind]).toEqual([first.run_id, 'need_confirm'])
    const calls = modelCalls()
    expect(await say('yes', 'ann', 'run_yes')).toEqual({ ...second, steps: expect.any(Array) })
    expect(calls()).toEqual([])
    expect((await say('yes')).queries.map(query => query.rows)).toEqual([[['180']]])
  })

  it('other words are a new question, and close the open one', async () => {
    const { say } = await openThread()
    const asked = await say('How are we doing?')
    suite.script = { decompose: () => plan('Sales.') }
    expect(await say('How much did we sell?')).toMatchObject({ interrupt: null, queries: [{ rows: [['10']] }] })
    expect((await say('yes')).run_id).not.toBe(asked.run_id)
  })

  it('a number stands for the words of its choice, and other words for themselves', async () => {
    const { say } = await openThread()
    const clarification = { question: 'Which shop?', choices: ['Berlin', ' Oslo ', 'Oslo', ''] }
    const ask = async () => {
      suite.script = { decompose: () => ({ ...plan(), clarification }) }
      expect((await say('How much?')).interrupt).toEqual({
        kind: 'need_clarification',
        question: 'Which shop?',
        choices: [
          { value: 'Berlin', label: 'Berlin' },
          { value: 'Oslo', label: 'Oslo' },
        ],
      })
      suite.script = { decompose: () => plan('Sales.') }
    }
    await ask()
    expect((await say('the second')).standalone_question).toBe('Oslo')
    await ask()
    expect((await say('Oslo, but only in March')).standalone_question).toBe('Oslo, but only in March')
    const [prompt] = suite.model.callsOf('classify').slice(-1).map(promptOf)
    expect(fenced(prompt ?? '', 'conversation')).toContain('Which shop?')
  })
})
