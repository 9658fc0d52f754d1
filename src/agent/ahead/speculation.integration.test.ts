import { describe, expect, it } from '@jest/globals'
import { createGate } from '../../../test/emulators/gate.ts'
import type { ModelScript, ScriptedCall } from '../../../test/emulators/model/model-script.ts'
import { answer, hang, status } from '../../../test/emulators/model/model-scripts.ts'
import {
  AnalystSuite,
  classified as classifiedAs,
  dataQuestion,
  draft,
  ENDLESS,
  never,
  plan,
  SUM,
} from '../../../test/support/analyst-suite.ts'
import { until } from '../../../test/support/queue-harness.ts'
import { fenced, promptOf } from '../../../test/support/scripted-analyst.ts'
import type { StateStore } from '../../store/state-store.ts'
import { newRunId } from '../run/id.ts'
import type { RunResult } from '../run/result.ts'

const SIMPLE = 'How much was sold in all?'
const classified = (given: object = {}) => classifiedAs({ standalone_question: SIMPLE, ...given })
const suite = new AnalystSuite({ defaults: { classify: () => classified() } })

/** Returns a JSON answer that pauses after the text `behind`, until it is released. */
function heldBehind(value: object, behind: string, until: Promise<void>): ModelScript {
  const text = JSON.stringify(value)
  const at = text.indexOf(behind) + behind.length
  return answer(text, { pieces: [text.slice(0, at), text.slice(at)], hold: { piece: 1, until } })
}

