import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { ScriptedCall } from '../../test/emulators/model/model-script.ts'
import { answer } from '../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { promptOf, scriptedAnalyst } from '../../test/support/scripted-analyst.ts'
import type { RunAccess } from '../access/run-access.ts'
import type { RunEvent } from '../agent/run/event.ts'
import { ConfigurationError } from '../base/errors.ts'
import { createLogger } from '../base/logger.ts'
import { SchemaCatalog } from '../clickhouse/catalog/schema-catalog.ts'
import type { CaseReport } from '../evals/report.ts'
import { ModelError } from '../llm/error.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import type { Schema } from '../warehouse/schema.ts'
import { createAnalyst } from './create-analyst.ts'
import { evaluate } from './evaluate.ts'

const FIRST = 'How many links are there?'
const analyst = scriptedAnalyst({
  [FIRST]: { queries: { Links: ['SELECT sum(count) AS links FROM links'] }, answer: 'There are 19 links [Q1].' },
  'And pay?': { queries: { Pay: ['SELECT max(pay) AS pay FROM salaries'] }, answer: 'At most 900 [Q1].' },
  'The most?': { clarification: { question: 'Of which year?', choices: ['Last year', 'All years'] } },
  'All years': { queries: { All: ['SELECT max(count) AS most FROM links'] }, answer: 'The most is 12 [Q1].' },
})

let engine: TestEngine
let model: ScriptedModel
/** Answers calls of some steps in place of the scripts. */
let onCall: (call: ScriptedCall) => void = () => {}

beforeAll(async () => {
  ;[engine, model] = await Promise.all([
    startTestEngine(),
    startScriptedModel({
      onRequest: call => {
        onCall(call)
        return answer(analyst(call))
      },
    }),
  ])
  for (const sql of [
    'CREATE TABLE links (metro String, count UInt32) ENGINE = MergeTree ORDER BY metro',
    "INSERT INTO links VALUES ('ams', 3), ('ams', 4), ('tyo', 12)",
    'CREATE TABLE salaries (pay UInt32) ENGINE = MergeTree ORDER BY pay',
    'INSERT INTO salaries VALUES (900)',
  ])
    await engine.warehouse.write({ sql, database: 'default' }, AbortSignal.timeout(20_000))
})
afterAll(async () => {
  await model?.close()
  await engine?.close()
})

const options = () => ({ warehouse: engine.url, model: { name: 'scripted', baseUrl: model.baseUrl } })
const promptOfLast = (step: string) => promptOf(model.callsOf(step).at(-1) as ScriptedCall)

