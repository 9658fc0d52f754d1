import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'
import { IS_WHOLE } from '../support/whole.ts'

const TIMEOUT_MS = 600_000
const DEVICES = 'How many devices are there?'
const EVERYTHING = 'Every link beside every other, and every device beside that?'
/**
 * The number of harmless questions. After it has killed two workers, each open question is answered in a process of its own, one after another.
 */
const INNOCENTS = IS_WHOLE ? 19 : 4
const innocents = Array.from({ length: INNOCENTS }, (_, index) => `How many devices (${index})?`)
const book = {
  ...Object.fromEntries(
    innocents.map(question => [
      question,
      { queries: { [DEVICES]: ['SELECT count() AS devices FROM dz_devices'] }, answer: 'There are **42 devices** [Q1].' },
    ]),
  ),
  [EVERYTHING]: {
    queries: { [EVERYTHING]: ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  },
}
const EATER = fileURLToPath(new URL('../support/memory-eater.mjs', import.meta.url))
/** With this setting, one special answer of the model ends every process that parses it. */
const SMALL_HEAP = { NODE_OPTIONS: `--import ${EATER} --max-old-space-size=200` }

let world: ClewWorld
let worker: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker(SMALL_HEAP)])
}, 120_000)
afterAll(() => world.close())

it(
  'a question that exhausts the memory is reported to its author, and those beside it are answered once each',
  async () => {
    const analyst = scriptedAnalyst(book)
    const gate = createGate()
    let deaths = 0
    // The harmless questions must be in progress when each of the two workers dies.
    world.intercept(call => {
      const isInnocent = fenced(promptOf(call), 'question') !== EVERYTHING
      if (!isInnocent && call.step === 'generate') return answer({ ...Object(analyst(call)), explanation: 'EXHAUST_MEMORY' })
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
    // The thread may also contain a note that a late answer is ready. The note is ignored.
    const shown = [guilty, ...beside].map(message => world.replies(message).filter(({ plain }) => !plain.includes('is ready')))
    expect(shown.map(replies => replies.length)).toEqual(shown.map(() => 1))
    expect(told.plain).not.toContain('Try again')
    // A worker that stops normally returns 0. So the question has killed no further worker.
    expect(await worker.stop()).toBe(0)
  },
  TIMEOUT_MS,
)
