/**
 * The request features that an endpoint accepts. Clew learns them, so nobody has to configure them. The first request uses all
 * features, and each refusal (HTTP 400) removes one.
 */
export interface EndpointCapabilities {
  /** The way to ask for an answer in a JSON schema. Without `json_schema`, the prompt contains the schema as text. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'text'
  /** Whether requests set `stream_options.include_usage`. If so, the last chunk of the stream has the token counts. */
  readonly streamOptions: boolean
  readonly temperature: boolean
  /**
   * The name of the parameter that limits tokens. OpenAI's newer models refuse the old name, `max_tokens`. If an endpoint ignores
   * the new name, Clew's own limit on characters still applies.
   */
  readonly tokenLimit: 'max_completion_tokens' | 'max_tokens' | 'none'
  /** The highest token limit that a request may ask for. It goes down when the endpoint refuses a limit. */
  readonly mostTokens: number
  /** Whether requests contain tools. If not, the prompt describes the tools, and the model writes its calls as text. */
  readonly tools: boolean
}

export const ALL_CAPABILITIES: EndpointCapabilities = {
  responseFormat: 'json_schema',
  streamOptions: true,
  temperature: true,
  tokenLimit: 'max_completion_tokens',
  mostTokens: Number.POSITIVE_INFINITY,
  tools: true,
}

export const LEAST_CAPABILITIES: EndpointCapabilities = {
  responseFormat: 'text',
  streamOptions: false,
  temperature: false,
  tokenLimit: 'none',
  mostTokens: Number.POSITIVE_INFINITY,
  tools: false,
}

/** A part of a request that an endpoint may refuse. */
export type RequestFeature = 'response_format' | 'stream_options' | 'temperature' | 'token_limit' | 'tools'

/**
 * Returns the capabilities after a refusal. The refused feature goes down by one level, such as from `json_schema` to
 * `json_object`.
 */
export function withoutFeature(capabilities: EndpointCapabilities, feature: RequestFeature): EndpointCapabilities {
  switch (feature) {
    case 'response_format':
      return { ...capabilities, responseFormat: capabilities.responseFormat === 'json_schema' ? 'json_object' : 'text' }
    case 'stream_options':
      return { ...capabilities, streamOptions: false }
    case 'temperature':
      return { ...capabilities, temperature: false }
    case 'tools':
      return { ...capabilities, tools: false }
    case 'token_limit':
      return { ...capabilities, tokenLimit: capabilities.tokenLimit === 'max_completion_tokens' ? 'max_tokens' : 'none' }
  }
}
