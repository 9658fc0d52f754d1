import { ConfigurationError } from '../../base/errors.ts'
import { address, optionalText, prefixed } from '../../base/variables.ts'
import type { PlatformEntry, PlatformValues } from '../shared/platform-entry.ts'
import { SLACK_LIMITS } from './limits.ts'

export const SLACK = {
  name: 'slack',
  title: 'Slack',
  needs: 'SLACK_BOT_TOKEN and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET',
  variables: {
    SLACK_BOT_TOKEN: prefixed('xoxb-', "a bot user's token"),
    SLACK_APP_TOKEN: prefixed('xapp-', 'an app-level token with connections:write'),
    SLACK_SIGNING_SECRET: optionalText,
    SLACK_API_URL: address(['http://', 'https://']),
  },
  secrets: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],
  apiVariable: 'SLACK_API_URL',
  ids: {
    workspace: { pattern: /^[TE][A-Z0-9]{2,}$/, form: 'T and capitals (the first part of a workspace’s web address)' },
    users: { pattern: /^[UW][A-Z0-9]{2,}$/, form: 'U or W and capitals (profile → ⋮ → Copy member ID)' },
    groups: { pattern: /^S[A-Z0-9]{2,}$/, form: 'S and capitals (People → User groups → ⋮ → Copy group ID)' },
    channels: { pattern: /^[CG][A-Z0-9]{2,}$/, form: 'C or G and capitals (at the end of the channel’s details)' },
  },
  showsRecentQuestions: true,
  configure(values) {
    const settings = slackSettings(values)
    if (settings === undefined) return undefined
    const { receive, ...api } = settings
    return {
      async open({ logger, linkHosts, drawChart }) {
        const [{ createSlackSurface }, { createSlackOutbox }] = await Promise.all([import('./surface.ts'), import('./outbox.ts')])
        return {
          surface: ({ server: { serve }, ...parts }) =>
            createSlackSurface({
              ...api,
              ...parts,
              logger,
              receive: receive.over === 'http' ? { ...receive, serve } : receive,
            }),
          destination: {
            outbox: createSlackOutbox({ ...api, logger, allowedLinkHosts: linkHosts, drawChart }),
            progressEditsPerMinute: SLACK_LIMITS.progressEditsPerMinute,
            postIntervalMs: SLACK_LIMITS.postIntervalMs,
            streams: {
              startsPerMinute: SLACK_LIMITS.streamStartsPerMinute,
              appendsPerMinute: SLACK_LIMITS.streamAppendsPerMinute,
            },
          },
        }
      },
      people: async calls =>
        (await import('./people-directory.ts')).createSlackPeopleDirectory({ token: api.botToken, apiUrl: api.apiUrl, ...calls }),
      check: async (calls, report, signal) =>
        (await import('./check-slack.ts')).checkSlack({ ...settings, ...calls }, report, signal),
    }
  },
} as const satisfies PlatformEntry

/**
 * Reads Slack's settings. If the variables for Socket Mode and HTTP are both set, Clew uses Socket Mode. If Socket Mode is turned
 * off in the app, the start fails, so the operator notices. Over HTTP, such a mistake stays unnoticed, because no requests
 * arrive.
 */
export function slackSettings({
  SLACK_BOT_TOKEN: botToken,
  SLACK_APP_TOKEN: appToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: apiUrl,
}: PlatformValues) {
  if (botToken === undefined) {
    if (appToken === undefined && signingSecret === undefined) return undefined
    const set = appToken === undefined ? 'SLACK_SIGNING_SECRET' : 'SLACK_APP_TOKEN'
    throw new ConfigurationError(
      `${set} is set but SLACK_BOT_TOKEN is not: install the app and copy its bot token (OAuth & Permissions).`,
    )
  }
  if (appToken !== undefined) return { botToken, receive: { over: 'socket', appToken }, apiUrl } as const
  if (signingSecret !== undefined) return { botToken, receive: { over: 'http', signingSecret }, apiUrl } as const
  throw new ConfigurationError(
    'SLACK_BOT_TOKEN is set but neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is: for Socket Mode create an app-level token with connections:write (Basic Information → App-Level Tokens), for HTTP copy the signing secret (Basic Information → App Credentials).',
  )
}
