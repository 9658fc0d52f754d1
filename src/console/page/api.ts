import { createContext } from 'preact'
import { useContext, useEffect, useReducer, useState } from 'preact/hooks'
import type { SessionJson } from '../session-routes.ts'

/** A refusal of the server, as RFC 9457 describes it. `status` is 0 if no answer came. */
export type PageProblem = Error & { readonly status: number }

export function pageProblem(status: number, sentence: string): PageProblem {
  return Object.assign(new Error(sentence), { status })
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Sends a request with the session's cookie, and returns the JSON of its answer. Throws a PageProblem, or the signal's reason. */
export async function call<Body>(path: string, { method = 'GET', body, signal }: Request = {}): Promise<Body> {
  const response = await fetch(path, {
    method,
    headers: method === 'GET' ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : pageProblem(0, 'Clew does not answer. Is `clew serve` running?')
  })
  if (response.status === 401 && path !== SESSION) dispatchEvent(new Event(SIGNED_OUT))
  if (response.status === 204) return null as Body
  if (response.ok) return response.json()
  const said: { readonly detail?: string } = await response.json().catch(() => ({}))
  throw pageProblem(response.status, said.detail ?? `Clew answers with status ${response.status}.`)
}

/** Who is signed in. */
export const SESSION = '/console/api/session'
/** The event on `window` by which any other request says that the session has ended. */
export const SIGNED_OUT = 'clew-signed-out'

/** Who is signed in, and what they may do. No page is shown without it. */
export const SessionContext = createContext({} as SessionJson)

export function useSession(): SessionJson {
  return useContext(SessionContext)
}

/** Work that a press begins: whether it goes on, and why it failed. */
export function useAction() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: string | undefined }>({ isBusy: false })
  const act = async (work: () => unknown) => {
    const doing = work()
    if (!(doing instanceof Promise)) return
    setState({ isBusy: true })
    const problem = await doing.then(() => undefined).catch((error: Error) => error.message)
    setState({ isBusy: false, problem })
  }
  return { ...state, act }
}

/** The answer of a path. The last data stay while they are read again. */
export interface Loaded<Data> {
  readonly data?: Data | undefined
  readonly problem?: PageProblem
  reload(): void
}

/**
 * Reads JSON from a path, and again when the path changes. With `undefined`, reads nothing.
 * @param everyMs how long after each answer it is read again, while the page is in sight
 */
export function useApi<Data>(path: string | undefined, everyMs?: number): Loaded<Data> {
  const [round, reload] = useReducer<number, void>(last => last + 1, 0)
  const [state, setState] = useState<Omit<Loaded<Data>, 'reload'> & { readonly path?: string }>({})
  useEffect(() => {
    if (path === undefined) return
    const left = new AbortController()
    const settle = (found: Pick<Loaded<Data>, 'data' | 'problem'>) => {
      if (left.signal.aborted) return
      setState(last => ({ path, data: last.path === path ? last.data : undefined, ...found }))
      if (everyMs === undefined) return
      const timer = setInterval(() => document.hidden || reload(), everyMs)
      left.signal.addEventListener('abort', () => clearInterval(timer))
    }
    call<Data>(path, { signal: left.signal }).then(
      data => settle({ data }),
      (problem: PageProblem) => settle({ problem }),
    )
    return () => left.abort()
  }, [path, round])
  return { ...state, reload }
}