describe('createAnalyst', () => {
  it('answers without history, and in a thread with it', async () => {
    const own = await createAnalyst(options())
    const events: RunEvent['kind'][] = []
    const { answer: said, queries } = await own.ask(FIRST, { observe: ({ kind }) => events.push(kind) })
    expect([said, queries[0]?.rows]).toEqual([expect.stringMatching(/^There are 19 links/), [['19']]])
    expect(events).toEqual(expect.arrayContaining(['query_finished', 'answer_grown']))
    await own.ask('All years')
    expect(promptOfLast('classify')).not.toContain(FIRST)
    await own.ask(FIRST, { thread: 'ada' })
    await own.ask('All years', { thread: 'ada' })
    expect(promptOfLast('classify')).toContain(FIRST)
    await own.ask('All years', { thread: 'bob' })
    expect(promptOfLast('classify')).not.toContain(FIRST)
    await own.close()
  })

  it('continues a thread of another analyst over the same store, and leaves given ports open', async () => {
    const store = createMemoryStateStore({ now: Date.now })
    const { warehouse } = engine
    const first = await createAnalyst({ ...options(), warehouse, store })
    await first.ask(FIRST, { thread: 'ada' })
    await first.close()
    const second = await createAnalyst({ ...options(), warehouse, store })
    expect((await second.ask('All years', { thread: 'ada' })).answer).toContain('The most is 12')
    expect(promptOfLast('classify')).toContain(FIRST)
    await second.close()
    await expect(warehouse.read({ sql: 'SELECT 1' }, AbortSignal.timeout(20_000))).resolves.toMatchObject({ rows: [[1]] })
  })

  it('asks back in a thread, and takes the next text as the answer', async () => {
    const own = await createAnalyst(options())
    // The second question waits until the first is answered.
    const [asked, answered] = await Promise.all([own.ask('The most?', { thread: 'ada' }), own.ask('2', { thread: 'ada' })])
    expect(asked.interrupt).toMatchObject({
      kind: 'need_clarification',
      choices: [{ label: 'Last year' }, { label: 'All years' }],
    })
    expect([answered.interrupt, answered.answer]).toEqual([null, expect.stringContaining('The most is 12')])
    await own.close()
  })

  it('shows only the tables of the given rights, and refuses malformed rights', async () => {
    const own = await createAnalyst(options())
    const access: RunAccess = { grants: [{ tables: ['*.*'], except: ['*.salaries'] }], clickhouseRoles: [] }
    const firstPrompt = async (how: { readonly access?: RunAccess }) => {
      const before = model.callsOf('generate').length
      const { queries } = await own.ask('And pay?', how)
      return { rows: queries[0]?.rows, prompt: promptOf(model.callsOf('generate')[before] as ScriptedCall) }
    }
    expect(await firstPrompt({ access })).toEqual({ rows: [], prompt: expect.not.stringContaining('salaries') })
    expect(await firstPrompt({})).toEqual({ rows: [[900]], prompt: expect.stringContaining('salaries') })
    for (const malformed of [null, {}, { grants: [{ tables: '*.*' }] }])
      await expect(own.ask(FIRST, { access: malformed as unknown as RunAccess })).rejects.toThrow(ConfigurationError)
    await own.close()
  })

  it('takes the schema from a given source', async () => {
    const shown: Schema[] = []
    const store = createMemoryStateStore({ now: Date.now })
    const parts = { warehouse: engine.warehouse, store, logger: createLogger({ level: 'silent' }) }
    const catalog = new SchemaCatalog(parts, { databases: ['default'] })
    const own = await createAnalyst({
      ...options(),
      schemaSource: {
        load: async signal => {
          const schema = await catalog.load(signal)
          shown.push(schema)
          return { ...schema, tables: schema.tables.filter(({ name }) => name === 'links') }
        },
        refresh: signal => catalog.refresh(signal),
      },
    })
    expect((await own.ask(FIRST)).answer).toContain('19 links')
    expect(shown.length).toBeGreaterThan(0)
    expect(promptOfLast('generate')).not.toContain('salaries')
    await own.close()
    await catalog.close()
  })

  it('stops a run by its signal, and every run when it closes', async () => {
    const own = await createAnalyst(options())
    const stop = new AbortController()
    onCall = ({ step }) => {
      if (step === 'generate') stop.abort('enough')
    }
    await expect(own.ask(FIRST, { signal: stop.signal })).rejects.toBe('enough')
    let closing: Promise<void> | undefined
    onCall = ({ step }) => {
      if (step === 'generate') closing ??= own.close()
    }
    await expect(own.ask(FIRST)).rejects.toMatchObject({ code: 'closed' })
    onCall = () => {}
    await closing
    await expect(own.ask(FIRST)).rejects.toMatchObject({ code: 'closed' })
  })

  it('names an empty question, and what a model of the caller throws', async () => {
    const broken = new Error('502 of the gateway')
    const stream = async function* () {
      yield { kind: 'text', text: '{' } as const
      throw broken
    }
    const own = await createAnalyst({ warehouse: engine.url, model: { stream } })
    await expect(own.ask(' ')).rejects.toMatchObject({ code: 'question_empty' })
    const failure = await own.ask(FIRST).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect(failure).toMatchObject({ kind: 'unavailable', cause: broken, message: expect.stringContaining('502 of the gateway') })
    await own.close()
  })

  it('warns of a misspelt setting', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const own = await createAnalyst({ ...options(), settings: { CLEW_TIMEZONES: 'UTC' } })
    expect(warn.mock.calls).toEqual([[expect.stringContaining('Clew does not read CLEW_TIMEZONES'), 'ClewWarning']])
    warn.mockRestore()
    await own.close()
  })

  it('says which option is missing or wrong', async () => {
    const without = createAnalyst({ model: options().model, settings: { CLICKHOUSE_URL: '' } })
    await expect(without).rejects.toThrow(/No warehouse is given: set `warehouse`/)
    await expect(createAnalyst({ warehouse: engine.url })).rejects.toThrow(/No model is given: set `model.apiKey`/)
    await expect(createAnalyst({ ...options(), warehouse: 'shop' })).rejects.toThrow(/CLICKHOUSE_URL must/)
    await expect(createAnalyst({ ...options(), domain: 'nowhere' })).rejects.toThrow(/CLEW_DOMAIN_DIR is .*nowhere/)
  })
})

it('evaluate reports a case whose gold query fails, and asks it again the next time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-evaluate-'))
  const cases = join(folder, 'cases.jsonl')
  const lines = [
    { id: 'wrong', question: FIRST, gold_sql: ['SELECT 19', 'SELECT sum(count) FROM lnks'] },
    { id: 'right', question: FIRST, gold_sql: ['SELECT sum(count) FROM links'] },
  ]
  await writeFile(cases, lines.map(line => JSON.stringify(line)).join('\n'))
  const asked = async () => {
    const seen: (readonly [string, string | null, boolean])[] = []
    const onCase = ({ id, reason }: CaseReport, isNew: boolean) => void seen.push([id, reason, isNew])
    await evaluate({ ...options(), cases, out: join(folder, 'out'), concurrency: 1, onCase })
    return seen
  }
  expect(await asked()).toEqual([
    ['wrong', 'gold_failed', true],
    ['right', null, true],
  ])
  expect(await asked()).toEqual([
    ['wrong', 'gold_failed', true],
    ['right', null, false],
  ])
  await rm(folder, { recursive: true, force: true })
})

it('evaluate says which file has no cases', async () => {
  await expect(evaluate({ ...options(), cases: 'nowhere.jsonl', out: 'nowhere' })).rejects.toThrow(/cannot be read from nowhere/)
})
