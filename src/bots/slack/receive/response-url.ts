import { ChatError } from '../../../chat/error.ts'

/**
 * The hosts of response addresses: Slack's and GovSlack's. Source:
 * https://docs.slack.dev/interactivity/handling-user-interaction, "Message responses".
 */
const SLACK_HOSTS: ReadonlySet<string> = new Set(['hooks.slack.com', 'hooks.slack-gov.com'])

/** The address to which Clew sends private responses to an interaction. */
export type ResponseUrl = { readonly responseUrl?: string }

/**
 * Keeps an interaction's `response_url` only if private replies may safely be sent there. The URL must be on a host of Slack.
 * Behind a proxy, it may also have the origin of the Web API.
 */
export function keptResponseUrl(url: string | undefined, apiUrl: string | undefined): ResponseUrl {
  if (url === undefined || !URL.canParse(url)) return {}
  const { protocol, host, origin, username } = new URL(url)
  const isSlacks = protocol === 'https:' && SLACK_HOSTS.has(host) && username === ''
  const isOfApi = apiUrl !== undefined && URL.canParse(apiUrl) && new URL(apiUrl).origin === origin
  return isSlacks || isOfApi ? { responseUrl: url } : {}
}

/**
 * Sends a private text to a response address. `text` is in Slack's markup.
 * @throws ChatError
 */
export async function respondAlone(responseUrl: string, text: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, text })
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch(responseUrl, { method: 'POST', headers, body, signal, redirect: 'error' })
    if (!answer.ok) throw new ChatError(`Slack answered with HTTP status ${answer.status}.`, { kind: 'gone' })
  } catch (error) {
    if (error instanceof ChatError) throw error
    throw new ChatError('Slack cannot be reached.', { kind: signal.aborted ? 'cancelled' : 'unavailable', cause: error })
  }
}
