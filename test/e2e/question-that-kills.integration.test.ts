import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'

const TIMEOUT_MS = 600_000
const DEVICES = 'How many devices are there?'
const EVERYTHING = 'Every link beside every other, and every device beside that?'
const innocents = Array.from({ length: 19 }, (_, index) => `How many devices (${index})?`)
const book = {
  ...Object.fromEntries(
    innocents.map(question => [
      question,
      { queries: { [DEVICES]: ['SELECT count() AS devices FROM dz_devices'] }, answer: 'There are **42 devices** [Q1].' },
    ]),
  ),
  // 800,000 rows: more than the heap below can hold.
  [EVERYTHING]: {
    queries: {
      [EVERYTHING]: [
        'SELECT a.code AS a1, a.side_a_device AS a2, a.side_z_device AS a3, b.code AS b1, b.side_a_device AS b2, b.side_z_device AS b3, c.code AS c1, d.code AS d1 FROM dz_links AS a CROSS JOIN dz_links AS b CROSS JOIN dz_links AS c CROSS JOIN dz_devices AS d ORDER BY a1 LIMIT 800000',
      ],
    },
  },
}
/** An operator who allows larger answers than the process has memory for. */
const SMALL_HEAP = {
  NODE_OPTIONS: '--max-old-space-size=200',
  CLEW_QUERY_MAX_ROWS: '800000',
  CLEW_QUERY_MAX_BYTES: '500 MB',
  CLEW_QUERY_TIMEOUT_S: '120',
  CLEW_RUN_TIMEOUT_S: '240',
  CLEW_COST_MAX_ROWS: '0',
  CLEW_COST_MAX_BYTES: '0',
}

let world: ClewWorld
let worker: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker(SMALL_HEAP)])
}, 120_000)
afterAll(() => world.close())

it(
  'a question that exhausts the memory is reported to its author, and the 19 beside it are answered once each',
  async () => {
    const analyst = scriptedAnalyst(book)
    const gate = createGate()
    let deaths = 0
    // The innocent questions are in progress at both deaths.
    world.intercept(call => {
      const isInnocent = fenced(promptOf(call), 'question') !== EVERYTHING
      return isInnocent && call.step === 'synthesize' ? answer(analyst(call), { after: gate.opened }) : undefined
    })
    const ask = (question: string) => world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
    const beside = innocents.map(ask)
    const guilty = ask(EVERYTHING)
    for (; deaths < 2; deaths += 1) {
      await worker.ended
      worker = await world.startWorker(SMALL_HEAP)
    }
    gate.open()

    const told = await world.slack.waitFor(
      () => world.replies(guilty).find(({ plain }) => plain.includes('My process ended over this question')),
      { timeoutMs: 300_000 },
    )
    const isAnswered = (message: (typeof beside)[number]) =>
      world.replies(message).some(({ plain }) => plain.includes('42 devices'))
    await world.slack.waitFor(() => beside.every(isAnswered), { timeoutMs: 300_000 })
    // Beside the answer there is a note that a late one is ready.
    const shown = [guilty, ...beside].map(message => world.replies(message).filter(({ plain }) => !plain.includes('is ready')))
    expect(shown.map(replies => replies.length)).toEqual(shown.map(() => 1))
    expect(told.plain).not.toContain('Try again')
    // It has killed no other worker.
    expect(await worker.stop()).toBe(0)
  },
  TIMEOUT_MS,
)