describe('a message that looks like a simple question', () => {
  it('is read, planned and drafted in parallel, and its SQL is requested once', async () => {
    const gate = createGate()
    suite.script = {
      classify: () => answer(classified(), { after: gate.opened }),
      decompose: () => answer(plan('The sum.'), { after: gate.opened }),
      generate: () => answer(draft(SUM), { after: gate.opened }),
    }
    const calls = suite.calls()
    const { ask } = await suite.open()
    const asked = ask(SIMPLE)
    await until('all three are asked', async () => calls().length === 3)
    gate.open()
    const { result } = await asked
    expect(
      calls()
        .map(({ step }) => step)
        .sort(),
    ).toEqual(['classify', 'decompose', 'generate', 'synthesize'])
    expect(result.queries).toMatchObject([{ id: 'Q1', question: SIMPLE, rows: [['60']], attempts: 1 }])
    // On a busy machine, the cost estimate may run into its time limit. The query runs without it.
    const others = result.steps.filter(({ step }) => step !== 'validate')
    expect(others.filter(({ error, cancelled }) => error !== null || cancelled !== undefined)).toEqual([])
  })

  it('runs and shows nothing before it is known to be a data question', async () => {
    const gate = createGate()
    suite.script = { classify: () => answer(classified(), { after: gate.opened }) }
    const ran = await queriesOfSales()
    const { ask, events, store } = await suite.open()
    const runId = newRunId()
    const asked = ask(SIMPLE, { runId })
    await until('plan and draft are there', async () => (await store.list(`run:{${runId}}:checkpoints`, never)).length === 2)
    expect(events).toEqual([{ kind: 'step_started', step: 'classify', attempt: 1 }])
    expect(await queriesOfSales()).toBe(ran)
    gate.open()
    await asked
    expect(events.map(event => (event.kind === 'step_started' ? event.step : event.kind))).toEqual(
      expect.arrayContaining([
        'question_understood',
        'decompose',
        'data_question_planned',
        'generate',
        'execute',
        'query_finished',
      ]),
    )
    expect(await queriesOfSales()).toBe(ran + 1)
  })

  it('does not begin for small talk, and begins after classify if that was a wrong guess', async () => {
    suite.script = { classify: () => classified({ intent: 'conversational', reply: 'You are welcome.' }) }
    const calls = suite.calls()
    const { ask } = await suite.open()
    expect((await ask('Thanks, that was helpful!')).result.answer).toBe('You are welcome.')
    expect(calls().map(({ step }) => step)).toEqual(['classify'])
    suite.script = {}
    expect((await ask('Is everything alright?')).result.queries).toMatchObject([{ rows: [['60']] }])
    expect(calls().map(({ step }) => step)).toEqual(['classify', 'classify', 'decompose', 'generate', 'synthesize'])
  })

  it('leaves nothing of the speculation if it is no data question', async () => {
    const drafted = createGate()
    suite.script = {
      classify: () => answer(classified({ intent: 'conversational', reply: 'You are welcome.' }), { after: drafted.opened }),
      decompose: () => hang(),
      generate: () => hang(),
    }
    const calls = suite.calls()
    const { ask, events } = await suite.open()
    const asked = ask(SIMPLE)
    await until('all three are asked', async () => calls().length === 3)
    drafted.open()
    const { result } = await asked
    for (const call of calls()) expect(await call.left).toBe(call.step !== 'classify')
    expect([result.answer, result.queries]).toEqual(['You are welcome.', []])
    expect(events.map(({ kind }) => kind)).toEqual(['step_started', 'question_understood'])
    const cause = 'the message is no data question (conversational)'
    expect(stepsOf(result)).toEqual([
      ['classify', null, undefined],
      ['decompose', null, cause],
      ['generate', null, cause],
    ])
  })

  it.each([
    ['has several parts', plan('First.', 'Second.'), ['First.', 'Second.'], 'the plan has several data questions'],
    [
      'asks for more',
      plan('The sum of the last 7 days.'),
      ['The sum of the last 7 days.'],
      'the plan asks for more than the question',
    ],
  ])('is answered by the plan if that %s', async (_, planned, expected, cause) => {
    suite.script = {
      decompose: () => planned,
      generate: call => (dataQuestion(call) === SIMPLE ? hang() : draft(SUM)),
    }
    const calls = suite.calls()
    const { result } = await (await suite.open()).ask(SIMPLE)
    expect(result.queries.map(({ question }) => question)).toEqual(expected)
    const direct = calls().find(call => dataQuestion(call) === SIMPLE)
    expect(await direct?.left).toBe(true)
    expect(result.steps.flatMap(({ cancelled = [] }) => cancelled)).toEqual([cause])
  })

  it('is asked for once more in all if its draft has a wrong form', async () => {
    let asked = 0
    suite.script = { generate: () => (asked++ === 0 ? 'no JSON at all' : draft(SUM)) }
    const calls = suite.calls('generate')
    const { result } = await (await suite.open()).ask(SIMPLE)
    expect(result.queries).toMatchObject([{ question: SIMPLE, rows: [['60']], attempts: 1, failed_attempts: [] }])
    expect(calls()).toHaveLength(2)
    suite.script = { generate: () => 'no JSON at all' }
    await (await suite.open()).ask(SIMPLE)
    expect(calls()).toHaveLength(2 + 2)
  })

  it('is not drafted again if its draft fails for another reason', async () => {
    suite.script = { generate: () => answer('') }
    const calls = suite.calls('generate')
    const { result } = await (await suite.open()).ask(SIMPLE)
    expect(result.queries).toMatchObject([{ question: SIMPLE, attempts: 1, failed_attempts: [{ kind: 'model' }] }])
    expect(calls()).toHaveLength(2)
  })

  it('is not affected by a failed speculation, and fails with any needed step', async () => {
    suite.script = {
      classify: () => classified({ intent: 'conversational', reply: 'You are welcome.' }),
      decompose: () => status(401),
      generate: () => status(401),
    }
    expect((await (await suite.open()).ask(SIMPLE)).result.answer).toBe('You are welcome.')
    suite.script = { decompose: () => status(401) }
    await expect((await suite.open()).ask(SIMPLE)).rejects.toMatchObject({ code: 'model_authentication' })
    const calls = suite.calls()
    const others = () => calls().filter(({ step }) => step !== 'classify')
    suite.script = {
      classify: () => async exchange => {
        await until('the others are asked', async () => others().length >= 2)
        await status(401)(exchange)
      },
      decompose: () => hang(),
      generate: () => hang(),
    }
    await expect((await suite.open()).ask(SIMPLE)).rejects.toMatchObject({ code: 'model_authentication' })
    for (const call of others()) expect(await call.left).toBe(true)
  })
})

