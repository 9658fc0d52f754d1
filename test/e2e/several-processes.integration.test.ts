import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'

const QUESTIONS = 40
const book = {
  'How many links are there?': {
    queries: { 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are 64 links [Q1].',
  },
}

let world: ClewWorld

beforeAll(async () => {
  world = await startClewWorld(book)
  await Promise.all([world.startBots(), world.startBots(), world.startWorker(), world.startWorker()])
})
afterAll(() => world.close())

describe('several bots and workers', () => {
  it('answer each question once, with redeliveries and a worker killed meanwhile', async () => {
    const doomed = await world.startWorker()
    const questions = Array.from({ length: QUESTIONS }, () =>
      world.slack.user('alice').post('data', `${world.slack.botMention} How many links are there?`),
    )
    await world.slack.waitFor(
      () => questions.some(question => world.replies(question).some(reply => reply.plain.includes('64 links'))),
      { timeoutMs: 150_000 },
    )
    await doomed.kill()
    for (const question of questions.slice(0, 10))
      for (const delivery of question.deliveries) world.slack.socket.redeliver(delivery)
    await world.slack.waitFor(
      () => questions.every(question => world.replies(question).some(reply => reply.plain.includes('64 links'))),
      { timeoutMs: 150_000 },
    )
    // On a slow machine, a late answer is followed by a notice. The notice is ignored.
    const answers = questions.map(question =>
      world.replies(question).filter(reply => !reply.plain.includes('your answer is ready')),
    )
    expect(
      answers.filter(replies => replies.length !== 1).map(replies => replies.map(({ plain, ts }) => ({ plain, ts }))),
    ).toEqual([])
  }, 360_000)
})
