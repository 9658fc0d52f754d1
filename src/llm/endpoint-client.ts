import OpenAI from 'openai'

/**
 * The SDK's client with everything of its own switched off: it retries nothing, logs nothing, and takes no organisation or project from
 * the environment.
 */
export function createEndpointClient({ fetch: own = fetch, ...options }: EndpointOptions): OpenAI {
  return new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: withErrorBody(own),
  })
}

export interface EndpointOptions {
  readonly apiKey: string
  readonly baseUrl?: string
  /** How requests are made; over the network when absent. */
  readonly fetch?: typeof fetch
}

/** The SDK reads errors from `{ error: … }` only; some endpoints answer `{ detail: … }` or `{ message: … }`, and it would drop what they say. */
function withErrorBody(own: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await own(input, init)
    if (response.ok) return response
    const text = await response.text()
    const { status, headers } = response
    return new Response(hasErrorKey(text) ? text : JSON.stringify({ error: { message: text.slice(0, 2000) } }), {
      status,
      headers,
    })
  }
}

function hasErrorKey(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body
  } catch {
    return false
  }
}
