import { describe, expect, it } from '@jest/globals'
import { answer, status } from '../../test/emulators/model/model-scripts.ts'
import { AnalystSuite, classified, draft, ENDLESS, never } from '../../test/support/analyst-suite.ts'
import { until } from '../../test/support/queue-harness.ts'
import { fenced, promptOf } from '../../test/support/scripted-analyst.ts'
import type { RunEvent } from './run/event.ts'

const suite = new AnalystSuite()

describe('an abort', () => {
  it.each([['classify'], ['decompose'], ['generate'], ['execute'], ['synthesize']])(
    'in %s ends the run and its running work',
    async step => {
      const hang = () => answer('{}', { after: new Promise(() => {}) })
      suite.script = step === 'execute' ? { generate: () => draft(ENDLESS) } : { [step]: hang }
      const controller = new AbortController()
      const index = suite.model.callsOf(step).length
      const planned = suite.model.callsOf('decompose').length
      const { ask } = await suite.open()
      const asked = ask('Explain all sales and amounts', { signal: controller.signal })
      asked.catch(() => {})
      const call = step === 'execute' ? undefined : await suite.model.arrival(step, index)
      // The analyst asks for the plan while `classify` runs.
      await suite.model.arrival('decompose', planned)
      if (call === undefined) await until('the query runs', async () => (await suite.running()) === 1)
      const before = suite.model.calls.length
      controller.abort()
      await expect(asked).rejects.toMatchObject({ code: step === 'execute' ? 'warehouse_cancelled' : 'model_cancelled' })
      expect(await suite.running()).toBe(0)
      if (call !== undefined) expect(await call.left).toBe(true)
      expect(suite.model.calls.length).toBe(before)
    },
  )

  it.each([[true], [false]])('between two steps is told like one within a step, with work ahead: %s', async speculation => {
    suite.script = {}
    const controller = new AbortController()
    const { ask } = await suite.open({ speculation })
    const observe = ({ kind }: RunEvent) => {
      if (kind === 'question_understood') controller.abort()
    }
    await expect(ask('How much?', { signal: controller.signal, observe })).rejects.toMatchObject({ code: 'model_cancelled' })
  })

  it('by the time limit ends the run, and says so', async () => {
    suite.script = { generate: () => draft(ENDLESS) }
    const { ask } = await suite.open({ runTimeoutMs: 1_500 })
    await expect(ask('How much?')).rejects.toMatchObject({
      name: 'RunError',
      code: 'run_timeout',
      message: expect.stringContaining('2 s'),
    })
    expect(await suite.running()).toBe(0)
  })

  it('before the start asks the model nothing', async () => {
    const before = suite.model.calls.length
    await expect((await suite.open()).ask('How much?', { signal: AbortSignal.abort() })).rejects.toBeDefined()
    expect(suite.model.calls.length).toBe(before)
  })
})

