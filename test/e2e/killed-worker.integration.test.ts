import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readCheckpoints } from '../../src/history/run-log-entry.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { createRedisStateStore } from '../../src/store/redis/state-store.ts'
import { createGate } from '../emulators/gate.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'

/** The time limit for an answer on a busy machine. The test prints the time that the answer really took. */
const RECOVERY_MS = 60_000
const DEVICES = 'How many devices are there?'
const LINKS = 'How many links are there?'
/**
 * The calls that are in progress when the worker dies, each in a run of its own. `answered` is the number of that run's other calls that have
 * already been answered.
 */
const HELD = [
  // `decompose` and `classify` are called at the same time.
  { step: 'classify', of: '', answered: 1 },
  { step: 'decompose', of: '', answered: 1 },
  { step: 'generate', of: DEVICES, answered: 3 },
  { step: 'generate', of: LINKS, answered: 3 },
  { step: 'synthesize', of: '', answered: 4 },
] as const
/**
 * Returns a question with a number of calls that does not depend on chance. A question that asks for an explanation gets no draft of SQL before
 * the plan. A question with words of the data is planned while it is being classified.
 */
const questionOf = ({ step, of }: { step: string; of: string }) =>
  `Explain how many devices and links there are (${step} ${of.split(' ')[2] ?? 'it'}).`
const streamed = 'How many devices and links are there?'
const script = {
  queries: {
    [DEVICES]: ['SELECT count() AS devices FROM dz_devices'],
    [LINKS]: ['SELECT count() AS links FROM dz_links'],
  },
  answer: 'There are **42 devices** [Q1] and 64 links [Q2].',
}
const book = Object.fromEntries([...HELD.map(questionOf), streamed].map(question => [question, script]))

let world: ClewWorld
let worker: ClewProcess
let redis: RedisClient

beforeAll(async () => {
  world = await startClewWorld(book)
  redis = await world.redis.connect()
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker()])
})
afterAll(() => world.close())

/** Identifies a call to the model by its step and input. A call that was answered must not be repeated. */
const keyOf = (call: ScriptedCall) => `${call.step} ${JSON.stringify(call.body.messages.at(-1)?.content)}`

/** Counts the model's answers that a resumed run takes from its log instead of asking again. */
async function notedAnswers(): Promise<number> {
  const { signal } = new AbortController()
  const runs = (await redis.keys('clew:run:*:checkpoints')).map(key => key.slice('clew:run:{'.length, -'}:checkpoints'.length))
  const checkpoints = await Promise.all(runs.map(run => readCheckpoints(run, createRedisStateStore(redis), signal)))
  return checkpoints.flat().filter(({ step }) => HELD.some(held => held.step === step)).length
}

describe('a worker killed in the middle of five runs', () => {
  const answered: string[] = []
  let finished: readonly string[] = []
  let messages: readonly ReturnType<typeof ask>[] = []
  let restartedAt = 0
  const ask = (held: (typeof HELD)[number]) =>
    world.slack.user('alice').post('data', `${world.slack.botMention} ${questionOf(held)}`)

  beforeAll(async () => {
    const analyst = scriptedAnalyst(book)
    const gate = createGate()
    const waiting = new Set<(typeof HELD)[number]>()
    world.intercept(call => {
      const held = HELD.find(each => !waiting.has(each) && isHeld(call, each))
      if (held !== undefined) {
        waiting.add(held)
        return answer(analyst(call), { after: gate.opened })
      }
      const given = answer(analyst(call))
      return async exchange => {
        await given(exchange)
        answered.push(keyOf(call))
      }
    })
    messages = HELD.map(ask)
    // Before the kill, the other calls of each run complete and are logged. So there are calls that must not be repeated.
    const others = HELD.reduce((sum, held) => sum + held.answered, 0)
    await until('every call is held or answered', async () => waiting.size === HELD.length && answered.length === others)
    await until('every answer is noted', async () => (await notedAnswers()) === others)
    await world.slack.waitFor(() => messages.every(message => world.replies(message).length === 1))
    await worker.kill()
    finished = [...answered]
    gate.open()
    restartedAt = Date.now()
    worker = await world.startWorker()
  }, 120_000)

  it.each(HELD.map((held, index) => [held.step, held.of, index] as const))(
    'in %s %s: another worker gives one answer, and repeats no answered call',
    async (step, of, index) => {
      const message = messages[index]
      if (message === undefined) throw new Error('not asked')
      const isWhole = () => world.replies(message).find(shown => shown.plain.includes('42 devices'))
      const reply = await world.slack.waitFor(isWhole, { timeoutMs: RECOVERY_MS })
      console.info(`killed in ${step} ${of}: answered within ${Date.now() - restartedAt} ms of the restart`)
      expect(reply.plain).toContain('[Q2]')
      // An answer that took over 20 s is announced in a message of its own.
      const answers = world.replies(message).filter(({ plain }) => !plain.includes('your answer is ready'))
      expect(answers).toHaveLength(1)
      const own = finished.filter(key => key.includes(questionOf({ step, of })))
      expect(own).toHaveLength(HELD[index]?.answered ?? 0)
      for (const key of own) expect(answered.filter(each => each === key)).toHaveLength(1)
    },
  )

  it('during a streamed answer: another worker replaces it by the whole answer, and nothing else remains', async () => {
    const analyst = scriptedAnalyst(book)
    const pieces = ['There are **42 devices** [Q1]. They are many. And ', 'there is something that is lost now. ']
    let isHeld = false
    world.intercept(call => {
      if (call.step !== 'synthesize' || isHeld) return answer(analyst(call))
      isHeld = true
      return answer(pieces.join(''), { pieces, hold: { piece: 1, until: new Promise(() => {}) } })
    })
    const message = world.slack.user('alice').directMessage(streamed)
    const stream = await world.slack.waitFor(() => world.replies(message).find(({ isStreaming }) => isStreaming))
    const recorded = async () => {
      const runs = (await redis.keys('clew:*:run:*')).filter(key => !/:(?:claim|log|request)/.test(key))
      const streams = await Promise.all(runs.map(key => redis.hget(key, 'part:s').catch(() => null)))
      return streams.includes(stream.ts)
    }
    await until('the stream is on record', recorded)
    await worker.kill()
    const started = Date.now()
    worker = await world.startWorker()
    const isWhole = () => world.replies(message).length === 1 && world.replies(message)[0]?.plain.includes('64 links')
    await world.slack.waitFor(isWhole, { timeoutMs: RECOVERY_MS })
    console.info(`killed while streaming: answered ${Date.now() - started} ms after the restart`)
    expect(world.replies(message)).toMatchObject([{ ts: stream.ts, isStreaming: false }])
    expect(world.replies(message)[0]?.plain).not.toContain('They are many')
  })
})

function isHeld(call: ScriptedCall, { step, of }: { readonly step: string; readonly of: string }): boolean {
  if (call.step !== step) return false
  const prompt = promptOf(call)
  return fenced(prompt, 'question') === questionOf({ step, of }) && (of === '' || fenced(prompt, 'data question') === of)
}
