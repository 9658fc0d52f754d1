import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readRunLog } from '../../src/history/run-log-entry.ts'
import type { RedisClient } from '../../src/store/redis-client.ts'
import { createRedisStateStore } from '../../src/store/redis-state-store.ts'
import { createGate } from '../emulators/gate.ts'
import type { ScriptedCall } from '../emulators/model/model-script.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { until } from '../support/queue-harness.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'

const RECOVERY_MS = 15_000
const book = {
  'How many devices and links are there?': {
    queries: {
      'How many devices are there?': ['SELECT count() AS devices FROM dz_devices'],
      'How many links are there?': ['SELECT count() AS links FROM dz_links'],
    },
    answer: 'There are **42 devices** [Q1] and 64 links [Q2].',
  },
}
const [question = ''] = Object.keys(book)

let world: ClewWorld
let worker: ClewProcess
let redis: RedisClient

beforeAll(async () => {
  world = await startClewWorld(book)
  redis = await world.redis.connect()
  ;[, worker] = await Promise.all([world.startBots(), world.startWorker()])
})
afterAll(() => world.close())

/** The calls of a run by step and data question: what must not be made again once it was answered. */
const keyOf = (call: ScriptedCall) => `${call.step} ${JSON.stringify(call.body.messages.at(-1)?.content)}`

/** How many answers of the model stand in the logs of all runs. */
async function notedAnswers(): Promise<number> {
  const { signal } = new AbortController()
  const runs = (await redis.keys('clew:run:*:log')).map(key => key.slice('clew:run:{'.length, -'}:log'.length))
  const logs = await Promise.all(runs.map(run => readRunLog(run, createRedisStateStore(redis), signal)))
  return logs.flat().filter(entry => entry.usage !== undefined).length
}

describe('a worker killed in the middle of a run', () => {
  it.each([
    ['classify', 0],
    ['decompose', 0],
    ['generate', 0],
    ['generate', 1],
    ['synthesize', 0],
  ])(
    'in %s, call %i: another one gives one answer in time, and asks nothing again that was answered',
    async (step, index) => {
      const analyst = scriptedAnalyst(book)
      const gate = createGate()
      const answered: string[] = []
      const notedBefore = await notedAnswers()
      const before = world.model.callsOf(step).length
      let held = false
      world.intercept(call => {
        if (call.step === step && call.index === before + index && !held) {
          held = true
          return answer(analyst(call), { after: gate.opened })
        }
        const script = answer(analyst(call))
        return async exchange => {
          await script(exchange)
          answered.push(keyOf(call))
        }
      })
      const message = world.slack.user('alice').post('data', `${world.slack.botMention} ${question}`)
      await world.model.arrival(step, before + index)
      // What is under way beside the held call is let finish and be noted, so that there is something not to repeat.
      await world.slack.waitFor(() => world.replies(message).length === 1)
      await until('every answer is noted', async () => (await notedAnswers()) - notedBefore === answered.length)
      await worker.kill()
      const finished = [...answered]
      gate.open()

      const started = Date.now()
      worker = await world.startWorker()
      const reply = await world.slack.waitFor(() => world.replies(message).find(shown => shown.plain.includes('42 devices')), {
        timeoutMs: RECOVERY_MS,
      })
      console.info(`killed in ${step} ${index}: answered ${Date.now() - started} ms after the restart`)
      expect(reply.plain).toContain('[Q2]')
      expect(world.replies(message)).toHaveLength(1)
      for (const key of finished) expect(answered.filter(each => each === key)).toHaveLength(1)
    },
    120_000,
  )

  it('while its answer is streamed: another one puts the whole answer in its place, and nothing else is left', async () => {
    const analyst = scriptedAnalyst(book)
    const pieces = ['There are **42 devices** [Q1]. They are many. And ', 'there is something that is lost now. ']
    let isHeld = false
    world.intercept(call => {
      if (call.step !== 'synthesize' || isHeld) return answer(analyst(call))
      isHeld = true
      return answer(pieces.join(''), { pieces, hold: { piece: 1, until: new Promise(() => {}) } })
    })
    const message = world.slack.user('alice').directMessage(question)
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
