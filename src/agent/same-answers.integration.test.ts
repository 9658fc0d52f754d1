import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ModelScript, ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer, status } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { type EngineAnalystSettings, openEngineAnalyst } from '../../test/support/engine-analyst.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { StateStore } from '../store/state-store.ts'
import type { AnalystAnswer, Question } from './analyst.ts'

const never = new AbortController().signal
const SUM = 'SELECT sum(amount) AS amount FROM default.sales'
const IN_OSLO = `${SUM} WHERE shop = 'Oslo'`

/** The scripted model's output for a message: the classification, the plan, and the SQL of each attempt. */
interface Said {
  readonly standalone?: string
  readonly read?: object
  readonly plan?: object
  readonly queries?: Readonly<Record<string, readonly string[]>>
  readonly answer?: string
}
const BOOK: Readonly<Record<string, Said>> = {
  'How much was sold in all?': { queries: { 'How much was sold in all?': [SUM] }, answer: 'They sold 60 [Q1].' },
  'And in Oslo?': {
    standalone: 'How much was sold in Oslo?',
    queries: { 'How much was sold in Oslo?': [IN_OSLO] },
    answer: 'Oslo sold 20 [Q1].',
  },
  'Why did sales change?': {
    queries: {
      'By day.': [`${SUM} GROUP BY day ORDER BY amount`],
      'In Berlin.': [`${SUM} WHERE shop = 'Berlin'`],
      'At sea.': [IN_OSLO],
    },
    answer: 'Oslo sold 20 [Q3].',
  },
  'Which shops sold how much on which days?': {
    queries: { 'By shop.': [`${SUM} GROUP BY shop ORDER BY amount`], 'In Oslo.': [IN_OSLO] },
    answer: 'Oslo sold 20 [Q2].',
  },
  'What tables are there?': { read: { intent: 'catalog', catalog_request: 'list' } },
  'Thank you, is that all?': { read: { intent: 'conversational', reply: 'You are welcome.' } },
  'What will the weather be tomorrow?': { read: { intent: 'out_of_scope', reply: 'I only know about sales.' } },
  'How much did the shop sell?': { plan: { clarification: { question: 'Which shop?', choices: ['Berlin', 'Oslo'] } } },
  Oslo: {
    standalone: 'How much did Oslo sell?',
    queries: { 'How much did Oslo sell?': [IN_OSLO] },
    answer: 'Oslo sold 20 [Q1].',
  },
  'Which colours were sold most?': { plan: { error: 'Nothing is known of colours.' } },
  'How much did Berlin sell?': {
    queries: {
      'How much did Berlin sell?': [
        "SELECT sum(amuont) FROM default.sales WHERE shop = 'Berlin'",
        `${SUM} WHERE shop = 'Berlin'`,
      ],
    },
    answer: 'Berlin sold 40 [Q1].',
  },
  'How much was delivered in all?': {
    plan: { datasource: { question: 'Where?', databases: ['default', 'depot'] } },
    queries: { 'How much was delivered in all?': ['SELECT sum(amount) AS amount FROM depot.sales'] },
    answer: 'They delivered 7 [Q1].',
  },
  'How much was sold, in all years?': {
    queries: { 'How much was sold, in all years?': [SUM] },
    answer: 'They sold 60 [Q1].',
  },
}

let engine: TestEngine
let model: ScriptedModel
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  model = await startScriptedModel({ onRequest: call => reply(call) })
  engine = await startTestEngine()
  for (const sql of [
    'CREATE DATABASE depot',
    'CREATE TABLE sales (day Date, shop String, amount UInt32) ENGINE = MergeTree ORDER BY day',
    'CREATE TABLE depot.sales (day Date, amount UInt32) ENGINE = MergeTree ORDER BY day',
    "INSERT INTO sales VALUES ('2026-03-01', 'Berlin', 10), ('2026-03-02', 'Oslo', 20), ('2026-03-03', 'Berlin', 30)",
    "INSERT INTO depot.sales VALUES ('2026-03-01', 7)",
  ])
    await engine.warehouse.write({ sql }, never)
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
afterAll(async () => {
  await model?.close()
  await engine?.close()
})

