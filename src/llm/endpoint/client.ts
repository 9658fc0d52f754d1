import { Readable } from 'node:stream'
import OpenAI from 'openai'
import { Agent, interceptors, request } from 'undici'
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

/** A response whose body is read as a Node stream. A web stream takes twelve promises for each token, and Node tracks each of them. */
class ArrivingResponse extends Response {
  readonly arriving: Readable

  constructor(arriving: Readable, init: ResponseInit) {
    super(null, init)
    this.arriving = arriving
  }
}

/** Returns the bytes of a response as they arrive. */
export function bytesOf(response: Response): Readable {
  if (response instanceof ArrivingResponse) return response.arriving
  return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body)
}

/**
 * Returns a `fetch` without a time limit, because each attempt has its own limits. Node's own `fetch` would give up after 300 s
 * without a byte, even if CLEW_MODEL_TIMEOUT_S is longer.
 */
function patientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 }).compose(interceptors.redirect({ maxRedirections: 5 }))
  return async (input, init) => {
    // This throws for an invalid address, and for one with a password.
    const { url } = new Request(input)
    const headers = new Headers(init?.headers)
    headers.set('accept-encoding', 'identity')
    const { statusCode, ...response } = await request(url, {
      dispatcher,
      method: 'POST',
      headers,
      body: String(init?.body),
      signal: init?.signal,
    })
    const received = new Headers()
    for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value))
    return new ArrivingResponse(response.body, { status: statusCode, headers: received })
  }
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
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of bytesOf(response)) {
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
