import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type SlackEmulator, startSlackEmulator } from '../emulators/slack/slack-emulator.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { TEST_STATE_KEY } from '../support/state-key.ts'

let slack: SlackEmulator
let redis: TestRedis
let bots: ClewProcess
let origin: string

beforeAll(async () => {
  ;[slack, redis] = await Promise.all([startSlackEmulator({ rateLimits: 'relaxed' }), startTestRedis()])
  bots = await startClew('bots', '"msg":"connected"', {
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.http.signingSecret,
    SLACK_API_URL: slack.apiUrl,
  })
  const port = bots.log.map(line => /"port":(\d+)/.exec(line)?.[1]).find(found => found !== undefined)
  origin = `http://127.0.0.1:${port}`
  slack.http.sendTo(`${origin}/slack/events`)
})
afterAll(async () => {
  await bots?.stop()
  await slack?.close()
  await redis?.close()
})

describe('clew bots over HTTP', () => {
  it("serves Slack's events on the port of the health endpoints", async () => {
    expect(await slack.http.verifyUrl()).toBe(true)
    const ready = await fetch(`${origin}/ready`)
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ parts: expect.objectContaining({ slack: true }) }),
    ])
  })

  it('shows an accepted question once, and ignores a forged one', async () => {
    const question = slack.user('alice').post('general', `${slack.botMention} how many users?`)
    await slack.waitFor(() => question.deliveries.every(({ state }) => state === 'acknowledged'))
    const replies = () => slack.transcript('general').filter(shown => shown.isFromBot)
    await slack.waitFor(() => replies().length > 0)
    expect(await slack.http.send(JSON.stringify(question.deliveries[0]?.payload), 'wrong secret')).toBe(401)
    expect(replies().map(({ threadTs }) => threadTs)).toEqual([question.ts])
    expect(slack.calls('apps.connections.open')).toEqual([])
  })

  it('ends with 0 when stopped', async () => {
    expect(await bots.stop()).toBe(0)
  })
})
