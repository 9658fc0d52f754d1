import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Sessions, type SignIn } from '../../src/http/sessions.ts'
import { Tokens } from '../../src/http/tokens.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { type HttpReply, sentEvents, startServe } from '../support/http-client.ts'
import type { ScriptedQuestion } from '../support/scripted-analyst.ts'

const HOUR_MS = 3_600_000

/** A browser at the console, as far as cookies and headers go. */
export class ConsoleClient {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url
    this.headers = { 'Sec-Fetch-Site': 'same-origin', ...headers }
  }

  /** Returns the same browser with other headers. */
  with(headers: Readonly<Record<string, string>>): ConsoleClient {
    return new ConsoleClient(this.url, { ...this.headers, ...headers })
  }

  fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = method === 'GET' ? {} : { 'Content-Type': 'application/json' }
    return fetch(`${this.url}${path}`, { method, headers: { ...type, ...this.headers }, ...json })
  }

  async send(method: string, path: string, body?: unknown): Promise<HttpReply> {
    const response = await this.fetch(method, path, body)
    const text = await response.text()
    const isJson = response.headers.get('Content-Type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }

  get(path: string): Promise<HttpReply> {
    return this.send('GET', path)
  }

  /** Asks a question, and waits until its turn has ended. @returns the id of the turn */
  async ask(text: string): Promise<string> {
    const asked = await this.send('POST', '/v1/turns', { text })
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body))
    return this.ended(String(asked.body.id))
  }

  /** Waits until a turn has ended. @returns its id */
  async ended(id: string): Promise<string> {
    const events = await this.with({ Accept: 'text/event-stream' }).fetch('GET', `/v1/turns/${id}`)
    for await (const { event } of sentEvents(events)) if (event === 'end') break
    return id
  }
}

/** A worker and `clew serve` with its console, over Redis, the engine and a scripted model. */
export interface ConsoleWorld {
  readonly clew: ClewWorld
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** Makes links as the processes do. */
  readonly sessions: Sessions
  /** Makes a link at a moment, now by default, and returns its secret. */
  link(who: Partial<SignIn> & Pick<SignIn, 'person'>, madeAt?: number): Promise<string>
  /** Signs somebody in. */
  signIn(who: Partial<SignIn> & Pick<SignIn, 'person'>): Promise<ConsoleClient>
  /** Starts `clew serve` and the worker again, with these rules. */
  restart(rules: string): Promise<void>
  close(): Promise<void>
}

/**
 * Starts everything.
 * @param rules returns the text of access.yaml; without it, there are no rules
 */
export async function startConsoleWorld(
  book: Readonly<Record<string, ScriptedQuestion>>,
  {
    rules,
    env: own = {},
  }: { readonly rules?: (clew: ClewWorld) => string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ConsoleWorld> {
  const clew = await startClewWorld(book)
  const folder = await mkdtemp(join(tmpdir(), 'clew-console-'))
  const file = join(folder, 'access.yaml')
  const env = { ...clew.env, ...(rules !== undefined && { CLEW_ACCESS_FILE: file }), ...own }
  const redis = await clew.redis.connect()
  let now = Date.now
  const sessions = new Sessions({ redis, now: () => now(), tokens: new Tokens({ redis, now: Date.now }) })
  let served: { readonly process: ClewProcess; readonly url: string } | undefined
  let worker: ClewProcess | undefined
  const world = {
    clew,
    env,
    sessions,
    get url() {
      return served?.url ?? ''
    },
    async link(who: Partial<SignIn> & Pick<SignIn, 'person'>, madeAt = Date.now()) {
      now = () => madeAt
      const link = await sessions.createLink('', { role: null, lifeMs: HOUR_MS, ...who }, AbortSignal.timeout(10_000))
      return link.split('=')[1] ?? ''
    },
    async signIn(who: Partial<SignIn> & Pick<SignIn, 'person'>) {
      const browser = new ConsoleClient(world.url)
      const { status, headers } = await browser.send('POST', '/console/api/session', { secret: await world.link(who) })
      if (status !== 200) throw new Error(`the sign-in failed with ${status}`)
      return browser.with({ Cookie: headers.get('Set-Cookie')?.split(';')[0] ?? '' })
    },
    async restart(written: string) {
      await Promise.all([served?.process.stop(), worker?.stop()])
      await writeFile(file, written)
      ;[served, worker] = await Promise.all([startServe(env), clew.startWorker(env)])
    },
    async close() {
      await served?.process.stop()
      await clew.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await world.restart(rules?.(clew) ?? '')
  return world
}
