import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ModelScript, ScriptedCall } from '../emulators/model/model-script.ts'
import { answer, refusal, status } from '../emulators/model/model-scripts.ts'
import { askInSlack } from '../support/ask-in-slack.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { runClew } from '../support/run-clew.ts'
import { promptOf } from '../support/scripted-analyst.ts'

// Faults of the model, between a real worker and a scripted endpoint. The numbers refer to the fault matrix.

const QUESTION = 'Explain how many devices there are.'
const GERMAN = 'Wie viele Geräte gibt es, und warum sind es so viele?'
const DEVICES = 'How many devices are there?'
const SQL = 'SELECT count() AS devices FROM dz_devices'
const script = { queries: { [DEVICES]: [SQL] }, answer: 'There are **42 devices** [Q1].' }
const book = {
  [QUESTION]: script,
  [GERMAN]: { ...script, language: 'de', answer: 'Es gibt **42 Geräte** [Q1].' },
}
const BUSY = 'The model cannot answer now; I try again'

let world: ClewWorld

beforeAll(async () => {
  world = await startClewWorld(book)
  await Promise.all([world.startBots(), world.startWorker({ CLEW_SPECULATION: '0' })])
}, 120_000)
afterEach(() => world.intercept(undefined))
afterAll(() => world.close())

/** Lets the scripts take the place of a step's answers. Where a script is undefined, the model answers as usual. */
function breakStep(step: string, next: (call: ScriptedCall) => ModelScript | undefined): void {
  world.intercept(call => (call.step === step ? next(call) : undefined))
}

const ask = (question = QUESTION) => askInSlack(world, question)

/** Fails the first requests, then answers as usual. */
function firstly(...failures: readonly [ModelScript, ...ModelScript[]]): (call: ScriptedCall) => ModelScript | undefined {
  let count = 0
  return () => failures[count++]
}

/** Answers with a web page, as a proxy does. */
const page =
  (code: number): ModelScript =>
  async ({ response }) => {
    response.writeHead(code, { 'content-type': 'text/html' }).end('<html><head><title>A proxy</title></head></html>')
  }

const busy = (code: number) => status(code, { headers: { 'retry-after': '2' } })

describe('fault 17: an overloaded model', () => {
  it.each([429, 503, 529])('(%i) is asked again, and one notice is shown meanwhile', async code => {
    breakStep('decompose', firstly(busy(code), busy(code)))
    const { reply, replies, callsOf, shown } = await ask()
    expect(reply).toContain('42 devices')
    expect(reply).not.toContain('busy')
    expect(replies()).toBe(1)
    const [first, second, third] = callsOf('decompose').map(call => call.arrivedAt)
    expect(callsOf('decompose')).toHaveLength(3)
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(2_000)
    expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(2_000)
    expect(shown().filter(text => text.includes(BUSY))).toHaveLength(1)
  })

  it('is told in German too', async () => {
    breakStep('decompose', firstly(busy(529)))
    const { reply, shown } = await ask(GERMAN)
    expect(reply).toContain('42 Geräte')
    expect(
      shown().filter(text => text.includes('Das Sprachmodell kann gerade nicht antworten; ich versuche es noch einmal')),
    ).toHaveLength(1)
  })

  it('is told once at the terminal', async () => {
    breakStep('decompose', firstly(busy(529), busy(529)))
    const { status: exit, output, errors } = await runClew(['ask', QUESTION], { ...world.env, CLEW_SPECULATION: '0' })
    expect([exit, errors.split(BUSY).length - 1]).toEqual([0, 1])
    expect(output).toContain('42 devices')
    expect(output).not.toContain(BUSY)
  })

  it('that stays so is told after four tries', async () => {
    breakStep('decompose', () => status(429, { headers: { 'retry-after': '0' } }))
    const { reply, replies, callsOf } = await ask()
    expect(reply).toContain('The language model takes no more questions just now. Please ask again in a minute.')
    expect(callsOf('decompose')).toHaveLength(4)
    expect(replies()).toBe(1)
  })
})