describe('a question', () => {
  it('of an unclear kind counts as a data question, as written', async () => {
    suite.script = { classify: () => 'I think this is about sales.' }
    const { result } = await (await suite.open()).ask('And how much was it?')
    expect(result).toMatchObject({
      intent: 'data_analysis',
      standalone_question: 'And how much was it?',
      answer: 'They sold 60 [Q1].',
    })
  })

  it.each([null, ' '])('without a rewritten form (%j) is used as written', async rewritten => {
    suite.script = { classify: () => classified({ standalone_question: rewritten }) }
    expect((await (await suite.open()).ask('How much?')).result.standalone_question).toBe('How much?')
  })

  it('without need for a query or a ready reply gets a reply', async () => {
    suite.script = { classify: () => classified({ intent: 'conversational', reply: ' ' }), respond: () => 'I am Clew.' }
    expect((await (await suite.open()).ask('Who are you?')).result).toMatchObject({ answer: 'I am Clew.', queries: [] })
  })

  it("is told the time in the asker's zone, or else in the operator's", async () => {
    const prompts = [suite.calls('classify'), suite.calls('decompose'), suite.calls('generate'), suite.calls('synthesize')]
    const { ask } = await suite.open()
    await ask('How much today?', { timeZone: 'Europe/Berlin' })
    await ask('How much today?')
    for (const made of prompts) {
      const [berlin = '', tokyo = ''] = made().map(promptOf)
      expect(berlin).toContain("Thursday 2026-03-05 00:30 in Europe/Berlin (the asker's time zone)")
      expect(tokyo).toContain('Thursday 2026-03-05 08:30 in Asia/Tokyo (the time zone set by the operator)')
    }
  })

  it('follows another in its thread, and no other', async () => {
    const { ask } = await suite.open()
    const classify = suite.calls('classify')
    await ask('How much was sold?', { thread: 'a' })
    await ask('And yesterday?', { thread: 'a' })
    await ask('And yesterday?', { thread: 'b' })
    await ask('And yesterday?')
    const conversations = classify().map(call => fenced(promptOf(call), 'conversation'))
    expect(conversations).toEqual(['', expect.stringContaining('Clew: They sold 60.'), '', ''])
  })

  it('that ended in an error is known to the next one', async () => {
    suite.script = {
      classify: () => classified({ standalone_question: 'How much was sold in March?' }),
      decompose: () => status(500),
    }
    const { ask } = await suite.open()
    await expect(ask('How much in March?', { thread: 'failing' })).rejects.toMatchObject({ code: 'model_unavailable' })
    suite.script = {}
    const classify = suite.calls('classify')
    await ask('And in May?', { thread: 'failing' })
    const conversation = fenced(promptOf(classify()[0] ?? missing()), 'conversation')
    expect(conversation).toMatch(
      /How much in March\?[\s\S]*How much was sold in March\?[\s\S]*The language model could not be reached/,
    )
  })

  it('that failed and is retried leaves its answer alone', async () => {
    suite.script = { decompose: () => status(500) }
    const { ask } = await suite.open()
    const runId = 'run_taken_up'
    await expect(ask('How much?', { thread: 'again', runId })).rejects.toBeDefined()
    suite.script = {}
    await ask('How much?', { thread: 'again', runId })
    const classify = suite.calls('classify')
    await ask('And in May?', { thread: 'again' })
    const conversation = fenced(promptOf(classify()[0] ?? missing()), 'conversation')
    expect(conversation).toContain('They sold 60.')
    expect(conversation).not.toContain('could not be reached')
  })

  it('that was stopped leaves nothing', async () => {
    const stopped = new AbortController()
    suite.script = { decompose: () => answer('{}', { after: new Promise(() => {}) }) }
    const { ask } = await suite.open()
    const index = suite.model.callsOf('decompose').length
    const asked = ask('How much?', { thread: 'stopped', signal: stopped.signal })
    asked.catch(() => {})
    await suite.model.arrival('decompose', index)
    stopped.abort()
    await expect(asked).rejects.toBeDefined()
    suite.script = {}
    const classify = suite.calls('classify')
    await ask('And in May?', { thread: 'stopped' })
    expect(fenced(promptOf(classify()[0] ?? missing()), 'conversation')).toBe('')
  })

  it('is summarised after its answer, with earlier ones, once there are too many', async () => {
    const { ask } = await suite.open({ historyTurns: 2 })
    const [classify, summarize] = [suite.calls('classify'), suite.calls('summarize')]
    for (const text of ['One?', 'Two?', 'Three?']) {
      suite.script = { classify: () => classified({ standalone_question: text }) }
      const before = summarize().length
      const { afterwards } = await ask(text, { thread: 'long' })
      expect(summarize()).toHaveLength(before)
      await afterwards(never)
    }
    expect(summarize()).toHaveLength(1)
    expect(fenced(promptOf(summarize()[0] ?? missing()), 'turns')).toBe('Person: One?\nClew: They sold 60.')
    suite.script = {}
    await ask('Four?', { thread: 'long' })
    const conversation = fenced(promptOf(classify().at(-1) ?? missing()), 'conversation')
    expect(conversation).toMatch(/^Earlier, in short:\n {2}They care about sales\.\n\nPerson: Two\?[\s\S]*Person: Three\?/)
    expect(conversation).not.toContain('One?')
  })
})

function missing(): never {
  throw new Error('the model was not called')
}
