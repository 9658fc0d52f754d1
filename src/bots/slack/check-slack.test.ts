import { afterEach, describe, expect, it } from '@jest/globals'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { type CheckResult, runCheck } from '../../base/check.ts'
import { createLogger } from '../../base/logger.ts'
import { SLACK_BOT_SCOPES } from './app.ts'
import { checkSlack, type SlackCheckOptions } from './check-slack.ts'

const NEEDED_BOT_SCOPES = Object.keys(SLACK_BOT_SCOPES)
const emulators: SlackEmulator[] = []
afterEach(async () => {
  for (const emulator of emulators.splice(0)) await emulator.close()
})

describe('checkSlack', () => {
  it('finds nothing wrong with an app installed from the manifest', async () => {
    const slack = await start(NEEDED_BOT_SCOPES)
    expect(await check(slack)).toEqual([
      expect.objectContaining({
        check: 'bot token',
        state: 'ok',
        found: expect.stringMatching(/^Clew is @clew in the workspace emulated \(T\w+\)$/),
      }),
      expect.objectContaining({ check: 'scopes', state: 'ok' }),
      expect.objectContaining({ check: 'app token', state: 'ok' }),
    ])
    expect(slack.calls().map(call => call.method)).toEqual(['auth.test', 'apps.connections.open'])
  })

  it('names missing scopes', async () => {
    const results = await check(await start(NEEDED_BOT_SCOPES.filter(scope => scope !== 'files:write' && scope !== 'users:read')))
    expect(results[1]).toMatchObject({
      check: 'scopes',
      state: 'failed',
      found: 'the bot lacks files:write, users:read',
      advice: expect.stringContaining('app.manifest.yaml'),
    })
  })

  it('checks each token by itself', async () => {
    const slack = await start(NEEDED_BOT_SCOPES)
    slack.failToken('bot', 'token_revoked')
    const results = await check(slack)
    expect(results.map(result => [result.check, result.state])).toEqual([
      ['bot token', 'failed'],
      ['app token', 'ok'],
    ])
    expect(results[0]).toMatchObject({
      found: expect.stringContaining('token_revoked'),
      advice: expect.stringContaining('SLACK_BOT_TOKEN'),
    })
  })

  it.each([
    ['0123456789abcdef0123456789abcdef', 'ok'],
    ['xapp-secret-token', 'warning'],
  ])('checks the form of a signing secret if events come over HTTP: %s', async (signingSecret, state) => {
    const slack = await start(NEEDED_BOT_SCOPES)
    const results = await check(slack, { over: 'http', signingSecret })
    expect(results.map(result => [result.check, result.state])).toEqual([
      ['bot token', 'ok'],
      ['scopes', 'ok'],
      ['signing secret', state],
    ])
    expect(JSON.stringify(results)).not.toContain(signingSecret)
    expect(slack.calls('apps.connections.open')).toEqual([])
  })

  it('notices swapped tokens', async () => {
    const slack = await start(NEEDED_BOT_SCOPES)
    const results = await check({ ...slack, botToken: slack.appToken, appToken: slack.botToken })
    expect(results.map(result => result.state)).toEqual(['failed', 'failed'])
  })

  it('distinguishes a Slack outage from a wrong token', async () => {
    const results = await check({
      apiUrl: 'http://127.0.0.1:1/api/',
      botToken: 'xoxb-secret-token',
      appToken: 'xapp-secret-token',
    })
    expect(results.map(result => result.state)).toEqual(['failed', 'failed'])
    expect(results[0]?.advice).toContain('Try again')
    expect(JSON.stringify(results)).not.toContain('secret-token')
  })
})

async function start(botScopes: readonly string[]): Promise<SlackEmulator> {
  const emulator = await startSlackEmulator({ botScopes })
  emulators.push(emulator)
  return emulator
}

function check(
  slack: Pick<SlackEmulator, 'apiUrl' | 'botToken' | 'appToken'>,
  receive?: SlackCheckOptions['receive'],
): Promise<readonly CheckResult[]> {
  const { apiUrl, botToken, appToken } = slack
  const options = {
    apiUrl,
    botToken,
    receive: receive ?? { over: 'socket' as const, appToken },
    timeoutMs: 5000,
    logger: createLogger({ level: 'silent' }),
  }
  return runCheck(
    { part: 'slack', timeoutMs: 15_000, advice: '' },
    (report, ended) => checkSlack(options, report, ended),
    new AbortController().signal,
  )
}
