import OpenAI from 'openai'
import { Agent, type RequestInfo, type RequestInit, fetch as undiciFetch } from 'undici'
import { SIZES } from '../sizes.ts'

/**
 * The SDK's client with everything of its own switched off: it retries nothing, logs nothing, and takes no organisation or project from
 * the environment.
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
  /** How requests are made; over the network when absent. */
  readonly fetch?: typeof fetch
}

/** Node's own `fetch` gives up after 300 s without a byte, however long CLEW_MODEL_TIMEOUT_S is. Each attempt has its own limits, so this has none. */
function patientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  const patient = (input: RequestInfo, init?: RequestInit) => undiciFetch(input, { ...init, dispatcher })
  // The same types, of two versions.
  return patient as object as typeof fetch
}

/** The SDK reads errors from `{ error: … }` only; some endpoints answer `{ detail: … }` or `{ message: … }`, and it would drop what they say. */
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

/** Breaking off closes its connection. */
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
