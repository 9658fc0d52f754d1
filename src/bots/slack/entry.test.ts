import { expect, it } from '@jest/globals'
import { slackSettings } from './entry.ts'

it.each([
  [{ SLACK_APP_TOKEN: 'xapp-1' }, { over: 'socket', appToken: 'xapp-1' }],
  [{ SLACK_SIGNING_SECRET: 'shh' }, { over: 'http', signingSecret: 'shh' }],
  [
    { SLACK_APP_TOKEN: 'xapp-1', SLACK_SIGNING_SECRET: 'shh' },
    { over: 'socket', appToken: 'xapp-1' },
  ],
])('selects how to receive from Slack, Socket Mode if possible: %j', (env, receive) => {
  expect(slackSettings({ SLACK_BOT_TOKEN: 'xoxb-1', ...env })).toEqual({ botToken: 'xoxb-1', receive, apiUrl: undefined })
})
