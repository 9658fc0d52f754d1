import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Question } from '../../src/agent/analyst.ts'
import { newRunId } from '../../src/agent/run/id.ts'
import { Resources } from '../../src/base/lifecycle.ts'
import { createLogger } from '../../src/base/logger.ts'
import { EngineSqlGuard } from '../../src/clickhouse/guard/engine-sql-guard.ts'
import { OpenAILanguageModel } from '../../src/llm/openai-language-model.ts'
import { readConfig } from '../../src/main/config.ts'
import { migrateState, wireThreadAnalyst } from '../../src/main/pipelines.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { AnalystSuite, classified, draft, never } from '../support/analyst-suite.ts'
import { FOREIGN_RUN, writeForeignRun } from '../support/foreign-run.ts'
import { fenced, promptOf } from '../support/scripted-analyst.ts'

jest.setTimeout(90_000)

const logger = createLogger({ level: 'silent' })
const context = { config: readConfig({}), logger, resources: new Resources() }
const FOUND = 'One trip has no bike, so `clean trips` leaves it out.'
const suite = new AnalystSuite({ defaults: { lineage: () => `${FOUND}\n\nFAULT: clean trips` } })
beforeAll(async () => {
  await migrateState(context, suite.engine.warehouse, never)
  await writeForeignRun(suite.engine, never)
})

/** Opens a thread with an investigation of a pipeline, which the first message has started. */
async function openThread() {
  const { warehouse } = suite.engine
  const { analyst, store } = await suite.open()
  const model = new OpenAILanguageModel({
    ...{ apiKey: 'none', baseUrl: suite.model.baseUrl, model: 'scripted', logger, random: () => 0, now: Date.now },
    ...{ idleTimeoutMs: 60_000, totalTimeoutMs: 60_000 },
  })
  const threads = await wireThreadAnalyst(
    context,
    { analyst, warehouse, guard: new EngineSqlGuard({ warehouse }), model, store },
    never,
  )
  const say = async (text: string, given: Partial<Question> = {}, signal = never) =>
    (await threads.ask({ runId: newRunId(), thread: 'slack/T/C/1', text, askedAt: Date.now(), ...given }, signal)).result
  expect((await say(`lineage ${FOREIGN_RUN} why is a trip missing?`)).answer).toBe(FOUND)
  return say
}

const intentsOf = ({ body }: ScriptedCall) =>
  /"intent":\{[^}]*"enum":(\[[^\]]*\])/.exec(JSON.stringify(body.response_format))?.[1] ?? ''
const readAs = (intent: string, question: string | null = null, reply: string | null = null) => ({
  classify: () => classified({ intent, standalone_question: question, reply }),
})

describe("a later message in an investigation's thread", () => {
  it('continues it if classified so', async () => {
    const say = await openThread()
    suite.script = readAs('lineage', 'Why is trip 7 missing?')
    const [calls, readings] = [suite.calls('lineage'), suite.calls('classify')]
    const result = await say('and trip 7?')
    expect(result).toMatchObject({ intent: 'lineage', standalone_question: 'Why is trip 7 missing?', answer: FOUND })
    expect(result.steps.map(({ step }) => step)).toEqual(expect.arrayContaining(['classify', 'lineage']))
    const [call] = calls()
    expect(fenced(promptOf(call as ScriptedCall), 'question')).toBe('Why is trip 7 missing?')
    const [reading] = readings()
    expect(fenced(promptOf(reading as ScriptedCall), 'investigation')).toBe(
      `pipeline: ${FOREIGN_RUN}\nasked last: why is a trip missing?`,
    )
    expect(fenced(promptOf(reading as ScriptedCall), 'conversation')).toContain(
      `(an investigation of a pipeline)\nClew: ${FOUND}`,
    )
    expect(intentsOf(reading as ScriptedCall)).toContain('"lineage"')
  })

  it('may be thanks', async () => {
    const say = await openThread()
    const calls = suite.calls('lineage')
    suite.script = readAs('conversational', null, 'You are welcome.')
    expect(await say('Thanks!')).toMatchObject({ intent: 'conversational', answer: 'You are welcome.' })
    expect(calls()).toEqual([])
  })

  it('may be a question about data, as the first such answer says', async () => {
    const say = await openThread()
    const calls = suite.calls('lineage')
    const fromData = /\n\n_This is from the tables, not from the investigation of `scheduled.*`.*_$/
    suite.script = readAs('conversational', null, 'You are welcome.')
    await say('Thanks!')
    suite.script = {}
    const first = await say('How much was sold?')
    expect(first).toMatchObject({
      intent: 'data_analysis',
      queries: [{ rows: [['60']] }],
      answer: expect.stringMatching(fromData),
    })
    expect((await say('How much was sold in all?')).answer).not.toMatch(fromData)
    suite.script = readAs('lineage')
    await say('Back to the trips: why?')
    suite.script = { classify: () => 'about sales' }
    expect(await say('How much was sold?')).toMatchObject({ intent: 'data_analysis', answer: expect.stringMatching(fromData) })
    expect(calls().length).toBe(1)
  })

  it('may be a question about data that is not answered, which is not said to be from the tables', async () => {
    const say = await openThread()
    suite.script = { generate: () => draft('SELECT nothing FROM nowhere') }
    const { intent, answer } = await say('How much was sold?')
    expect([intent, answer]).toEqual(['data_analysis', expect.not.stringContaining('This is from the tables')])
  })

  it('is about data if it says so, and other threads ignore this classification', async () => {
    const say = await openThread()
    const readings = suite.calls('classify')
    expect((await say('ask how much was sold')).answer).toBe('They sold 60 [Q1].')
    await say('How much was sold?', { thread: 'slack/T/C/2' })
    for (const reading of readings()) {
      expect(promptOf(reading)).not.toContain('# The investigation in this thread')
      expect(intentsOf(reading)).not.toContain('"lineage"')
    }
    expect(readings().length).toBe(2)
  })

  it('is classified once even if its worker dies during the investigation', async () => {
    const say = await openThread()
    const readings = suite.calls('classify')
    const dying = new AbortController()
    suite.script = {
      ...readAs('lineage'),
      lineage: () => {
        dying.abort()
        return FOUND
      },
    }
    await expect(say('and why?', { runId: 'run_dying' }, dying.signal)).rejects.toBeDefined()
    suite.script = readAs('conversational', null, 'What?')
    expect(await say('and why?', { runId: 'run_dying' })).toMatchObject({ intent: 'lineage', answer: FOUND })
    expect(readings().length).toBe(1)
  })
})
