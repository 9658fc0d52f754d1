/**
 * What an OpenAI-compatible endpoint takes in a request. Nobody configures it: a request starts with everything, and each refusal
 * (HTTP 400) teaches one thing less.
 */
export interface EndpointCapabilities {
  /** How the answer's JSON schema is asked for; below `json_schema` it is put into the prompt. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'text'
  /** `stream_options.include_usage`, which makes the last chunk carry the tokens. */
  readonly streamOptions: boolean
  readonly temperature: boolean
  /** OpenAI's newer models refuse the old name, `max_tokens`. An endpoint that ignores the new one without a word is ended by the limit on characters. */
  readonly tokenLimit: 'max_completion_tokens' | 'max_tokens' | 'none'
  /** The largest token limit that is not known to be refused. */
  readonly mostTokens: number
  /** Where an endpoint takes no tools, they are described in the prompt, and called in the text. */
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

/** The capabilities after a feature was refused in its present form: one rung down. */
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