function reply(call: ScriptedCall): ModelScript {
  const prompt = promptOf(call)
  const asked = fenced(prompt, 'question').replace(/ \(data source: .*\)$/, '')
  const found = Object.entries(BOOK).find(([message, { standalone }]) => message === asked || standalone === asked)
  if (found === undefined) return status(400)
  const [message, said] = found
  const dataQuestion = fenced(prompt, 'data question').replace(/ \(data source: .*\)$/, '')
  const drafts = draftsOf(dataQuestion)
  const isSourced = fenced(prompt, 'question') !== asked
  switch (call.step) {
    case 'classify':
      return answer({
        intent: 'data_analysis',
        standalone_question: said.standalone ?? message,
        catalog_request: null,
        table: null,
        reply: null,
        ...said.read,
      })
    case 'decompose': {
      const questions = Object.keys(said.queries ?? {}).map(question => ({ question, rationale: 'needed' }))
      return answer({ data_questions: questions, clarification: null, error: null, ...(isSourced ? {} : said.plan) })
    }
    case 'generate': {
      const failed = prompt.match(/^Attempt \d+:$/gm)?.length ?? 0
      const sql = drafts[Math.min(failed, drafts.length - 1)]
      return answer({ sql, explanation: 'Looks it up.', assumptions: [] })
    }
    case 'synthesize':
      return answer(said.answer ?? 'Nothing.')
    default:
      return status(400)
  }
}

/** Returns the SQL for a data question, by attempt. The same question in other words has different SQL. */
function draftsOf(dataQuestion: string): readonly string[] {
  const drafts = Object.values(BOOK).flatMap(({ queries = {} }) => queries[dataQuestion] ?? [])
  return drafts.length === 0 ? [`SELECT '${dataQuestion}' AS asked`] : drafts
}

async function open(settings: Partial<EngineAnalystSettings>, store?: StateStore) {
  const { analyst, close } = await openEngineAnalyst({ engine, model, ...(store && { store }) }, settings)
  closing.push(close)
  return (text: string, more: Partial<Question> = {}): Promise<AnalystAnswer> =>
    analyst.ask({ runId: `run_${text}`, text, askedAt: Date.parse('2026-03-04T23:30:00Z'), ...more }, never)
}

/** Returns the parts of an answer that do not depend on timing. */
function told({ result }: AnalystAnswer) {
  return {
    intent: result.intent,
    question: result.standalone_question,
    answer: result.answer,
    confidence: result.confidence,
    interrupt: result.interrupt,
    queries: result.queries.map(({ elapsed_ms: _, ...query }) => query),
  }
}

/** Sends a message of each kind, with or without speculation. */
async function converse(speculation: boolean) {
  const ask = await open({ speculation, databases: ['default'] })
  const answers: unknown[] = []
  for (const text of [
    'How much was sold in all?',
    'And in Oslo?',
    'Why did sales change?',
    'What tables are there?',
    'Thank you, is that all?',
    'What will the weather be tomorrow?',
    'How much did the shop sell?',
    'Oslo',
  ])
    answers.push(told(await ask(text, { thread: 'one' })))
  // These messages are also sent as the first ones of a conversation.
  for (const text of [
    'What tables are there?',
    'Thank you, is that all?',
    'What will the weather be tomorrow?',
    'Which shops sold how much on which days?',
  ])
    answers.push(told(await ask(text, { runId: `first_${text}` })))
  for (const text of ['How much did the shop sell?', 'Which colours were sold most?', 'How much did Berlin sell?'])
    answers.push(told(await ask(text, { runId: `alone_${text}` })))

  const inBoth = await open({ speculation, databases: ['default', 'depot'] })
  const stopped = await inBoth('How much was delivered in all?')
  const choice = { value: 'depot', steps: stopped.waiting }
  answers.push(told(stopped), told(await inBoth('How much was delivered in all?', { choice })))

  const confirmed: string[] = []
  const askPerson: Question['askPerson'] = async ({ question }) => {
    confirmed.push(question)
    return 'run'
  }
  const bounded = await open({ speculation, budget: { maxRows: 1, maxBytes: 0 } })
  answers.push(told(await bounded('How much was sold, in all years?', { askPerson })), confirmed)
  return answers
}

