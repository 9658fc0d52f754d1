import { type ClewProcess, startClew } from './clew-process.ts'
import { runClew } from './run-clew.ts'

/** One event of a stream of server-sent events. */
export interface SentEvent {
  readonly id: string
  readonly event: string
  readonly data: { readonly [key: string]: unknown }
}

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly [key: string]: unknown }
}

/** A client of `clew serve` with one token. */
export class HttpClient {
  readonly #url: string
  readonly #bearer: string

  constructor(url: string, bearer: string) {
    this.#url = url
    this.#bearer = bearer
  }

  fetch(path: string, { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {}) {
    const own = {
      Authorization: `Bearer ${this.#bearer}`,
      ...(init.body !== undefined && { 'Content-Type': 'application/json' }),
    }
    return fetch(`${this.#url}${path}`, { ...init, headers: { ...own, ...headers } })
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpReply> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await this.fetch(path, { method, headers, ...sent })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** Asks a question, and returns the id of the turn. */
  async ask(text: string, more: { readonly [key: string]: unknown } = {}): Promise<string> {
    const { status, body } = await this.send('POST', '/v1/turns', { text, ...more })
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
    return String(body.id)
  }

  /** Yields the events of a turn after one with an id, until the stream ends or the signal aborts. */
  async *events(turn: string, { after, signal }: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<SentEvent, void> {
    const headers = { Accept: 'text/event-stream', ...(after !== undefined && { 'Last-Event-ID': after }) }
    try {
      yield* sentEvents(await this.fetch(`/v1/turns/${turn}`, { headers, ...(signal && { signal }) }))
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  }

  /** Waits for the end of a turn, and returns it. */
  async ended(turn: string): Promise<HttpReply['body']> {
    for await (const { event } of this.events(turn)) {
      if (event === 'end') break
    }
    return (await this.send('GET', `/v1/turns/${turn}`)).body
  }
}

/** Yields the events of a response, as they come. */
export async function* sentEvents(response: Response): AsyncGenerator<SentEvent, void> {
  let text = ''
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString('utf8')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
      if (field('event') !== '') yield { id: field('id'), event: field('event'), data: JSON.parse(field('data')) }
    }
  }
}

/** Starts `clew serve`. @returns the process, and its address */
export async function startServe(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<{ process: ClewProcess; url: string }> {
  const process = await startClew('serve', 'serving turns', env, { flags })
  const port = /"port":(\d+)/.exec(process.log.join('\n'))?.[1]
  return { process, url: `http://127.0.0.1:${port}` }
}

/** Makes a token by `clew tokens create`. @returns its text, and its id */
export async function createToken(env: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const { status, output, errors } = await runClew(['tokens', 'create', ...options], env)
  if (status !== 0) throw new Error(errors)
  return { bearer: output.trim(), id: /tok_[0-9a-f]+/.exec(errors)?.[0] ?? '' }
}