describe('a model that takes no request', () => {
  it.each([
    ['for an hour', () => status(429, { headers: { 'retry-after': '3600' } }), 'Please ask again in 60 minutes.'],
    ['of this size', () => page(413), 'This is more text than the language model takes at once.'],
    ['because a proxy stands in its place', () => page(200), 'Whoever runs Clew should run `clew doctor`.'],
  ])('%s is asked once, and its asker is told when or how to ask again', async (_, script, sentence) => {
    breakStep('decompose', script)
    const { reply, callsOf } = await ask()
    expect(reply).toContain(sentence)
    expect(callsOf('decompose')).toHaveLength(1)
  })
})

describe('fault 19: an answer that is cut off', () => {
  const HALF = '{"sql": "SELECT count() AS devices, 1 AS half_of_it FROM dz_dev'

  it('never runs, and is asked for once more with twice the room', async () => {
    const before = (await world.engine.receivedQueries()).length
    breakStep('generate', firstly(answer(HALF, { finishReason: 'length' })))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('42 devices')
    const [small, large] = callsOf('generate').map(({ body }) => body.max_completion_tokens)
    expect(large).toBe(2 * Number(small))
    expect(callsOf('generate')).toHaveLength(2)
    expect(JSON.stringify(await world.engine.receivedQueries(before))).not.toContain('half_of_it')
  })

  it('twice is told honestly', async () => {
    const before = (await world.engine.receivedQueries()).length
    breakStep('generate', () => answer(HALF, { finishReason: 'length' }))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('the language model wrote no query that could be used')
    expect(reply).not.toContain('42')
    expect(callsOf('generate')).toHaveLength(2)
    expect(JSON.stringify(await world.engine.receivedQueries(before))).not.toContain('half_of_it')
  })
})

describe('fault 20: a refusal', () => {
  it('is shown, and not asked for again', async () => {
    breakStep('decompose', () => refusal('I cannot help with that.'))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('The language model declined to answer this. Please ask in another way.')
    expect(callsOf('decompose')).toHaveLength(1)
  })
})

describe('fault 21: an answer of a wrong form', () => {
  it('is repaired in one turn that names the mistake', async () => {
    breakStep('decompose', firstly(answer({ data_questions: 'all of them' })))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('42 devices')
    const [, repair] = callsOf('decompose')
    expect(callsOf('decompose')).toHaveLength(2)
    expect(repair && promptOf(repair)).toMatch(/data_questions.*expected array/i)
  })

  it('twice is not asked for a third time, and the question is answered as it was asked', async () => {
    breakStep('decompose', () => answer({ data_questions: 'all of them' }))
    const { reply, callsOf } = await ask()
    expect(callsOf('decompose')).toHaveLength(2)
    expect(reply).toContain('42 devices')
  })
})

describe('fault 22: a model that never stops writing', () => {
  it('is stopped, and the failure is told', async () => {
    const endless = answer(`{"sql": "${'x'.repeat(2_000_000)}`, { pieces: Array.from({ length: 200 }, () => 'x'.repeat(20_000)) })
    breakStep('generate', () => endless)
    const { reply, callsOf } = await ask()
    expect(reply).toContain('the language model wrote no query that could be used')
    const [call] = callsOf('generate')
    expect(callsOf('generate')).toHaveLength(1)
    expect(call?.body.max_completion_tokens).toBe(16_384)
    expect(await call?.left).toBe(true)
  })
})

describe('fault 23: an answer with nothing in it', () => {
  it('is asked for once more', async () => {
    breakStep('synthesize', firstly(answer('')))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('42 devices')
    expect(callsOf('synthesize')).toHaveLength(2)
  })

  it('twice is told with an apology', async () => {
    breakStep('decompose', () => answer(''))
    const { reply, callsOf } = await ask()
    expect(reply).toContain('The language model gave no usable answer. Please ask again, perhaps in other words.')
    expect(callsOf('decompose')).toHaveLength(2)
  })
})