describe('speculation', () => {
  it('changes no answer', async () => {
    const quick = await converse(true)
    expect(quick).toEqual(await converse(false))
    expect(quick).toMatchObject([
      { answer: 'They sold 60 [Q1].', queries: [{ rows: [['60']] }] },
      { answer: 'Oslo sold 20 [Q1].', question: 'How much was sold in Oslo?' },
      { answer: 'Oslo sold 20 [Q3].', queries: [{ error: null }, { error: null }, { error: null }] },
      { intent: 'catalog', queries: [] },
      { answer: 'You are welcome.', queries: [] },
      { answer: 'I only know about sales.', queries: [] },
      { interrupt: { kind: 'need_clarification' } },
      { answer: 'Oslo sold 20 [Q1].', question: 'How much did Oslo sell?' },
      { intent: 'catalog' },
      { intent: 'conversational' },
      { intent: 'out_of_scope' },
      { queries: [{ question: 'By shop.' }, { question: 'In Oslo.' }] },
      { interrupt: { kind: 'need_clarification' } },
      { answer: 'Nothing is known of colours.' },
      {
        answer: expect.stringContaining('Berlin sold 40 [Q1].'),
        queries: [{ attempts: 2, failed_attempts: [{ kind: 'unknown_name' }] }],
      },
      { interrupt: { kind: 'need_datasource' } },
      { answer: 'They delivered 7 [Q1].' },
      { answer: 'They sold 60 [Q1].' },
      [expect.stringContaining('allowed are 1 row')],
    ])
  }, 120_000)

  it.each([['Which shops sold how much on which days?'], ['How much did Berlin sell?']])(
    'survives a crash at any log entry, without repeating finished calls: %s',
    async text => {
      const expected = told(await (await open({ speculation: true }))(text))
      let crashes = 0
      for (let kept = 0; kept < 30; kept++) {
        const memory = createMemoryStateStore({ now: Date.now })
        const dying = dyingStore(memory, kept)
        const first = await (await open({ speculation: true }, dying))(text).catch(() => undefined)
        if (first !== undefined) break
        crashes++
        const finished = (await memory.list(`run:{run_${text}}:checkpoints`, never)).map(entry => JSON.parse(entry) as Finished)
        const calls = model.calls.length
        expect(told(await (await open({ speculation: true }, memory))(text))).toEqual(expected)
        const again = model.calls.slice(calls).filter(call => finished.some(entry => isFor(entry, call)))
        expect(again.map(call => call.step)).toEqual([])
      }
      expect(crashes).toBeGreaterThan(4)
    },
    120_000,
  )
})

interface Finished {
  readonly step: string
  readonly attempt: number
  readonly value: { readonly sql?: string }
}

/**
 * Whether this entry holds the answer to a model call. The SQL drafts of several data questions are told apart by the question.
 */
function isFor({ step, attempt, value }: Finished, call: ScriptedCall): boolean {
  if (step !== call.step) return false
  if (step !== 'generate') return true
  const drafts = draftsOf(fenced(promptOf(call), 'data question'))
  const failed = promptOf(call).match(/^Attempt \d+:$/gm)?.length ?? 0
  return attempt === failed + 1 && drafts[Math.min(failed, drafts.length - 1)] === value.sql
}

/** Returns a store that accepts this many checkpoints and no later write, like a process that dies. */
function dyingStore(store: StateStore, checkpoints: number): StateStore {
  let left = checkpoints
  return {
    ...store,
    append: async (key, ...rest) => {
      if (key.endsWith(':checkpoints') && left-- <= 0) throw new Error('the process ends here')
      if (left < 0) throw new Error('the process has ended')
      await store.append(key, ...rest)
    },
  }
}