describe('a race', () => {
  it.each([
    ['stopped', 20_000, 'model_cancelled'],
    ['out of time', 1_500, 'run_timeout'],
  ])('that is %s leaves no request open', async (_, runTimeoutMs, code) => {
    suite.script = { classify: () => hang(), decompose: () => hang(), generate: () => hang() }
    const controller = new AbortController()
    const calls = suite.calls()
    const { ask } = await suite.open({ runTimeoutMs })
    const asked = ask(SIMPLE, { signal: controller.signal })
    asked.catch(() => {})
    await until('all three are asked', async () => calls().length === 3)
    if (code === 'model_cancelled') controller.abort()
    await expect(asked).rejects.toMatchObject({ code })
    for (const call of calls()) expect(await call.left).toBe(true)
    expect(calls()).toHaveLength(3)
  })

  it('can be switched off: steps run one by one, and none in vain', async () => {
    const calls = suite.calls()
    const { result } = await (await suite.open({ speculation: false })).ask(SIMPLE)
    expect(calls().map(({ step }) => step)).toEqual(['classify', 'decompose', 'generate', 'synthesize'])
    expect(result.queries).toMatchObject([{ question: 'The sum.', rows: [['60']] }])
  })

  it('uses the same system prompt for each step, so that it can be cached', async () => {
    suite.script = { classify: call => classified({ standalone_question: fenced(promptOf(call), 'question') }) }
    const calls = suite.calls()
    const { ask } = await suite.open()
    await ask(SIMPLE, { thread: 't' })
    await ask('And in Oslo on the second of March?', {
      thread: 't',
      askedAt: Date.parse('2026-05-01T09:00:00Z'),
      timeZone: 'Europe/Oslo',
    })
    for (const step of ['classify', 'decompose', 'generate', 'synthesize']) {
      const asked = calls().filter(call => call.step === step)
      expect(asked.length).toBeGreaterThan(1)
      expect(new Set(asked.map(({ body }) => body.messages[0]?.content)).size).toBe(1)
      expect(new Set(asked.map(({ body }) => body.messages[1]?.content)).size).toBe(asked.length)
    }
  })
})

describe('SQL', () => {
  it('runs before its explanation is complete', async () => {
    const gate = createGate()
    suite.script = { generate: () => heldBehind(draft(ENDLESS), `${ENDLESS.slice(-6)}"`, gate.opened) }
    const controller = new AbortController()
    const calls = suite.calls()
    const { ask } = await suite.open()
    const asked = ask(SIMPLE, { signal: controller.signal })
    await until('the query runs', async () => (await suite.running()) === 1)
    controller.abort()
    await expect(asked).rejects.toMatchObject({ code: expect.stringContaining('cancelled') })
    expect(await suite.running()).toBe(0)
    expect(await calls().find(({ step }) => step === 'generate')?.left).toBe(true)
  })

  it('is cancelled with its query if the final draft has other SQL', async () => {
    const gate = createGate()
    const wrong = { ...draft(ENDLESS), assumptions: 'none' }
    let asked = 0
    suite.script = {
      generate: () => (asked++ === 0 ? heldBehind(wrong, `${ENDLESS.slice(-6)}"`, gate.opened) : draft(SUM)),
    }
    const { ask } = await suite.open()
    const answering = ask(SIMPLE)
    await until('the query runs', async () => (await suite.running()) === 1)
    gate.open()
    const { result } = await answering
    expect(await suite.running()).toBe(0)
    expect(result.queries).toMatchObject([{ sql: expect.stringContaining('sum(amount)'), rows: [['60']], attempts: 1 }])
    // The engine may need some time to end a query.
    const executed = result.steps.filter(({ step }) => step === 'execute')
    expect(executed.map(({ error, cancelled }) => [error, cancelled ?? 'kept']).sort()).toEqual([
      [null, 'kept'],
      [null, 'the draft in the end has another query'],
    ])
  })
})

