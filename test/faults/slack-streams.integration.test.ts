import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { SLACK_LIMITS } from '../../src/bots/slack/limits.ts'
import type { SaidMessage } from '../../src/chat/platform.contract.ts'
import { runIdOfMessage } from '../../src/queue/accept/run-id-of-message.ts'
import type { AnswerMessage, ReplyContext } from '../../src/queue/drain/answer-message.ts'
import { createRecordWatcher } from '../../src/queue/record-watcher.ts'
import { createRunCancellation } from '../../src/queue/run-cancellation.ts'
import { threadKeys, threadName } from '../../src/queue/thread-keys.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { type AnsweringBot, type AnsweringBotOptions, startAnsweringBot } from '../support/answering-bot.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { createSlackWorld } from '../support/slack-platform-world.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'

// Faults in a streamed answer, between the real Slack client and the emulator. See docs/slack.md, "Streamed answers".

const LANDING_MS = 500
const TWO = 'There are 42 links [Q1]. Most are in Oslo [Q1].'
const THREE = `${TWO} None is in Rome [Q1].`
const WHOLE = `${THREE} That is all.`

type Telling = (context: ReplyContext, show: (answer: string) => Promise<void>) => Promise<void>

let redis: TestRedis
let client: RedisClient
let world: Awaited<ReturnType<typeof createSlackWorld>>
let bot: AnsweringBot | undefined
let asked: SaidMessage

beforeAll(async () => {
  redis = await startTestRedis()
  client = await redis.connect()
})
afterAll(() => redis.close())
beforeEach(async () => {
  await client.flushall()
  world = await createSlackWorld('socket')
})
afterEach(async () => {
  await bot?.close()
  await world.close()
})

const shown = (): readonly ShownMessage[] =>
  world.slack.transcript(asked.place.channel).filter(each => each.isFromBot && each.threadTs === asked.place.thread)
const streamed = () => shown().find(each => each.isStreaming)
const calls = (method: string) => world.slack.calls(method).length
const plain = (text: string) => expect.stringMatching(new RegExp(text.replace(/[.[\]]/g, '\\$&').replaceAll(' ', '\\s+')))

function startBot(answer: AnswerMessage, options: Partial<AnsweringBotOptions> = {}): Promise<AnsweringBot> {
  const streams = { startsPerMinute: 100, appendsPerMinute: 1_000 }
  const destination = { progressEditsPerMinute: 6_000, streams }
  return startAnsweringBot(world, {
    platform: 'slack',
    redis,
    landingMs: LANDING_MS,
    progressIntervalMs: 50,
    answer,
    destination,
    ...options,
  })
}

/** Asks a question in a direct message. The test controls each step of the answer's stream, which ends with the complete answer. */
async function ask(
  tell: Telling,
  options: Partial<AnsweringBotOptions> = {},
  say = () => world.whisper('how many?'),
): Promise<void> {
  bot = await startBot(async (_accepted, context) => {
    const show = async (answer: string) => {
      context.progress(() => ({ lines: ['Writing the answer …'], answer }))
      await world.waitFor(() => shown().some(each => plain(answer).asymmetricMatch(each.plain)))
    }
    await world.waitFor(() => shown().length > 0)
    await tell(context, show)
    return { kind: 'answer', markdown: WHOLE }
  }, options)
  asked = say()
  await bot.untilDone(asked.place)
}

/** Checks that there is a single message with the whole answer, and that its stream has ended. */
function expectOneAnswer(): ShownMessage {
  const [answer, ...others] = shown()
  expect(others).toEqual([])
  expect(answer).toMatchObject({ plain: WHOLE, isStreaming: false })
  expect((bot?.lines ?? []).filter(line => JSON.parse(line).level >= 50)).toEqual([])
  return answer as ShownMessage
}

