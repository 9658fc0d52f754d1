/** The request features that an endpoint accepts. Nobody configures them: requests start with all, and each refusal (HTTP 400) removes one. */
export interface EndpointCapabilities {
  /** How to ask for a JSON schema. Below `json_schema` it goes into the prompt. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'text'
  /** `stream_options.include_usage` puts the token counts into the last chunk. */
  readonly streamOptions: boolean
  readonly temperature: boolean
  /** OpenAI's newer models refuse the old name, `max_tokens`. If an endpoint ignores the new one, the limit on characters applies. */
  readonly tokenLimit: 'max_completion_tokens' | 'max_tokens' | 'none'
  /** The largest token limit not yet refused. */
  readonly mostTokens: number
  /** Without tools, the prompt describes them and the text contains the calls. */
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

/** Returns the capabilities after a refusal of one feature: one step down. */
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
