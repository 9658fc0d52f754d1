import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'

const book = {
  'How many devices are there?': {
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are **42 devices** [Q1].',
  },
  'Thanks!': { intent: 'conversational', reply: 'You are welcome.' },
}
/** This many messages are posted around the moment at which a bots process is stopped. */
const MESSAGES = 12

let world: ClewWorld
let bots: ClewProcess

beforeAll(async () => {
  world = await startClewWorld(book)
  bots = await world.startBots()
})
afterEach(() => world.intercept(undefined))
afterAll(() => world.close())

function post(question: string) {
  return world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
}

function answered(message: ReturnType<typeof post>, text: string) {
  return world.slack.waitFor(() => world.replies(message).find(shown => shown.plain.includes(text)), { timeoutMs: 60_000 })
}

/** Tells a process to stop. Resolves when the process has begun to stop. */
async function tellToStop(clew: ClewProcess): Promise<{ readonly stopped: Promise<number | null> }> {
  const stopped = clew.stop()
  await until('it has begun to stop', async () => clew.log.some(line => line.includes('"stopping"')))
  return { stopped }
}

describe('a worker that is stopped', () => {
  it.each(['classify', 'generate', 'synthesize'])(
    'in %s finishes its answer, and takes no other',
    async step => {
      const worker = await world.startWorker()
      const analyst = scriptedAnalyst(book)
      const gate = createGate()
      world.intercept(call => (call.step === step ? answer(analyst(call), { after: gate.opened }) : undefined))
      const index = world.model.callsOf(step).length
      const message = post('How many devices are there?')
      await world.model.arrival(step, index)
      const { stopped } = await tellToStop(worker)
      const late = post('Thanks!')
      gate.open()
      expect(await stopped).toBe(0)
      // No other worker is running. So this answer comes from the worker that was told to stop.
      expect(world.replies(message).map(reply => reply.plain)).toEqual([expect.stringContaining('42 devices')])
      expect(world.replies(late).every(reply => !reply.plain.includes('welcome'))).toBe(true)

      world.intercept(undefined)
      const next = await world.startWorker()
      await answered(late, 'You are welcome')
      expect(world.replies(message)).toHaveLength(1)
      expect(await next.stop()).toBe(0)
    },
    120_000,
  )
})

describe('bots that are stopped', () => {
  it('lose no message when others take over', async () => {
    const worker = await world.startWorker()
    const others = await world.startBots()
    const messages = Array.from({ length: MESSAGES / 2 }, () => post('Thanks!'))
    const { stopped } = await tellToStop(bots)
    messages.push(...Array.from({ length: MESSAGES / 2 }, () => post('Thanks!')))
    expect(await stopped).toBe(0)
    messages.push(post('Thanks!'))
    for (const message of messages) await answered(message, 'You are welcome')
    expect(messages.map(message => world.replies(message).length)).toEqual(messages.map(() => 1))
    expect([await others.stop(), await worker.stop()]).toEqual([0, 0])
  })
})
