import OpenAI from 'openai'
import { Agent, type RequestInfo, type RequestInit, fetch as undiciFetch } from 'undici'
import { SIZES } from '../../base/sizes.ts'

/**
 * Creates the SDK's client without the SDK's own retries and logs. The organisation and project from the environment are ignored.
 */
export function createEndpointClient({ fetch: own = patientFetch(), ...options }: EndpointOptions): OpenAI {
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
  /** Tests pass their own `fetch` here. Default: requests over the network. */
  readonly fetch?: typeof fetch
}

/**
 * Returns a `fetch` without a time limit, because each attempt has its own limits. Node's own `fetch` would give up after 300 s
 * without a byte, even if CLEW_MODEL_TIMEOUT_S is longer.
 */
function patientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  const patient = (input: RequestInfo, init?: RequestInit) => undiciFetch(input, { ...init, dispatcher })
  // The cast is safe: two versions of undici declare the same type.
  return patient as object as typeof fetch
}

/**
 * Wraps `fetch` so that the SDK finds every error message. The SDK reads only the key `error` of a body, but some endpoints use
 * the key `detail` or `message`.
 */
function withErrorBody(own: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await own(input, init)
    if (response.ok) return response
    const text = await beginningOf(response)
    const { status, headers } = response
    return new Response(hasErrorKey(text) ? text : JSON.stringify({ error: { message: text.slice(0, 2000) } }), {
      status,
      headers,
    })
  }
}

/** Reads the beginning of a response's body. The loop ends early, which closes the connection. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > SIZES.engineMessage) break
  }
  return text.slice(0, SIZES.engineMessage)
}

function hasErrorKey(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body
  } catch {
    return false
  }
}
