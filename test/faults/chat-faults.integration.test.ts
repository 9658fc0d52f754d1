import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { ChatPlatformWorld, SaidMessage } from '../../src/chat/platform.contract.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import type { AnswerMessage } from '../../src/queue/drain/answer-message.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { type AnsweringBot, type AnsweringBotOptions, startAnsweringBot } from '../support/answering-bot.ts'
import { createDiscordWorld } from '../support/discord-platform-world.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { createSlackWorld } from '../support/slack-platform-world.ts'

// Faults between Clew and a chat platform. They occur between the real client and the emulator. The numbers refer to the fault matrix.

/** Clew may have given up a request that is still on its way. In these tests, such a request arrives within this time. */
const LANDING_MS = 700
/** A delay that is longer than the time for which a worker keeps waiting while it holds a thread. */
const LONG_S = 60

const PLATFORMS = { slack: () => createSlackWorld('socket'), discord: createDiscordWorld } satisfies Record<
  string,
  () => Promise<ChatPlatformWorld>
>

let redis: TestRedis
let world: ChatPlatformWorld
let bot: AnsweringBot | undefined
let answers: string[]

let client: RedisClient
beforeAll(async () => {
  redis = await startTestRedis()
  client = await redis.connect()
})
afterAll(() => redis.close())

/** Returns an answering function that repeats the question's text. Before each answer, runs the test's own function. */
function answering(before: (question: string) => Promise<void> = async () => undefined): AnswerMessage {
  return async ({ message }, context) => {
    answers.push(message.text)
    context.progress(() => ({ lines: ['Reading'] }))
    await before(message.text)
    return { kind: 'answer', markdown: `answer to ${message.text}` }
  }
}

const seen = ({ place }: SaidMessage) => world.seen(place).map(({ text }) => text)
const ask = (question: string) => world.say(question, { mentions: ['bot'] })
const placeholderOf = (question: SaidMessage) => world.waitFor(() => world.seen(question.place).length > 0)
const logged = (level: number) => (bot?.lines ?? []).map(line => JSON.parse(line)).filter(line => line.level >= level)
const ERROR = 50
const FATAL = 60

