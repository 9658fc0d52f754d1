import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ModelMessage, ModelRequest, ModelTool } from '../language-model.ts'
import type { EndpointCapabilities, RequestFeature } from './capabilities.ts'

/** One request, in the form that the endpoint receives. */
export interface ChatRequest {
  readonly parameters: ChatCompletionCreateParamsStreaming
  /** The features that this request uses. The endpoint may refuse any of them. */
  readonly features: ReadonlySet<RequestFeature>
}

/**
 * Builds a request from the endpoint's known capabilities.
 * @param maxTokens the token limit of this request
 */
export function buildChatRequest(
  request: ModelRequest,
  model: string,
  capabilities: EndpointCapabilities,
  maxTokens: number,
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
  if (capabilities.tokenLimit !== 'none') {
    features.add('token_limit')
    parameters[capabilities.tokenLimit] = Math.min(maxTokens, capabilities.mostTokens)
  }
  if (capabilities.tools && request.tools !== undefined) {
    features.add('tools')
    parameters.tools = request.tools.map(tool => ({
      type: 'function',
      function: { ...tool, parameters: { ...tool.parameters } },
    }))
    parameters.tool_choice = request.toolChoice ?? 'auto'
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

/** Returns the request's messages. If the endpoint lacks a feature, the end of the first system message asks for it in words. */
function promptMessages(request: ModelRequest, capabilities: EndpointCapabilities): ChatCompletionMessageParam[] {
  const messages = request.messages.map(message => (capabilities.tools ? nativeMessage(message) : plainMessage(message)))
  const instructions = [
    ...(request.jsonSchema === undefined || capabilities.responseFormat === 'json_schema'
      ? []
      : [
          `Answer with one JSON object only, no other text, that satisfies this JSON schema:\n${JSON.stringify(request.jsonSchema)}`,
        ]),
    ...(capabilities.tools || request.tools === undefined ? [] : [toolInstruction(request.tools, request.toolChoice)]),
  ]
  if (instructions.length === 0) return messages
  const [first, ...rest] = messages
  const instruction = instructions.join('\n\n')
  if (first?.role !== 'system') return [{ role: 'system', content: instruction }, ...messages]
  return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest]
}

function nativeMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const { content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role: 'assistant', content }
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
  }))
  // Some endpoints ignore empty content in a message with tool calls, and others refuse it. All accept null.
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls }
}

/** Writes tool calls and their results as text, for an endpoint without tools. */
function plainMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'user', content: `Result of ${message.callId}:\n${message.content}` }
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const calls = message.toolCalls?.map(({ id, name, arguments: text }) => ({ id, name, arguments: text })) ?? []
  const written = calls.length === 0 ? '' : JSON.stringify({ tool_calls: calls })
  return { role: 'assistant', content: [message.content, written].filter(text => text !== '').join('\n') }
}

function toolInstruction(tools: readonly ModelTool[], choice: ModelRequest['toolChoice']): string {
  if (choice === 'none') return 'Call no tools any more: answer in words.'
  const list = tools.map(
    ({ name, description, parameters }) => `- ${name}: ${description} Arguments: ${JSON.stringify(parameters)}`,
  )
  return `You may call tools. To call some, answer with one JSON object only, no other text: {"tool_calls": [{"name": "…", "arguments": {…}}]}. The tools are:\n${list.join('\n')}`
}
