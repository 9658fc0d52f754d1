import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { SLACK_LIMITS } from '../../src/bots/slack/limits.ts'
import type { AnswerMessage } from '../../src/queue/drain/answer-message.ts'
import { type AnsweringBot, startAnsweringBot } from '../support/answering-bot.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { createSlackWorld } from '../support/slack-platform-world.ts'

// Fifty concurrent threads in one workspace at Slack's real rates: one post per second and channel, fifty edits a minute in total. With
// CLEW_CHANNELS=1, all are in one channel. There, placeholders alone take most of a minute.

const CHANNELS = Array.from({ length: Number(process.env.CLEW_CHANNELS ?? 10) }, (_, index) => `team-${index}`)
const TIMEOUT_MS = CHANNELS.length < 10 ? 180_000 : 100_000
const THREADS = 50
const STEPS = 10
const STEP_MS = 200

let redis: TestRedis
let world: Awaited<ReturnType<typeof createSlackWorld>>
let bot: AnsweringBot

beforeAll(async () => {
  redis = await startTestRedis()
  world = await createSlackWorld('socket', {
    rateLimits: 'enforced',
    channels: CHANNELS.map(name => ({ name, members: ['alice', 'clew'] })),
  })
})
afterEach(() => bot?.close())
afterAll(async () => {
  await world.close()
  await redis.close()
})

/** An answering function that tries to show progress five times a second. */
const answer: AnswerMessage = async ({ message }, context, signal) => {
  for (let step = 1; step <= STEPS; step += 1) {
    context.progress(() => ({ lines: [`step ${step} of ${message.text}`] }))
    await wait(STEP_MS, undefined, { signal })
  }
  return { kind: 'answer', markdown: `answer to ${message.text}` }
}

/** Describes the requests to Slack in one line: the time of the last answer, and the number of refusals by rate limits. */
function figures(): string {
  const calls = world.slack.calls().filter(({ method }) => method.startsWith('chat.'))
  const methods = [...new Set(calls.map(({ method }) => method))].map(name => {
    const own = calls.filter(({ method }) => method === name)
    return `${own.length} ${name}, ${own.filter(({ outcome }) => outcome === 'ratelimited').length} of them refused`
  })
  const times = calls.map(({ at }) => at)
  return `${Math.round(Math.max(...times) - Math.min(...times))} ms, ${methods.join('; ')}`
}

describe('fifty threads at once', () => {
  it(
    'fault 4: all get their answers, and progress delays none',
    async () => {
      const { slack } = world
      const { progressEditsPerMinute, postIntervalMs } = SLACK_LIMITS
      bot = await startAnsweringBot(world, {
        platform: 'slack',
        redis,
        answer,
        concurrency: THREADS,
        destination: { progressEditsPerMinute, postIntervalMs },
      })
      const questions = Array.from({ length: THREADS }, (_, index) =>
        slack.user('alice').post(CHANNELS[index % CHANNELS.length] ?? '', `${slack.botMention} question ${index}`),
      )
      // Each check reads every channel only once. Checks must not slow down the work that is tested.
      const replies = () => {
        const shown = CHANNELS.flatMap(name => slack.transcript(name).filter(({ isFromBot }) => isFromBot))
        return questions.map(({ ts }) => shown.filter(({ threadTs }) => threadTs === ts).map(({ plain }) => plain))
      }
      const isAnswer = (text: string) => text.startsWith('answer to')
      await slack.waitFor(() => replies().every(shown => shown.some(isAnswer)), {
        timeoutMs: TIMEOUT_MS - 5_000,
      })
      process.stdout.write(`${THREADS} threads in ${CHANNELS.length} channels: ${figures()}\n`)
      expect(replies().map(shown => shown.filter(text => !text.includes('your answer is ready')))).toEqual(
        questions.map((_, index) => [`answer to question ${index}`]),
      )
      expect(slack.calls('chat.update').filter(({ outcome }) => outcome === 'ratelimited')).toEqual([])
    },
    TIMEOUT_MS,
  )
})