describe.each(['slack', 'discord'] as const)('%s', platform => {
  beforeEach(async () => {
    // Waiting messages are deleted, so that they cannot affect the next test.
    await client.flushall()
    answers = []
    world = await PLATFORMS[platform]()
  })
  afterEach(async () => {
    await bot?.close()
    await world.close()
  })

  async function start(options: Partial<AnsweringBotOptions> = {}): Promise<AnsweringBot> {
    bot = await startAnsweringBot(world, { platform, redis, answer: answering(), landingMs: LANDING_MS, ...options })
    return bot
  }

  it('fault 4: one thread waits out a long 429, without a second answer; another goes on', async () => {
    const { untilDone, untilPutOff, hurry } = await start({
      concurrency: 1,
      answer: answering(async () => world.faults.rateLimitNextEdit(LONG_S)),
    })
    const limited = ask('limited')
    expect(await untilPutOff()).toBeGreaterThan((LONG_S - 5) * 1000)
    // This answer is no longer under way, so it cannot delay edits in the other thread.
    const other = ask('other')
    await world.waitFor(() => answers.length === 2)
    await hurry()
    await untilDone(limited.place)
    expect(seen(limited)).toEqual(['answer to limited'])
    await hurry()
    await untilDone(other.place)
    expect(seen(other)).toEqual(['answer to other'])
    expect(answers).toEqual(['limited', 'other'])
    expect(logged(ERROR)).toEqual([])
  })

  it('fault 5: a post whose answer was lost is not made again', async () => {
    const { untilDone } = await start()
    const question = ask('question')
    world.faults.loseNextPostAnswer()
    await untilDone(question.place)
    expect(seen(question)).toEqual(['answer to question'])
  })

  it('fault 5: a post that arrives after a vain search for it is not made again', async () => {
    let release = () => {}
    const outbox = lookingBefore(world.outbox, 1, () => release())
    const { untilDone } = await start({ outbox: () => outbox })
    const question = ask('question')
    release = world.faults.storeNextPostLate()
    await untilDone(question.place)
    expect(seen(question)).toEqual(['answer to question'])
  })

  it('fault 5: a post that arrives after its replacement was made is removed', async () => {
    let release = () => {}
    const { untilDone } = await start({
      answer: answering(async () => {
        await placeholderOf(question)
        release()
        await world.waitFor(() => seen(question).length === 2 || platform === 'discord')
      }),
    })
    const question = ask('question')
    release = world.faults.storeNextPostLate()
    await untilDone(question.place)
    await world.waitFor(() => seen(question).length === 1)
    expect(seen(question)).toEqual(['answer to question'])
  })

  it('fault 7: a refused token is reported once, tried by one request a minute, and loses no message', async () => {
    let skewMs = 0
    const { untilDone, untilPutOff, hurry, tokenIsTaken } = await start({
      now: () => Date.now() + skewMs,
      answer: answering(async question => {
        if (question !== 'first') return
        await placeholderOf(first)
        world.faults.revokeToken()
      }),
    })
    const first = ask('first')
    await untilPutOff()
    expect(tokenIsTaken()).toBe(false)
    await hurry()
    await untilPutOff()
    expect(logged(FATAL)).toMatchObject([{ platform, msg: expect.stringContaining('refuses our token') }])

    world.faults.restoreToken()
    skewMs = 61_000
    await hurry()
    await untilDone(first.place)
    expect(seen(first)).toEqual(['answer to first'])
    expect(tokenIsTaken()).toBe(true)
    await world.waitFor(() => world.surface.connected())
    const second = ask('second')
    await untilDone(second.place)
    expect(seen(second)).toEqual(['answer to second'])
  })

  it('fault 8, 15: an answer whose placeholder was removed is shown again, once', async () => {
    const removePlaceholder = async () => {
      await placeholderOf(question)
      for (const { id } of world.seen(question.place)) world.faults.removeMessage(question.place, id)
    }
    const { untilDone } = await start({ answer: answering(removePlaceholder) })
    const question = ask('question')
    await untilDone(question.place)
    expect(seen(question)).toEqual(['answer to question'])
    expect(logged(ERROR)).toEqual([])
  })

  describe('an answer that grows', () => {
    const WORDS = 'one two three four five six'.split(' ')
    /** Shows the answer word by word, each once the one before is seen. Half-way, `happens` runs. */
    const growing =
      (question: () => SaidMessage, happens: () => void): AnswerMessage =>
      async (_, context) => {
        for (const [index, word] of WORDS.entries()) {
          context.progress(() => ({ lines: ['Writing'], answer: WORDS.slice(0, index + 1).join(' ') }))
          await world.waitFor(() => index > 2 || seen(question()).some(text => text.includes(word)))
          if (index === 2) happens()
        }
        return { kind: 'answer', markdown: WORDS.join(' ') }
      }

    it.each([1, LONG_S])('fault 4: is whole after a limit of %d s, in one message', async seconds => {
      const { untilDone, untilPutOff, hurry } = await start({
        progressIntervalMs: 20,
        answer: growing(
          () => question,
          () => world.faults.rateLimitNextEdit(seconds),
        ),
      })
      const question = ask('question')
      if (seconds === LONG_S) {
        await untilPutOff()
        await hurry()
      }
      await untilDone(question.place)
      expect(seen(question)).toEqual([WORDS.join(' ')])
      expect(logged(ERROR)).toEqual([])
    })

    it('fault 8: is shown again once if somebody removes it half-way', async () => {
      const { untilDone } = await start({
        progressIntervalMs: 20,
        answer: growing(
          () => question,
          () => {
            for (const { id } of world.seen(question.place)) world.faults.removeMessage(question.place, id)
          },
        ),
      })
      const question = ask('question')
      await untilDone(question.place)
      expect(seen(question)).toEqual([WORDS.join(' ')])
      expect(logged(ERROR)).toEqual([])
    })
  })

  it('fault 8: nothing is shown if the thread is gone, and nothing is retried', async () => {
    const { untilDone } = await start({
      answer: answering(async () => {
        await placeholderOf(question)
        world.faults.removeThread(question.place)
      }),
    })
    const question = ask('question')
    await untilDone(question.place)
    expect(world.everything()).toEqual([])
    expect(answers).toEqual(['question'])
    expect(logged(ERROR)).toEqual([])
  })

  it('fault 9: a message in an archived place ends with a log line, and nothing is retried', async () => {
    const { untilDone } = await start({
      answer: answering(async () => {
        await placeholderOf(question)
        world.faults.archive(question.place)
      }),
    })
    const question = ask('question')
    await untilDone(question.place)
    expect(answers).toEqual(['question'])
    expect(logged(ERROR)).toMatchObject([{ kind: 'forbidden' }])
  })

  it('fault 9, 15: a message where the bot lost access ends with a log line, and nothing is retried', async () => {
    const { untilDone } = await start()
    const question = ask('question')
    world.faults.removeBot(question.place)
    await untilDone(question.place)
    expect(answers.length).toBeLessThanOrEqual(1)
    expect(world.everything()).toEqual([])
    expect(logged(ERROR)).toMatchObject([{ kind: 'forbidden' }])
  })

  it('fault 12: an answer of 100 KB is shown whole', async () => {
    const words = Array.from({ length: 12_500 }, (_, index) => `w${String(index).padStart(6, '0')}`)
    const { untilDone } = await start({ answer: async () => ({ kind: 'answer', markdown: words.join(' ') }) })
    const question = ask('question')
    await untilDone(question.place, 60_000)
    const shown = world.seen(question.place).map(({ text, files }) => [text, ...files].join(' '))
    const found = new Set(shown.join(' ').match(/w\d{6}/g))
    expect(words.filter(word => !found.has(word))).toEqual([])
    expect(logged(ERROR)).toEqual([])
  })
})

/** Returns an outbox that calls `happens` after it has searched for a post `times` times. */
function lookingBefore(outbox: ChatOutbox, times: number, happens: () => void): ChatOutbox {
  let looks = 0
  return {
    render: reply => outbox.render(reply),
    post: (...call) => outbox.post(...call),
    edit: (...call) => outbox.edit(...call),
    async find(...call) {
      const found = await outbox.find(...call)
      looks += 1
      if (looks === times) happens()
      return found
    },
    remove: (...call) => outbox.remove(...call),
    personOf: (...call) => outbox.personOf(...call),
    answerPress: (...call) => outbox.answerPress(...call),
  }
}
