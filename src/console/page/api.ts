import { useCallback, useEffect, useState } from 'preact/hooks'

/** A refusal of the server, as RFC 9457 describes it. `status` is 0 if no answer came. */
export class PageProblem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, sentence: string) {
    super(sentence)
    this.status = status
    this.code = code
  }
}

interface Request {
  readonly method?: 'POST' | 'DELETE'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Sends a request with the session's cookie. Throws a PageProblem, or the signal's reason. */
export async function send(path: string, { method, body, headers, signal }: Request = {}): Promise<Response> {
  const json: Readonly<Record<string, string>> = method === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(path, {
    method: method ?? 'GET',
    headers: { ...json, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new PageProblem(0, 'unreachable', 'Clew does not answer. Is `clew serve` running?')
  })
  if (!response.ok) throw await problemOf(response)
  return response
}

/** Sends a request and returns the JSON of its answer. */
export async function call<Body>(path: string, request?: Request): Promise<Body> {
  const response = await send(path, request)
  return (response.status === 204 ? null : await response.json()) as Body
}

async function problemOf(response: Response): Promise<PageProblem> {
  const said: { readonly code?: string; readonly detail?: string } = await response.json().catch(() => ({}))
  const sentence = said.detail ?? `Clew answers with status ${response.status}.`
  if (response.status === 401 && !response.url.endsWith(SESSION)) dispatchEvent(new Event(SIGNED_OUT))
  return new PageProblem(response.status, said.code ?? 'unknown', sentence)
}

/** Who is signed in. */
export const SESSION = '/console/api/session'
/** The event on `window` by which any other request says that the session has ended. */
export const SIGNED_OUT = 'clew-signed-out'

/** Work that a press begins: whether it goes on, and why it failed. */
export interface Action {
  readonly isBusy: boolean
  readonly problem: string | undefined
  act(work: () => Promise<unknown>): Promise<void>
}

export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'act'>>({ isBusy: false, problem: undefined })
  const act = async (work: () => Promise<unknown>) => {
    setState({ isBusy: true, problem: undefined })
    const problem = await work().then(() => undefined, sentenceOf)
    setState({ isBusy: false, problem })
  }
  return { ...state, act }
}

/** Returns what to tell the person. Nothing, if the page itself has given the request up. */
export function sentenceOf(error: unknown): string {
  const { name, message } = error as Error
  return name === 'AbortError' ? '' : message
}

/** The answer of a path. The last data stay while they are read again. */
export interface Loaded<Data> {
  readonly data: Data | undefined
  readonly problem: PageProblem | undefined
  readonly isLoading: boolean
  reload(): void
}

/** Reads JSON from a path, and again when the path changes. With `undefined`, reads nothing. */
export function useApi<Data>(path: string | undefined): Loaded<Data> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Answer<Data>>({ asked: '' })
  const asked = `${path} ${round}`
  useEffect(() => {
    if (path === undefined) return
    const left = new AbortController()
    call<Data>(path, { signal: left.signal }).then(
      data => setState({ asked, path, data }),
      (problem: PageProblem) => {
        if (left.signal.aborted) return
        setState(last => ({ asked, path, problem, data: last.path === path ? last.data : undefined }))
      },
    )
    return () => left.abort()
  }, [path, asked])
  const reload = useCallback(() => setRound(last => last + 1), [])
  return { data: state.data, problem: state.problem, isLoading: path !== undefined && state.asked !== asked, reload }
}

interface Answer<Data> {
  readonly asked: string
  readonly path?: string
  readonly data?: Data | undefined
  readonly problem?: PageProblem
}
