import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createToken, HttpClient, startServe } from '../support/http-client.ts'

const QUESTION = 'How many devices are there?'
const DEVICES = 'How many devices are there?'
const PASSWORDS = { clew_bots: 'BOTS_PASSWORD', clew_worker: 'WORKER_PASSWORD' }

let world: ClewWorld

beforeAll(async () => {
  const book = { queries: { [DEVICES]: ['SELECT count() AS devices FROM dz_devices'] }, answer: 'There are **42 devices** [Q1].' }
  world = await startClewWorld({ [QUESTION]: book })
})
afterAll(() => world.close())

it('bots, servers and workers need only the Redis rights in deploy/redis/users.acl', async () => {
  const admin = await world.redis.connect()
  for (const line of readFileSync('deploy/redis/users.acl', 'utf8').trim().split('\n')) {
    const [, name = '', ...rules] = line.split(' ')
    await admin.call('ACL', 'SETUSER', name, ...rules)
  }
  const as = (user: keyof typeof PASSWORDS) => {
    const url = new URL(world.redis.url)
    url.username = user
    url.password = PASSWORDS[user]
    return { REDIS_URL: url.href }
  }
  await world.startBots(as('clew_bots'))
  await world.startWorker(as('clew_worker'))
  const asked = world.slack.user('alice').post('data', `${world.slack.botMention} ${QUESTION}`)
  // The progress may show the text before the answer has its buttons.
  const isAnswered = () =>
    world.replies(asked).find(({ plain }) => plain.includes('42 devices') && !plain.includes('Writing the answer'))
  const answer = await world.slack.waitFor(isAnswered, { timeoutMs: 60_000 })
  const delivery = world.slack.user('alice').press({ channel: asked.channel, ts: answer.ts }, { label: 'Show SQL' })
  await world.slack.waitFor(() => delivery.state === 'acknowledged')
  const isShown = () => world.slack.transcript(asked.channel, { as: 'alice' }).some(({ plain }) => plain.includes('dz_devices'))
  await world.slack.waitFor(isShown, { timeoutMs: 30_000 })
  const { process: server, url: address } = await startServe({ ...world.env, ...as('clew_bots') })
  const { bearer } = await createToken({ ...world.env, ...as('clew_bots') })
  const client = new HttpClient(address, bearer)
  expect(await client.ended(await client.ask(QUESTION, { thread: 'one' }))).toMatchObject({ status: 'answered' })
  expect((await client.send('GET', '/v1/threads/one')).status).toBe(200)
  expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^clew_waiting_messages \d+$/m)
  await server.stop()
  const denied = await admin.call('ACL', 'LOG')
  expect(denied).toEqual([])
  await expect(admin.call('ACL', 'DRYRUN', 'clew_bots', 'FLUSHALL')).resolves.toMatch(/no permissions/)
  await expect(admin.call('ACL', 'DRYRUN', 'clew_bots', 'GET', 'of-another')).resolves.toMatch(/no permissions/)
}, 180_000)
