import type { RequestFeature } from './capabilities.ts'
import type { EndpointFailure } from './failure.ts'

/**
 * The cause of a refusal with status 400 or 422: a request feature, the token limit, the content, its size, the model's name, or
 * `unclear`.
 */
export type Complaint =
  | { readonly kind: 'feature'; readonly feature: RequestFeature }
  | { readonly kind: 'token_limit' }
  | { readonly kind: 'content_filter' }
  | { readonly kind: 'unknown_model' }
  | { readonly kind: 'content' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'unclear' }

// The words are tried in this order, the most reliable first. For example, a message about max_tokens may also mention a schema,
// but a message about a schema rarely mentions max_tokens.
const FEATURE_WORDS: readonly (readonly [RequestFeature, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  ['token_limit', /max_tokens|max_completion_tokens|in the completion/i],
  ['temperature', /temperature/i],
  ['tools', /\btools?\b|tool_choice|tool_calls|function.?call/i],
  ['response_format', /response_format|json_schema|json_object|json mode|structured output|guided|grammar|schema/i],
]
const TOO_MUCH = /context.?length|too (large|long|big|many)|exceed|at most|less than|maximum/i
const UNKNOWN_MODEL = /model\b.{0,80}(not found|does not exist|not exist|unknown|invalid)|(unknown|invalid|no such) model/i

/**
 * Classifies a refusal by its text, because endpoints have no common error codes. Only this file reads that text.
 * @param sent the features of the refused request; only these can be the cause
 */
export function readComplaint(failure: EndpointFailure, sent: ReadonlySet<RequestFeature>): Complaint {
  if (failure.code === 'content_filter') return { kind: 'content_filter' }
  if (failure.code === 'model_not_found' || failure.param === 'model') return { kind: 'unknown_model' }
  const feature = named(failure.param ?? '', sent) ?? named(failure.message, sent)
  const isTooLong = failure.code === 'context_length_exceeded'
  const isTooMuch = isTooLong || TOO_MUCH.test(failure.message)
  if (isTooMuch && feature === 'token_limit') return { kind: 'token_limit' }
  if (isTooLong || (isTooMuch && feature === undefined)) return { kind: 'too_large' }
  if (isTooMuch && feature === 'temperature') return { kind: 'content' }
  if (feature !== undefined) return { kind: 'feature', feature }
  return { kind: UNKNOWN_MODEL.test(failure.message) ? 'unknown_model' : 'unclear' }
}

/** Whether a request alone is more than the endpoint takes. OpenAI answers 429 if it exceeds the limit of a whole minute. */
export function isTooLarge({ status, message }: EndpointFailure): boolean {
  return status === 413 || (status === 429 && /request too large/i.test(message))
}

function named(text: string, sent: ReadonlySet<RequestFeature>): RequestFeature | undefined {
  return FEATURE_WORDS.find(([feature, words]) => sent.has(feature) && words.test(text))?.[0]
}
