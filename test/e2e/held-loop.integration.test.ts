import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'

const TIMEOUT_MS = 300_000
const DEVICES = 'How many devices are there?'
const HOLDING = 'Which device holds everybody up?'
const MARKS = '*'.repeat(7_900)
const counted = (question: string) => ({
  queries: { [question]: ['SELECT count() AS devices FROM dz_devices'] },
  answer: 'There are **42 devices** [Q1].',
})
const book = { [DEVICES]: counted(DEVICES), [HOLDING]: counted(HOLDING), [MARKS]: counted(MARKS) }
const HOLDER = fileURLToPath(new URL('../support/loop-holder.mjs', import.meta.url))

let world: ClewWorld
let worker: ClewProcess
let bots: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  const env = { NODE_OPTIONS: `--import ${HOLDER} --max-old-space-size=150` }
  ;[bots, worker] = await Promise.all([world.startBots({ NODE_OPTIONS: `--import ${HOLDER}` }), world.startWorker(env)])
}, 120_000)
afterAll(() => world.close())

const ask = (question: string) => world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
const isTold = (message: ReturnType<typeof ask>, words: string, timeoutMs = TIMEOUT_MS) =>
  world.slack.waitFor(() => world.replies(message).find(({ plain }) => plain.includes(words)), { timeoutMs })

it(
  "a question whose step blocks the event loop is ended with a notice and the step's name; the one beside it is answered",
  async () => {
    const analyst = scriptedAnalyst(book)
    const gate = createGate()
    world.intercept(call => {
      const question = fenced(promptOf(call), 'question')
      if (question === DEVICES && call.step === 'synthesize') return answer(analyst(call), { after: gate.opened })
      if (question !== HOLDING || call.step !== 'generate') return undefined
      return answer({ ...Object(analyst(call)), explanation: 'HOLD_2500_MS' })
    })
    const beside = ask(DEVICES)
    const held = await isTold(ask(HOLDING), 'kept everybody else waiting')
    gate.open()
    await isTold(beside, '42 devices')
    expect(held.plain).not.toContain('Try again')
    const told = worker.log.filter(line => line.includes('a step has kept the event loop'))
    const named = told.map(line => JSON.parse(line))
    expect(named).toContainEqual(
      expect.objectContaining({ run: expect.stringMatching(/^run_/), step: 'generate Q1', heldMs: expect.any(Number) }),
    )
    expect(new Set(named.map(({ run }) => run)).size).toBe(1)
  },
  TIMEOUT_MS,
)

it(
  'a worker with little memory refuses a message of 39,000 marks, and answers one of 7,900',
  async () => {
    world.intercept(undefined)
    const many = ['*'.repeat(39_000), 'я '.repeat(19_500)].map(ask)
    const longest = ask(MARKS)
    for (const message of many) await isTold(message, 'more than the 8,000 characters')
    await isTold(longest, '42 devices')
  },
  TIMEOUT_MS,
)

it(
  'a message that keeps the event loop of the bots is dropped there, its author told once and the event named; the next is answered',
  async () => {
    world.intercept(undefined)
    // The worker with little memory may have died in the meantime.
    const another = await world.startWorker()
    const held = ask('HOLD_READER_2500_MS')
    await isTold(held, 'kept everybody else waiting')
    // A busy machine may lose the connection. Slack then delivers the missed events again, a minute later.
    const isAnswered = () => isTold(ask(DEVICES), '42 devices', 20_000).then(Boolean, () => false)
    while (!(await isAnswered())) expect(bots.log.join('\n')).toContain('slack connected')
    expect(world.replies(held)).toHaveLength(1)
    const named = bots.log.filter(line => line.includes('a step has kept the event loop')).map(line => JSON.parse(line))
    expect(named).toContainEqual(
      expect.objectContaining({ run: expect.stringMatching(/^Ev/), step: expect.stringMatching(/^slack /) }),
    )
    expect(await Promise.all([bots.stop(), another.stop()])).toEqual([0, 0])
  },
  TIMEOUT_MS,
)
