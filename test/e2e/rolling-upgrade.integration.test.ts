import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createGate } from '../emulators/gate.ts'
import { answer } from '../emulators/model/model-scripts.ts'
import type { SentMessage } from '../emulators/slack/person.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { buildLastRelease } from '../support/last-release.ts'
import { fenced, promptOf, scriptedAnalyst } from '../support/scripted-analyst.ts'
import { IS_WHOLE } from '../support/whole.ts'

/** A busy machine does not keep up with the load of the whole test. */
const PER_SECOND = IS_WHOLE ? 20 : 5
/** Many people ask, because a busy worker answers one question of a person at a time. */
const PEOPLE = Array.from({ length: 40 }, (_, index) => `person-${index}`)
const ANSWER_MS = 240_000

const book = {
  'How many links are there?': {
    queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are 64 links [Q1].',
  },
  'And devices?': {
    standalone: 'How many devices are there?',
    queries: { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] },
    answer: 'There are 42 devices [Q1].',
  },
  'How slow is it?': {
    queries: { 'Average round trip.': ['SELECT round(avg(rtt_us)) AS rtt FROM fact_link_telemetry'] },
    answer: 'It is slow [Q1].',
  },
}

const release = await buildLastRelease()
const { cli: olderCli = '' } = release ?? {}
// A checkout without history cannot build the last release.
const withRelease = olderCli === '' ? describe.skip : describe

withRelease('an upgrade from the last release', () => {
  let world: ClewWorld
  let bots: ClewProcess
  let workers: readonly ClewProcess[]

  beforeAll(async () => {
    world = await startClewWorld(book, PEOPLE)
  })
  afterEach(() => world.intercept(undefined))
  afterAll(async () => {
    await world?.close()
    await release?.remove()
  })

  const ask = (text: string, { by = 'alice', thread }: { by?: string; thread?: SentMessage } = {}) =>
    world.slack.user(by).post('data', `${world.slack.botMention} ${text}`, thread && { thread })
  /** The answers to a message, without the notice that follows a late one. */
  const answersTo = (message: SentMessage) =>
    world.replies(message).filter(({ plain }) => !plain.includes('your answer is ready'))
  const seen = (message: SentMessage, words: string) =>
    world.slack.waitFor(() => world.replies(message).find(({ plain }) => plain.includes(words)), { timeoutMs: ANSWER_MS })
  // This limit is lower than the number of rows in the table of link samples.
  const env = { CLEW_COST_MAX_ROWS: '10000' }
  const starts = (cli: string | undefined) => ({
    bots: () => world.startBots(env, cli),
    worker: () => world.startWorker(env, cli),
  })
  const older = starts(olderCli)
  const newer = starts(undefined)

  /** Replaces bots and workers one after the other. One worker ends as in a crash. */
  async function replaceBy(version: typeof newer): Promise<void> {
    const before = { bots, workers }
    const first = await version.worker()
    await before.workers[0]?.stop()
    bots = await version.bots()
    await before.bots.stop()
    workers = [first, await version.worker()]
    await before.workers[1]?.kill()
  }

  it('gives each message one answer under load, while every process is replaced', async () => {
    ;[bots, ...workers] = await Promise.all([older.bots(), older.worker(), older.worker()])
    let isReplaced = false
    const replacing = (async () => {
      for (const version of IS_WHOLE ? [newer, older, newer] : [newer]) await replaceBy(version)
    })().finally(() => {
      isReplaced = true
    })
    const messages: SentMessage[] = []
    const startedAt = performance.now()
    const due = () => ((performance.now() - startedAt) / 1_000) * PER_SECOND
    while (!isReplaced) {
      while (messages.length < due())
        messages.push(ask('How many links are there?', { by: PEOPLE[messages.length % PEOPLE.length] }))
      await wait(1_000 / PER_SECOND)
    }
    await replacing
    const isAnswered = (message: SentMessage) => answersTo(message).some(({ plain }) => plain.includes('64 links'))
    let answered = 0
    const areAllAnswered = () => {
      // What was answered once stays so. To look at all of them after each change would slow everything down.
      for (let next = messages[answered]; next !== undefined && isAnswered(next); next = messages[answered]) answered += 1
      return answered === messages.length
    }
    await world.slack.waitFor(areAllAnswered, { timeoutMs: ANSWER_MS })
    expect(messages.map(message => answersTo(message).length).filter(count => count !== 1)).toEqual([])
    console.info(`${messages.length} messages, each answered once`)
  }, 600_000)

  it('continues conversations, open questions and runs of the last release', async () => {
    await Promise.all([bots, ...workers].map(each => each.stop()))
    ;[bots, ...workers] = await Promise.all([older.bots(), older.worker()])
    const answered = ask('How many links are there?')
    await seen(answered, '64 links')
    const open = ask('How slow is it?')
    const question = await seen(open, 'would read')
    const gate = createGate()
    const analyst = scriptedAnalyst(book)
    world.intercept(call => (call.step === 'synthesize' ? answer(analyst(call), { after: gate.opened }) : undefined))
    const held = ask('How many links are there?', { by: 'bob' })
    await world.model.arrival('synthesize', world.model.callsOf('synthesize').length)
    await workers[0]?.kill()
    world.intercept(undefined)
    gate.open()
    const before = world.model.calls.length
    await bots.stop()
    ;[bots, ...workers] = await Promise.all([newer.bots(), newer.worker()])

    await seen(held, '64 links')
    expect(world.model.calls.slice(before).map(call => call.step)).toEqual(['synthesize'])
    world.slack.user('alice').press(question, { label: 'Run it' })
    await seen(open, 'It is slow')
    expect(world.model.calls.slice(before).map(call => call.step)).toEqual(['synthesize', 'synthesize'])
    ask('And devices?', { thread: answered })
    await seen(answered, '42 devices')
    const classified = world.model.callsOf('classify').at(-1)
    expect(fenced(classified === undefined ? '' : promptOf(classified), 'conversation')).toContain('How many links are there?')
    for (const message of [held, open]) expect(answersTo(message)).toHaveLength(message === open ? 2 : 1)
  }, 600_000)
})