describe('an answer in a direct message', () => {
  it('is streamed below the plan, and becomes the answer in place; the plan disappears', async () => {
    let placeholder: string | undefined
    let stream: string | undefined
    await ask(async (_context, show) => {
      placeholder = shown()[0]?.ts
      await show(TWO)
      stream = streamed()?.ts
      expect(shown().map(each => each.ts)).toEqual([placeholder, stream])
      await show(THREE)
      expect(calls('chat.appendStream')).toBe(1)
    })
    expect(expectOneAnswer()).toMatchObject({ ts: stream })
    expect(stream).not.toBe(placeholder)
  })

  it('is not streamed in a channel, where only one person would see it grow', async () => {
    await ask(
      (_context, show) => show(TWO),
      {},
      () => world.say('how many?', { mentions: ['bot'] }),
    )
    expectOneAnswer()
    expect(calls('chat.startStream')).toBe(0)
  })

  it('is not streamed beside too many others', async () => {
    const streams = { startsPerMinute: 0.5, appendsPerMinute: 1 }
    await ask((_context, show) => show(TWO), { destination: { progressEditsPerMinute: 6_000, streams } })
    expectOneAnswer()
    expect(calls('chat.startStream')).toBe(0)
  })

  it('continues there if the post of its beginning succeeded without an answer', async () => {
    world.slack.faults.loseAnswer('chat.startStream')
    await ask(async (_context, show) => {
      await show(TWO)
      await show(THREE)
    })
    expectOneAnswer()
    expect([calls('chat.startStream'), calls('chat.appendStream')]).toEqual([1, 1])
  })

  it('uses the placeholder if its beginning arrives too late, and removes the late post', async () => {
    const release = world.slack.faults.storeLate('chat.startStream')
    await ask(async (_context, show) => {
      await show(TWO)
      release()
      await world.waitFor(() => shown().length === 2)
    })
    await world.waitFor(() => shown().length === 1)
    expectOneAnswer()
  })

  it("uses the placeholder if a killed worker's stream was not recorded, and removes the stream", async () => {
    await ask(async (_context, show) => {
      const runId = runIdOfMessage(TEST_STATE_KEY, asked)
      const tried = { 'tries:s': '1', 'doubtful:s': '1', 'posts:s': '1' }
      await client.hset(threadKeys(threadName(asked.place)).run(runId), tried)
      const { streams } = world.outbox
      await streams?.begin(asked.place, streams.render('It was said. Then nothing.'), `${runId}-s`, new AbortController().signal)
      await show(TWO)
      expect(shown()).toHaveLength(2)
    })
    await world.waitFor(() => shown().length === 1)
    expectOneAnswer()
    expect(calls('chat.startStream')).toBe(1)
  })

  it.each(['channel_type_not_supported', 'invalid_chunks'])(
    'uses the placeholder if a stream is refused (%s), and the next one is not tried at once',
    async code => {
      world.slack.faults.refuse('chat.startStream', code)
      await ask((_context, show) => show(TWO))
      expectOneAnswer()
      asked = world.whisper('and again?')
      await bot?.untilDone(asked.place)
      expect(calls('chat.startStream')).toBe(1)
    },
  )

  it('uses the placeholder if Slack wants no stream now', async () => {
    world.slack.faults.rateLimit('chat.startStream', 60)
    await ask((_context, show) => show(TWO))
    expectOneAnswer()
  })

  it('continues by edits when Slack has ended the stream, and keeps the whole text', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.clock.advance(300_000)
      await show(THREE)
      expect(shown().at(-1)?.isStreaming).toBe(false)
    })
    expectOneAnswer()
  })

  it('is complete if Slack ends the stream just before the end', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.clock.advance(300_000)
    })
    expectOneAnswer()
  })

  it('is replaced, not continued, when it begins again', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      await show('It is another number [Q1]. This one.')
      expect(shown().at(-1)?.plain).not.toContain('42')
    })
    expectOneAnswer()
  })

  it('waits while Slack wants no more text, and loses none', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.faults.rateLimit('chat.appendStream', 1)
      _context.progress(() => ({ lines: [], answer: THREE }))
      await world.waitFor(() => calls('chat.appendStream') === 1)
    })
    expectOneAnswer()
  })

  it('repeats nothing if it is unknown whether a text has arrived', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.faults.loseAnswer('chat.appendStream')
      await show(THREE)
      await world.waitFor(() => streamed() === undefined)
      expect(
        shown()
          .at(-1)
          ?.plain.match(/None is in Rome/g),
      ).toHaveLength(1)
    })
    expectOneAnswer()
  })

  it('is shown if the stream does not end at the first try', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.faults.httpError('chat.stopStream')
    })
    expectOneAnswer()
  })

  it('is shown again once if somebody removes the stream', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.removeMessage(streamed() ?? { channel: '', ts: '' })
    })
    expectOneAnswer()
  })

  it('is shown once if somebody removes the placeholder', async () => {
    await ask(async (_context, show) => {
      await show(TWO)
      world.slack.removeMessage(shown()[0] ?? { channel: '', ts: '' })
    })
    expectOneAnswer()
  })

  it.each([
    ['deleted', []],
    ['stopped', ['Stopped.']],
  ] as const)('leaves no half when its question is %s', async (reason, left) => {
    const watcher = createRecordWatcher(client)
    const { request } = createRunCancellation(client, watcher)
    bot = await startBot(async (accepted, context, signal) => {
      context.progress(() => ({ lines: [], answer: TWO }))
      await world.waitFor(() => streamed() !== undefined)
      await request(accepted.runId, reason, signal)
      if (!signal.aborted) await once(signal, 'abort')
      throw signal.reason
    })
    asked = world.whisper('how many?')
    await bot.untilDone(asked.place)
    await watcher.close()
    expect(shown().map(each => each.plain)).toEqual(left.map(text => expect.stringContaining(text)))
    expect(streamed()).toBeUndefined()
  })

  it("is streamed in blocks without pings and links, within a message's limits", async () => {
    const hostile = 'See <!channel> and <@U1> [Q1]. Go to https://evil.example/x now. [Here](https://evil.example).'
    await ask(async context => {
      context.progress(() => ({ lines: [], answer: `${hostile} ${'More of it [Q1]. '.repeat(400)}` }))
      await world.waitFor(() => streamed() !== undefined)
      expect(world.seen(asked.place).flatMap(({ pings, links }) => [...pings, ...links])).toEqual([])
      expect(streamed()?.blocks.length).toBe(SLACK_LIMITS.blocks)
    })
    expectOneAnswer()
  })
})
