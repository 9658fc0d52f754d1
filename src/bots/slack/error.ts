import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api'
import { connectionReason } from '../../base/errors.ts'
import { ChatError, type ChatErrorKind } from '../../chat/error.ts'
import { SLACK_LIMITS } from './limits.ts'

/**
 * Slack's error codes, grouped by the kind of ChatError that they become. Any other code becomes `rejected`: Slack understood the
 * call and refused its content. Source: the error tables of docs.slack.dev/reference/methods/chat.postMessage, chat.update,
 * conversations.replies, conversations.open, files.completeUploadExternal and users.info.
 */
const KINDS = {
  rate_limited: ['ratelimited', 'rate_limited'],
  unavailable: [
    'accesslimited',
    'external_channel_migrating',
    'fatal_error',
    'internal_error',
    'message_limit_exceeded',
    'request_timeout',
    'service_unavailable',
    // This error disappears once Slack knows that the stream has ended, so a retry helps.
    'streaming_state_conflict',
    'team_added_to_org',
    'update_failed',
  ],
  removed: ['message_not_found'],
  gone: [
    'cannot_reply_to_message',
    'channel_not_found',
    'no_such_subteam',
    'thread_not_found',
    'user_not_found',
    'user_not_visible',
  ],
  forbidden: [
    'access_denied',
    'cannot_dm_bot',
    'cant_update_message',
    'channel_type_not_supported',
    'edit_window_closed',
    'ekm_access_denied',
    'is_archived',
    'is_inactive',
    'messages_tab_disabled',
    'method_not_supported_for_channel_type',
    'no_permission',
    'not_in_channel',
    'posting_to_channel_denied',
    'restricted_action',
    'restricted_action_non_threadable_channel',
    'restricted_action_read_only_channel',
    'restricted_action_thread_locked',
    'restricted_action_thread_only_channel',
    'team_access_not_granted',
    'user_disabled',
    'user_not_in_channel',
  ],
  authentication: [
    'account_inactive',
    'enterprise_is_restricted',
    'invalid_auth',
    'missing_scope',
    'not_allowed_token_type',
    'not_authed',
    'org_login_required',
    'team_disabled',
    'token_expired',
    'token_revoked',
    'two_factor_setup_required',
    'user_removed_from_team',
  ],
} as const satisfies Partial<Record<ChatErrorKind, readonly string[]>>

const KIND_OF_CODE: ReadonlyMap<string, ChatErrorKind> = new Map(
  Object.entries(KINDS).flatMap(([kind, codes]) => codes.map(code => [code, kind as keyof typeof KINDS] as const)),
)

/** Turns an error of Slack's client into a ChatError. It is `cancelled` if `signal` aborted the call. */
export function toChatError(error: unknown, signal: AbortSignal): ChatError {
  if (error instanceof ChatError) return error
  if (signal.aborted) return new ChatError('The call to Slack was cancelled.', { kind: 'cancelled', cause: error })
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter, error)
  if (error instanceof WebAPIPlatformError) return platformError(error)
  if (error instanceof WebAPIHTTPError) {
    const isTransient = error.statusCode >= 500 || error.statusCode === 408 || error.statusCode === 429
    return new ChatError(`Slack answered with HTTP status ${error.statusCode}.`, {
      kind: isTransient ? 'unavailable' : 'rejected',
      cause: error,
    })
  }
  return new ChatError(`Slack could not be reached: ${connectionReason(error)}`, { kind: 'unavailable', cause: error })
}

function platformError(error: WebAPIPlatformError): ChatError {
  const code = error.data.error
  // If a response is not JSON, Slack's client may report the response's body as the code. Such a body is a proxy's error page or
  // a truncated response.
  if (!/^[a-z0-9_]{1,80}$/.test(code))
    return new ChatError('Slack answered with something other than JSON.', { kind: 'unavailable' })
  const kind = KIND_OF_CODE.get(code) ?? 'rejected'
  if (kind === 'rate_limited') return rateLimited(error.data.response_metadata?.retryAfter, error)
  return new ChatError(`Slack refused the call: ${code}${neededScope(error.data)}.`, { kind, cause: error })
}

/** Returns a note about the missing scope for the error `missing_scope`. Empty for other errors. */
function neededScope(data: object): string {
  return 'needed' in data && typeof data.needed === 'string' ? ` (it needs the scope ${data.needed})` : ''
}

function rateLimited(retryAfterSeconds: number | undefined, cause: unknown): ChatError {
  return new ChatError('Slack asks to wait.', {
    kind: 'rate_limited',
    retryAfterMs: retryAfterSeconds === undefined ? SLACK_LIMITS.retryAfterMs : retryAfterSeconds * 1_000,
    cause,
  })
}