describe('an answer', () => {
  const MARCH_FIRST = "SELECT sum(amount) AS amount FROM sales WHERE day = '2026-03-01'"
  const synthesized = (calls: () => readonly ScriptedCall[]) => calls().filter(({ step }) => step === 'synthesize')

  it("is written before the SQL's explanation is complete, and shown after that", async () => {
    const gate = createGate()
    suite.script = { generate: () => heldBehind(draft(SUM), `${SUM}"`, gate.opened) }
    const calls = suite.calls()
    const { ask, events, store } = await suite.open()
    const runId = newRunId()
    const asked = ask(SIMPLE, { runId })
    await until('it is written', async () => (await finishedSteps(store, runId)).includes('synthesize'))
    expect(events).toContainEqual(expect.objectContaining({ kind: 'query_finished', ok: true, rowCount: 1 }))
    expect(events.map(({ kind }) => kind)).not.toContain('answer_grown')
    gate.open()
    const { result } = await asked
    expect(result).toMatchObject({ answer: 'They sold 60 [Q1].', queries: [{ explanation: 'Looks it up.', rows: [['60']] }] })
    expect(events.at(-1)).toMatchObject({ kind: 'answer_grown', markdown: 'They sold 60 [Q1].' })
    expect(events.filter(({ kind }) => kind === 'query_finished')).toHaveLength(1)
    expect(synthesized(calls)).toHaveLength(1)
  })

  it('from rows of a replaced query is written anew, and never shown', async () => {
    const gate = createGate()
    let drafts = 0
    suite.script = {
      generate: () =>
        drafts++ === 0 ? heldBehind({ ...draft(SUM), assumptions: 'none' }, `${SUM}"`, gate.opened) : draft(MARCH_FIRST),
      synthesize: call => (promptOf(call).includes('| 1 | 60 |') ? 'They sold 60 [Q1].' : 'They sold 10 [Q1].'),
    }
    const { ask, events, store } = await suite.open()
    const runId = newRunId()
    const asked = ask(SIMPLE, { runId })
    await until('it is written', async () => (await finishedSteps(store, runId)).includes('synthesize'))
    gate.open()
    const { result } = await asked
    expect(result).toMatchObject({ answer: 'They sold 10 [Q1].', queries: [{ rows: [['10']], attempts: 1 }], confidence: 'HIGH' })
    expect(events.flatMap(event => (event.kind === 'answer_grown' ? [event.markdown] : []))).toEqual(['They sold 10 [Q1].'])
    const written = result.steps.filter(({ step }) => step === 'synthesize')
    expect(written.map(({ error, cancelled }) => [error, cancelled])).toEqual([
      [null, 'the answer is written from other results'],
      [null, undefined],
    ])
  })

  it('that was complete before its run broke off is not requested again', async () => {
    suite.script = { generate: () => heldBehind(draft(SUM), `${SUM}"`, createGate().opened) }
    const calls = suite.calls()
    const { ask, store } = await suite.open()
    const runId = newRunId()
    const crash = new AbortController()
    const asked = ask(SIMPLE, { runId, signal: crash.signal })
    await until('it is written', async () => (await finishedSteps(store, runId)).includes('synthesize'))
    crash.abort()
    await expect(asked).rejects.toMatchObject({ code: expect.stringContaining('cancelled') })
    suite.script = {}
    const { result } = await ask(SIMPLE, { runId })
    expect(result).toMatchObject({ answer: 'They sold 60 [Q1].', confidence: 'HIGH' })
    expect(synthesized(calls)).toHaveLength(1)
  })

  it('waits for the explanation without speculation', async () => {
    const gate = createGate()
    suite.script = { generate: () => heldBehind(draft(SUM), `${SUM}"`, gate.opened) }
    const calls = suite.calls()
    const { ask, events } = await suite.open({ speculation: false })
    const asked = ask(SIMPLE)
    await until('the rows are there', async () => events.some(({ kind }) => kind === 'query_finished'))
    expect(synthesized(calls)).toHaveLength(0)
    gate.open()
    expect((await asked).result.answer).toBe('They sold 60 [Q1].')
  })
})

async function finishedSteps(store: StateStore, runId: string): Promise<readonly string[]> {
  const checkpoints = await store.list(`run:{${runId}}:checkpoints`, never)
  return checkpoints.map(text => String(JSON.parse(text).step))
}

/** Returns the name and outcome of each step. The schema is left out. */
function stepsOf({ steps }: RunResult): unknown[] {
  const shown = steps.filter(({ step }) => step !== 'schema')
  return shown.map(({ step, error, cancelled }) => [step, error, cancelled]).sort()
}

const queriesOfSales = async () => (await suite.ran('sum(amount)')).length
