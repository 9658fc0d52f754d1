import type { ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../support/engine.ts'
import { startMagnifiedWarehouse } from '../support/magnified-warehouse.ts'
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { runClew } from '../support/run-clew.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'

const QUESTION = 'How much was measured?'
const WIDE = "SELECT sum(value) AS total, countIf(note LIKE '%fault%') AS faults FROM readings"
const ONE_DAY = `${WIDE} WHERE day = '2026-01-30'`
const LEFT_OUT = 'Only 30 January 2026 was read, because all of it would have been too much.'
/** Reported sizes are multiplied by this number: 400,000 rows become 20 billion, with about 115 bytes each. */
const TIMES = 50_000
const COST = 'would read about 2.3 TB (20 billion rows) of `readings`; allowed are 50 GB and 5 billion rows'

let engine: TestEngine
let warehouse: Awaited<ReturnType<typeof startMagnifiedWarehouse>>
let model: ScriptedModel
let redis: TestRedis
let narrower: Readonly<Record<string, unknown>>
let env: Readonly<Record<string, string>>
const started: ChildProcess[] = []

const UNCLEAR = 'How much of it?'
const PLAN = { data_questions: [{ question: 'The sum.', rationale: 'asked' }], clarification: null, error: null }
const ASKED_BACK = { ...PLAN, data_questions: [], clarification: { question: 'Of what?', choices: ['Faults', 'Values'] } }
const isNarrowing = (call: ScriptedCall) => promptOf(call).includes('# The query was right, but too expensive')
const draft = (sql: string) => ({ sql, explanation: 'Adds up the values.', assumptions: [], deciding_assumptions: [] })

beforeAll(async () => {
  ;[redis, engine, model] = await Promise.all([
    startTestRedis(),
    startTestEngine(),
    startScriptedModel({
      onRequest: call => {
        const replies: Readonly<Record<string, unknown>> = {
          classify: {
            intent: 'data_analysis',
            standalone_question: fenced(promptOf(call), 'question'),
            catalog_request: null,
            table: null,
            reply: null,
          },
          decompose: fenced(promptOf(call), 'question') === UNCLEAR ? ASKED_BACK : PLAN,
          generate: isNarrowing(call) ? narrower : draft(WIDE),
        }
        const reply = replies[call.step]
        return answer(reply === undefined ? 'Something was measured [Q1].' : (reply as Record<string, unknown>))
      },
    }),
  ])
  const signal = AbortSignal.timeout(60_000)
  for (const sql of [
    `CREATE TABLE readings (day Date, value UInt64, note String) ENGINE = MergeTree ORDER BY day
     SETTINGS min_bytes_for_wide_part = 0, index_granularity = 500`,
    "INSERT INTO readings SELECT toDate('2025-01-01') + intDiv(number, 1000), 1, repeat('x', 100) FROM numbers(400000)",
  ])
    await engine.warehouse.write({ sql }, signal)
  warehouse = await startMagnifiedWarehouse(engine.url, TIMES)
  env = { CLICKHOUSE_URL: warehouse.url, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' }
})
beforeEach(() => {
  narrower = { ...draft(ONE_DAY), deciding_assumptions: [LEFT_OUT] }
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill()
})
afterAll(async () => {
  await model?.close()
  await warehouse?.close()
  await engine?.close()
  await redis?.close()
})

/** Returns the queries of the model that the engine ran. Leaves out plans, checks of types, and statistics. */
async function ran(): Promise<readonly string[]> {
  const queries = (await engine.receivedQueries()).map(({ sql }) => sql)
  return queries.filter(sql => sql.includes('countIf(') && /^SELECT \* FROM \(/.test(sql))
}

const printedSchema = z.looseObject({
  answer: z.string(),
  interrupt: z.unknown(),
  confidence: z.string(),
  confidence_reason: z.string().nullable(),
  queries: z.array(z.looseObject({ narrowed: z.string().nullable(), error: z.string().nullable(), rows: z.array(z.unknown()) })),
})

describe('a question that would read two terabytes', () => {
  it('is narrowed if nobody can be asked, and the answer says what was left out', async () => {
    const before = (await ran()).length
    const { status, output, errors } = await runClew(['ask', '--json', QUESTION], env)
    expect([status, errors]).toEqual([0, ''])
    const printed = printedSchema.parse(JSON.parse(output))
    expect(printed).toMatchObject({ confidence: 'MEDIUM', queries: [{ error: null, rows: [['1000', '0']] }] })
    expect(printed.queries[0]?.narrowed).toBe(`The whole ${COST}.`)
    expect(printed.confidence_reason).toContain(LEFT_OUT)
    expect(printed.answer).toContain(`**Assumed:** ${LEFT_OUT}`)
    expect((await ran()).slice(before)).toEqual([expect.stringContaining("'2026-01-30'")])
  })

  it('is refused with figures and advice if the narrower query is too expensive too', async () => {
    narrower = { ...draft(`${WIDE} WHERE note != ''`), deciding_assumptions: [LEFT_OUT] }
    const before = (await ran()).length
    const { status, output } = await runClew(['ask', QUESTION], env)
    expect(status).toBe(1)
    const text = output.replace(/\s+/g, ' ')
    expect(text).toContain('I could not answer this')
    expect(text).toContain(`The whole ${COST.replaceAll('`', '')}`)
    expect(text).toContain('Ask for a shorter period: about 8 days would fit. readings is kept in the order of day')
    expect((await ran()).slice(before)).toEqual([])
  })

  it("runs with --yes, within the reader's limits", async () => {
    const before = (await ran()).length
    const { output } = await runClew(['ask', '--json', '--yes', QUESTION], env)
    expect(printedSchema.parse(JSON.parse(output)).queries).toMatchObject([{ narrowed: null, rows: [['400000', '0']] }])
    expect((await ran()).slice(before)).toHaveLength(1)
  })

  it('causes a question in a thread, which the next message answers', async () => {
    const thread = { ...env, REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY }
    const before = (await ran()).length
    const asked = await runClew(['ask', '--thread', 'cost', QUESTION], thread)
    expect([asked.status, asked.output.replace(/\s+/g, ' ')]).toEqual([
      0,
      `Q1 (How much was measured?) ${COST.replaceAll('`', '')}. 1. Run it 2. Ask for less 3. Stop `,
    ])
    expect((await ran()).length).toBe(before)
    const generated = model.callsOf('generate').length
    const { status, output } = await runClew(['ask', '--json', '--thread', 'cost', 'yes, run it'], thread)
    expect(status).toBe(0)
    expect(printedSchema.parse(JSON.parse(output))).toMatchObject({ interrupt: null, queries: [{ rows: [['400000', '0']] }] })
    expect(model.callsOf('generate').length).toBe(generated)
  })

  const onLinux = process.platform === 'linux' ? describe : describe.skip
  onLinux('at a terminal', () => {
    const ask = (args: readonly string[]): PseudoTerminal => {
      const terminal = openPseudoTerminal(args, env)
      started.push(terminal.child)
      return terminal
    }

    it.each([
      ['run', /400000|400,000/, 1],
      ['less', /Only 30 January 2026 was read/, 1],
      ['stop', /I could not answer this/, 0],
    ])('waits for the answer before anything runs, and obeys it: %s', async (choice, shown, queries) => {
      const before = (await ran()).length
      const terminal = ask(['ask', QUESTION])
      await terminal.shows('Your choice (1-3):')
      expect(stripVTControlCharacters(terminal.shown()).replace(/\s+/g, ' ')).toContain(
        `Q1 (How much was measured?) ${COST.replaceAll('`', '')}. 1. Run it 2. Ask for less 3. Stop`,
      )
      expect((await ran()).length).toBe(before)
      terminal.type('perhaps\r')
      await terminal.shows('Please type a number (1-3) or the words of a choice:')
      terminal.type(`${choice}\r`)
      expect(await terminal.ended).toBe(choice === 'stop' ? 1 : 0)
      expect((await ran()).length - before).toBe(queries)
      const rows = terminal.shown()
      if (choice === 'run') expect(rows).toContain('Something was measured')
      else expect(rows.replace(/\s+/g, ' ')).toMatch(shown)
    })

    it('causes a question in a chat too, where the next line is a new question', async () => {
      const terminal = ask(['chat'])
      await terminal.shows('› ')
      terminal.type(`${QUESTION}\r`)
      await terminal.shows('Your choice (1-3):')
      terminal.type('stop\r')
      await terminal.shows('I could not answer this')
      terminal.type('/quit\r')
      expect(await terminal.ended).toBe(0)
    })

    it('asks for the meaning, and continues with the choice', async () => {
      const terminal = ask(['ask', '--yes', UNCLEAR])
      await terminal.shows('2. Values')
      terminal.type('2\r')
      expect(await terminal.ended).toBe(0)
      expect(terminal.shown()).toContain('Something was measured')
      expect(fenced(promptOf(model.callsOf('classify').at(-1) ?? missing()), 'question')).toBe('Values')
    })

    it('ends the question with Ctrl-C', async () => {
      const before = (await ran()).length
      const terminal = ask(['ask', QUESTION])
      await terminal.shows('Your choice (1-3):')
      terminal.type('\u0003')
      expect(await terminal.ended).toBe(1)
      expect((await ran()).length).toBe(before)
    })
  })
})

function missing(): never {
  throw new Error('the model was not called')
}
