import { afterAll, afterEach, beforeAll } from '@jest/globals'
import type { Question } from '../../src/agent/analyst.ts'
import type { RunEvent } from '../../src/agent/run/event.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer, status } from '../emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from './engine.ts'
import { type EngineAnalystSettings, openEngineAnalyst } from './engine-analyst.ts'
import { fenced, promptOf } from './scripted-analyst.ts'

/** The reply of the scripted model to each step. */
export type Script = Readonly<Partial<Record<string, (call: ScriptedCall) => string | object | ModelScript>>>

/** A query that runs much longer than any test waits. Tests find it among the running queries by its text. */
export const ENDLESS =
  'SELECT count() AS endless FROM numbers(100000000) WHERE arrayExists(x -> cityHash64(number, x) = 7, range(1000))'
export const SUM = 'SELECT sum(amount) AS amount FROM sales'
export const never = new AbortController().signal

const SALES = [
  'CREATE TABLE sales (day Date, shop String, amount UInt32) ENGINE = MergeTree ORDER BY day',
  "INSERT INTO sales VALUES ('2026-03-01', 'Berlin', 10), ('2026-03-02', 'Oslo', 20), ('2026-03-03', 'Berlin', 30)",
]
const ASKED_AT = Date.parse('2026-03-04T23:30:00Z')

export const classified = (given: object = {}) => ({
  intent: 'data_analysis',
  standalone_question: 'How much was sold?',
  catalog_request: null,
  table: null,
  reply: null,
  ...given,
})
export const plan = (...questions: readonly string[]) => ({
  data_questions: questions.map(question => ({ question, rationale: 'needed' })),
  clarification: null,
  datasource: null,
  error: null,
})
export const draft = (sql: string) => ({ sql, explanation: 'Looks it up.', assumptions: [] })

const DEFAULTS: Script = {
  classify: () => classified(),
  decompose: () => plan('The sum.'),
  generate: () => draft(SUM),
  synthesize: () => 'They sold 60 [Q1].',
  summarize: () => 'They care about sales.',
  respond: () => 'Hello.',
}

export const dataQuestion = (call: ScriptedCall) => fenced(promptOf(call), 'data question')

/**
 * Analysts on a real engine with three days of `sales`, and with a scripted model. Registers the hooks of the test file. A script lasts for one test,
 * and {@link DEFAULTS} has the steps that it leaves out.
 */
export class AnalystSuite {
  readonly #closing: (() => Promise<void>)[] = []
  #engine: TestEngine | undefined
  #model: ScriptedModel | undefined
  script: Script = {}

  constructor(options: { readonly statements?: readonly string[]; readonly defaults?: Script } = {}) {
    const { statements = [], defaults } = options
    const usual = { ...DEFAULTS, ...defaults }
    beforeAll(async () => {
      this.#model = await startScriptedModel({
        onRequest: call => {
          const reply = (this.script[call.step] ?? usual[call.step])?.(call) ?? status(500)
          return typeof reply === 'function' ? (reply as ModelScript) : answer(reply)
        },
      })
      this.#engine = await startTestEngine()
      for (const sql of [...SALES, ...statements]) await this.engine.warehouse.write({ sql }, never)
    })
    afterEach(async () => {
      this.script = {}
      for (const close of this.#closing.splice(0)) await close()
      await this.engine.inject()
    })
    afterAll(async () => {
      await this.#model?.close()
      await this.#engine?.close()
    })
  }

  get engine(): TestEngine {
    return started(this.#engine)
  }

  get model(): ScriptedModel {
    return started(this.#model)
  }

  /** Opens an analyst with its own state, until the test ends. Its function `ask` asks a question late on 4 March 2026. */
  async open(settings: Partial<EngineAnalystSettings> = {}) {
    const opened = await openEngineAnalyst({ engine: this.engine, model: this.model }, settings)
    this.#closing.push(opened.close)
    const events: RunEvent[] = []
    const ask = (text: string, more: Partial<Question> & { signal?: AbortSignal } = {}) => {
      const { signal = never, ...question } = more
      const observe = (event: RunEvent) => events.push(event)
      return opened.analyst.ask({ runId: newRunId(), text, askedAt: ASKED_AT, observe, ...question }, signal)
    }
    return { ...opened, ask, events }
  }

  /** Counts the running queries like {@link ENDLESS}. Ignores those that are only being checked. */
  async running(): Promise<number> {
    const sql = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT * FROM (%endless%'"
    const { rows } = await this.engine.warehouse.read({ sql }, never)
    return Number(rows[0]?.[0])
  }

  /** Returns a function that lists the calls to the model from now on, of one step or of all steps. */
  calls(step?: string): () => readonly ScriptedCall[] {
    const all = () => (step === undefined ? this.model.calls : this.model.callsOf(step))
    const before = all().length
    return () => all().slice(before)
  }

  /** Returns the executed SQL texts that contain these words. Leaves out texts that were only checked. */
  async ran(words: string): Promise<readonly string[]> {
    const texts = (await this.engine.receivedQueries()).map(({ sql }) => sql)
    return texts.filter(sql => sql.includes(words) && !/^(?:EXPLAIN|DESCRIBE|SELECT format)/.test(sql))
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the suite has not begun')
  return part
}
