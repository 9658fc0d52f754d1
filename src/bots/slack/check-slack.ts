import { z } from 'zod'
import type { Report } from '../../base/check.ts'
import type { Logger } from '../../base/logger.ts'
import { ChatError } from '../../chat/error.ts'
import { SLACK_BOT_SCOPES } from './app.ts'
import { callSlack } from './client.ts'
import { SLACK_EVENTS_PATH } from './receive/http.ts'

export interface SlackCheckOptions {
  readonly botToken: string
  readonly receive:
    | { readonly over: 'socket'; readonly appToken: string }
    | { readonly over: 'http'; readonly signingSecret: string }
  readonly apiUrl: string | undefined
  readonly timeoutMs: number
  readonly logger: Logger
}

/** The response of `auth.test`. Slack's client adds the scopes from the response header `x-oauth-scopes`. */
const identitySchema = z.object({
  team: z.string().optional(),
  team_id: z.string().optional(),
  user: z.string().optional(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
})

/** Checks the tokens, and whether the bot has the scopes that Clew needs. Opens no connection. */
export async function checkSlack(options: SlackCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  await checkBotToken(options, report, signal)
  const { receive } = options
  if (receive.over === 'socket') await checkAppToken(options, receive.appToken, report, signal)
  else reportSigningSecret(receive.signingSecret, report)
}

async function checkBotToken(options: SlackCheckOptions, report: Report, signal: AbortSignal): Promise<void> {
  const check = 'bot token'
  const answer = await callSlack({ ...options, token: options.botToken }, signal, slack => slack.auth.test()).catch(failed)
  if (answer instanceof ChatError) {
    const advice = adviceFor(
      answer,
      'Set SLACK_BOT_TOKEN to the Bot User OAuth Token of the installed app, which starts with xoxb-.',
    )
    report({ check, state: 'failed', found: answer.message, advice })
    return
  }
  const identity = identitySchema.safeParse(answer)
  if (!identity.success) {
    report({ check, state: 'failed', found: 'the server there is not Slack', advice: 'Correct or unset SLACK_API_URL.' })
    return
  }
  const { team, team_id: teamId, user, response_metadata: metadata } = identity.data
  // The report shows the workspace's id, because access.yaml uses it.
  const workspace = `${team ?? 'unknown'}${teamId === undefined ? '' : ` (${teamId})`}`
  report({ check, state: 'ok', found: `Clew is @${user ?? 'unknown'} in the workspace ${workspace}` })
  reportScopes(metadata?.scopes, report)
}

function reportScopes(scopes: readonly string[] | undefined, report: Report): void {
  const check = 'scopes'
  if (scopes === undefined) {
    const advice = 'Compare the app with app.manifest.yaml yourself; something between may drop the header x-oauth-scopes.'
    report({ check, state: 'warning', found: 'Slack does not say what the bot may do', advice })
    return
  }
  const missing = Object.keys(SLACK_BOT_SCOPES).filter(scope => !scopes.includes(scope))
  if (missing.length === 0) {
    report({ check, state: 'ok', found: 'the bot may do all that Clew needs' })
    return
  }
  const advice = "Set the app's manifest to app.manifest.yaml (App Manifest), then reinstall the app (Install App)."
  report({ check, state: 'failed', found: `the bot lacks ${missing.join(', ')}`, advice })
}

/** Checks the app token by requesting an address for Socket Mode, without connecting to it. */
async function checkAppToken(options: SlackCheckOptions, appToken: string, report: Report, signal: AbortSignal): Promise<void> {
  const check = 'app token'
  const answer = await callSlack({ ...options, token: appToken }, signal, slack => slack.apps.connections.open({})).catch(failed)
  if (!(answer instanceof ChatError)) {
    report({ check, state: 'ok', found: 'Socket Mode can be connected' })
    return
  }
  const advice = adviceFor(
    answer,
    'Set SLACK_APP_TOKEN to an app-level token with the scope connections:write, which starts with xapp-, and switch Socket Mode on.',
  )
  report({ check, state: 'failed', found: answer.message, advice })
}

/** Reports whether the signing secret has the right form. Slack offers no call that checks the secret. */
function reportSigningSecret(signingSecret: string, report: Report): void {
  const check = 'signing secret'
  const found = `events are taken over HTTP, at ${SLACK_EVENTS_PATH}`
  if (/^[0-9a-f]{32}$/.test(signingSecret)) {
    report({ check, state: 'ok', found })
    return
  }
  const advice =
    'Copy SLACK_SIGNING_SECRET again (Basic Information → App Credentials); with a wrong one every event is refused with 401.'
  report({
    check,
    state: 'warning',
    found: `${found}, but the secret does not look like one of Slack's (32 hexadecimal digits)`,
    advice,
  })
}

function failed(error: unknown): ChatError {
  if (error instanceof ChatError && error.kind !== 'cancelled') return error
  throw error
}

function adviceFor(error: ChatError, otherwise: string): string {
  return error.retryable
    ? 'Try again in a minute; check that this machine reaches https://slack.com (or SLACK_API_URL).'
    : otherwise
}
