import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { EndpointCapabilities, RequestFeature } from './endpoint-capabilities.ts'
import type { ModelMessage, ModelRequest } from './language-model.ts'

/** One request as the endpoint will see it. */
export interface ChatRequest {
  readonly parameters: ChatCompletionCreateParamsStreaming
  /** The features it carries, any of which may be refused. */
  readonly features: ReadonlySet<RequestFeature>
}

/** Builds the request in the form that the endpoint is known to take. @param maxOutputTokens the limit for this try */
export function buildChatRequest(
  request: ModelRequest,
  model: string,
  capabilities: EndpointCapabilities,
  maxOutputTokens: number | undefined,
): ChatRequest {
  const features = new Set<RequestFeature>()
  const parameters: ChatCompletionCreateParamsStreaming = { model, messages: promptMessages(request, capabilities), stream: true }
  if (capabilities.streamOptions) {
    features.add('stream_options')
    parameters.stream_options = { include_usage: true }
  }
  if (capabilities.temperature && request.temperature !== undefined) {
    features.add('temperature')
    parameters.temperature = request.temperature
  }
  if (capabilities.tokenLimit !== 'none' && maxOutputTokens !== undefined) {
    features.add('token_limit')
    parameters[capabilities.tokenLimit] = maxOutputTokens
  }
  if (capabilities.responseFormat !== 'text' && request.jsonSchema !== undefined) {
    features.add('response_format')
    parameters.response_format =
      capabilities.responseFormat === 'json_schema'
        ? { type: 'json_schema', json_schema: { name: request.step, strict: true, schema: { ...request.jsonSchema } } }
        : { type: 'json_object' }
  }
  return { parameters, features }
}

/** The messages; where the endpoint takes no JSON schema, with the schema at the end of the first system message. */
function promptMessages(request: ModelRequest, capabilities: EndpointCapabilities): ModelMessage[] {
  const messages = request.messages.map(({ role, content }) => ({ role, content }))
  if (request.jsonSchema === undefined || capabilities.responseFormat === 'json_schema') return messages
  const instruction = `Answer with one JSON object only, no other text, that satisfies this JSON schema:\n${JSON.stringify(request.jsonSchema)}`
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: instruction }, ...messages]
  return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest]
}
